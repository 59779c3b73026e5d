// The datatypes that are made while the program runs: how one is put into the table of handles, changed, and
// taken out.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/call.hpp"
#include "api/datatype/datatype.hpp"

namespace foldlane::api {

/// The arguments that made a datatype, in the order that MPI_Type_get_contents hands them out.
struct Contents {
  Contents() = default;
  Contents(Contents&&) = default;
  Contents& operator=(Contents&&) = delete;
  ~Contents();

  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> large_counts;
  std::vector<std::shared_ptr<const Datatype>> types;  // keeps the parents alive
};

/// Writes Contents: the form of the call with large counts has another place for them.
class Recipe {
 public:
  Recipe(Call call, int combiner);
  void integer(int value) { contents_.integers.push_back(value); }
  void count(std::int64_t value);
  void address(std::int64_t value);
  void type(MPI_Datatype type) { contents_.types.push_back(share_datatype(type)); }
  std::shared_ptr<const Contents> finish();

 private:
  bool large_;
  Contents contents_;
};

/// A new, uncommitted datatype; a Failure if `type_map` is nothing, which is how an overflow shows.
MPI_Datatype add_derived(const std::optional<engine::TypeMap>& type_map, engine::Signature signature,
                         Recipe recipe);

/// A new handle of a datatype that equals `type`, names and all.
MPI_Datatype add_equal(const Datatype& type);

/// A new handle of a datatype as good as `type`, predefined operations included, made as `recipe` says.
MPI_Datatype add_duplicate(const Datatype& type, Recipe recipe);

/// The same, but a predefined datatype without a name, never to be freed.
MPI_Datatype add_predefined(const Datatype& type, Recipe recipe);

/// Both need a valid handle; free_datatype that of a derived datatype.
void commit_datatype(MPI_Datatype handle);
/// With its last KeptDatatype, if there are any. Throws MPI_ERR_TYPE if it was freed before.
void free_datatype(MPI_Datatype handle);

/// Keeps the handle of a datatype good that is in use by a call under way, for the functions of the program
/// that are called with it, when the program frees it (MPI-4.1, 5.1.9).
class KeptDatatype {
 public:
  explicit KeptDatatype(MPI_Datatype handle);
  KeptDatatype(const KeptDatatype&) = delete;
  KeptDatatype& operator=(const KeptDatatype&) = delete;
  ~KeptDatatype();

 private:
  MPI_Datatype handle_;
};
void set_datatype_name(MPI_Datatype handle, std::string_view name);

}  // namespace foldlane::api
