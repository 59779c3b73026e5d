// Callbacks with the signatures of C++ behind those of C. Included by mpi_cxx.hpp.
#pragma once

#include <forward_list>
#include <memory>
#include <mutex>

namespace MPI {
namespace detail {

// ---- Callbacks without extra_state: operations and error handlers ----

constexpr int max_functions = 64;

template <class Kind, int index>
struct Slot {
  static typename Kind::Function* function;
};
template <class Kind, int index>
typename Kind::Function* Slot<Kind, index>::function = nullptr;

/// C does not say which of the program's functions is meant, so each of those gets a function of C of its
/// own. It keeps that for ever: an operation may be in use after it was freed.
template <class Kind, int index = 0>
struct Trampolines {
  static typename Kind::C_function* find(typename Kind::Function* function) {
    typename Kind::Function*& present = Slot<Kind, index>::function;
    if (present != nullptr && present != function) return Trampolines<Kind, index + 1>::find(function);
    present = function;
    return &Kind::template call<index>;
  }
};
template <class Kind>
struct Trampolines<Kind, max_functions> {
  [[noreturn]] static typename Kind::C_function* find(typename Kind::Function*) {
    throw Exception(MPI_ERR_NO_MEM);
  }
};

template <class Kind>
typename Kind::C_function* trampoline_of(typename Kind::Function* function) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  return Trampolines<Kind>::find(function);
}

struct Operations {
  typedef User_function Function;
  typedef MPI_User_function C_function;
  template <int index>
  static void call(void* in, void* inout, int* length, MPI_Datatype* datatype) {
    Slot<Operations, index>::function(in, inout, *length, Datatype(*datatype));
  }
};

/// What a callback gets for a handle of C.
template <class Class>
struct View {
  template <class C>
  explicit View(C handle) : object(handle) {}
  Class object;
};
template <>
struct View<Comm> {
  explicit View(MPI_Comm comm)
      : intra(comm),
        inter(comm),
        object(is_inter(comm) ? static_cast<Comm&>(inter) : static_cast<Comm&>(intra)) {}
  static bool is_inter(MPI_Comm comm) {
    int flag = 0;
    MPI_Comm_test_inter(comm, &flag);
    return flag != 0;
  }
  Intracomm intra;
  Intercomm inter;
  Comm& object;
};

template <class Class, class C>
struct Handlers {
  typedef typename Class::Errhandler_function Function;
  typedef void C_function(C*, int*, ...);
  template <int index>
  static void call(C* handle, int* code, ...) {
    View<Class> view(*handle);
    Slot<Handlers, index>::function(view.object, code);
  }
};

template <class Class, class C>
Errhandler make_errhandler(typename Class::Errhandler_function* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  Call call;
  call(create_errhandler(trampoline_of<Handlers<Class, C>>(function), &handler));
  return handler;
}

// ---- Callbacks with extra_state: attributes, data representations, generalized requests ----

/// Nobody tells when the last attribute of a keyval is gone, so what its callbacks need stays as long as the
/// process.
template <class State>
State* keep(const State& state) {
  static std::mutex mutex;
  static std::forward_list<State>& kept = *new std::forward_list<State>;
  const std::lock_guard<std::mutex> lock(mutex);
  kept.push_front(state);
  return &kept.front();
}

/// The callbacks of one keyval. C is the handle's type, C_copy and C_delete are functions of C.
template <class Class, class C, class C_copy, class C_delete>
struct Keyval {
  typedef Attributes<Class, C_copy, C_delete> Types;
  typename Types::Copy copying;
  typename Types::Delete deleting;
  void* extra_state;

  static int copy(C old, int keyval, void* state, void* in, void* out, int* flag) {
    const Keyval& self = *static_cast<const Keyval*>(state);
    if (self.copying.cxx == nullptr) return self.copy_as_in_c(old, keyval, in, out, flag);
    bool copied = false;
    View<Class> view(old);
    const int code = self.copying.cxx(view.object, keyval, self.extra_state, in, out, copied);
    *flag = copied;
    return code;
  }

  /// The predefined functions are small integers, which nobody can call.
  int copy_as_in_c(C old, int keyval, void* in, void* out, int* flag) const {
    const bool duplicates =
        reinterpret_cast<std::intptr_t>(copying.c) == reinterpret_cast<std::intptr_t>(MPI_DUP_FN);
    *flag = duplicates;
    if (duplicates) *static_cast<void**>(out) = in;
    if (duplicates || copying.c == nullptr) return MPI_SUCCESS;
    return copying.c(old, keyval, extra_state, in, out, flag);
  }

  static int remove(C object, int keyval, void* value, void* state) {
    const Keyval& self = *static_cast<const Keyval*>(state);
    if (self.deleting.c != nullptr) return self.deleting.c(object, keyval, value, self.extra_state);
    if (self.deleting.cxx == nullptr) return MPI_SUCCESS;
    View<Class> view(object);
    return self.deleting.cxx(view.object, keyval, value, self.extra_state);
  }
};

template <class Class, class C, class C_copy, class C_delete>
int create_keyval(int (*create)(C_copy*, C_delete*, int*, void*),
                  Callback<typename Class::Copy_attr_function, C_copy> copy,
                  Callback<typename Class::Delete_attr_function, C_delete> remove, void* extra_state) {
  typedef Keyval<Class, C, C_copy, C_delete> State;
  int keyval = MPI_KEYVAL_INVALID;
  Call call;
  call(create(&State::copy, &State::remove, &keyval, keep(State{copy, remove, extra_state})));
  return keyval;
}

struct Representation {
  Datarep_conversion reading, writing;
  Datarep_extent_function* extent_of;
  void* extra_state;

