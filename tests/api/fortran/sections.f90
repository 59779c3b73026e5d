! Sections of arrays as buffers: what MPI moves is what lies in them in array order, and nothing beside them changes.
program sections
  use mpi_f08
  use check
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call parts_of_planes()
  call other_elements()
  call shapes()
  call persistent()
  call nonblocking()
  call fewer_than_the_section()
  call wrong_datatypes()
  call scattered()
  call packed()
  call asynchronous_variable()
  call MPI_Finalize()
  call finish_checks()

contains

  !> Fewer elements than the section has: whole planes, then rows, then elements.
  subroutine parts_of_planes()
    integer :: cube(4,5,6), expected(4,5,6), flat(12), n, i
    do n = 0, 12
      cube = -1
      expected = -1
      if (rank == 0) cube(1:3:2, 5:1:-2, 2:6:4) = reshape([(i, i = 1, 12)], [2, 3, 2])
      if (rank == 0) expected = cube
      flat = -1
      flat(:n) = [(i, i = 1, n)]
      if (rank /= 0) expected(1:3:2, 5:1:-2, 2:6:4) = reshape(flat, [2, 3, 2])
      call MPI_Bcast(cube(1:3:2, 5:1:-2, 2:6:4), n, MPI_INTEGER, 0, MPI_COMM_WORLD)
      call expect(all(cube == expected), "a part of a section of rank 3")
    end do
  end subroutine

  !> The datatype is a part of the array's elements, or has several of them.
  subroutine other_elements()
    complex :: numbers(10)
    integer :: integers(20), code
    type(MPI_Datatype) :: three, holes
    numbers = (-1, -1)
    if (rank == 0) numbers(1:9:2) = (3, 4)
    call MPI_Bcast(numbers(1:9:2), 10, MPI_REAL, 0, MPI_COMM_WORLD)
    call expect(all(numbers(1:9:2) == (3, 4)) .and. all(numbers(2:10:2) == (-1, -1)), "halves of elements")
    numbers = (-1, -1)
    if (rank == 0) numbers(1:9:2) = (5, 6)
    call MPI_Bcast(numbers(1:9:2), 3, MPI_REAL, 0, MPI_COMM_WORLD)
    call expect(numbers(1) == (5, 6) .and. real(numbers(3)) == 5, "an element and a half")
    if (rank > 0) call expect(aimag(numbers(3)) == -1, "half an element stays")
    call MPI_Type_contiguous(3, MPI_INTEGER, three)
    call MPI_Type_commit(three)
    integers = -1
    if (rank == 0) integers(20:1:-2) = 7
    call MPI_Bcast(integers(20:1:-2), 3, three, 0, MPI_COMM_WORLD)
    call expect(all(integers(20:4:-2) == 7) .and. all(integers(1:20:2) == -1), "three elements each")
    if (rank > 0) call expect(integers(2) == -1, "the tenth element stays")
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, holes)
    call MPI_Type_commit(holes)
    integers = -1
    if (rank == 0) integers(1::2) = 8
    call MPI_Bcast(integers(1::2), 5, holes, 0, MPI_COMM_WORLD, code)
    call expect(code == MPI_SUCCESS .and. all(integers(1:20:4) == 8), "a datatype with holes in a section")
    if (rank > 0) call expect(all(integers(3:20:4) == -1), "its holes stay")
    call MPI_Type_free(three)
    call MPI_Type_free(holes)
  end subroutine

  subroutine shapes()
    real, allocatable :: a(:,:), none(:)
    real, target :: b(3,4)
    real, pointer :: p(:)
    real :: scalar
    allocate (a(0:3, -2:2), none(0))
    a = rank + 1
    call sum_of(a(1:2, :))
    call expect(all(a(1:2, :) == ranks * (ranks + 1) / 2) .and. all(a(0::3, :) == rank + 1), "assumed shape")
    b = rank + 1
    p => b(2, 4:1:-1)
    call sum_of_pointer(p)
    call expect(all(b(2, :) == ranks * (ranks + 1) / 2) .and. all(b(1::2, :) == rank + 1), "a pointer")
    call MPI_Allreduce(MPI_IN_PLACE, none, 0, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Allreduce(MPI_IN_PLACE, b(2:1, ::2), 0, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    scalar = 1
    call MPI_Allreduce(MPI_IN_PLACE, scalar, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    call expect(scalar == ranks, "a scalar")
    b = 1
    call MPI_Allreduce(MPI_IN_PLACE, b(:, 2:3), 6, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(b(:, 2:3) == ranks) .and. all(b(:, 1::3) == 1), "whole columns")
    call assumed_size(b)
  end subroutine

  subroutine sum_of(x)
    real, intent(inout) :: x(:, :)
    call MPI_Allreduce(MPI_IN_PLACE, x, size(x), MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
  end subroutine

  subroutine sum_of_pointer(x)
    real, pointer :: x(:)
    call MPI_Allreduce(MPI_IN_PLACE, x, size(x), MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
  end subroutine

  subroutine assumed_size(x)
    real :: x(*)
    x(1:12) = 2
    call MPI_Allreduce(MPI_IN_PLACE, x, 12, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(x(1:12) == 2 * ranks), "assumed size")
  end subroutine

  !> Every start reads the section anew.
  subroutine persistent()
    integer, asynchronous :: from(9), to(9)
    integer :: i
    type(MPI_Request) :: requests(2)
    to = 0
    call MPI_Allreduce_init(from(1::2), to(9:1:-2), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Bcast_init(to(2::2), 4, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    do i = 1, 3
      from = i
      to(2::2) = rank * i
      call MPI_Startall(2, requests)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call expect(all(to(1::2) == i * ranks) .and. all(to(2::2) == (ranks - 1) * i), "a persistent request")
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  !> Completed in another order, by calls of all kinds.
  subroutine nonblocking()
    integer, asynchronous :: rows(4, 6)
    integer :: i, index, completed, places(2)
    type(MPI_Request) :: requests(4)
    logical :: flag
    rows = rank + 1
    do i = 1, 4
      call MPI_Iallreduce(MPI_IN_PLACE, rows(i, :), 6, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(i))
    end do
    call MPI_Wait(requests(4), MPI_STATUS_IGNORE)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
    end do
    call MPI_Waitany(4, requests, index, MPI_STATUS_IGNORE)
    completed = 0
    do while (completed == 0)
      call MPI_Testsome(4, requests, completed, places, MPI_STATUSES_IGNORE)
    end do
    call expect(index + places(1) == 5 .and. all([(requests(i) == MPI_REQUEST_NULL, i = 1, 4)]), "four requests")
    call expect(all(rows == ranks * (ranks + 1) / 2), "four rows")
  end subroutine

  !> Elements of a section behind those that the operation works on stay the program's.
  subroutine fewer_than_the_section()
    integer, asynchronous :: x(20), y(10)
    type(MPI_Request) :: request
    x = 1
    y = 0
    call MPI_Iallreduce(x(1::2), y(10:1:-3), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    y(1) = 98
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(y == [98, 0, 0, ranks, 0, 0, ranks, 0, 0, ranks]), "an element behind a result")
    call MPI_Iallreduce(MPI_IN_PLACE, x(1::2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    x(19) = 99
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(x(19) == 99 .and. all(x(1:5:2) == ranks) .and. all(x(7:17:2) == 1), "an element behind those in place")
  end subroutine

  !> The call that gets it says what is wrong with a datatype, through its communicator's handler.
  subroutine wrong_datatypes()
    type(MPI_Datatype) :: types(3), freed
    integer :: x(9), i
    type(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    types(1) = MPI_DATATYPE_NULL
    call MPI_Type_contiguous(2, MPI_INTEGER, types(2))
    call MPI_Type_contiguous(2, MPI_INTEGER, freed)
    types(3) = freed
    call MPI_Type_free(freed)
    do i = 1, 3
      call refused_by_bcast(x, types(i), comm)
    end do
    call MPI_Type_free(types(2))
    call MPI_Comm_free(comm)
  end subroutine

  subroutine refused_by_bcast(x, datatype, comm)
    integer :: x(:), code, error_class, length
    type(MPI_Datatype) :: datatype
    type(MPI_Comm) :: comm
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Bcast(x(1::2), 2, datatype, 0, comm, code)
    call MPI_Error_class(code, error_class)
    call MPI_Error_string(code, text, length)
    call expect(error_class == MPI_ERR_TYPE .and. index(text, "MPI_Bcast") > 0, "a datatype to refuse: " // trim(text))
  end subroutine

  !> A buffer of several blocks, of which each rank gets one.
  subroutine scattered()
    integer :: blocks(2 * ranks, 3), mine(9), i
    type(MPI_Request) :: request
    blocks = -1
    blocks(1::2, 2) = [(i, i = 1, ranks)]
    mine = -1
    call MPI_Reduce_scatter_block(blocks(1::2, 2), mine(3:3), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(mine(3) == (rank + 1) * ranks, "MPI_Reduce_scatter_block")
    call MPI_Ireduce_scatter(blocks(2*ranks-1:1:-2, 2), mine(1:9:4), spread(1, 1, ranks), MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(mine(1) == (ranks - rank) * ranks .and. all(mine(2:9) == [-1, mine(3), -1, -1, -1, -1, -1, -1]), &
      "MPI_Ireduce_scatter")
    call MPI_Reduce_local(blocks(1::2, 2), blocks(2::2, 3), ranks, MPI_INTEGER, MPI_MAX)
    call expect(all(blocks(2::2, 3) == blocks(1::2, 2)), "MPI_Reduce_local")
  end subroutine

  subroutine packed()
    integer :: from(8), to(8), position
    character :: buffer(64, 2)
    integer(MPI_ADDRESS_KIND) :: wide
    from = [1, 2, 3, 4, 5, 6, 7, 8]
    to = 0
    position = 0
    call MPI_Pack(from(2::2), 4, MPI_INTEGER, buffer(:, 2), 64, position, MPI_COMM_SELF)
    position = 0
    call MPI_Unpack(buffer(:, 2), 64, position, to(7:1:-2), 4, MPI_INTEGER, MPI_COMM_SELF)
    call expect(all(to == [8, 0, 6, 0, 4, 0, 2, 0]), "MPI_Pack, MPI_Unpack")
    wide = 0
    call MPI_Pack_external("external32 ", from(1::2), 4, MPI_INTEGER, buffer(:, 1), 64_MPI_ADDRESS_KIND, wide)
    call expect(wide == 16 .and. buffer(16, 1) == achar(7), "MPI_Pack_external")
  end subroutine

  !> MPI_ASYNC_PROTECTS_NONBLOCKING: the compiler knows that the wait may change the variable.
  subroutine asynchronous_variable()
    integer, asynchronous :: x
    type(MPI_Request) :: request
    x = 1
    call MPI_Iallreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (.not. is_protected()) call MPI_F_sync_reg(x)
    call expect(x == ranks, "an asynchronous variable")
  end subroutine

  logical function is_protected()
    is_protected = MPI_ASYNC_PROTECTS_NONBLOCKING .and. MPI_SUBARRAYS_SUPPORTED
  end function
end program
