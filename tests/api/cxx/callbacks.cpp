// Requests, exceptions and everything of the program that MPI calls, with the signatures of the C++ bindings.
#include <functional>
#include <mpi_cxx.hpp>
#include <string>

#include "support/expect.h"

using namespace MPI;

namespace {

// ---- Exceptions and error handlers ----

/// What the call throws, or 0.
int class_thrown(const std::function<void()>& call) {
  try {
    call();
    return SUCCESS;
  } catch (const std::exception& error) {
    const Exception& thrown = dynamic_cast<const Exception&>(error);
    expect(error.what() == std::string(thrown.Get_error_string()));
    expect(Get_error_class(thrown.Get_error_code()) == thrown.Get_error_class());
    return thrown.Get_error_class();
  }
}

void exceptions() {
  int value = 0;
  const auto wrong_root = [&] { COMM_WORLD.Bcast(&value, 1, INT, -5); };
  COMM_WORLD.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  expect(COMM_WORLD.Get_errhandler() == ERRORS_THROW_EXCEPTIONS);
  expect(class_thrown(wrong_root) == ERR_ROOT);
  expect(class_thrown([] { COMM_WORLD.Call_errhandler(ERR_OTHER); }) == ERR_OTHER);
  // A duplicate has the handler too, and a call of C returns its error.
  Intracomm copy = COMM_WORLD.Dup();
  expect(MPI_Bcast(&value, 1, MPI_INT, -5, copy) == MPI_ERR_ROOT);
  expect(class_thrown([&] { copy.Bcast(&value, 1, INT, -5); }) == ERR_ROOT);
  copy.Free();
  // What that call of C left behind throws nothing where errors are returned.
  MPI_Bcast(&value, 1, MPI_INT, -5, COMM_WORLD);
  COMM_SELF.Set_errhandler(ERRORS_RETURN);
  expect(class_thrown([&] { COMM_SELF.Bcast(&value, 1, INT, -5); }) == SUCCESS);
  expect(COMM_SELF.Get_errhandler() == ERRORS_RETURN);
  FILE_NULL.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  expect(FILE_NULL.Get_errhandler() == ERRORS_THROW_EXCEPTIONS);
  COMM_SELF.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  expect(class_thrown([] { Win().Set_errhandler(ERRORS_RETURN); }) == ERR_WIN);
  expect(class_thrown([] { Win().Get_errhandler(); }) == ERR_WIN);
  expect(class_thrown([] { Win().Call_errhandler(ERR_OTHER); }) == ERR_WIN);
  Errhandler handler = ERRORS_THROW_EXCEPTIONS;
  handler.Free();
  expect(handler == ERRHANDLER_NULL);
}

int handled;
std::string handled_class;

void of_comm(Comm& comm, int* code, ...) {
  handled = Get_error_class(*code);
  handled_class = dynamic_cast<Intercomm*>(&comm) == nullptr ? "intracomm" : "intercomm";
  expect(comm.Get_size() == 1);
}
void of_file(File& file, int* code, ...) {
  handled = *code;
  expect(file == FILE_NULL);
}
void of_win(Win&, int*, ...) {}

void error_handlers() {
  int value = 0;
  Errhandler handler = Comm::Create_errhandler(of_comm);
  COMM_SELF.Set_errhandler(handler);
  expect(COMM_SELF.Get_errhandler() == handler);
  COMM_SELF.Bcast(&value, 1, INT, -5);
  expect(handled == ERR_ROOT && handled_class == "intracomm");
  COMM_SELF.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  handler.Free();
  expect(handler == ERRHANDLER_NULL);
  handler = File::Create_errhandler(of_file);
  FILE_NULL.Set_errhandler(handler);
  FILE_NULL.Call_errhandler(ERR_IO);
  expect(handled == ERR_IO);
  FILE_NULL.Set_errhandler(ERRORS_RETURN);
  handler.Free();
  handler = Win::Create_errhandler(of_win);
  handler.Free();
}

// ---- Operations ----

void keep_second(const void* in, void* inout, int len, const Datatype& datatype) {
  expect(datatype == INT && in != inout && len > 0);
}
void sum(const void* in, void* inout, int len, const Datatype&) {
  for (int i = 0; i < len; ++i) static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
}

void operations() {
  const int rank = COMM_WORLD.Get_rank(), ranks = COMM_WORLD.Get_size();
  Op last, added, again;
  last.Init(keep_second, false);
  added.Init(sum, true);
  again.Init(sum, false);
  expect(!last.Is_commutative() && added.Is_commutative() && !again.Is_commutative());
  int result = -1;
  COMM_WORLD.Allreduce(&rank, &result, 1, INT, last);
  expect(result == ranks - 1);
  for (const Op* op : {&added, &again}) {
    COMM_WORLD.Allreduce(&rank, &result, 1, INT, *op);
    expect(result == ranks * (ranks - 1) / 2);
  }
  result = 1;
  added.Reduce_local(&ranks, &result, 1, INT);
  expect(result == ranks + 1);
  for (Op* op : {&last, &added, &again}) op->Free();
  expect(last == OP_NULL);
}

template <int number>
void numbered(const void*, void*, int, const Datatype&) {}
template <int number>
struct Numbered {
  static void init() {
    Op op;
    op.Init(numbered<number>, true);
    op.Free();
    Numbered<number + 1>::init();
  }
};
template <>
struct Numbered<100> {
  static void init() {}
};

// ---- Attributes ----

int copies, deletions, state;

template <class Class>
int copy_attribute(const Class&, int, void* extra, void* in, void* out, bool& flag) {
  expect(extra == &state);
  ++copies;
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  flag = true;
  return SUCCESS;
}
template <class Class>
int delete_attribute(Class&, int, void*, void* extra) {
  expect(extra == &state);
  ++deletions;
  return SUCCESS;
}

/// An object has the value, its duplicate what the copy function makes of that (or nothing: a null pointer).
template <class Class>
void expect_attribute(Class original, int keyval, const char* value, const char* copied) {
  char* found = nullptr;
  original.Set_attr(keyval, value);
  expect(original.Get_attr(keyval, &found) && found == value);
  Class copy = original.Dup();
  expect(copy.Get_attr(keyval, &found) == (copied != nullptr));
  expect(copied == nullptr || found == copied);
  copy.Free();
  original.Delete_attr(keyval);
  expect(!original.Get_attr(keyval, &found));
}

template <class Class>
void attributes(const Class& object) {
  static const char value[2] = {};
  copies = deletions = 0;
  int keyval = Class::Create_keyval(copy_attribute, delete_attribute, &state);
  expect_attribute(object, keyval, value, value + 1);
  expect(copies == 1 && deletions == 2);
  Class::Free_keyval(keyval);
  expect(keyval == KEYVAL_INVALID);
}

void predefined_attribute_functions() {
  static const char value[1] = {};
  int dup = Comm::Create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, nullptr);
  int null = Datatype::Create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  int mixed = Comm::Create_keyval(MPI_COMM_DUP_FN, delete_attribute, &state);
  int win = Win::Create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, nullptr);
  expect_attribute<Intracomm>(COMM_WORLD, dup, value, value);
  expect_attribute(INT.Dup(), null, value, nullptr);
  expect_attribute<Intracomm>(COMM_WORLD, mixed, value, value);
  Comm::Free_keyval(dup);
  Comm::Free_keyval(mixed);
  Datatype::Free_keyval(null);
  Win::Free_keyval(win);
  int* bound = nullptr;
  expect(COMM_WORLD.Get_attr(TAG_UB, &bound) && *bound >= 32767);
}

}  // namespace

void requests();  // in requests.cpp

int main() {
  Init();
  exceptions();
  error_handlers();
  operations();
  expect(class_thrown(Numbered<0>::init) == ERR_NO_MEM);
  attributes<Intracomm>(COMM_WORLD);
  attributes(INT.Create_contiguous(2));
  predefined_attribute_functions();
  requests();
  Finalize();
  return 0;
}
