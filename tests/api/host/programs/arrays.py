"""Collective calls by mpi4py, of arrays and of objects. Prints what comes out, at rank 0."""
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()


def show(*what):
    if rank == 0:
        print("result:", *what)


def checksum(values):
    total = 0
    for value in values:
        total = (total * 31 + int(value)) % 1_000_003
    return total


for length in (1, 100, 10_000, 300_000):
    own = array("d", ((rank + 1) * (i % 97) for i in range(length)))
    result = array("d", bytes(8 * length))
    for _ in range(20):
        world.Allreduce(own, result, op=MPI.SUM)
    show("Allreduce", length, checksum(result))
    world.Scan(own, result, op=MPI.MAX)
    world.Bcast(result, root=size - 1)
    show("Scan, Bcast", length, checksum(result))
    everybody = array("d", bytes(8 * length * size))
    world.Allgather(own, everybody)
    show("Allgather", length, checksum(everybody))
    world.Alltoall(everybody, shuffled := array("d", bytes(8 * length * size)))
    show("Alltoall", length, checksum(shuffled))

half = world.Split(rank % 2, rank)
for turn in range(50):
    total = half.allreduce(turn + rank)
show("of halves", world.gather(total))
show("of objects", world.bcast({"rank": rank, "words": ["a", "b"]}, root=size - 1),
     world.reduce((rank, "text"), op=MPI.MAX), world.alltoall([f"{rank}->{i}" for i in range(size)]))
world.Barrier()
