! The half of old_sections.f90 with mpif.h: flang 19 refuses a file that has several of the interfaces.
subroutine with_mpif()
  use check
  implicit none
  include 'mpif.h'
  integer(MPI_ADDRESS_KIND) :: wide = 0
  include 'old_sections.inc'
end subroutine
