! Calls among neighbours, in every form, on grids, a graph and a distributed graph, through the module MOVES_MODULE: mpi,
! or mpi_f08 with sections whose elements lie apart and backward. What each rank has afterwards, in blocks and beside
! them, is what MPI's text says.
#ifdef MOVES_SECTIONS
#define HANDLE(name) type(name)
#define IN_ONE_PIECE
#else
#define HANDLE(name) integer
#define IN_ONE_PIECE , contiguous
#endif
program neighbours
  use MOVES_MODULE
  use check
  implicit none
  integer, parameter :: kRing = 1, kLine = 2, kGrid = 3, kGraph = 4, kDistGraph = 5
  integer, parameter :: kAllgather = 1, kAllgatherv = 2, kAlltoall = 3, kAlltoallv = 4, kAlltoallw = 5
  integer, parameter :: kBlocking = 1, kNonblocking = 2, kPersistent = 3
  integer, parameter :: kCanary = -7, kIntegerBytes = 4
  integer :: rank, ranks, on, compared = 0, code
  integer :: sent, received  ! elements of the buffers
  integer, allocatable :: sources(:), their_blocks(:)  ! of each block: from whom (-1: nobody), and which of his
  integer, allocatable :: sent_counts(:), sent_places(:), counts(:), places(:)
  integer(MPI_ADDRESS_KIND), allocatable, asynchronous :: sent_bytes(:), bytes(:)  ! before each block
  HANDLE(MPI_Datatype), allocatable :: sent_types(:), types(:)
  integer, allocatable, target, asynchronous :: send(:), recv(:), expected(:), given(:)
  integer, pointer, asynchronous IN_ONE_PIECE :: s(:), r(:)
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: request

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  do on = kRing, kDistGraph
    call make_topology()
    call all_cases()
    call MPI_Comm_free(comm, code)
    deallocate (sources, their_blocks, sent_counts, sent_places, counts, places, sent_bytes, bytes, sent_types, types)
  end do
  if (rank == 0) print "(i0, a)", compared, " calls compared by rank 0"
  call MPI_Finalize(code)
  call finish_checks()

