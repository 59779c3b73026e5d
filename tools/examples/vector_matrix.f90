! The product of a vector and a matrix whose rows are shared out among the ranks of an MPI job, as vector_matrix.c
! computes it, in Fortran 90. Every rank gets the product, by MPI_Allreduce.
!
!   mpif90 vector_matrix.f90 -o vector_matrix && mpiexec -n 4 ./vector_matrix
program vector_matrix
  use mpi
  implicit none
  integer, parameter :: rows = 1000, columns = 700
  double precision, allocatable :: a(:), b(:,:)
  double precision :: product(columns), alone(columns)
  integer :: ierror, rank, ranks, wrong

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call make_slice(rows * rank / ranks, rows * (rank + 1) / ranks, a, b)
  call multiply_together(a, b, product, MPI_COMM_WORLD)
  call make_slice(0, rows, a, b)
  call multiply(a, b, alone)
  wrong = count(product /= alone)
  if (rank == 0) call report()
  call MPI_Finalize(ierror)
  if (wrong > 0) stop 1

contains

  ! Rows first + 1 to last. Small multiples of 1/4: sums of their products are exact, in whatever order they are added.
  subroutine make_slice(first, last, a, b)
    integer, intent(in) :: first, last
    double precision, allocatable, intent(out) :: a(:), b(:,:)
    integer :: i, j
    allocate (a(last - first), b(last - first, columns))
    a = [((mod(i * 7, 23) - 11) / 4d0, i = first, last - 1)]
    do j = 0, columns - 1
      b(:, j + 1) = [((mod(i * 5 + j * 3 + i * j, 31) - 15) / 4d0, i = first, last - 1)]
    end do
  end subroutine

  subroutine multiply(a, b, c)
    double precision, intent(in) :: a(:), b(:,:)
    double precision, intent(out) :: c(:)
    c = matmul(a, b)
  end subroutine

  ! Collective over comm.
  subroutine multiply_together(a, b, c, comm)
    double precision, intent(in) :: a(:), b(:,:)
    double precision, intent(out) :: c(columns)
    integer, intent(in) :: comm
    double precision :: part(columns)
    call multiply(a, b, part)
    call MPI_Allreduce(part, c, columns, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierror)
  end subroutine

  subroutine report()
    print "(a, i0, a, i0, a, i0, a, f0.4, a, f0.4)", "product ", rows, " rows on ", ranks, " ranks, ", columns, &
      " columns: ", product(1), ", ..., ", product(columns)
    if (wrong == 0) then
      print "(a, i0, a)", "check   ok   all ", columns, " elements equal the serial product"
    else
      print "(a, i0, a, i0, a)", "check   FAIL ", wrong, " of ", columns, " elements differ from the serial product"
    end if
  end subroutine
end program
