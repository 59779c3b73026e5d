// The error codes that exist: the classes of the standard, and the classes and codes that the program adds.
// They belong to the process and outlive MPI_Finalize.
#pragma once

#include <string>

namespace foldlane::api {

/// A class of the standard, or a class or code that was added and not removed.
bool is_error_code(int code);

/// Throws MPI_ERR_ARG otherwise.
void check_error_code(int code);

/// Needs is_error_code(code).
int class_of_code(int code);

/// "MPI_ERR_COUNT" or "error code 16384"; any int will do.
std::string name_of_code(int code);

/// The text for users. That of a code of the program is what the program said about it, empty if nothing.
std::string text_of_code(int code);

/// Each throws a Failure if the rules of the standard forbid it.
int add_class();
int add_code(int error_class);
void add_text(int code, const char* text);
void remove_class(int error_class);
void remove_code(int code);
void remove_text(int code);

/// The largest code that exists, where MPI_LASTUSEDCODE points to.
int* last_used_code() noexcept;

}  // namespace foldlane::api
