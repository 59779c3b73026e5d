"""mpi4py's objects: made, wrapped, compared and freed; exceptions have the right class; the rest is refused by name."""

import ctypes
import sys

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size


def check(condition, what):
    if not condition:
        sys.exit(f"rank {rank} of {size}: {what}")


def fails(error_class, call, *arguments):
    """The text of the exception."""
    try:
        call(*arguments)
    except MPI.Exception as exception:
        check(exception.Get_error_class() == error_class,
              f"{call.__name__} raised {exception}, not an error of class {error_class}")
        return str(exception)
    sys.exit(f"rank {rank} of {size}: {call.__name__} did not fail")


def communicators():
    copy = world.Dup()
    check(MPI.Comm.Compare(world, copy) == MPI.CONGRUENT and copy != world, "a copy")
    copy.Set_name("a name")
    check(copy.Get_name() == "a name", "a name")
    # The same handle in another object, by the integer that Fortran knows and by address.
    check(MPI.Comm.f2py(copy.py2f()) == copy, "a communicator as an integer")
    again = MPI.Intracomm()
    width = MPI._sizeof(MPI.Comm)
    ctypes.memmove(MPI._addressof(again), MPI._addressof(copy), width)
    check(width == 8 and again == copy and again.size == size, "a wrapped handle")
    half = copy.Split(rank % 2, -rank)
    check(half.size == (size + 1 - rank % 2) // 2, "the size of a split")
    check(half.rank == (size - 1 - rank) // 2, "the rank in a split")
    node = copy.Split_type(MPI.COMM_TYPE_SHARED)
    check(node.size == size, "ranks of one machine")
    copy_later, request = copy.Idup()
    request.Wait()
    check(copy_later.size == size, "a copy made meanwhile")
    first = copy.Create_group(copy.group.Incl([0])) if rank == 0 else MPI.COMM_NULL
    check((first == MPI.COMM_NULL) == (rank > 0), "a communicator of a group")
    if size > 1:
        sides = half.Create_intercomm(0, world, (size - 1 if (size - 1) % 2 != rank % 2 else size - 2), 3)
        check(sides.is_inter and sides.remote_size == size - half.size, "an intercommunicator")
        out = np.zeros(1)
        sides.Allreduce(np.ones(1), out)
        check(out[0] == sides.remote_size, "a sum of the other group")
        merged = sides.Merge(rank % 2 == 1)
        check(merged.size == size, "two groups merged")
        for comm in (sides, merged):
            comm.Free()
    for comm in (half, node, copy_later) + ((first,) if rank == 0 else ()):
        comm.Free()
        check(comm == MPI.COMM_NULL and not comm, "a freed communicator is null")
    again.Free()
    fails(MPI.ERR_COMM, copy_later.Barrier)
    for _ in range(300):
        world.Dup().Free()


def groups():
    everyone = world.Get_group()
    odd = everyone.Incl(range(1, size, 2))
    even = everyone.Excl(range(1, size, 2))
    check(odd.size == size // 2 and MPI.Group.Union(even, odd).size == size, "halves of a group")
    check(MPI.Group.Intersection(even, odd) == MPI.GROUP_EMPTY, "halves have nothing in common")
    turned = everyone.Range_incl([(size - 1, 0, -1)])
    check(MPI.Group.Translate_ranks(turned, [0], everyone) == [size - 1], "translated ranks")
    check(MPI.Group.f2py(odd.py2f()) == odd, "a group as an integer")
    odd.Free()
    even.Free()
    check(odd == MPI.GROUP_NULL, "a freed group is null")
    fails(MPI.ERR_RANK, everyone.Incl, [size])
    everyone.Free()


def datatypes():
    made = [
        MPI.DOUBLE.Dup(), MPI.INT.Create_contiguous(3), MPI.INT.Create_vector(2, 1, 3),
        MPI.INT.Create_hvector(2, 1, 24), MPI.INT.Create_indexed([1, 2], [0, 3]),
        MPI.INT.Create_hindexed([1, 2], [0, 8]),
        MPI.INT.Create_indexed_block(2, [0, 4]), MPI.INT.Create_hindexed_block(2, [0, 64]),
        MPI.Datatype.Create_struct([1, 2], [0, 8], [MPI.INT, MPI.DOUBLE]),
        MPI.DOUBLE.Create_subarray([4, 4], [2, 2], [1, 1]), MPI.DOUBLE.Create_resized(0, 32),
        MPI.DOUBLE.Create_darray(1, 0, [8], [MPI.DISTRIBUTE_BLOCK], [MPI.DISTRIBUTE_DFLT_DARG], [1]),
    ]  # fmt: skip
    for datatype in made:
        datatype.Commit()
        check(MPI.Datatype.f2py(datatype.py2f()) == datatype, "a datatype as an integer")
        combiner = datatype.Get_envelope()[3]
        check(combiner != MPI.COMBINER_NAMED and datatype.Get_contents() is not None, "an envelope")
        packed, space = bytearray(datatype.Pack_size(1, world)), np.zeros(datatype.extent, "b")
        datatype.Pack(np.ones(datatype.extent, "b"), packed, 0, world)
        datatype.Unpack(packed, 0, space, world)
        check(space.sum() == datatype.size, "packed and unpacked")
        datatype.Free()
        check(datatype == MPI.DATATYPE_NULL, "a freed datatype is null")
    check(MPI.INT.Get_extent() == (0, 4) and MPI.DOUBLE.Get_name() == "MPI_DOUBLE", "what a datatype is")
    fails(MPI.ERR_TYPE, MPI.DATATYPE_NULL.Commit)
    fails(MPI.ERR_TYPE, world.Allreduce, [np.ones(1), 1, MPI.DATATYPE_NULL], [np.ones(1), 1, MPI.DATATYPE_NULL])


def attributes_and_infos():
    seen = []

    def copied(_, key, value):
        seen.append("copy")
        return value

    def deleted(_, key, value):
        seen.append(f"delete {value}")

    key = MPI.Comm.Create_keyval(copied, deleted)
    comm = world.Dup()
    comm.Set_attr(key, "an object")
    copy = comm.Dup()
    check(copy.Get_attr(key) == "an object", "a copied attribute")
    copy.Free()
    comm.Delete_attr(key)
    check(comm.Get_attr(key) is None, "a deleted attribute")
    check(seen == ["copy", "delete an object", "delete an object"], f"functions of attributes: {seen}")
    check(MPI.Comm.Free_keyval(key) == MPI.KEYVAL_INVALID, "a freed keyval")
    comm.Free()
    check(world.Get_attr(MPI.TAG_UB) >= 32767 and world.Get_attr(MPI.WTIME_IS_GLOBAL) in (True, False, 0, 1), "TAG_UB")
    info = MPI.Info.Create()
    info["a"] = "1"
    info.update({"b": "2"})
    check(dict(info.items()) == {"a": "1", "b": "2"} and "c" not in info and info.Get_nkeys() == 2, "an info")
    copy = info.Dup()
    del copy["a"]
    check(copy.keys() == ["b"] and info.get("a") == "1", "a copied info")
    fails(MPI.ERR_INFO_NOKEY, copy.Delete, "a")
    copy.Free()
    info.Free()
    check(info == MPI.INFO_NULL and MPI.INFO_ENV.Get("command") is not None, "a freed info is null")


def errors_and_requests():
    one = np.ones(1)
    fails(MPI.ERR_ROOT, world.Bcast, one, size)
    fails(MPI.ERR_COMM, MPI.COMM_NULL.Barrier)
    fails(MPI.ERR_OP, world.Allreduce, one, one.copy(), MPI.OP_NULL)
    fails(MPI.ERR_BUFFER, world.Allreduce, one, one)
    new_class = MPI.Add_error_class()
    code = MPI.Add_error_code(new_class)
    MPI.Add_error_string(code, "of a program")
    check(MPI.Get_error_class(code) == new_class, "an error of a program")
    check(MPI.Get_error_string(code) == "of a program", "what a program says of its error")
    check(world.Get_errhandler() == MPI.ERRORS_RETURN, "mpi4py lets calls return errors")
    requests = [world.Ibarrier() for _ in range(3)]
    MPI.Request.Waitall(requests)
    check(requests == [MPI.REQUEST_NULL] * 3 and MPI.Request.Testall(requests), "requests that are done are null")
    request = world.Ibarrier()
    while not request.Test():
        pass
    seen = []
    general = MPI.Grequest.Start(lambda status: seen.append("query"), lambda: seen.append("free"), lambda done: None)
    check(not general.Test(), "a generalized request that is not done")
    general.Complete()
    general.Wait()
    check(seen == ["query", "free"], f"functions of a generalized request: {seen}")


def topologies():
    cart = world.Create_cart([size, 1], periods=[True, False], reorder=True)
    check(cart.Get_topology() == MPI.CART and cart.topo == ([size, 1], [1, 0], [cart.rank, 0]), "a grid")
    check(cart.Shift(0, 1) == ((cart.rank - 1) % size, (cart.rank + 1) % size), "neighbours in a grid")
    line = cart.Sub([True, False])
    check(line.Get_dim() == 1 and line.Get_cart_rank([size]) == 0, "a slice of a grid")
    before, after = (rank - 1) % size, (rank + 1) % size
    ring = world.Create_dist_graph_adjacent([before], [after], [3], [4])
    check(ring.Get_dist_neighbors() == ([before], [after], ([3], [4])), "a distributed graph")
    graph = world.Create_graph([2 * (i + 1) for i in range(size)], [0, 0] * size)
    check(graph.Get_neighbors(size - 1) == [0, 0] and graph.Get_dims() == (size, 2 * size), "a graph")
    for comm in line, cart, ring, graph:
        comm.Free()


def moved():
    """What numpy's arrays hold, and what Python's pickle makes of objects."""
    own, many = np.full(3, float(rank)), np.empty(3 * size)
    everybody = np.repeat(np.arange(float(size)), 3)
    world.Allgather(own, many)
    check((many == everybody).all(), "Allgather")
    world.Alltoall(np.repeat(float(rank), 3 * size), many)
    check((many == everybody).all(), "Alltoall")
    check(world.gather(rank, root=size - 1) == (list(range(size)) if rank == size - 1 else None), "gather of objects")
    check(world.scatter([{"to": r} for r in range(size)] if rank == 0 else None) == {"to": rank}, "scatter of objects")
    check(world.alltoall([(rank, r) for r in range(size)]) == [(r, rank) for r in range(size)], "alltoall of objects")


def refused():
    """What Foldlane does not have says so by the name of the MPI call that mpi4py made."""
    one = np.ones(1)
    for name, call in {
        "MPI_Win_create": lambda: MPI.Win.Create(one, comm=world),
        "MPI_Comm_spawn": lambda: MPI.COMM_SELF.Spawn("true"),
        "MPI_File_open": lambda: MPI.File.Open(MPI.COMM_SELF, "/dev/null"),
    }.items():
        text = fails(MPI.ERR_UNSUPPORTED_OPERATION, call)
        check(name in text, f"{name} is not named by: {text}")


check(MPI.Get_version() == (5, 0) and "Foldlane" in MPI.Get_library_version(), "whose library this is")
check(MPI.Is_initialized() and not MPI.Is_finalized() and MPI.Is_thread_main(), "initialised by the import")
communicators()
groups()
datatypes()
attributes_and_infos()
errors_and_requests()
topologies()
moved()
refused()
world.Barrier()
if rank == 0:
    print(f"objects of {size} ranks are as MPI says")
