"""Where the other end of a message is, for generate_calls.py: the only rank sends to itself. A call gets the name of
procedures (calls.c.in, calls.f90.in) before it, directly after it, and after what it has done is printed."""

from typing import NamedTuple


class Meeting(NamedTuple):
    before: tuple = ()
    over: tuple = ()        # the call is over with these: what it printed and what the other end has are known
    after: tuple = ()
    receives: bool = False  # the other end does

    @property
    def makes_request(self):
        return self.before and self.before[0] in (*PARTITIONS.values(), "receive_nothing")


NONE = Meeting()
PARTITIONS = {"MPI_Pready": "start_sent_partitions", "MPI_Pready_range": "start_sent_partitions",
              "MPI_Pready_list": "start_sent_partitions", "MPI_Parrived": "start_received_partitions"}
# Whose buffer for buffered sends it is, by the beginning of the call's name.
BUFFERS = {"MPI_Buffer_": "own", "MPI_Comm_": "comm", "MPI_Session_": "session"}


def about_send_buffers(name):
    owner = next((o for begin, o in BUFFERS.items() if name.startswith(begin)), None)
    if owner is None:
        return NONE
    if "ttach_buffer" in name or name.startswith("MPI_Buffer_attach"):
        return Meeting(after=(f"detach_{owner}_buffer",))
    if "etach_buffer" in name or name.startswith("MPI_Buffer_detach"):
        return Meeting(before=(f"attach_{owner}_buffer",))
    if "flush" in name:
        return Meeting(before=(f"attach_{owner}_buffer",), after=(f"detach_{owner}_buffer",))
    return NONE


def about_matched_message(name, is_nonblocking):
    over = ("wait",) if is_nonblocking else ()
    return Meeting(before=("send_from_here", "match"), over=over + ("wait_for_other",))


def about_partitions(sends):
    """Of calls that make a partitioned request."""
    if sends:
        return Meeting(before=("receive_partitions_here",), over=("run_sent_partitions",), receives=True)
    return Meeting(before=("send_partitions_here",), over=("run_received_partitions",))


def meeting(call):
    names = {a.name for a in call.fortran_arguments}
    sends, receives = "dest" in names, "source" in names
    makes_request = "request" in names and any(a.name == "request" and a.direction == "out" for a in call.arguments)
    if call.name in PARTITIONS:
        return Meeting(before=(PARTITIONS[call.name],), over=("end_partitions",), receives="Pready" in call.name)
    if call.name == "MPI_Cancel":
        return Meeting(before=("receive_nothing",), over=("wait",))
    if "recv" in call.name and "message" in names:
        return about_matched_message(call.name, makes_request)
    if not sends and not receives or not call.has("BUFFER", "STATUS") or call.has("WINDOW"):
        return about_send_buffers(call.name)
    if "partitions" in names:
        return about_partitions("send" in call.name)
    if "probe" in call.name.lower():
        taken = "receive_matched_here" if "message" in names else "receive_here_now"
        return Meeting(before=("send_from_here",), after=(taken, "wait_for_other"))
    over = ("run",) if "_init" in call.name else ("wait",) if makes_request else ()
    if sends and receives:
        return Meeting(over=over)
    if receives:
        return Meeting(before=("send_from_here",), over=over + ("wait_for_other",))
    buffered = call.name[4:].lower().startswith(("bsend", "ibsend"))
    return Meeting(before=("receive_here",) + ("attach_own_buffer",) * buffered, over=over + ("wait_for_other",),
                   after=("detach_own_buffer",) * buffered, receives=True)
