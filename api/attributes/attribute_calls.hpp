// What the calls about attributes have in common, and those that copy and delete attributes.
#pragma once

#include <optional>

namespace foldlane::api {

/// The result of a get_attr call: `attribute_val` is the address of a pointer.
void put_attribute(std::optional<void*> value, void* attribute_val, int* flag);

/// Throws a Failure with what a function of the program returned, unless that is MPI_SUCCESS.
void check_callbacks(int code);

}  // namespace foldlane::api
