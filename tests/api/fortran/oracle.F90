! Reductions of Fortran's types, by every operation that is defined on them, in place or not, of whole arrays and of
! sections: bit by bit what C gets for the same elements lying one after the other.
#ifndef ORACLE_WIDEST
#define ORACLE_WIDEST 16
#endif
program oracle
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer, parameter :: kCount = 33
  integer, parameter :: kArithmetic = 1, kSum = 2, kBits = 3, kLogical = 4, kPairs = 5
  integer :: rank, compared = 0, differing = 0, types = 0
  type(MPI_Op) :: op
  type(MPI_Request) :: request
  real(ORACLE_WIDEST) :: random(2*kCount)  ! flang 22 has no kind 16
  integer :: numbers(2*kCount)
  interface
    subroutine c_allreduce(sent, received, datatype, op) bind(C, name="c_allreduce")
      import
      type(*) :: sent(*), received(*)
      integer(c_int), value :: datatype, op
    end subroutine
    subroutine c_scan(sent, received, datatype, op) bind(C, name="c_scan")
      import
      type(*) :: sent(*), received(*)
      integer(c_int), value :: datatype, op
    end subroutine
    integer(c_int) function c_differs(a, b, bytes) bind(C, name="c_differs")
      import
      type(*), intent(in) :: a(*), b(*)
      integer(c_int), value :: bytes
    end function
  end interface

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call fill()
  call integer1(); call integer2(); call integer4(); call integer8(); call integer16()
  call integer_default()
  call real4(); call real8(); call real_default(); call double_precision()
  call complex8(); call complex16(); call complex_default(); call double_complex()
#if ORACLE_WIDEST == 16
  call real16(); call complex32()
#endif
  call logical1(); call logical2(); call logical4(); call logical8(); call logical_default()
  call pairs_of_integers(); call pairs_of_reals(); call pairs_of_doubles()
  if (rank == 0) print "(i0, a, i0, a, i0, a)", types, " types, ", compared, " results, ", differing, " differ from C"
  call MPI_Finalize()
  if (differing > 0) error stop 1

contains

  !> The same values everywhere but for the rank: sums of them are rounded, so that another order gives other bits.
  subroutine fill()
    integer :: i
    do i = 1, 2*kCount
      numbers(i) = mod(i * 7919 + rank * 104729, 251) - 125
      random(i) = numbers(i) / real(7, kind(random)) + 1 / real(i + rank + 1, kind(random))
    end do
  end subroutine

  subroutine compare(differs)
    integer, value :: differs
    compared = compared + 1
    differing = differing + differs
  end subroutine

  subroutine refuse(what)
    character(len=*) :: what
    if (rank == 0) print *, "failed: ", what
    differing = differing + 1
  end subroutine

  integer function numbers_of(ops)
    integer, value :: ops
    integer, parameter :: counts(5) = [4, 2, 7, 3, 2]
    numbers_of = counts(ops)
  end function

  type(MPI_Op) function op_of(ops, i)
    integer, value :: ops, i
    type(MPI_Op), parameter :: arithmetic(4) = [MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX]
    type(MPI_Op), parameter :: bits(7) = [MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR]
    type(MPI_Op), parameter :: logicals(3) = [MPI_LAND, MPI_LOR, MPI_LXOR]
    type(MPI_Op), parameter :: pairs(2) = [MPI_MINLOC, MPI_MAXLOC]
    select case (ops)
    case (kBits)
      op_of = bits(i)
    case (kLogical)
      op_of = logicals(i)
    case (kPairs)
      op_of = pairs(i)
    case default
      op_of = arithmetic(i)
    end select
  end function

