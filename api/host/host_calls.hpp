// The host's own functions that the host layer calls. Handles are words, whether the host has integers or
// pointers for them: an argument of either kind is passed in the same register, and a host that has integers
// looks at the lower half of a word alone. Where the host writes a handle, that is the lower half too
// (little-endian), so words begin as zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::host {

using Handle = std::uintptr_t;

/// One of 2^`bits`: handles are addresses, or numbers that follow each other.
inline std::size_t place_of(Handle handle, int bits) noexcept {
  return handle * 0x9e3779b97f4a7c15U >> (64 - bits);
}

/// About communicators and groups.
struct CommunicatorCalls {
  int (*Comm_call_errhandler)(Handle comm, int code);
  int (*Comm_create_keyval)(int (*copy)(Handle, int, void*, void*, void*, int*),
                            int (*remove)(Handle, int, void*, void*), int* keyval, void* extra);
  int (*Comm_free)(Handle* comm);
  int (*Comm_get_attr)(Handle comm, int keyval, void* value, int* flag);
  int (*Comm_group)(Handle comm, Handle* group);
  int (*Comm_rank)(Handle comm, int* rank);
  int (*Comm_set_attr)(Handle comm, int keyval, void* value);
  int (*Comm_size)(Handle comm, int* size);
  int (*Comm_split)(Handle comm, int color, int key, Handle* split);
  int (*Comm_split_type)(Handle comm, int type, int key, Handle info, Handle* split);
  int (*Comm_test_inter)(Handle comm, int* flag);
  int (*Group_free)(Handle* group);
  int (*Group_translate_ranks)(Handle group, int count, const int* ranks, Handle other, int* others);
};

/// Messages.
struct MessageCalls {
  int (*Iprobe)(int source, int tag, Handle comm, int* flag, void* status);
  int (*Irecv)(void* buffer, int count, Handle type, int source, int tag, Handle comm, Handle* request);
  int (*Isend)(const void* buffer, int count, Handle type, int target, int tag, Handle comm, Handle* request);
  int (*Test)(Handle* request, int* flag, void* status);
  int (*Wait)(Handle* request, void* status);
};

struct HostCalls : CommunicatorCalls, MessageCalls {
  int (*Abort)(Handle comm, int code);
  int (*Allgather)(const void* send, int count, Handle type, void* recv, int recv_count, Handle recv_type,
                   Handle comm);
  int (*Allgatherv)(const void* send, int count, Handle type, void* recv, const int* recv_counts,
                    const int* places, Handle recv_type, Handle comm);
  int (*Allreduce)(const void* send, void* recv, int count, Handle type, Handle op, Handle comm);
  int (*Alltoall)(const void* send, int count, Handle type, void* recv, int recv_count, Handle recv_type,
                  Handle comm);
  int (*Alltoallv)(const void* send, const int* counts, const int* places, Handle type, void* recv,
                   const int* recv_counts, const int* recv_places, Handle recv_type, Handle comm);
  int (*Barrier)(Handle comm);
  int (*Bcast)(void* buffer, int count, Handle type, int root, Handle comm);
  int (*Gather)(const void* send, int count, Handle type, void* recv, int recv_count, Handle recv_type,
                int root, Handle comm);
  int (*Gatherv)(const void* send, int count, Handle type, void* recv, const int* recv_counts,
                 const int* places, Handle recv_type, int root, Handle comm);
  int (*Get_library_version)(char* text, int* length);
  int (*Ibarrier)(Handle comm, Handle* request);
  int (*Pack)(const void* in, int count, Handle type, void* out, int bytes, int* position, Handle comm);
  int (*Query_thread)(int* provided);
  int (*Scatterv)(const void* send, const int* counts, const int* places, Handle type, void* recv,
                  int recv_count, Handle recv_type, int root, Handle comm);
  int (*Type_get_extent)(Handle type, std::ptrdiff_t* lower_bound, std::ptrdiff_t* extent);
  int (*Type_size_x)(Handle type, std::int64_t* bytes);
  int (*Unpack)(const void* in, int bytes, int* position, void* out, int count, Handle type, Handle comm);
};

}  // namespace foldlane::host
