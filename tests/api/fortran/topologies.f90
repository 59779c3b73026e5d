! What is Fortran's own in calls about topologies: LOGICAL arrays and results, MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY,
! which are variables. Every call, in all three ways, is in calls.
program topologies
  use mpi_f08
  use check
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call grid()
  call graph()
  call weights()
  call no_weights()
  call neighbour_sections()
  call neighbour_types()
  call MPI_Finalize()
  call finish_checks()

contains

  subroutine grid()
    type(MPI_Comm) :: cart, slice
    integer :: dims(3), coords(3), size
    logical :: periods(3)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, [1, ranks, 1], [.true., .false., .true.], .true., cart)
    periods = [.false., .true., .false.]
    call MPI_Cart_get(cart, 3, dims, periods, coords)
    call expect(all(dims == [1, ranks, 1]), "the extents")
    call expect(all(periods .eqv. [.true., .false., .true.]), "which dimensions are periodic")
    call expect(all(coords == [0, rank, 0]), "the coordinates, which count from zero")
    call MPI_Cart_sub(cart, [.true., .false., .true.], slice)
    call MPI_Comm_size(slice, size)
    call MPI_Cart_get(slice, 2, dims, periods, coords)
    call expect(size == 1 .and. all(periods(1:2)), "a slice with the periodic dimensions")
    call MPI_Comm_free(slice)
    call MPI_Comm_free(cart)
    call MPI_Cart_create(MPI_COMM_WORLD, 0, [integer ::], [logical ::], .false., cart)
    call expect((cart == MPI_COMM_NULL) .eqv. (rank > 0), "a grid without dimensions is one rank")
    if (rank == 0) call MPI_Comm_free(cart)
  end subroutine

  subroutine graph()
    type(MPI_Comm) :: comm
    integer :: topology, nodes, edges, neighbours(2), i
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, [(2 * i, i = 1, ranks)], &
                          [(i / 2, mod(i / 2 + 1, ranks), i = 0, 2 * ranks - 2, 2)], .true., comm)
    call MPI_Topo_test(comm, topology)
    call MPI_Graphdims_get(comm, nodes, edges)
    call expect(topology == MPI_GRAPH .and. nodes == ranks .and. edges == 2 * ranks, "a graph")
    call MPI_Comm_rank(comm, i)
    call MPI_Graph_neighbors(comm, i, 2, neighbours)
    call expect(all(neighbours == [i, mod(i + 1, ranks)]), "neighbours in a graph")
    call MPI_Comm_free(comm)
  end subroutine

  !> Rank 0 names all edges.
  subroutine weights()
    type(MPI_Comm) :: comm
    integer :: i, in, out, source(1), source_weight(1), dest(1), weight(1)
    logical :: weighted
    if (rank == 0) then
      call MPI_Dist_graph_create(MPI_COMM_WORLD, ranks, [(i, i = 0, ranks - 1)], [(1, i = 1, ranks)], &
                                 [(mod(i, ranks), i = 1, ranks)], [(10 * i, i = 1, ranks)], MPI_INFO_NULL, .false., comm)
    else
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, [integer ::], [integer ::], [integer ::], MPI_WEIGHTS_EMPTY, &
                                 MPI_INFO_NULL, .false., comm)
    end if
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted)
    call expect(in == 1 .and. out == 1 .and. weighted, "one neighbour before and one behind")
    call MPI_Dist_graph_neighbors(comm, 1, source, source_weight, 1, dest, weight)
    call expect(dest(1) == mod(rank + 1, ranks) .and. weight(1) == 10 * (rank + 1), "where to, and its weight")
    call expect(mod(source(1) + 1, ranks) == rank .and. source_weight(1) == 10 * (source(1) + 1), "where from")
    call MPI_Comm_free(comm)
  end subroutine

  subroutine no_weights()
    type(MPI_Comm) :: comm
    integer :: in, out, source(1), dest(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + ranks - 1, ranks)], MPI_UNWEIGHTED, 1, &
                                        [mod(rank + 1, ranks)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted)
    call expect(in == 1 .and. out == 1 .and. .not. weighted, "a graph without weights")
    call MPI_Dist_graph_neighbors(comm, 1, source, MPI_UNWEIGHTED, 1, dest, MPI_UNWEIGHTED)
    call expect(dest(1) == mod(rank + 1, ranks) .and. mod(source(1) + 1, ranks) == rank, "its neighbours")
    call MPI_Comm_free(comm)
  end subroutine

  !> Every other element of a column is a block for a neighbour. Beyond the ends of the line there is none.
  subroutine neighbour_sections()
    type(MPI_Comm) :: line
    type(MPI_Request) :: request
    integer, asynchronous :: out(2, 4), in(2, 4)
    integer :: i
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., line)
    do i = 1, 4
      out(:, i) = 10 * rank + i
    end do
    in = -1
    call MPI_Neighbor_alltoall(out(1, :), 2, MPI_INTEGER, in(2, :), 2, MPI_INTEGER, line)
    call expect(all(in == from_both(3, 1)), "blocks of sections")
    in = -1
    call MPI_Ineighbor_allgather(out(1, 3:4), 2, MPI_INTEGER, in(2, :), 2, MPI_INTEGER, line, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(in == from_both(3, 3)), "the same block of a section")
    in = -1
    call MPI_Neighbor_alltoallv_init(out(1, :), [2, 2], [0, 2], MPI_INTEGER, in(2, :), [2, 2], [0, 2], MPI_INTEGER, line, &
                                     MPI_INFO_NULL, request)
    do i = 1, 2
      in = -1
      call MPI_Start(request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call expect(all(in == from_both(3, 1)), "blocks of sections, again")
    end do
    call MPI_Request_free(request)
    call MPI_Comm_free(line)
  end subroutine

  !> What comes from before and from behind where they send these elements and the next ones.
  function from_both(before, behind) result(in)
    integer, intent(in) :: before, behind
    integer :: in(2, 4)
    in = -1
    if (rank > 0) in(2, 1:2) = 10 * (rank - 1) + [before, before + 1]
    if (rank < ranks - 1) in(2, 3:4) = 10 * (rank + 1) + [behind, behind + 1]
  end function

  !> As many datatypes as there are neighbours, which are more than ranks.
  subroutine neighbour_types()
    type(MPI_Comm) :: ring
    integer :: out(2), in(2), left, right
    integer(MPI_ADDRESS_KIND), parameter :: where(2) = [0, 4]
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    out = 10 * rank + [1, 2]
    in = -1
    call MPI_Neighbor_alltoallw(out, [1, 1], where, [MPI_INTEGER, MPI_INTEGER], in, [1, 1], where, &
                                [MPI_INTEGER, MPI_INTEGER], ring)
    call expect(all(in == [10 * left + 2, 10 * right + 1]), "a datatype for each neighbour")
    call MPI_Comm_free(ring)
  end subroutine

end program
