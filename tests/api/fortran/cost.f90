! What a call costs more in Fortran than in C: the least of many trials, which take turns. At most 10 ns, where a pair
! of calls counts as two.
module old_loops
contains
  double precision function mpi_rank(calls) result(seconds)
    use mpi
    integer, intent(in) :: calls
    integer :: i, rank, code
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    end do
    seconds = MPI_Wtime() - seconds
  end function
  double precision function mpi_allreduces(calls) result(seconds)
    use mpi
    integer, intent(in) :: calls
    integer :: i, code
    double precision :: in, out
    in = 1
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Allreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    end do
    seconds = MPI_Wtime() - seconds
  end function
  double precision function mpi_waits(calls) result(seconds)
    use mpi
    integer, intent(in) :: calls
    integer :: i, code, request
    double precision :: in, out
    in = 1
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Iallreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request, code)
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    end do
    seconds = MPI_Wtime() - seconds
  end function
end module

program cost
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use old_loops
  implicit none
  integer, parameter :: trials = 6000, calls = 250
  interface
    real(c_double) function c_rank(calls) bind(C, name="c_rank")
      import
      integer(c_int), value :: calls
    end function
    real(c_double) function c_allreduce(calls) bind(C, name="c_allreduce")
      import
      integer(c_int), value :: calls
    end function
    real(c_double) function c_wait(calls) bind(C, name="c_wait")
      import
      integer(c_int), value :: calls
    end function
  end interface
  double precision :: least(3, 3), most
  integer :: trial
  character(len=16), parameter :: names(3) = ["Comm_rank       ", "Allreduce       ", "Iallreduce, Wait"]
  least = huge(least)
  call MPI_Init()
  do trial = 1, trials
    least(1, :) = min(least(1, :), [c_rank(calls), c_allreduce(calls), c_wait(calls)])
    least(2, :) = min(least(2, :), [mpi_rank(calls), mpi_allreduces(calls), mpi_waits(calls)])
    least(3, :) = min(least(3, :), [f08_rank(), f08_allreduces(), f08_waits()])
  end do
  least = least / calls * 1d9
  do trial = 1, 3
    print "(a, a, f7.1, a, f7.1, a, f7.1, a)", names(trial), ": C", least(1, trial), " ns, use mpi", &
      least(2, trial), " ns, use mpi_f08", least(3, trial), " ns"
  end do
  call MPI_Finalize()
  most = maxval((least(2:3, :) - spread(least(1, :), 1, 2)) / spread([1, 1, 2], 1, 2))
  if (most > 10) error stop "a Fortran call takes more than 10 ns longer"

contains

  double precision function f08_rank() result(seconds)
    integer :: i, rank
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    end do
    seconds = MPI_Wtime() - seconds
  end function
  double precision function f08_allreduces() result(seconds)
    integer :: i
    double precision :: in, out
    in = 1
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Allreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    end do
    seconds = MPI_Wtime() - seconds
  end function
  double precision function f08_waits() result(seconds)
    integer :: i
    type(MPI_Request) :: request
    double precision :: in, out
    in = 1
    seconds = MPI_Wtime()
    do i = 1, calls
      call MPI_Iallreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end do
    seconds = MPI_Wtime() - seconds
  end function
end program