contains

  !> In the distributed graph each gives to the next one twice, and to rank 0 between, which gets more than it gives.
  subroutine make_topology()
    integer :: i, next, before, out
    integer, allocatable :: givers(:)
    next = modulo(rank + 1, ranks)
    before = modulo(rank - 1, ranks)
    select case (on)
    case (kRing, kLine)
      call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [on == kRing], .false., comm, code)
    case (kGrid)
      call MPI_Cart_create(MPI_COMM_WORLD, 2, [1, ranks], [.true., .false.], .false., comm, code)
    case (kGraph)
      call MPI_Graph_create(MPI_COMM_WORLD, ranks, [(2 * i, i = 1, ranks)], &
        [([modulo(i + 1, ranks), modulo(i - 1, ranks)], i = 0, ranks - 1)], .false., comm, code)
    case default
      givers = [before, before, (i, i = 0, merge(ranks, 0, rank == 0) - 1)]
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size(givers), givers, MPI_UNWEIGHTED, &
        3, [next, 0, next], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, code)
    end select
    if (on <= kGrid) call find_sources_in_grid()
    if (on == kGraph) call find_sources([next, before])
    if (on == kDistGraph) call find_sources(givers)
    out = merge(3, size(sources), on == kDistGraph)
    i = size(sources)
    allocate (sent_counts(out), sent_places(out), sent_bytes(out), sent_types(out))
    allocate (counts(i), places(i), bytes(i), types(i))
    sent_types = MPI_INTEGER
    types = MPI_INTEGER
  end subroutine

  !> What goes backward comes in from the front. A grid's first dimension is a ring of one.
  subroutine find_sources_in_grid()
    integer :: first, block
    first = merge(2, 0, on == kGrid)
    allocate (sources(first + 2), their_blocks(first + 2))
    sources = rank
    sources(first + 1:) = [rank - 1, rank + 1]
    if (on == kRing) sources = modulo(sources, ranks)
    where (sources == ranks) sources = -1
    their_blocks = [(ieor(block, 1), block = 0, first + 1)]
  end subroutine

  !> Of what one gives another one the first that leaves is the first that comes in.
  subroutine find_sources(who)
    integer, intent(in) :: who(:)
    integer :: i, left, block
    sources = who
    allocate (their_blocks(size(who)))
    do i = 1, size(who)
      left = count(who(:i) == who(i))
      do block = 0, merge(2, 1, on == kDistGraph)
        if (destination(who(i), block) == rank) left = left - 1
        if (left == 0) exit
      end do
      their_blocks(i) = block
    end do
  end subroutine

  integer function destination(of_rank, block)
    integer, intent(in) :: of_rank, block
    destination = modulo(of_rank + 1, ranks)
    if (on == kGraph .and. block == 1) destination = modulo(of_rank - 1, ranks)
    if (on == kDistGraph .and. block == 1) destination = 0
  end function

  !> Sizes at which ways begin and end: 4, 56, 96, 8192, 65536 bytes and a little more.
  subroutine all_cases()
    integer, parameter :: sizes(7) = [0, 1, 14, 24, 29, 2048, 16385]
    integer :: what, form, i
    do i = 1, size(sizes)
      do what = kAllgather, kAlltoallw
        do form = kBlocking, kPersistent
          call one_case(what, form, sizes(i))
        end do
      end do
    end do
  end subroutine

  logical function is_list(what)
    integer, intent(in) :: what
    is_list = any(what == [kAllgatherv, kAlltoallv, kAlltoallw])
  end function

  !> The block that a call for all gives is its first one.
  integer function block_of(what, block)
    integer, intent(in) :: what, block
    block_of = merge(0, block, what <= kAllgatherv)
  end function

  integer function amount(what, n, from, block)
    integer, intent(in) :: what, n, from, block
    amount = n
    if (is_list(what)) amount = n + mod(from + block_of(what, block), 3)
  end function

  integer function element(what, from, block, i)
    integer, intent(in) :: what, from, block, i
    element = from * 10000000 + block_of(what, block) * 100000 + i
  end function

  subroutine one_case(what, form, n)
    integer, intent(in) :: what, form, n
    integer :: round
    character(len=60) :: name
    call lay_out(what, n)
    given = send
    call expect_result(what)
    write (name, "(4(a, i0), a)") "call ", what, " form ", form, " on ", on, " of ", n, " elements"
    do round = 1, merge(2, 1, form == kPersistent)
      recv = kCanary
      if (round == 1) call make(what, form)
      if (form == kPersistent) call MPI_Start(request, code)
      if (form /= kBlocking) call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      call expect(all(recv == expected), trim(name)//": the result")
      call expect(all(send == given), trim(name)//": the input")
      compared = compared + 1
    end do
    if (form == kPersistent) call MPI_Request_free(request, code)
    deallocate (send, recv, expected)
  end subroutine

  !> Blocks one behind the other, or, where calls allow it, in the reverse order with an element between them.
  subroutine place_blocks(what, of_counts, at, all)
    integer, intent(in) :: what, of_counts(:)
    integer, intent(out) :: at(:), all
    integer :: j, blocks
    blocks = size(of_counts)
    all = 0
    do j = 1, blocks
      if (.not. is_list(what)) at(j) = all
      if (is_list(what)) at(blocks + 1 - j) = all
      all = all + merge(of_counts(blocks + 1 - j) + 1, of_counts(j), is_list(what))
    end do
  end subroutine

  subroutine lay_out(what, n)
    integer, intent(in) :: what, n
    integer :: j
    sent_counts = [(amount(what, n, rank, j - 1), j = 1, size(sent_counts))]
    counts = [(amount(what, n, max(sources(j), 0), their_blocks(j)), j = 1, size(counts))]
    call place_blocks(what, sent_counts, sent_places, sent)
    call place_blocks(what, counts, places, received)
    sent_bytes = sent_places * kIntegerBytes
    bytes = places * kIntegerBytes
#ifdef MOVES_SECTIONS
    allocate (send(2 * sent + 3), recv(3 * received + 4), source=kCanary)
    s => send(2:2 * sent:2)
    r => recv(3 * received + 2:3:-3)
#else
    allocate (send(sent + 3), recv(received + 3), source=kCanary)
    s => send(2:sent + 1)
    r => recv(2:received + 1)
#endif
    call write_input(what)
  end subroutine

  !> Of a call for all no more than the block that it gives.
  subroutine write_input(what)
    integer, intent(in) :: what
    integer :: i, j
    if (what <= kAllgatherv) then
      s(:sent_counts(1)) = [(element(what, rank, 0, i), i = 1, sent_counts(1))]
    else
      do j = 1, size(sent_counts)
        s(sent_places(j) + 1:sent_places(j) + sent_counts(j)) = [(element(what, rank, j - 1, i), i = 1, sent_counts(j))]
      end do
    end if
  end subroutine

  !> What comes from nobody stays as it was.
  subroutine expect_result(what)
    integer, intent(in) :: what
    integer :: i, j
    recv = kCanary
    do j = 1, size(sources)
      if (sources(j) < 0) cycle
      r(places(j) + 1:places(j) + counts(j)) = [(element(what, sources(j), their_blocks(j), i), i = 1, counts(j))]
    end do
    expected = recv
  end subroutine

#include "neighbours_calls.inc"

end program
