! The product of a vector and a matrix whose rows are shared out among the ranks of an MPI job, as vector_matrix.c
! computes it, in Fortran 2008. Every rank gets the product, by MPI_Allreduce; the parts are a row of a matrix, whose
! elements do not lie one after the other.
!
!   mpifort vector_matrix_2008.f90 -o vector_matrix && mpiexec -n 4 ./vector_matrix
program vector_matrix
  use mpi_f08
  implicit none
  integer, parameter :: rows = 1000, columns = 700
  double precision, allocatable :: a(:), b(:,:)
  double precision :: results(2, columns)  ! together, and alone
  integer :: rank, ranks, wrong

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call make_slice(rows * rank / ranks, rows * (rank + 1) / ranks)
  call multiply_together(results(1, :), MPI_COMM_WORLD)
  call make_slice(0, rows)
  results(2, :) = matmul(a, b)
  wrong = count(results(1, :) /= results(2, :))
  if (rank == 0) call report()
  call MPI_Finalize()
  if (wrong > 0) error stop

contains

  !> Rows first + 1 to last. Small multiples of 1/4: sums of their products are exact, in whatever order.
  subroutine make_slice(first, last)
    integer, intent(in) :: first, last
    integer :: i, j
    a = [((mod(i * 7, 23) - 11) / 4d0, i = first, last - 1)]
    b = reshape([(((mod(i * 5 + j * 3 + i * j, 31) - 15) / 4d0, i = first, last - 1), j = 0, columns - 1)], &
                [last - first, columns])
  end subroutine

  !> Collective over comm.
  subroutine multiply_together(c, comm)
    double precision, intent(inout) :: c(:)
    type(MPI_Comm), intent(in) :: comm
    c = matmul(a, b)
    call MPI_Allreduce(MPI_IN_PLACE, c, columns, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  end subroutine

  subroutine report()
    print "(a, i0, a, i0, a, i0, a, f0.4, a, f0.4)", "product ", rows, " rows on ", ranks, " ranks, ", columns, &
      " columns: ", results(1, 1), ", ..., ", results(1, columns)
    if (wrong == 0) then
      print "(a, i0, a)", "check   ok   all ", columns, " elements equal the serial product"
    else
      print "(a, i0, a, i0, a)", "check   FAIL ", wrong, " of ", columns, " elements differ from the serial product"
    end if
  end subroutine
end program
