#include "api/fortran/callbacks.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "api/fortran/attributes.hpp"
#include "api/fortran/predefined_callbacks.hpp"

namespace foldlane::fortran {
namespace {

// As Fortran programs define them.
template <class Integer>
using FortranCopy = void(int* object, int* key, Integer* extra_state, Integer* in, Integer* out, int* flag,
                         int* code);
template <class Integer>
using FortranDelete = void(int* object, int* key, Integer* value, Integer* extra_state, int* code);
using FortranQuery = void(MPI_Aint* extra_state, MPI_Status* status, int* code);
using FortranFree = void(MPI_Aint* extra_state, int* code);
using FortranCancel = void(MPI_Aint* extra_state, int* complete, int* code);
using FortranExtent = void(int* datatype, MPI_Aint* extent, MPI_Aint* extra_state, int* code);
template <class Count>
using FortranConversion = void(void* user, int* datatype, Count* count, void* file, MPI_Offset* position,
                               MPI_Aint* extra_state, int* code);

template <class Function>
Function* as(Procedure* procedure) {
  return reinterpret_cast<Function*>(procedure);
}

template <class Integer>
struct AttributeRecord {
  Procedure* copy;
  Procedure* destroy;
  Integer extra_state;

  friend bool operator<(const AttributeRecord& a, const AttributeRecord& b) noexcept {
    return a.key() < b.key();
  }
  auto key() const noexcept {
    return std::tuple(reinterpret_cast<std::uintptr_t>(copy), reinterpret_cast<std::uintptr_t>(destroy),
                      extra_state);
  }
};

/// Equal keys share a record. When the last attribute of a key is gone this library is not told, so that
/// records last as long as the process; a program that makes a key again and again costs one.
template <class Integer>
void* shared_record(const AttributeRecord<Integer>& record) {
  static std::mutex& mutex = *new std::mutex;
  static auto& records = *new std::set<AttributeRecord<Integer>>;
  const std::lock_guard lock(mutex);
  return const_cast<AttributeRecord<Integer>*>(&*records.insert(record).first);
}

template <class Handle, class Integer>
int copy_attribute(Handle object, int key, void* extra, void* in, void* out, int* flag) {
  const auto& record = *static_cast<const AttributeRecord<Integer>*>(extra);
  int fortran_object = integer(object), copies = 0, code = MPI_SUCCESS;
  Integer state = record.extra_state, value = static_cast<Integer>(attribute_value(in)), copied = 0;
  as<FortranCopy<Integer>>(record.copy)(&fortran_object, &key, &state, &value, &copied, &copies, &code);
  *flag = copies != 0;
  // What C has set and the function hands on stays what C has set.
  const bool same = copied == static_cast<Integer>(attribute_value(in));
  if (*flag != 0) *static_cast<void**>(out) = same ? in : attribute_cell(copied);
  return code;
}

template <class Handle, class Integer>
int delete_attribute(Handle object, int key, void* stored, void* extra) {
  const auto& record = *static_cast<const AttributeRecord<Integer>*>(extra);
  int fortran_object = integer(object), code = MPI_SUCCESS;
  Integer state = record.extra_state, value = static_cast<Integer>(attribute_value(stored));
  as<FortranDelete<Integer>>(record.destroy)(&fortran_object, &key, &value, &state, &code);
  return code;
}

}  // namespace

template <class Handle, class Integer>
AttributeFunctions<Handle, Integer>::AttributeFunctions(Procedure* fortran_copy, Procedure* fortran_delete,
                                                        Integer extra_state)
    : copy_(copy_attribute<Handle, Integer>),
      destroy_(delete_attribute<Handle, Integer>),
      record_(shared_record(AttributeRecord<Integer>{fortran_copy, fortran_delete, extra_state})) {
  if (is_null_copy(fortran_copy)) copy_ = nullptr;
  // The number is the same for all kinds of objects.
  if (is_duplication(fortran_copy)) copy_ = reinterpret_cast<Copy*>(MPI_COMM_DUP_FN);
  if (is_null_delete(fortran_delete)) destroy_ = nullptr;
}

template class AttributeFunctions<MPI_Comm, MPI_Aint>;
template class AttributeFunctions<MPI_Comm, int>;
template class AttributeFunctions<MPI_Datatype, MPI_Aint>;
template class AttributeFunctions<MPI_Win, MPI_Aint>;

int GrequestFunctions::query(void* self, MPI_Status* status) {
  auto& functions = *static_cast<GrequestFunctions*>(self);
  int code = MPI_SUCCESS;
  as<FortranQuery>(functions.query_)(&functions.extra_state_, status, &code);
  return code;
}

int GrequestFunctions::free(void* self) {
  const std::unique_ptr<GrequestFunctions> functions(static_cast<GrequestFunctions*>(self));
  int code = MPI_SUCCESS;
  as<FortranFree>(functions->free_)(&functions->extra_state_, &code);
  return code;
}

int GrequestFunctions::cancel(void* self, int complete) {
  auto& functions = *static_cast<GrequestFunctions*>(self);
  int code = MPI_SUCCESS;
  as<FortranCancel>(functions.cancel_)(&functions.extra_state_, &complete, &code);
  return code;
}

template <class Count, Procedure* DatarepFunctions::*kFunction>
int DatarepFunctions::convert(void* user, MPI_Datatype datatype, Count count, void* file, MPI_Offset position,
                              void* self) {
  auto& functions = *static_cast<DatarepFunctions*>(self);
  int fortran_datatype = integer(datatype), code = MPI_SUCCESS;
  as<FortranConversion<Count>>(functions.*kFunction)(user, &fortran_datatype, &count, file, &position,
                                                     &functions.extra_state_, &code);
  return code;
}

template <class Count>
DatarepFunctions::Conversion<Count>* DatarepFunctions::reading() const noexcept {
  return is_null_conversion(read_) ? nullptr : convert<Count, &DatarepFunctions::read_>;
}
template <class Count>
DatarepFunctions::Conversion<Count>* DatarepFunctions::writing() const noexcept {
  return is_null_conversion(write_) ? nullptr : convert<Count, &DatarepFunctions::write_>;
}
template DatarepFunctions::Conversion<int>* DatarepFunctions::reading<int>() const noexcept;
template DatarepFunctions::Conversion<int>* DatarepFunctions::writing<int>() const noexcept;
template DatarepFunctions::Conversion<MPI_Count>* DatarepFunctions::reading<MPI_Count>() const noexcept;
template DatarepFunctions::Conversion<MPI_Count>* DatarepFunctions::writing<MPI_Count>() const noexcept;

int DatarepFunctions::extent(MPI_Datatype datatype, MPI_Aint* bytes, void* self) {
  auto& functions = *static_cast<DatarepFunctions*>(self);
  int fortran_datatype = integer(datatype), code = MPI_SUCCESS;
  as<FortranExtent>(functions.extent_)(&fortran_datatype, bytes, &functions.extra_state_, &code);
  return code;
}

}  // namespace foldlane::fortran