  static int convert(const Datarep_conversion& conversion, void* userbuf, MPI_Datatype type, int count,
                     void* filebuf, MPI_Offset position, void* extra) {
    if (conversion.c != nullptr) return conversion.c(userbuf, type, count, filebuf, position, extra);
    Datatype datatype(type);
    conversion.cxx(userbuf, datatype, count, filebuf, position, extra);
    return MPI_SUCCESS;
  }
  static int read(void* userbuf, MPI_Datatype type, int count, void* filebuf, MPI_Offset position,
                  void* state) {
    const Representation& self = *static_cast<const Representation*>(state);
    return convert(self.reading, userbuf, type, count, filebuf, position, self.extra_state);
  }
  static int write(void* userbuf, MPI_Datatype type, int count, void* filebuf, MPI_Offset position,
                   void* state) {
    const Representation& self = *static_cast<const Representation*>(state);
    return convert(self.writing, userbuf, type, count, filebuf, position, self.extra_state);
  }
  static int extent(MPI_Datatype type, MPI_Aint* file_extent, void* state) {
    const Representation& self = *static_cast<const Representation*>(state);
    self.extent_of(Datatype(type), *file_extent, self.extra_state);
    return MPI_SUCCESS;
  }
  /// A function that is absent stays so.
  static MPI_Datarep_conversion_function* behind(const Datarep_conversion& conversion,
                                                 MPI_Datarep_conversion_function* function) {
    return conversion.c == nullptr && conversion.cxx == nullptr ? MPI_CONVERSION_FN_NULL : function;
  }
};

struct Generalized {
  Grequest::Query_function* query_fn;
  Grequest::Free_function* free_fn;
  Grequest::Cancel_function* cancel_fn;
  void* extra_state;

  static int query(void* state, MPI_Status* status) {
    const Generalized& self = *static_cast<const Generalized*>(state);
    Status seen(*status);
    const int code = self.query_fn(self.extra_state, seen);
    *status = seen;
    return code;
  }
  /// MPI calls it once, as the last of the three.
  static int free(void* state) {
    const std::unique_ptr<Generalized> self(static_cast<Generalized*>(state));
    return self->free_fn(self->extra_state);
  }
  static int cancel(void* state, int complete) {
    const Generalized& self = *static_cast<const Generalized*>(state);
    return self.cancel_fn(self.extra_state, complete != 0);
  }
};

}  // namespace detail

inline void Op::Init(User_function* function, bool commute) {
  detail::Call call;
  call(MPI_Op_create(detail::trampoline_of<detail::Operations>(function), commute, c_address()));
}

inline Errhandler Comm::Create_errhandler(Errhandler_function* function) {
  return detail::make_errhandler<Comm, MPI_Comm>(function);
}
inline Errhandler Win::Create_errhandler(Errhandler_function* function) {
  return detail::make_errhandler<Win, MPI_Win>(function);
}
inline Errhandler File::Create_errhandler(Errhandler_function* function) {
  return detail::make_errhandler<File, MPI_File>(function);
}

inline int Comm::Create_keyval(Attributes::Copy copy_attr_fn, Attributes::Delete delete_attr_fn,
                               void* extra_state) {
  return detail::create_keyval<Comm, MPI_Comm>(MPI_Comm_create_keyval, copy_attr_fn, delete_attr_fn,
                                               extra_state);
}
inline int Datatype::Create_keyval(Attributes::Copy copy_attr_fn, Attributes::Delete delete_attr_fn,
                                   void* extra_state) {
  return detail::create_keyval<Datatype, MPI_Datatype>(MPI_Type_create_keyval, copy_attr_fn, delete_attr_fn,
                                                       extra_state);
}
inline int Win::Create_keyval(Attributes::Copy copy_attr_fn, Attributes::Delete delete_attr_fn,
                              void* extra_state) {
  return detail::create_keyval<Win, MPI_Win>(MPI_Win_create_keyval, copy_attr_fn, delete_attr_fn,
                                             extra_state);
}

inline Grequest Grequest::Start(Query_function* query_fn, Free_function* free_fn, Cancel_function* cancel_fn,
                                void* extra_state) {
  std::unique_ptr<detail::Generalized> state(
      new detail::Generalized{query_fn, free_fn, cancel_fn, extra_state});
  Grequest request;
  detail::Call call;
  const int code = MPI_Grequest_start(&detail::Generalized::query, &detail::Generalized::free,
                                      &detail::Generalized::cancel, state.get(), request.c_address());
  if (code == MPI_SUCCESS) state.release();
  call(code);
  return request;
}

inline void Register_datarep(const char* datarep, Datarep_conversion read_conversion_fn,
                             Datarep_conversion write_conversion_fn,
                             Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  typedef detail::Representation State;
  State* state =
      detail::keep(State{read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state});
  detail::Call call;
  call(MPI_Register_datarep(datarep, State::behind(read_conversion_fn, &State::read),
                            State::behind(write_conversion_fn, &State::write), &State::extent, state));
}

}  // namespace MPI
