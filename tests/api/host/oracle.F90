! Reductions and moves in Fortran, in whichever of its three ways: OF_MPIF_H, OF_MODULE or OF_F08. Each element type is a
! module with the same text.
#if defined(OF_F08)
#define BINDING use mpi_f08
#define OP_HANDLE type(MPI_Op)
#define TYPE_HANDLE type(MPI_Datatype)
#define COMM_HANDLE type(MPI_Comm)
#define GROUP_HANDLE type(MPI_Group)
#elif defined(OF_MODULE)
#define BINDING use mpi
#endif
#if !defined(OF_F08)
#define OP_HANDLE integer
#define TYPE_HANDLE integer
#define COMM_HANDLE integer
#define GROUP_HANDLE integer
#endif
#if defined(OF_MPIF_H)
#define BINDING
#define DECLARATIONS include 'mpif.h'
#else
#define DECLARATIONS
#endif

module tally
  implicit none
  integer :: compared = 0, different = 0
contains
  subroutine note(all_same)
    logical, intent(in) :: all_same
    compared = compared + 1
    if (.not. all_same) different = different + 1
  end subroutine
end module

! A world in which the ranks of a node are neighbours, as in_blocks.hpp makes one.
module in_blocks
  BINDING
  implicit none
  DECLARATIONS
  private
  public :: world, make_world
  COMM_HANDLE :: world
contains
  ! In MPI_COMM_WORLD.
  function first_on_node() result(first)
    integer :: first, own(1), found(1), error
    COMM_HANDLE :: node
    GROUP_HANDLE :: ranks_of_node, ranks_of_job
    own = 0
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, error)
    call MPI_Comm_group(node, ranks_of_node, error)
    call MPI_Comm_group(MPI_COMM_WORLD, ranks_of_job, error)
    call MPI_Group_translate_ranks(ranks_of_node, 1, own, ranks_of_job, found, error)
    call MPI_Group_free(ranks_of_node, error)
    call MPI_Group_free(ranks_of_job, error)
    call MPI_Comm_free(node, error)
    first = found(1)
  end function

  subroutine make_world()
    integer :: ranks, own, calls, error
    integer, allocatable :: first(:)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    allocate(first(ranks))
    own = first_on_node()
    call MPI_Allgather(own, 1, MPI_INTEGER, first, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
    world = MPI_COMM_WORLD
    if (all(first(2:) >= first(:ranks - 1))) return
    call MPI_Comm_split(MPI_COMM_WORLD, 0, own, world, error)
    do calls = 1, 3
      call MPI_Barrier(world, error)
    end do
  end subroutine
end module

module of_integers
#define ELEMENT integer
#define ELEMENTS MPI_INTEGER
#define SAME(a, b) ((a) == (b))
#include "oracle_text.inc"
  elemental function value(rank, i) result(element)
    integer, intent(in) :: rank, i
    integer :: element
    element = 3 * rank + mod(i, 1000) + 1
  end function
  elemental function fold(op, a, b) result(c)
    integer, intent(in) :: op, a, b
    integer :: c
    select case (op)
    case (1); c = a + b
    case (2); c = max(a, b)
    case (3); c = min(a, b)
    case (4); c = a * b
    case default; c = ieor(a, b)
    end select
  end function
  function operations() result(ops)
    OP_HANDLE :: ops(5)
    ops = [MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_BXOR]
  end function
end module
#undef ELEMENT
#undef ELEMENTS
#undef SAME

module of_doubles
#define ELEMENT double precision
#define ELEMENTS MPI_DOUBLE_PRECISION
#define SAME(a, b) ((a) == (b))
#include "oracle_text.inc"
  elemental function value(rank, i) result(element)
    integer, intent(in) :: rank, i
    double precision :: element
    element = 1d0 / (3 + 7 * rank + i)
  end function
  elemental function fold(op, a, b) result(c)
    integer, intent(in) :: op
    double precision, intent(in) :: a, b
    double precision :: c
    select case (op)
    case (1); c = a + b
    case (2); c = a * b
    case default; c = max(a, b)
    end select
  end function
  function operations() result(ops)
    OP_HANDLE :: ops(3)
    ops = [MPI_SUM, MPI_PROD, MPI_MAX]
  end function
end module
#undef ELEMENT
#undef ELEMENTS
#undef SAME

module of_complexes
#define ELEMENT complex
#define ELEMENTS MPI_COMPLEX
#define SAME(a, b) ((a) == (b))
#include "oracle_text.inc"
  elemental function value(rank, i) result(element)
    integer, intent(in) :: rank, i
    complex :: element
    element = cmplx(1.0 / (rank + i), 0.1 * rank)
  end function
  elemental function fold(op, a, b) result(c)
    integer, intent(in) :: op
    complex, intent(in) :: a, b
    complex :: c
    c = merge(a + b, a, op == 1)
  end function
  function operations() result(ops)
    OP_HANDLE :: ops(1)
    ops = [MPI_SUM]
  end function
end module
#undef ELEMENT
#undef ELEMENTS
#undef SAME

module of_logicals
#define ELEMENT logical
#define ELEMENTS MPI_LOGICAL
#define SAME(a, b) ((a) .eqv. (b))
#include "oracle_text.inc"
  elemental function value(rank, i) result(element)
    integer, intent(in) :: rank, i
    logical :: element
    element = mod(rank + i, 3) /= 0
  end function
  elemental function fold(op, a, b) result(c)
    integer, intent(in) :: op
    logical, intent(in) :: a, b
    logical :: c
    select case (op)
    case (1); c = a .and. b
    case (2); c = a .or. b
    case default; c = a .neqv. b
    end select
  end function
  function operations() result(ops)
    OP_HANDLE :: ops(3)
    ops = [MPI_LAND, MPI_LOR, MPI_LXOR]
  end function
end module

program oracle
  use tally
  use in_blocks
  use of_integers, only: check_integers => check
  use of_doubles, only: check_doubles => check
  use of_complexes, only: check_complexes => check
  use of_logicals, only: check_logicals => check
  BINDING
  implicit none
  DECLARATIONS
  integer :: rank, total, error
  call MPI_Init(error)
  call make_world()
  call MPI_Comm_rank(world, rank, error)
  call check_integers()
  call check_doubles()
  call check_complexes()
  call check_logicals()
#if defined(OF_F08)
  if (MPI_SUBARRAYS_SUPPORTED) call check_sections()
#endif
  call MPI_Reduce(different, total, 1, MPI_INTEGER, MPI_SUM, 0, world, error)
  if (rank == 0) print '(i0, a, i0, a)', compared, ' compared by rank 0, ', total, ' differ'
  call MPI_Finalize(error)
#if defined(OF_F08)
contains
  ! A host makes a datatype of a section, on the ranks that pass one.
  subroutine check_sections()
    integer, parameter :: n = 3000
    integer :: sparse(2 * n), dense(n), root, ranks
    call MPI_Comm_size(world, ranks, error)
    do root = 0, ranks - 1
      sparse = merge(root, -1, rank == root)
      dense = merge(root, -1, rank == root)
      if (mod(rank, 2) == 0) call MPI_Bcast(sparse(1:2 * n:2), n, MPI_INTEGER, root, world, error)
      if (mod(rank, 2) == 1) call MPI_Bcast(dense, n, MPI_INTEGER, root, world, error)
      if (mod(rank, 2) == 0) dense = sparse(1:2 * n:2)
      call note(all(dense == root))
      call note(rank == root .or. mod(rank, 2) == 1 .or. all(sparse(2:2 * n:2) == -1))
    end do
  end subroutine
#endif
end program
