! A plugin of plugins.c, built several times: MPI_IN_PLACE must be known in each.
subroutine total(value) bind(C, name="total")
  use, intrinsic :: iso_c_binding
  use PLUGIN_MODULE
  implicit none
  integer(c_int) :: value
  integer :: ierror
  call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
end subroutine
