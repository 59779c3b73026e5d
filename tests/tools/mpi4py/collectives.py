"""mpi4py's buffer collectives on arrays of numpy, against what numpy makes of all ranks' inputs.

Inputs are small integers, so every type sums and multiplies them exactly. Each form of a call is asked: blocking,
in place, nonblocking.
"""

import sys
import threading

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
integers = ["b", "h", "i", "l", "q", "B", "H", "I", "L", "Q"]
reals = ["f", "d", "g"]
complexes = ["F", "D", "G"]
folds = [
    (MPI.SUM, np.add, integers + reals + complexes),
    (MPI.PROD, np.multiply, integers + reals + complexes),
    (MPI.MAX, np.maximum, integers + reals),
    (MPI.MIN, np.minimum, integers + reals),
    (MPI.BAND, np.bitwise_and, integers),
    (MPI.BOR, np.bitwise_or, integers),
    (MPI.BXOR, np.bitwise_xor, integers),
    (MPI.LAND, np.logical_and, integers + ["?"]),
    (MPI.LOR, np.logical_or, integers + ["?"]),
    (MPI.LXOR, np.logical_xor, integers + ["?"]),
]
checks = 0


def same(found, expected, what):
    global checks
    checks += 1
    if not np.array_equal(found, expected):
        sys.exit(f"rank {rank} of {size}: {what}: {found} instead of {expected}")


def inputs(dtype, count):
    """What each rank has; every rank can say it for all."""
    return [np.array(np.random.default_rng(r).integers(0, 3, count), dtype) for r in range(size)]


def folded(function, arrays):
    result = arrays[0]
    for array in arrays[1:]:
        result = function(result, array).astype(result.dtype)
    return result


def reductions(op, function, dtype, count):
    all_inputs = inputs(dtype, count * size)
    mine, total = all_inputs[rank], folded(function, all_inputs)
    what = f"{function.__name__} of {count * size} {dtype}"
    root = size - 1
    part = slice(rank * count, (rank + 1) * count)
    counts = [count + (r == 0) - (r == size - 1) if size > 1 else count for r in range(size)]
    begin = sum(counts[:rank])
    uneven = slice(begin, begin + counts[rank])
    upto, before = folded(function, all_inputs[: rank + 1]), folded(function, all_inputs[:rank] or [mine])

    def call(name, expected, *arguments):
        for begin_call in (getattr(world, name), getattr(world, "I" + name.lower())):
            out = np.zeros_like(expected)
            request = begin_call(mine, out, *arguments)
            if request is not None:
                request.Wait()
            same(out, expected, f"{begin_call.__name__}, {what}")

    call("Allreduce", total, op)
    call("Scan", upto, op)
    if rank > 0:
        call("Exscan", before, op)
    else:
        call("Exscan", np.zeros_like(mine), op)
    call("Reduce", total if rank == root else np.zeros_like(mine), op, root)
    call("Reduce_scatter_block", total[part], op)
    call("Reduce_scatter", total[uneven], counts, op)

    both = mine.copy()
    world.Allreduce(MPI.IN_PLACE, both, op)
    same(both, total, f"Allreduce in place, {what}")
    both = mine.copy()
    world.Reduce(MPI.IN_PLACE if rank == root else both, both, op, root)
    same(both, total if rank == root else mine, f"Reduce in place, {what}")
    both = mine.copy()
    op.Reduce_local(all_inputs[0], both)
    same(both, folded(function, [all_inputs[0], mine]), f"Reduce_local, {what}")

    for begin_call in (world.Bcast, world.Ibcast):
        out = mine.copy()
        request = begin_call(out, root)
        if request is not None:
            request.Wait()
        same(out, all_inputs[root], f"Bcast, {what}")


def messages():
    """The ways in which mpi4py lets programs describe buffers."""
    everyone = size * (size + 1) / 2
    mine = np.full(6, rank + 1.0)
    out = np.zeros(6)
    world.Allreduce([mine, 3, MPI.DOUBLE], [out, 3, MPI.DOUBLE])
    same(out, [everyone] * 3 + [0] * 3, "a count and a type")
    column = MPI.DOUBLE.Create_vector(2, 1, 3).Commit()
    matrix = np.full((2, 3), rank + 1.0)
    world.Bcast([matrix, 1, column], 0)
    same(matrix, [[1, rank + 1, rank + 1]] * 2, "Bcast of a column")
    column.Free()
    pairs = np.array([(rank % 2, rank)], dtype=[("value", "i4"), ("index", "i4")])
    best = np.zeros_like(pairs)
    world.Allreduce([pairs, 1, MPI.INT_INT], [best, 1, MPI.INT_INT], MPI.MAXLOC)
    same(best["index"], [min(1, size - 1)], "MAXLOC")
    same(world.bcast({"of": [rank, "any kind"]}, size - 1)["of"], [size - 1, "any kind"], "bcast of an object")
    memory = MPI.Alloc_mem(48)
    shared = np.frombuffer(memory, "d")
    shared[:] = rank + 1
    world.Allreduce(MPI.IN_PLACE, shared)
    same(shared, [everyone] * 6, "memory of Alloc_mem")
    del shared
    MPI.Free_mem(memory)


def functions_of_python():
    """Operations that Python computes: one that commutes, and one that does not."""

    def multiply(a, b, datatype):
        assert datatype == whole
        x, y = np.frombuffer(a, "d").reshape(-1, 2, 2), np.frombuffer(b, "d").reshape(-1, 2, 2)
        y[:] = x @ y

    def add(a, b, _):
        y = np.frombuffer(b, "d")
        y += np.frombuffer(a, "d")

    matrices = [np.array([[1.0, r + 1], [r, 2]]) for r in range(size)]
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    # Its elements are matrices, which a call of many elements would cut: it gets one.
    whole = MPI.DOUBLE.Create_contiguous(4).Commit()
    op = MPI.Op.Create(multiply, False)
    out = np.zeros((2, 2))
    world.Allreduce([matrices[rank], 1, whole], [out, 1, whole], op)
    same(out, product, "a product of matrices in the order of ranks")
    assert not op.Is_commutative()
    op.Free()
    whole.Free()
    op = MPI.Op.Create(add, True)
    out = np.zeros(1000)
    mine = np.full(1000, rank + 1.0)
    world.Iallreduce(mine, out, op).Wait()  # mpi4py 3 does not hold the buffers of nonblocking reductions
    same(out, np.full(1000, size * (size + 1) / 2), "an operation of Python")
    op.Free()


def threads():
    """Threads of Python call at a time, each on a communicator of its own."""
    assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
    comms = [world.Dup() for _ in range(4)]
    outs = [np.zeros(1) for _ in comms]

    def work(index):
        for i in range(50):
            comms[index].Allreduce(np.full(1, float(index * i)), outs[index])

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(comms))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    same(np.concatenate(outs), [49.0 * i * size for i in range(len(comms))], "threads")
    for comm in comms:
        comm.Free()


# Lines, boxes and direct calls take different ways through the library.
for operation, of_numpy, dtypes in folds:
    for letter in dtypes:
        for elements in (1, 7, 5000):
            reductions(operation, of_numpy, letter, elements)
reductions(MPI.SUM, np.add, "d", 1 << 17)
world.Barrier()
world.Ibarrier().Wait()
messages()
functions_of_python()
threads()
if rank == 0:
    print(f"{checks} results of {size} ranks are numpy's")
