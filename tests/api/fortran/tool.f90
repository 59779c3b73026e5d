! A tool that wraps the C functions sees the calls of all three interfaces, and none that the library makes for itself.
module old_ways
contains
  subroutine with_mpif(x)
    include 'mpif.h'
    integer :: x, ierror
    call MPI_ALLREDUCE(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call PMPI_ALLREDUCE(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end subroutine
  subroutine with_mpi(x)
    use mpi
    integer :: x, ierror
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call PMPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end subroutine
end module

program tool
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use old_ways
  use check
  implicit none
  interface
    integer(c_int) function c_seen() bind(C, name="c_seen")
      import
    end function
  end interface
  integer :: x = 1, row(2, 4)
  call MPI_Init()
  call with_mpif(x)
  call expect(c_seen() == 1, "mpif.h")
  call with_mpi(x)
  call expect(c_seen() == 2, "use mpi")
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call PMPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call expect(c_seen() == 3, "use mpi_f08")
  row = 1
  call MPI_Allreduce(MPI_IN_PLACE, row(2, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call expect(c_seen() == 4, "a section")
  call MPI_Finalize()
  call finish_checks()
end program