#define ORACLE_NAME integer1
#define ORACLE_TYPE integer(1)
#define ORACLE_MPI MPI_INTEGER1
#define ORACLE_OPS kBits
#define ORACLE_FILL int(numbers(:kCount), 1)
#include "oracle_types.inc"
#define ORACLE_NAME integer2
#define ORACLE_TYPE integer(2)
#define ORACLE_MPI MPI_INTEGER2
#define ORACLE_OPS kBits
#define ORACLE_FILL int(numbers(:kCount), 2)
#include "oracle_types.inc"
#define ORACLE_NAME integer4
#define ORACLE_TYPE integer(4)
#define ORACLE_MPI MPI_INTEGER4
#define ORACLE_OPS kBits
#define ORACLE_FILL int(numbers(:kCount), 4)
#include "oracle_types.inc"
#define ORACLE_NAME integer8
#define ORACLE_TYPE integer(8)
#define ORACLE_MPI MPI_INTEGER8
#define ORACLE_OPS kBits
#define ORACLE_FILL int(numbers(:kCount), 8)
#include "oracle_types.inc"
#define ORACLE_NAME integer16
#define ORACLE_TYPE integer(16)
#define ORACLE_MPI MPI_INTEGER16
#define ORACLE_OPS kBits
#define ORACLE_FILL int(numbers(:kCount), 16)
#include "oracle_types.inc"
#define ORACLE_NAME integer_default
#define ORACLE_TYPE integer
#define ORACLE_MPI MPI_INTEGER
#define ORACLE_OPS kBits
#define ORACLE_FILL numbers(:kCount)
#include "oracle_types.inc"
#define ORACLE_NAME real4
#define ORACLE_TYPE real(4)
#define ORACLE_MPI MPI_REAL4
#define ORACLE_OPS kArithmetic
#define ORACLE_FILL real(random(:kCount), 4)
#include "oracle_types.inc"
#define ORACLE_NAME real8
#define ORACLE_TYPE real(8)
#define ORACLE_MPI MPI_REAL8
#define ORACLE_OPS kArithmetic
#define ORACLE_FILL real(random(:kCount), 8)
#include "oracle_types.inc"
#if ORACLE_WIDEST == 16
#define ORACLE_NAME real16
#define ORACLE_TYPE real(16)
#define ORACLE_MPI MPI_REAL16
#define ORACLE_OPS kArithmetic
#define ORACLE_FILL real(random(:kCount), 16)
#include "oracle_types.inc"
#endif
#define ORACLE_NAME real_default
#define ORACLE_TYPE real
#define ORACLE_MPI MPI_REAL
#define ORACLE_OPS kArithmetic
#define ORACLE_FILL real(random(:kCount))
#include "oracle_types.inc"
#define ORACLE_NAME double_precision
#define ORACLE_TYPE double precision
#define ORACLE_MPI MPI_DOUBLE_PRECISION
#define ORACLE_OPS kArithmetic
#define ORACLE_FILL real(random(:kCount), 8)
#include "oracle_types.inc"
#define ORACLE_NAME complex8
#define ORACLE_TYPE complex(4)
#define ORACLE_MPI MPI_COMPLEX8
#define ORACLE_OPS kSum
#define ORACLE_FILL cmplx(random(:kCount), random(kCount+1:), 4)
#include "oracle_types.inc"
#define ORACLE_NAME complex16
#define ORACLE_TYPE complex(8)
#define ORACLE_MPI MPI_COMPLEX16
#define ORACLE_OPS kSum
#define ORACLE_FILL cmplx(random(:kCount), random(kCount+1:), 8)
#include "oracle_types.inc"
#if ORACLE_WIDEST == 16
#define ORACLE_NAME complex32
#define ORACLE_TYPE complex(16)
#define ORACLE_MPI MPI_COMPLEX32
#define ORACLE_OPS kSum
#define ORACLE_FILL cmplx(random(:kCount), random(kCount+1:), 16)
#include "oracle_types.inc"
#endif
#define ORACLE_NAME complex_default
#define ORACLE_TYPE complex
#define ORACLE_MPI MPI_COMPLEX
#define ORACLE_OPS kSum
#define ORACLE_FILL cmplx(random(:kCount), random(kCount+1:), 4)
#include "oracle_types.inc"
#define ORACLE_NAME double_complex
#define ORACLE_TYPE complex(8)
#define ORACLE_MPI MPI_DOUBLE_COMPLEX
#define ORACLE_OPS kSum
#define ORACLE_FILL cmplx(random(:kCount), random(kCount+1:), 8)
#include "oracle_types.inc"
#define ORACLE_NAME logical1
#define ORACLE_TYPE logical(1)
#define ORACLE_MPI MPI_LOGICAL1
#define ORACLE_OPS kLogical
#define ORACLE_FILL logical(numbers(:kCount) > 0, 1)
#include "oracle_types.inc"
#define ORACLE_NAME logical2
#define ORACLE_TYPE logical(2)
#define ORACLE_MPI MPI_LOGICAL2
#define ORACLE_OPS kLogical
#define ORACLE_FILL logical(numbers(:kCount) > 0, 2)
#include "oracle_types.inc"
#define ORACLE_NAME logical4
#define ORACLE_TYPE logical(4)
#define ORACLE_MPI MPI_LOGICAL4
#define ORACLE_OPS kLogical
#define ORACLE_FILL logical(numbers(:kCount) > 0, 4)
#include "oracle_types.inc"
#define ORACLE_NAME logical8
#define ORACLE_TYPE logical(8)
#define ORACLE_MPI MPI_LOGICAL8
#define ORACLE_OPS kLogical
#define ORACLE_FILL logical(numbers(:kCount) > 0, 8)
#include "oracle_types.inc"
#define ORACLE_NAME logical_default
#define ORACLE_TYPE logical
#define ORACLE_MPI MPI_LOGICAL
#define ORACLE_OPS kLogical
#define ORACLE_FILL numbers(:kCount) > 0
#include "oracle_types.inc"
! A pair is two numbers, as a complex number is; minima of pairs of integers have a storage of their own.
#define ORACLE_NAME pairs_of_integers
#define ORACLE_TYPE complex(4)
#define ORACLE_MPI MPI_2INTEGER
#define ORACLE_OPS kPairs
#define ORACLE_FILL transfer(numbers, (0.0, 0.0), kCount)
#include "oracle_types.inc"
#define ORACLE_NAME pairs_of_reals
#define ORACLE_TYPE complex(4)
#define ORACLE_MPI MPI_2REAL
#define ORACLE_OPS kPairs
#define ORACLE_FILL cmplx(numbers(:kCount), numbers(kCount+1:), 4)
#include "oracle_types.inc"
#define ORACLE_NAME pairs_of_doubles
#define ORACLE_TYPE complex(8)
#define ORACLE_MPI MPI_2DOUBLE_PRECISION
#define ORACLE_OPS kPairs
#define ORACLE_FILL cmplx(numbers(:kCount), numbers(kCount+1:), 8)
#include "oracle_types.inc"
end program
