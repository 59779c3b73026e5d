! A program of three languages: C begins MPI, Fortran ends it, and each, C++ too, uses what the others have made.
module fortran_part
contains
  subroutine add_pairs(in, inout, length, datatype)
    use, intrinsic :: iso_c_binding
    use mpi_f08
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    integer :: size
    call MPI_Type_size(datatype, size)
    call c_f_pointer(in, a, [length * size / 4])
    call c_f_pointer(inout, b, [length * size / 4])
    b = a + b
  end subroutine
end module

program mixed
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use check
  use fortran_part
  implicit none
  interface
    integer(c_int) function c_start() bind(C, name="c_start")
      import
    end function
    integer(c_int) function c_duplicate(comm) bind(C, name="c_duplicate")
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_operation() bind(C, name="c_operation")
      import
    end function
    integer(c_int) function c_pairs() bind(C, name="c_pairs")
      import
    end function
    integer(c_int) function c_finds(comm, key, value) bind(C, name="c_finds")
      import
      integer(c_int), value :: comm, key
      integer(c_int64_t), value :: value
    end function
    integer(c_int64_t) function c_sets(comm, key) bind(C, name="c_sets")
      import
      integer(c_int), value :: comm, key
    end function
    integer(c_int) function c_waits(request) bind(C, name="c_waits")
      import
      integer(c_int) :: request
    end function
    integer(c_int) function c_status(status, source, tag) bind(C, name="c_status")
      import
      integer(c_int) :: status(*)
      integer(c_int), value :: source, tag
    end function
    integer(c_int) function cxx_operation() bind(C, name="cxx_operation")
      import
    end function
    integer(c_int) function cxx_key() bind(C, name="cxx_key")
      import
    end function
    integer(c_int) function cxx_copies() bind(C, name="cxx_copies")
      import
    end function
    integer(c_int) function cxx_finds(comm, key, value) bind(C, name="cxx_finds")
      import
      integer(c_int), value :: comm, key
      integer(c_int64_t), value :: value
    end function
    subroutine cxx_reduces(comm, op, datatype, pair) bind(C, name="cxx_reduces")
      import
      integer(c_int), value :: comm, op, datatype
      integer(c_int) :: pair(2)
    end subroutine
    integer(c_int) function cxx_catches(comm) bind(C, name="cxx_catches")
      import
      integer(c_int), value :: comm
    end function
  end interface
  integer :: rank, ranks, key, values(8), old_status(MPI_STATUS_SIZE), smallest(4), code
  integer(MPI_ADDRESS_KIND) :: found, set
  type(MPI_Comm) :: copy
  type(MPI_Op) :: op
  type(MPI_Datatype) :: pairs
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  logical :: flag

  call expect(c_start() == MPI_SUCCESS, "MPI_Init in C")
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  copy%MPI_VAL = c_duplicate(MPI_COMM_WORLD%MPI_VAL)
  op%MPI_VAL = c_operation()
  pairs%MPI_VAL = c_pairs()

  call MPI_Allreduce([rank, -rank, 5, rank + 1], smallest, 4, MPI_INTEGER, op, copy)
  call expect(all(smallest == [0, 1 - ranks, 5, 1]), "an operation of C")
  values = rank
  call MPI_Bcast(values(1:8:2), 2, pairs, ranks - 1, copy)
  call expect(all(values(1:8:2) == ranks - 1) .and. all(values(2:8:2) == rank), "a datatype of C, in a section")

  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(copy, key, 77_MPI_ADDRESS_KIND)
  call expect(c_finds(copy%MPI_VAL, key, 77_c_int64_t) /= 0, "an attribute that Fortran has set, in C")
  set = c_sets(copy%MPI_VAL, key)
  call MPI_Comm_get_attr(copy, key, found, flag)
  call expect(flag .and. found == set, "an attribute that C has set, in Fortran")
  call MPI_Comm_free_keyval(key)

  values = 1
  call MPI_Iallreduce(MPI_IN_PLACE, values(8:1:-2), 4, MPI_INTEGER, MPI_SUM, copy, request)
  call expect(c_waits(request%MPI_VAL) == MPI_SUCCESS .and. request == MPI_REQUEST_NULL, "MPI_Wait in C")
  call expect(all(values(2::2) == ranks) .and. all(values(1::2) == 1), "a section whose operation C has completed")

  status%MPI_SOURCE = 11
  status%MPI_TAG = 12
  call MPI_Status_f082f(status, old_status)
  call expect(c_status(old_status, 11, 12) /= 0, "MPI_Status_f082f, MPI_Status_f2c")
  old_status(MPI_TAG) = 13
  call MPI_Status_f2f08(old_status, status)
  call expect(status%MPI_TAG == 13 .and. status%MPI_SOURCE == 11, "MPI_Status_f2f08")

  call with_cxx()

  call MPI_Type_free(pairs)
  call MPI_Op_free(op)
  call MPI_Comm_free(copy, code)
  call expect(code == MPI_SUCCESS, "MPI_Comm_free")
  call MPI_Finalize()
  call finish_checks()

contains

  subroutine with_cxx()
    type(MPI_Op) :: sum_of_pairs, largest
    type(MPI_Comm) :: again
    integer :: pair(2)
    call MPI_Op_create(add_pairs, .true., sum_of_pairs)
    pair = [rank, 2]
    call cxx_reduces(copy%MPI_VAL, sum_of_pairs%MPI_VAL, pairs%MPI_VAL, pair)
    call expect(all(pair == [ranks * (ranks - 1) / 2, 2 * ranks]), "an operation of Fortran on a datatype of C, in C++")
    largest%MPI_VAL = cxx_operation()
    pair = [rank, -rank]
    call MPI_Allreduce(MPI_IN_PLACE, pair, 2, MPI_INTEGER, largest, copy)
    call expect(all(pair == [ranks - 1, 0]), "an operation of C++")
    key = cxx_key()
    call MPI_Comm_set_attr(copy, key, 78_MPI_ADDRESS_KIND)
    call expect(cxx_finds(copy%MPI_VAL, key, 78_c_int64_t) /= 0, "an attribute that Fortran has set, in C++")
    call MPI_Comm_dup(copy, again)
    call MPI_Comm_get_attr(again, key, found, flag)
    call expect(flag .and. found == 78 .and. cxx_copies() == 2, "an attribute that a function of C++ has copied")
    call expect(cxx_catches(again%MPI_VAL) /= 0, "an exception")
    call MPI_Comm_free_keyval(key)
    call MPI_Comm_free(again)
    call MPI_Op_free(sum_of_pairs)
    call MPI_Op_free(largest)
  end subroutine
end program
