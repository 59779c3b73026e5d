// What `foldlane bench --help` says before and after the list of options.
#pragma once

namespace foldlane::bench {

inline constexpr char kDescription[] =
    "Measures collectives and messages, verifies their results, and sets the figures beside physical limits "
    "and other MPIs.";
inline constexpr char kFooter[] =
    "\nCALL: allreduce (default), reduce, reduce_scatter, reduce_scatter_block, scan, exscan, bcast, "
    "barrier,\n"
    "reduce_local; gather(v), scatter(v), allgather(v), alltoall(v), alltoallw; neighbor_allgather and\n"
    "neighbor_alltoall on a periodic ring; of collectives also the nonblocking and the persistent form:\n"
    "iallreduce, allreduce_init.\n"
    "Messages: pingpong (half a round trip of MPI_Send and MPI_Recv), stream (windows of 64 MPI_Isend\n"
    "and MPI_Irecv, one way), bidirectional (both ways), exchange (MPI_Sendrecv around the ring), incast\n"
    "(all to rank 0, which receives from MPI_ANY_SOURCE), unexpected (there before their receives). Times\n"
    "are those of one message; windows of more than 8 MiB have fewer of them.\n"
    "Sizes are bytes of one rank's input, or of one message: 8, 4K, 1MiB. Of gather, scatter, allgather and\n"
    "alltoall they are bytes per block, of which there is one for each rank (on the ring two); blocks end\n"
    "at 4 MiB unless -e says otherwise.\n"
    "--threads 1,2,4: that many pairs of threads at once, each on a communicator of its own (pingpong and\n"
    "stream), after MPI_Init_thread with MPI_THREAD_MULTIPLE; times are those of one pair, rates of all. Of\n"
    "other calls --threads 1 says what the level costs: mpi4py asks for it.\n"
    "--vs openmpi,mpich compares with what is installed; --vs \"openmpi --mca btl ^vader\" passes options to "
    "its\n"
    "mpiexec (environment variables too: \"openmpi -x NAME=VALUE\", \"mpich -genv NAME VALUE\"); a directory "
    "with\n"
    "bin/mpicc and bin/mpiexec is a peer too; of several configurations of one peer the best is shown for "
    "each\n"
    "case. --vs FILE.json compares with an earlier run.\n"
    "--under openmpi,mpich measures jobs of these with Foldlane under their calls, and without; it ends\n"
    "with what that gains, and with what it costs against Foldlane alone, by call.\n"
    "--suite never-slower: blocking collectives, 8 B to 64 MiB (4 MiB per block), hot and rotating buffers, "
    "2 and 8 ranks, "
    "against\n"
    "openmpi (with and without CMA) and mpich (also its release_gather) unless --vs names others. It ends "
    "with the\n"
    "cases where the best peer is faster, those that are undecided, and a mean per call, for near and far "
    "cores\n"
    "apart. It takes an hour and a half; CALL, -b, -e, -f and -n narrow it.\n"
    "--suite p2p: the same of messages of 2 ranks, with their limits: a handoff of a line from core to\n"
    "core, and one copy by one of them. It takes 20 minutes.\n"
    "--suite report: writes foldlane-report.json, which tells us about a machine that we do not have.\n"
    "Exit code: 0; 1 if a result was wrong, a run failed, something got slower than in FILE.json, or, with\n"
    "--suite never-slower or p2p, the best peer is faster in any case (the ratio's interval lies below\n"
    "1) or there is none; 2 for a wrong command line.\n"
    "Examples:\n"
    "  foldlane bench allreduce -n 2 --vs openmpi,mpich --html report.html\n"
    "  foldlane bench --suite quick --json today.json\n"
    "  foldlane bench --suite never-slower allreduce bcast -n 2 -e 64K\n"
    "  foldlane bench gather scatter -n 8 --root 0,3,7\n"
    "  foldlane bench --overlap iallreduce -b 8M -e 8M --vs openmpi,mpich\n"
    "  foldlane bench --compare yesterday.json today.json";

}  // namespace foldlane::bench
