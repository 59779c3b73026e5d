// MPI_{Comm,Type,Win}_{create,free}_keyval, and the deprecated MPI_Keyval_create, MPI_Keyval_free.
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/keyval.hpp"

namespace foldlane::api {
namespace {

template <class Handle>
int create(Call call, const Keyval<Handle>& functions, int* keyval) {
  return run(call, [&] {
    check_active();
    check_output(keyval, "keyval");
    *keyval = create_keyval(functions);
  });
}

template <class Handle>
int free(Call call, int* keyval) {
  return run(call, [&] {
    check_active();
    free_keyval<Handle>(*check_output(keyval, "keyval"));
    *keyval = MPI_KEYVAL_INVALID;
  });
}

}  // namespace

int comm_create_keyval(Call call, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* destroy,
                       int* keyval, void* extra_state) {
  return create<MPI_Comm>(call, {copy, destroy, extra_state}, keyval);
}
int type_create_keyval(Call call, MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* destroy,
                       int* keyval, void* extra_state) {
  return create<MPI_Datatype>(call, {copy, destroy, extra_state}, keyval);
}
int win_create_keyval(Call call, MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* destroy,
                      int* keyval, void* extra_state) {
  return create<MPI_Win>(call, {copy, destroy, extra_state}, keyval);
}
int keyval_create(Call call, MPI_Copy_function* copy, MPI_Delete_function* destroy, int* keyval,
                  void* extra_state) {
  return comm_create_keyval(call, copy, destroy, keyval, extra_state);
}

int comm_free_keyval(Call call, int* keyval) { return free<MPI_Comm>(call, keyval); }
int type_free_keyval(Call call, int* keyval) { return free<MPI_Datatype>(call, keyval); }
int win_free_keyval(Call call, int* keyval) { return free<MPI_Win>(call, keyval); }
int keyval_free(Call call, int* keyval) { return comm_free_keyval(call, keyval); }

}  // namespace foldlane::api
