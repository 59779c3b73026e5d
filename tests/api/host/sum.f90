! Fortran's own handles, with two precisions, through the host's Fortran layer.
program sum
  use mpi
  implicit none
  integer :: rank, ranks, error, i, whole
  double precision :: real, reals(2)
  logical :: all_true
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do i = 1, 5
    call MPI_Allreduce(rank + 1, whole, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (whole /= ranks * (ranks + 1) / 2) error stop 'MPI_INTEGER'
    reals = 0.5d0 * (rank + 1)
    call MPI_Allreduce(MPI_IN_PLACE, reals, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (reals(2) /= 0.25d0 * ranks * (ranks + 1)) error stop 'MPI_DOUBLE_PRECISION'
    call MPI_Allreduce(.true., all_true, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
    if (.not. all_true) error stop 'MPI_LOGICAL'
    real = merge(7d0, 0d0, rank == 0)
    call MPI_Bcast(real, 1, MPI_REAL8, 0, MPI_COMM_WORLD, error)
    if (real /= 7d0) error stop 'MPI_Bcast'
  end do
  call MPI_Finalize(error)
end program
