// Constants and calls of the C++ bindings that the tables cannot say. Included by mpi_cxx.hpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

#if !defined(MPICH_IGNORE_CXX_SEEK)
// Each of these may define the macros; whoever includes them later finds their guards.
#include <fcntl.h>
#include <unistd.h>
namespace MPI {
namespace detail {
constexpr int stdio_seek_set = SEEK_SET, stdio_seek_cur = SEEK_CUR, stdio_seek_end = SEEK_END;
}
}  // namespace MPI
#undef SEEK_SET
#undef SEEK_CUR
#undef SEEK_END
constexpr int SEEK_SET = MPI::detail::stdio_seek_set;
constexpr int SEEK_CUR = MPI::detail::stdio_seek_cur;
constexpr int SEEK_END = MPI::detail::stdio_seek_end;
namespace MPI {
constexpr int SEEK_SET = MPI_SEEK_SET;
constexpr int SEEK_CUR = MPI_SEEK_CUR;
constexpr int SEEK_END = MPI_SEEK_END;
}  // namespace MPI
#endif

namespace MPI {

static void* const BOTTOM = MPI_BOTTOM;
static void* const IN_PLACE = MPI_IN_PLACE;
static const char** const ARGV_NULL = nullptr;
static const char*** const ARGVS_NULL = nullptr;

/// No handle: what it stands for depends on the kind of object.
constexpr Errhandler ERRORS_THROW_EXCEPTIONS{detail::Predefined{-1}};

namespace detail {

// Arrays of the classes are arrays of handles.
static_assert(sizeof(Datatype) == sizeof(MPI_Datatype) && sizeof(Request) == sizeof(MPI_Request) &&
                  sizeof(Info) == sizeof(MPI_Info) && sizeof(Status) == sizeof(MPI_Status),
              "C++ objects are laid out like those of C");
inline const MPI_Datatype* c_array(const Datatype* types) {
  return reinterpret_cast<const MPI_Datatype*>(types);
}
inline MPI_Datatype* c_array(Datatype* types) { return reinterpret_cast<MPI_Datatype*>(types); }
inline const MPI_Info* c_array(const Info* infos) { return reinterpret_cast<const MPI_Info*>(infos); }
inline MPI_Request* c_array(Request* requests) { return reinterpret_cast<MPI_Request*>(requests); }
inline MPI_Status* c_array(Status* statuses) { return reinterpret_cast<MPI_Status*>(statuses); }

template <class C>
Errhandler get_errhandler_of(C object) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  Call call;
  call(get_errhandler(object, &handler));
  if (handler != throwing<C>()) return handler;
  MPI_Errhandler_free(&handler);
  return ERRORS_THROW_EXCEPTIONS;
}

template <class C>
void set_errhandler_of(C object, const Errhandler& handler) {
  Call call;
  call(set_errhandler(object, handler.for_objects<C>()));
}

/// Who calls the handler that throws gets the exception, though C's call succeeds.
template <class C>
void call_errhandler_of(int (*call_handler)(C, int), C object, int code) {
  Call call;
  call(call_handler(object, code));
  call.has_raised();
}

template <class Class>
Class& clone(const Class& comm) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  Call call;
  call(MPI_Comm_dup(comm, &duplicate));
  return *new Class(duplicate);
}

}  // namespace detail

template <class C>
MPI_Errhandler Errhandler::for_objects() const {
  return *this == ERRORS_THROW_EXCEPTIONS ? detail::throwing<C>() : Handle::operator MPI_Errhandler();
}

inline void Errhandler::Free() {
  detail::Call call;
  if (*this == ERRORS_THROW_EXCEPTIONS) {
    *this = Errhandler();
  } else {
    call(MPI_Errhandler_free(c_address()));
  }
}

inline Errhandler Comm::Get_errhandler() const { return detail::get_errhandler_of<MPI_Comm>(*this); }
inline Errhandler Win::Get_errhandler() const { return detail::get_errhandler_of<MPI_Win>(*this); }
inline Errhandler File::Get_errhandler() const { return detail::get_errhandler_of<MPI_File>(*this); }
inline void Comm::Set_errhandler(const Errhandler& handler) {
  detail::set_errhandler_of<MPI_Comm>(*this, handler);
}
inline void Win::Set_errhandler(const Errhandler& handler) {
  detail::set_errhandler_of<MPI_Win>(*this, handler);
}
inline void File::Set_errhandler(const Errhandler& handler) {
  detail::set_errhandler_of<MPI_File>(*this, handler);
}

inline void Comm::Call_errhandler(int code) const {
  detail::call_errhandler_of<MPI_Comm>(MPI_Comm_call_errhandler, *this, code);
}
inline void Win::Call_errhandler(int code) const {
  detail::call_errhandler_of<MPI_Win>(MPI_Win_call_errhandler, *this, code);
}
inline void File::Call_errhandler(int code) const {
  detail::call_errhandler_of<MPI_File>(MPI_File_call_errhandler, *this, code);
}

inline Comm_Null& Comm_Null::Clone() const { return detail::clone(*this); }
inline Intracomm& Intracomm::Clone() const { return detail::clone(*this); }
inline Intercomm& Intercomm::Clone() const { return detail::clone(*this); }
inline Cartcomm& Cartcomm::Clone() const { return detail::clone(*this); }
inline Graphcomm& Graphcomm::Clone() const { return detail::clone(*this); }
inline Distgraphcomm& Distgraphcomm::Clone() const { return detail::clone(*this); }

inline void Init() {
  detail::Call call;
  call(MPI_Init(nullptr, nullptr));
}

