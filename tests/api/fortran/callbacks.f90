! Functions of a Fortran program that MPI calls, with mpi_f08: operations, attributes, error handlers, generalized
! requests.
module program_functions
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer :: deleted = 0, handled = 0, queried = 0, freed = 0, cancelled = 0
  integer(MPI_ADDRESS_KIND) :: last_deleted = 0
contains
  !> b = a + 2 b: neither commutative nor associative, so that the order shows.
  subroutine add_twice(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    real(8), pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_DOUBLE_PRECISION) b = a + 2 * b
  end subroutine

  subroutine add_wide(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    real(8), pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_DOUBLE_PRECISION) b = a + 2 * b
  end subroutine

  subroutine copy_and_count(oldcomm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + extra_state
    flag = oldcomm == MPI_COMM_WORLD .and. keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_and_count(comm, keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + 1
    last_deleted = attribute_val
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, extra_state == 1 .and. comm /= MPI_COMM_NULL .and. keyval > 0)
  end subroutine

  subroutine refuse_copy(oldtype, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Datatype) :: oldtype
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    flag = .false.
    ierror = merge(MPI_ERR_TYPE, MPI_SUCCESS, oldtype == MPI_REAL .and. keyval > 0)
    if (extra_state > 0) attribute_val_out = attribute_val_in
  end subroutine

  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code, error_class
    call MPI_Error_class(error_code, error_class)
    if (comm == MPI_COMM_WORLD .and. error_class == MPI_ERR_COUNT) handled = handled + 1
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    queried = queried + 1
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = 3
    status%MPI_TAG = 4
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete .and. extra_state == 7) cancelled = cancelled + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use program_functions
  use check
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call operations()
  call communicator_attributes()
  call type_attributes()
  call error_handlers()
  call generalized_requests()
  call MPI_Finalize()
  call finish_checks()

contains

  subroutine operations()
    type(MPI_Op) :: op, wide_op
    type(MPI_Request) :: request
    real(8) :: mine(4), narrow(4), wide(4), section(8)
    logical :: commutes
    mine = rank + 1
    call MPI_Op_create(add_twice, .false., op)
    call MPI_Op_create_c(add_wide, .true., wide_op)
    call MPI_Op_commutative(op, commutes)
    call expect(.not. commutes, "MPI_Op_commutative")
    call MPI_Op_commutative(wide_op, commutes)
    call expect(commutes, "MPI_Op_commutative of a large operation")
    call MPI_Allreduce(mine, narrow, 4, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD)
    call MPI_Allreduce(mine, wide, 4, MPI_DOUBLE_PRECISION, wide_op, MPI_COMM_WORLD)
    call expect(all(narrow == wide), "operations with lengths of either kind")
    if (ranks == 2) call expect(all(narrow == 5), "an operation that does not commute")
    section = 0
    call MPI_Iallreduce(mine, section(2::2), 4, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, request)
    call MPI_Op_free(op)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(section(2::2) == narrow) .and. all(section(1::2) == 0), "an operation on a section")
    call expect(op == MPI_OP_NULL, "MPI_Op_free")
    call MPI_Op_free(wide_op)
  end subroutine

  subroutine communicator_attributes()
    integer :: key
    integer(MPI_ADDRESS_KIND) :: found
    integer(MPI_ADDRESS_KIND), parameter :: large = 2_MPI_ADDRESS_KIND**40
    logical :: flag
    type(MPI_Comm) :: copy
    call MPI_Comm_create_keyval(copy_and_count, delete_and_count, key, 1_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, large)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Comm_get_attr(copy, key, found, flag)
    call expect(flag .and. found == large + 1, "the copy function's value")
    call MPI_Comm_free(copy)
    call expect(deleted == 1 .and. last_deleted == large + 1, "the delete function at MPI_Comm_free")
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
    call expect(deleted == 2 .and. last_deleted == large, "the delete function at MPI_Comm_delete_attr")
    call MPI_Comm_free_keyval(key)
    call expect(key == MPI_KEYVAL_INVALID, "MPI_Comm_free_keyval")
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, -5_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, copy)
    call MPI_Comm_get_attr(copy, key, found, flag)
    call expect(flag .and. found == -5, "MPI_COMM_DUP_FN")
    call MPI_Comm_free(copy)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, found, flag)
    call expect(.not. flag, "an attribute that is not there")
    call MPI_Comm_free_keyval(key)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, found, flag)
    call expect(flag .and. found == ranks, "MPI_UNIVERSE_SIZE")
  end subroutine

  subroutine type_attributes()
    integer :: key, code, error_class
    integer(MPI_ADDRESS_KIND) :: found
    logical :: flag
    type(MPI_Datatype) :: type, copy
    call MPI_Type_create_keyval(refuse_copy, MPI_TYPE_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Type_contiguous(2, MPI_REAL, type)
    call MPI_Type_set_attr(type, key, 9_MPI_ADDRESS_KIND)
    call MPI_Type_dup(type, copy, code)
    call MPI_Error_class(code, error_class)
    call expect(error_class == MPI_SUCCESS, "MPI_Type_dup")
    call MPI_Type_get_attr(copy, key, found, flag)
    call expect(.not. flag, "a copy that the function refuses")
    call MPI_Type_get_attr(type, key, found, flag)
    call expect(flag .and. found == 9, "MPI_Type_get_attr")
    call MPI_Type_free(copy)
    call MPI_Type_free(type)
    call MPI_Type_free_keyval(key)
  end subroutine

  subroutine error_handlers()
    type(MPI_Errhandler) :: handler, before
    integer :: value = 0, code, error_class
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before)
    call MPI_Comm_create_errhandler(handle, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
    call MPI_Bcast(value, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, error_class)
    call expect(handled == 1 .and. error_class == MPI_ERR_COUNT, "an error handler")
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_COUNT)
    call expect(handled == 2, "MPI_Comm_call_errhandler")
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, before)
    call MPI_Errhandler_free(handler)
    call MPI_Errhandler_free(before)
  end subroutine

  subroutine generalized_requests()
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: count
    call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request)
    call MPI_Cancel(request)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call expect(cancelled == 1 .and. queried == 1 .and. freed == 7, "the functions of a generalized request")
    call expect(count == 7 .and. status%MPI_SOURCE == 3 .and. status%MPI_TAG == 4, "its status")
  end subroutine
end program
