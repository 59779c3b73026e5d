! Sections of arrays as buffers of the interfaces without descriptors: compilers copy them there and back.
program old_sections
  use mpi
  use check
  implicit none
  integer :: ierror
  call MPI_Init(ierror)
  call with_mpi()
  call with_mpif()
  call MPI_Finalize(ierror)
  call finish_checks()
contains
  subroutine with_mpi()
    integer(MPI_ADDRESS_KIND) :: wide = 0
    include 'old_sections.inc'
  end subroutine
end program
