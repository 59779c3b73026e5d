! Functions of a Fortran program that MPI calls, as MPI-1 has them: attributes that are INTEGERs, arrays instead of
! addresses.
program old_callbacks
  use mpi
  use check
  implicit none
  integer :: rank, ranks, code, deleted = 0
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call operations()
  call attributes()
  call indices()
  call MPI_Finalize(code)
  call finish_checks()

contains

  subroutine add_twice(a, b, length, datatype)
    integer :: length, datatype
    real :: a(length), b(length)
    if (datatype == MPI_REAL) b = a + 2 * b
  end subroutine

  subroutine copy(comm, key, extra_state, value, copied, flag, ierr)
    integer :: comm, key, extra_state, value, copied, ierr
    logical :: flag
    copied = value + extra_state
    flag = comm == MPI_COMM_WORLD .and. key > 0
    ierr = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, key, value, extra_state, ierr)
    integer :: comm, key, value, extra_state, ierr
    if (comm /= MPI_COMM_NULL .and. key > 0 .and. extra_state == 10) deleted = deleted + value
    ierr = MPI_SUCCESS
  end subroutine

  subroutine operations()
    integer :: op
    real :: mine(3), folded(3)
    mine = rank + 1
    call MPI_Op_create(add_twice, .false., op, code)
    call MPI_Allreduce(mine, folded, 3, MPI_REAL, op, MPI_COMM_WORLD, code)
    if (ranks == 2) call expect(all(folded == 5), "an operation")
    if (ranks == 3) call expect(all(folded == 11), "an operation of three ranks")
    call MPI_Op_free(op, code)
  end subroutine

  subroutine attributes()
    integer :: key, found, copied_comm
    integer(MPI_ADDRESS_KIND) :: wide
    logical :: flag
    call MPI_Keyval_create(copy, delete, key, 10, code)
    call MPI_Attr_put(MPI_COMM_WORLD, key, -7, code)
    call MPI_Attr_get(MPI_COMM_WORLD, key, found, flag, code)
    call expect(flag .and. found == -7, "MPI_Attr_get")
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, wide, flag, code)
    call expect(flag .and. wide == -7, "MPI_Comm_get_attr of what MPI_Attr_put has set")
    call MPI_Comm_dup(MPI_COMM_WORLD, copied_comm, code)
    call MPI_Attr_get(copied_comm, key, found, flag, code)
    call expect(flag .and. found == 3, "a copied attribute")
    call MPI_Comm_free(copied_comm, code)
    call expect(deleted == 3, "a deleted attribute")
    call MPI_Attr_delete(MPI_COMM_WORLD, key, code)
    call expect(deleted == -4, "MPI_Attr_delete")
    call MPI_Keyval_free(key, code)
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, found, flag, code)
    call expect(flag .and. found == huge(found), "MPI_TAG_UB")
  end subroutine

  subroutine indices()
    integer :: requests(3), index, completed, places(3), statuses(MPI_STATUS_SIZE,3), i
    logical :: flag
    requests = MPI_REQUEST_NULL
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(2), code)
    call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE, code)
    call expect(index == 2 .and. requests(2) == MPI_REQUEST_NULL, "MPI_Waitany counts from 1")
    call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE, code)
    call expect(index == MPI_UNDEFINED, "MPI_Waitany of nothing")
    do i = 1, 3
      call MPI_Ibarrier(MPI_COMM_WORLD, requests(i), code)
    end do
    call MPI_Waitall(3, requests, statuses, code)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(3), code)
    call MPI_Waitsome(3, requests, completed, places, MPI_STATUSES_IGNORE, code)
    call expect(completed == 1 .and. places(1) == 3, "MPI_Waitsome counts from 1")
    call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE, code)
    call expect(flag .and. index == MPI_UNDEFINED, "MPI_Testany of nothing")
  end subroutine
end program