inline void Init(int& argc, char**& argv) {
  detail::Call call;
  call(MPI_Init(&argc, &argv));
}

inline int Init_thread(int required) {
  int provided = MPI_THREAD_SINGLE;
  detail::Call call;
  call(MPI_Init_thread(nullptr, nullptr, required, &provided));
  return provided;
}

inline int Init_thread(int& argc, char**& argv, int required) {
  int provided = MPI_THREAD_SINGLE;
  detail::Call call;
  call(MPI_Init_thread(&argc, &argv, required, &provided));
  return provided;
}

inline void* Alloc_mem(Aint size, const Info& info) {
  void* memory = nullptr;
  detail::Call call;
  call(MPI_Alloc_mem(size, info, &memory));
  return memory;
}

inline int Detach_buffer(void*& buffer) {
  int size = 0;
  detail::Call call;
  call(MPI_Buffer_detach(&buffer, &size));
  return size;
}

/// What follows the level means nothing to any library that implements the ABI.
inline void Pcontrol(const int level, ...) {
  detail::Call call;
  call(MPI_Pcontrol(level));
}

inline void Datatype::Unpack(const void* inbuf, int insize, void* outbuf, int outcount, int& position,
                             const Comm& comm) const {
  detail::Call call;
  call(MPI_Unpack(inbuf, insize, &position, outbuf, outcount, *this, comm));
}

inline Cartcomm Intracomm::Create_cart(int ndims, const int dims[], const bool periods[],
                                       bool reorder) const {
  const std::vector<int> flags(periods, periods + std::max(ndims, 0));
  Cartcomm comm;
  detail::Call call;
  call(MPI_Cart_create(*this, ndims, dims, flags.data(), reorder, comm.c_address()));
  return comm;
}

inline void Cartcomm::Get_topo(int maxdims, int dims[], bool periods[], int coords[]) const {
  std::vector<int> flags(static_cast<std::size_t>(std::max(maxdims, 0)));
  detail::Call call;
  call(MPI_Cart_get(*this, maxdims, dims, flags.data(), coords));
  std::transform(flags.begin(), flags.end(), periods, [](int flag) { return flag != 0; });
}

inline int Cartcomm::Map(int ndims, const int dims[], const bool periods[]) const {
  const std::vector<int> flags(periods, periods + std::max(ndims, 0));
  int rank = MPI_UNDEFINED;
  detail::Call call;
  call(MPI_Cart_map(*this, ndims, dims, flags.data(), &rank));
  return rank;
}

inline Cartcomm Cartcomm::Sub(const bool remain_dims[]) const {
  int ndims = 0;
  detail::Call call;
  call(MPI_Cartdim_get(*this, &ndims));
  const std::vector<int> flags(remain_dims, remain_dims + ndims);
  Cartcomm comm;
  call(MPI_Cart_sub(*this, flags.data(), comm.c_address()));
  return comm;
}

inline void Graphcomm::Get_dims(int nnodes[], int nedges[]) const {
  detail::Call call;
  call(MPI_Graphdims_get(*this, nnodes, nedges));
}

inline Distgraphcomm Intracomm::Dist_graph_create(int n, const int sources[], const int degrees[],
                                                  const int destinations[], const Info& info,
                                                  bool reorder) const {
  return Dist_graph_create(n, sources, degrees, destinations, MPI_UNWEIGHTED, info, reorder);
}

inline Distgraphcomm Intracomm::Dist_graph_create_adjacent(int indegree, const int sources[], int outdegree,
                                                           const int destinations[], const Info& info,
                                                           bool reorder) const {
  return Dist_graph_create_adjacent(indegree, sources, MPI_UNWEIGHTED, outdegree, destinations,
                                    MPI_UNWEIGHTED, info, reorder);
}

inline void Distgraphcomm::Get_dist_neighbors_count(int& indegree, int& outdegree, bool& weighted) const {
  int flag = 0;
  detail::Call call;
  call(MPI_Dist_graph_neighbors_count(*this, &indegree, &outdegree, &flag));
  weighted = flag != 0;
}

inline Intercomm Intracomm::Spawn(const char* command, const char* argv[], int maxprocs, const Info& info,
                                  int root, int array_of_errcodes[]) const {
  Intercomm comm;
  detail::Call call;
  call(MPI_Comm_spawn(command, const_cast<char**>(argv), maxprocs, info, root, *this, comm.c_address(),
                      array_of_errcodes));
  return comm;
}

inline Intercomm Intracomm::Spawn(const char* command, const char* argv[], int maxprocs, const Info& info,
                                  int root) const {
  return Spawn(command, argv, maxprocs, info, root, MPI_ERRCODES_IGNORE);
}

inline Intercomm Intracomm::Spawn_multiple(int count, const char* array_of_commands[],
                                           const char** array_of_argv[], const int array_of_maxprocs[],
                                           const Info array_of_info[], int root, int array_of_errcodes[]) {
  Intercomm comm;
  detail::Call call;
  call(MPI_Comm_spawn_multiple(
      count, const_cast<char**>(array_of_commands), const_cast<char***>(array_of_argv), array_of_maxprocs,
      detail::c_array(array_of_info), root, *this, comm.c_address(), array_of_errcodes));
  return comm;
}

inline Intercomm Intracomm::Spawn_multiple(int count, const char* array_of_commands[],
                                           const char** array_of_argv[], const int array_of_maxprocs[],
                                           const Info array_of_info[], int root) {
  return Spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root,
                        MPI_ERRCODES_IGNORE);
}

}  // namespace MPI
