! Sections of arrays as buffers of messages, which go round: each rank sends to the next one, a single one to itself.
program messages
  use, intrinsic :: iso_c_binding, only : c_ptr
  use mpi_f08
  use check
  implicit none
  integer :: rank, ranks, next, before
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  call nonblocking()
  call blocking()
  call exchanges()
  call matched()
  call buffered()
  call persistent()
  call copied()
  call freed()
  call partitions()
  call partitions_of_columns()
  call refused()
  call MPI_Finalize()
  call finish_checks()

contains

  !> What the rank r has at place i.
  elemental integer function value_of(r, i)
    integer, intent(in) :: r, i
    value_of = 1000 * r + i
  end function

  function values(r, n)
    integer, intent(in) :: r, n
    integer :: values(n), i
    values = [(value_of(r, i), i = 1, n)]
  end function

  !> Three messages are under way at once; large ones lie where they are sent from until they are received.
  subroutine nonblocking()
    integer, parameter :: n = 20000
    integer, asynchronous :: from(3, n), to(3, n)
    type(MPI_Request) :: requests(6)
    type(MPI_Status) :: statuses(6)
    integer :: i, count
    to = -1
    do i = 1, 3
      from(i, :) = values(rank, n) + i
      call MPI_Irecv(to(i, n:1:-1), n, MPI_INTEGER, before, i, MPI_COMM_WORLD, requests(i))
    end do
    do i = 3, 1, -1
      call MPI_Isend(from(i, :), n, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(3 + i))
    end do
    call MPI_Waitall(6, requests, statuses)
    do i = 1, 3
      call expect(all(to(i, n:1:-1) == values(before, n) + i), "a row that arrives from the end")
      call MPI_Get_count(statuses(i), MPI_INTEGER, count)
      call expect(count == n .and. statuses(i)%MPI_SOURCE == before .and. statuses(i)%MPI_TAG == i, "its status")
    end do
  end subroutine

  !> Fewer elements than there is room for: the others stay.
  subroutine blocking()
    integer :: from(4, 5), to(4, 5), i
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    from = reshape([(value_of(rank, i), i = 1, 20)], [4, 5])
    to = -1
    call MPI_Isend(from(4:1:-3, 2:4), 6, MPI_INTEGER, next, 0, MPI_COMM_WORLD, request)
    call MPI_Recv(to(2:3, 1::2), 6, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all([to(2:3, 1), to(2:3, 3), to(2:3, 5)] == value_of(before, [8, 5, 12, 9, 16, 13])), "a part of planes")
    call expect(count(to == -1) == 14 .and. status%MPI_SOURCE == before, "what lies beside it")
    to = -1
    call MPI_Irecv(to(2, :), 5, MPI_INTEGER, before, 1, MPI_COMM_WORLD, request)
    call MPI_Ssend(from(3, 2:), 2, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
    call MPI_Wait(request, status)
    call MPI_Get_count(status, MPI_INTEGER, i)
    call expect(i == 2 .and. all(to(2, :2) == value_of(before, [7, 11])) .and. count(to == -1) == 18, "a short message")
  end subroutine

  subroutine exchanges()
    integer, asynchronous :: x(10), y(10)
    type(MPI_Request) :: request
    x = values(rank, 10)
    y = -1
    call MPI_Sendrecv(x(1::2), 5, MPI_INTEGER, next, 0, y(10:1:-2), 5, MPI_INTEGER, before, 0, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE)
    call expect(all(y(10:1:-2) == value_of(before, [1, 3, 5, 7, 9])) .and. all(y(1::2) == -1), "MPI_Sendrecv")
    call MPI_Sendrecv_replace(x(2::4), 3, MPI_INTEGER, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect(all(x(2::4) == value_of(before, [2, 6, 10])) .and. x(4) == value_of(rank, 4), "MPI_Sendrecv_replace")
    y = -1
    call MPI_Isendrecv(x(1::2), 5, MPI_INTEGER, next, 0, y(1::2), 5, MPI_INTEGER, before, 0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(y(1::2) == value_of(before, [1, 3, 5, 7, 9])) .and. all(y(2::2) == -1), "MPI_Isendrecv")
    call MPI_Isendrecv_replace(x(9:1:-2), 5, MPI_INTEGER, next, 0, before, 0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(x(1::2) == y(1::2)), "MPI_Isendrecv_replace")
  end subroutine

  subroutine matched()
    integer, asynchronous :: x(9), y(9)
    type(MPI_Request) :: sends(2), receive
    type(MPI_Message) :: message
    integer :: i
    x = values(rank, 9)
    y = -1
    do i = 1, 2
      call MPI_Isend(x(i::3), 3, MPI_INTEGER, next, i, MPI_COMM_WORLD, sends(i))
    end do
    call MPI_Mprobe(before, 2, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
    call MPI_Imrecv(y(3::3), 3, MPI_INTEGER, message, receive)
    call MPI_Wait(receive, MPI_STATUS_IGNORE)
    call MPI_Mprobe(before, MPI_ANY_TAG, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
    call MPI_Mrecv(y(9:1:-4), 3, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call MPI_Waitall(2, sends, MPI_STATUSES_IGNORE)
    call expect(all(y == [value_of(before, 7), -1, value_of(before, 2), -1, value_of(before, 4), value_of(before, 5), &
      -1, -1, value_of(before, 1)]), "matched messages")
  end subroutine

  !> The section is copied by the call.
  subroutine buffered()
    integer :: x(6), y(3), bytes
    character, asynchronous :: space(MPI_BSEND_OVERHEAD + 100)
    type(c_ptr) :: detached
    integer(MPI_ADDRESS_KIND) :: address
    x = values(rank, 6)
    call MPI_Buffer_attach(space, size(space))
    call MPI_Bsend(x(2::2), 3, MPI_INTEGER, next, 0, MPI_COMM_WORLD)
    x = 0
    call MPI_Recv(y, 3, MPI_INTEGER, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Buffer_detach(detached, bytes)
    call expect(all(y == value_of(before, [2, 4, 6])), "MPI_Bsend")
    call MPI_Get_address(space, address)
    call expect(bytes == size(space) .and. transfer(detached, address) == address, "MPI_Buffer_detach")
  end subroutine

  subroutine persistent()
    integer, asynchronous :: from(2, 4), to(2, 4)
    type(MPI_Request) :: requests(2)
    integer :: lap
    call MPI_Send_init(from(2, :), 4, MPI_INTEGER, next, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Recv_init(to(1, 4:1:-1), 4, MPI_INTEGER, before, 0, MPI_COMM_WORLD, requests(2))
    do lap = 1, 3
      from(2, :) = values(rank, 4) + lap
      to = -1
      call MPI_Startall(2, requests)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call expect(all(to(1, 4:1:-1) == values(before, 4) + lap) .and. all(to(2, :) == -1), "a persistent message")
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  !> A datatype with holes, which does not divide the elements: the section is packed. A receive that was not
  !> completed cannot be freed, since nobody would unpack it.
  subroutine copied()
    integer, asynchronous :: from(12), to(12)
    integer :: code, error_class
    type(MPI_Datatype) :: holes
    type(MPI_Request) :: requests(2)
    type(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, holes)
    call MPI_Type_commit(holes)
    from = values(rank, 12)
    to = -1
    call MPI_Irecv(to(2::2), 3, holes, before, 0, comm, requests(1))
    call MPI_Request_free(requests(1), code)
    call MPI_Error_class(code, error_class)
    call expect(error_class == MPI_ERR_REQUEST .and. requests(1) /= MPI_REQUEST_NULL, "to free a receive into a copy")
    call MPI_Isend(from(1::2), 3, holes, next, 0, comm, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect(all(to(2::4) == value_of(before, [1, 5, 9])) .and. count(to == -1) == 9, "a datatype with holes")
    call MPI_Irecv(to(2::2), 3, holes, before, 0, comm, requests(1))
    call MPI_Barrier(comm)
    call MPI_Isend(from(1::2), 3, holes, next, -5, comm, requests(2), code)
    call MPI_Error_class(code, error_class)
    call expect(error_class == MPI_ERR_TAG .and. requests(2) == MPI_REQUEST_NULL, "a copy without a request")
    call MPI_Cancel(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Type_free(holes)
    call MPI_Comm_free(comm)
  end subroutine

  !> Of sections that are datatypes requests are freed as all others.
  subroutine freed()
    integer, asynchronous :: from(8), to(8)
    type(MPI_Request) :: requests(2)
    integer :: token(1)
    from = values(rank, 8)
    to = -1
    token = 1
    call MPI_Irecv(to(2::2), 4, MPI_INTEGER, before, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(from(1::2), 4, MPI_INTEGER, next, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    ! What was sent later arrives later, so both are over.
    call MPI_Sendrecv_replace(token, 1, MPI_INTEGER, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv_replace(token, 1, MPI_INTEGER, before, 0, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(to)
    call expect(all(to(2::2) == value_of(before, [1, 3, 5, 7])) .and. all(to(1::2) == -1), "freed requests")
  end subroutine

  !> Steps between the elements, backwards too; the receiver has other partitions than the sender.
  subroutine partitions()
    integer, asynchronous :: from(24), to(36)
    type(MPI_Request) :: requests(2)
    integer :: lap, i
    logical :: has_arrived
    call MPI_Psend_init(from(2::2), 4, 3, MPI_INTEGER, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(to(34:1:-3), 2, 6, MPI_INTEGER, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    do lap = 1, 2
      to = -1
      from = 0
      call MPI_Startall(2, requests)
      do i = 3, 0, -1
        from(6 * i + 2:6 * i + 6:2) = lap + value_of(rank, [3 * i + 1, 3 * i + 2, 3 * i + 3])
        call MPI_Pready(i, requests(1))
      end do
      has_arrived = .false.
      do while (.not. has_arrived)
        call MPI_Parrived(requests(2), 1, has_arrived)
      end do
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call expect(all(to(34:1:-3) == values(before, 12) + lap) .and. count(to == -1) == 24, "partitions of a section")
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  subroutine partitions_of_columns()
    integer, asynchronous :: from(5, 6), to(3, 4)
    type(MPI_Request) :: requests(2)
    integer(MPI_COUNT_KIND) :: column = 3
    integer :: i
    to = -1
    from = -2
    call MPI_Psend_init(from(1::2, 2:6:2), 3, column, MPI_INTEGER, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(to(3:1:-1, 2:), 3, column, MPI_INTEGER, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    call MPI_Startall(2, requests)
    do i = 1, 3
      from(1::2, 2 * i) = values(rank, 3) + 10 * i
    end do
    call MPI_Pready_range(0, 2, requests(1))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    do i = 1, 3
      call expect(all(to(3:1:-1, i + 1) == values(before, 3) + 10 * i), "a partition of a column")
    end do
    call expect(all(to(:, 1) == -1), "the column that was left out")
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  !> Partitions that differ, and memory with gaps for buffered sends: an error that names the call.
  subroutine refused()
    integer :: x(5, 6), code
    type(MPI_Request) :: request
    type(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    request = MPI_REQUEST_NULL
    call MPI_Psend_init(x(1::2, :), 3, 2, MPI_INTEGER, next, 0, comm, MPI_INFO_NULL, request, code)
    call expect_refusal(code, "MPI_Psend_init on")
    call MPI_Precv_init(x(1::2, :), 3, 2_MPI_COUNT_KIND, MPI_INTEGER, before, 0, comm, MPI_INFO_NULL, request, code)
    call expect_refusal(code, "MPI_Precv_init_c on")
    call expect(request == MPI_REQUEST_NULL, "no request of refused calls")
    call MPI_Comm_attach_buffer(comm, x(1::2, :), 60, code)
    call expect_refusal(code, "MPI_Comm_attach_buffer on")
    call MPI_Comm_free(comm)
  end subroutine

  subroutine expect_refusal(code, start)
    integer, intent(in) :: code
    character(len=*), intent(in) :: start
    integer :: error_class, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Error_class(code, error_class)
    call MPI_Error_string(code, text, length)
    call expect(error_class == MPI_ERR_UNSUPPORTED_OPERATION .and. index(text, start) > 0, start // ": " // trim(text))
  end subroutine
end program
