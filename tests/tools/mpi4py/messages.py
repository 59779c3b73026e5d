"""mpi4py's messages round a ring: arrays of numpy, objects, matched, persistent and buffered ones; what nobody sends is
not received."""

import sys

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
after, before = (rank + 1) % size, (rank - 1) % size
SHORT, LONG = 5, 200_000  # the second does not fit into the cells between two ranks


def check(condition, what):
    if not condition:
        sys.exit(f"rank {rank} of {size}: {what}")


def sent_by(source, count):
    return np.arange(count, dtype="d") + 1000 * source


def arrays(count):
    out, status = np.zeros(count), MPI.Status()
    request = world.Isend(sent_by(rank, count), after, 3)
    world.Recv(out, MPI.ANY_SOURCE, MPI.ANY_TAG, status)
    request.Wait()
    check(np.array_equal(out, sent_by(before, count)), f"an array of {count}")
    check((status.source, status.tag, status.Get_count(MPI.DOUBLE)) == (before, 3, count), "its status")
    out = np.zeros(count)
    receive = world.Irecv(out, before, 4)
    world.Ssend(sent_by(rank, count), after, 4)
    receive.Wait()
    check(np.array_equal(out, sent_by(before, count)), f"a synchronous array of {count}")
    out = np.zeros(count)
    world.Sendrecv(sent_by(rank, count), after, 5, out, before, 5)
    check(np.array_equal(out, sent_by(before, count)), f"Sendrecv of {count}")
    world.Sendrecv_replace(out, before, 6, after, 6)
    check(np.array_equal(out, sent_by(rank, count)), f"Sendrecv_replace of {count}")


def matched(count):
    request = world.Isend(sent_by(rank, count), after, 7)
    message = world.Mprobe(before, 7)
    check(not world.Iprobe(before, 7), "a message that was taken out is not there")
    out = np.zeros(count)
    message.Irecv(out).Wait()
    request.Wait()
    check(np.array_equal(out, sent_by(before, count)), f"a matched array of {count}")


def columns():
    """Through a datatype."""
    table, out = np.arange(12, dtype="i").reshape(3, 4) + 100 * rank, np.zeros((3, 4), "i")
    column = MPI.INT.Create_vector(3, 1, 4).Commit()
    world.Sendrecv([table.reshape(-1)[1:], 1, column], after, 0, [out.reshape(-1)[2:], 1, column], before, 0)
    column.Free()
    check(np.array_equal(out[:, 2], np.array([1, 5, 9]) + 100 * before), "a column")
    check(np.count_nonzero(out[:, 3]) == 0, "what lies beside it")


def persistent():
    sent, out = np.zeros(SHORT), np.zeros(SHORT)
    requests = [world.Send_init(sent, after), world.Recv_init(out, before)]
    for lap in range(3):
        sent[:] = sent_by(rank, SHORT) + lap
        MPI.Prequest.Startall(requests)
        MPI.Request.Waitall(requests)
        check(np.array_equal(out, sent_by(before, SHORT) + lap), "a persistent message")
    for request in requests:
        request.Free()


def buffered():
    space = MPI.Alloc_mem(MPI.BSEND_OVERHEAD + 8 * SHORT)
    MPI.Attach_buffer(space)
    out = np.zeros(SHORT)
    world.Bsend(sent_by(rank, SHORT), after)
    world.Recv(out, before)
    MPI.Detach_buffer()
    MPI.Free_mem(space)
    check(np.array_equal(out, sent_by(before, SHORT)), "a buffered message")


def object_of(source):
    return {"rank": source, "text": "a" * 50_000, "values": list(range(source, source + 10))}


def objects():
    request = world.isend(object_of(rank), after, 1)
    check(world.recv(source=before, tag=1) == object_of(before), "an object")
    request.wait()
    check(world.sendrecv(object_of(rank), after, 2, None, before, 2) == object_of(before), "sendrecv of objects")
    request = world.isend(object_of(rank), after, 3)
    check(world.mprobe(before, 3).recv() == object_of(before), "a matched object")
    request.wait()
    receive = world.irecv(1 << 20, before, 4)
    world.send(object_of(rank), after, 4)
    check(receive.wait() == object_of(before), "an object to come")
    check(world.bcast(object_of(0) if rank == 0 else None) == object_of(0), "bcast of an object")


def cancelled():
    out, status = np.zeros(1), MPI.Status()
    request = world.Irecv(out, before, 99)
    request.Cancel()
    request.Wait(status)
    check(status.Is_cancelled(), "a receive that was cancelled")


for count in (0, SHORT, LONG):
    arrays(count)
    matched(count)
columns()
persistent()
buffered()
objects()
cancelled()
world.Barrier()
if rank == 0:
    print(f"messages of {size} ranks arrive")
