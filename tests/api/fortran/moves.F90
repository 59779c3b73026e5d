! Calls that move blocks, in every form, in place or not, through the module MOVES_MODULE: mpi, or mpi_f08 with sections
! whose elements lie apart and backward. What each rank has afterwards, in blocks and beside them, is what a serial
! shuffle says.
#ifdef MOVES_SECTIONS
#define HANDLE(name) type(name)
#define IN_ONE_PIECE
#else
#define HANDLE(name) integer
#define IN_ONE_PIECE , contiguous
#endif
program moves
  use MOVES_MODULE
  use check
  implicit none
  integer, parameter :: kGather = 1, kGatherv = 2, kScatter = 3, kScatterv = 4, kAllgather = 5, kAllgatherv = 6, &
    kAlltoall = 7, kAlltoallv = 8, kAlltoallw = 9
  integer, parameter :: kBlocking = 1, kNonblocking = 2, kPersistent = 3
  integer, parameter :: kCanary = -7, kIntegerBytes = 4
  integer :: rank, ranks, root, compared = 0, code
  integer :: one  ! elements of the only block of a buffer
  integer, allocatable :: sent_counts(:), sent_places(:), counts(:), places(:)
  integer, allocatable, asynchronous :: sent_bytes(:), bytes(:)  ! before each block
  HANDLE(MPI_Datatype), allocatable :: types(:)
  integer, allocatable, target, asynchronous :: send(:), recv(:), expected(:), given(:)
  integer, pointer, asynchronous IN_ONE_PIECE :: s(:), r(:)
  HANDLE(MPI_Request) :: request

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  allocate (sent_counts(ranks), sent_places(ranks), counts(ranks), places(ranks), sent_bytes(ranks), bytes(ranks))
  allocate (types(ranks))
  types = MPI_INTEGER
  call all_cases()
  if (rank == 0) print "(i0, a)", compared, " calls compared by rank 0"
  call MPI_Finalize(code)
  call finish_checks()

contains

  !> Sizes at which ways begin and end: 4, 96, 120, 8192, 65536 bytes and a little more.
  subroutine all_cases()
    integer, parameter :: sizes(6) = [0, 1, 24, 29, 2048, 16384]
    integer :: what, form, i, turn
    do i = 1, size(sizes)
      do what = kGather, kAlltoallw
        do form = kBlocking, kPersistent
          do turn = 1, 2
            root = mod(i + what + turn, ranks)
            call one_case(what, form, sizes(i), turn == 2)
          end do
        end do
      end do
    end do
  end subroutine

  logical function is_list(what)
    integer, intent(in) :: what
    is_list = any(what == [kGatherv, kScatterv, kAllgatherv, kAlltoallv, kAlltoallw])
  end function

  integer function amount(what, n, from, to)
    integer, intent(in) :: what, n, from, to
    amount = n
    if (is_list(what)) amount = n + mod(from + to, 3)
  end function

  integer function element(from, to, i)
    integer, intent(in) :: from, to, i
    element = from * 10000000 + to * 100000 + i
  end function

  subroutine one_case(what, form, n, in_place)
    integer, intent(in) :: what, form, n
    logical, intent(in) :: in_place
    integer :: round
    logical :: is_in_place
    character(len=60) :: name
    is_in_place = in_place .and. (what > kScatterv .or. rank == root)
    call lay_out(what, n)
    given = send
    do round = 1, merge(2, 1, form == kPersistent)
      call expect_result(what, n, is_in_place)
      if (round == 1) call make(what, form, is_in_place)
      if (form == kPersistent) call MPI_Start(request, code)
      if (form /= kBlocking) call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      write (name, "(a, i0, a, i0, a, i0, a, l1)") "call ", what, " form ", form, " of ", n, " elements, in place ", in_place
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
    integer :: j
    all = 0
    do j = 1, ranks
      if (.not. is_list(what)) at(j) = all
      if (is_list(what)) at(ranks + 1 - j) = all
      all = all + merge(of_counts(ranks + 1 - j) + 1, of_counts(j), is_list(what))
    end do
  end subroutine

  subroutine lay_out(what, n)
    integer, intent(in) :: what, n
    integer :: j, sent, received
    do j = 1, ranks
      sent_counts(j) = amount(what, n, merge(root, rank, what <= kScatterv), j - 1)
      counts(j) = amount(what, n, j - 1, merge(root, merge(0, rank, what <= kAllgatherv), what <= kGatherv))
    end do
    call place_blocks(what, sent_counts, sent_places, sent)
    call place_blocks(what, counts, places, received)
    one = merge(sent_counts(rank + 1), counts(rank + 1), what == kScatter .or. what == kScatterv)
    sent_bytes = sent_places * kIntegerBytes
    bytes = places * kIntegerBytes
#ifdef MOVES_SECTIONS
    allocate (send(2 * max(sent, one) + 3), recv(3 * max(received, one) + 4), source=kCanary)
    s => send(2:2 * max(sent, one):2)
    r => recv(3 * max(received, one) + 2:3:-3)
#else
    allocate (send(max(sent, one) + 3), recv(max(received, one) + 3), source=kCanary)
    s => send(2:max(sent, one) + 1)
    r => recv(2:max(received, one) + 1)
#endif
    expected = recv
    call write_input(what)
  end subroutine

  subroutine write_input(what)
    integer, intent(in) :: what
    integer :: i, j
    if (any(what == [kGather, kGatherv, kAllgather, kAllgatherv])) then
      s(:one) = [(element(rank, 0, i), i = 1, one)]
    else
      do j = 1, ranks
        s(sent_places(j) + 1:sent_places(j) + sent_counts(j)) = [(element(rank, j - 1, i), i = 1, sent_counts(j))]
      end do
    end if
  end subroutine

  !> What lies in the receive buffer before, and what must lie there after the call.
  subroutine expect_result(what, n, is_in_place)
    integer, intent(in) :: what, n
    logical, intent(in) :: is_in_place
    integer :: i, j
    recv = kCanary
    if (what <= kGatherv .or. what >= kAllgather) then
      if (what >= kAllgather .or. rank == root) then
        do j = 1, ranks
          r(places(j) + 1:places(j) + counts(j)) = [(element(j - 1, merge(rank, 0, what >= kAlltoall), i), i = 1, counts(j))]
        end do
      end if
    else if (.not. is_in_place) then
      r(:one) = [(element(root, rank, i), i = 1, one)]
    end if
    expected = recv
    recv = kCanary
    if (.not. is_in_place .or. what == kScatter .or. what == kScatterv) return
    do j = 1, ranks
      if (what < kAlltoall .and. j - 1 /= rank) cycle
      r(places(j) + 1:places(j) + counts(j)) = [(element(rank, merge(j - 1, 0, what >= kAlltoall), i), i = 1, counts(j))]
    end do
  end subroutine

  subroutine make(what, form, is_in_place)
    integer, intent(in) :: what, form
    logical, intent(in) :: is_in_place
    if (is_in_place) then
      call make_in_place(what, form)
    else
      call make_apart(what, form)
    end if
  end subroutine

#define MAKE make_apart
#define SENT s
#define SCATTERED r
#include "moves_calls.inc"
#undef MAKE
#undef SENT
#undef SCATTERED
#define MAKE make_in_place
#define SENT MPI_IN_PLACE
#define SCATTERED MPI_IN_PLACE
#include "moves_calls.inc"

end program
