#include "api/datatype/datatype_store.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "api/core/failure.hpp"
#include "api/core/handle_table.hpp"

namespace foldlane::api {
namespace {

// Names and the mark of being committed are all that changes in a datatype.
std::mutex changes;

// Calls under way whose functions get a handle.
struct Use {
  int count = 0;
  bool freed = false;  // by the program
};
std::mutex uses_mutex;
std::unordered_map<MPI_Datatype, Use> uses;

std::optional<std::string> describe_not_freed(MPI_Datatype handle, const std::shared_ptr<Datatype>& type) {
  if (type->predefined()) return std::nullopt;
  const auto use = uses.find(handle);
  if (use != uses.end() && use->second.freed) return std::nullopt;
  return (type->name.empty() ? "unnamed" : type->name) +
         (type->committed ? ", committed" : ", not committed");
}

HandleTable<MPI_Datatype, std::shared_ptr<Datatype>> unnamed("datatype", describe_not_freed);

MPI_Datatype add(Datatype type) {
  MPI_Datatype handle = unnamed.insert(std::make_shared<Datatype>(std::move(type)));
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many datatypes exist; free some with MPI_Type_free");
  return handle;
}

Datatype copy(const Datatype& type) {
  const std::lock_guard lock(changes);
  return type;
}

Datatype duplicate(const Datatype& type, Recipe& recipe) {
  Datatype result = copy(type);
  result.contents = recipe.finish();
  result.handle = nullptr;
  result.name.clear();
  return result;
}

Datatype& changeable(MPI_Datatype handle) {
  if (const auto* found = unnamed.find(handle)) return **found;
  const auto first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  return datatypes[reinterpret_cast<std::uintptr_t>(handle) - first];
}

// The parents of a datatype that nobody else holds: they may be taken away from it.
std::vector<std::shared_ptr<const Datatype>>* last_hold(const std::shared_ptr<const Datatype>& type) {
  if (type.use_count() != 1 || type->contents.use_count() != 1) return nullptr;
  return &const_cast<Contents&>(*type->contents).types;
}

}  // namespace

// A datatype made of a datatype made of … must not become as many nested destructors.
Contents::~Contents() {
  std::vector<std::shared_ptr<const Datatype>> dying = std::move(types);
  while (!dying.empty()) {
    const std::shared_ptr<const Datatype> last = std::move(dying.back());
    dying.pop_back();
    if (auto* const parents = last_hold(last)) {
      dying.insert(dying.end(), std::make_move_iterator(parents->begin()),
                   std::make_move_iterator(parents->end()));
      parents->clear();
    }
  }
}

Recipe::Recipe(Call call, int combiner) : large_(std::string_view(call.name).ends_with("_c")) {
  contents_.combiner = combiner;
}

void Recipe::count(std::int64_t value) {
  if (large_) {
    contents_.large_counts.push_back(value);
  } else {
    contents_.integers.push_back(static_cast<int>(value));
  }
}

void Recipe::address(std::int64_t value) {
  (large_ ? contents_.large_counts : contents_.addresses).push_back(value);
}

std::shared_ptr<const Contents> Recipe::finish() { return std::make_shared<Contents>(std::move(contents_)); }

const Datatype* find_unnamed_datatype(MPI_Datatype handle) noexcept {
  const auto* const found = unnamed.find(handle);
  return found != nullptr ? found->get() : nullptr;
}

std::shared_ptr<const Datatype> share_datatype(MPI_Datatype handle) {
  if (const auto* found = unnamed.find(handle)) return *found;
  return {std::shared_ptr<const Datatype>(), find_datatype(handle)};
}

std::string datatype_name(const Datatype& type) {
  const std::lock_guard lock(changes);
  return type.name;
}

std::string describe(const Datatype& type) {
  const std::string name = datatype_name(type);
  return name.empty() ? "a datatype without a name" : name;
}

MPI_Datatype add_derived(const std::optional<engine::TypeMap>& type_map, engine::Signature signature,
                         Recipe recipe) {
  if (!type_map) fail(MPI_ERR_ARG, "the datatype is too large: its size or an offset in it exceeds 63 bits");
  Datatype type{};
  type.extent = type_map->extent();
  type.size = static_cast<std::int64_t>(type_map->size_bytes());
  type.plain = type_map->dense();
  type.lower_bound = type_map->lower_bound();
  type.true_lb = type_map->true_lower_bound();
  type.true_extent = type_map->true_extent();
  type.signature = signature;
  type.type_map = std::make_shared<engine::TypeMap>(*type_map);
  type.contents = recipe.finish();
  return add(std::move(type));
}

MPI_Datatype add_equal(const Datatype& type) { return add(copy(type)); }

MPI_Datatype add_duplicate(const Datatype& type, Recipe recipe) { return add(duplicate(type, recipe)); }

MPI_Datatype add_predefined(const Datatype& type, Recipe recipe) {
  MPI_Datatype handle = add(duplicate(type, recipe));
  (*unnamed.find(handle))->handle = handle;
  return handle;
}

void commit_datatype(MPI_Datatype handle) {
  const std::lock_guard lock(changes);
  Datatype& type = changeable(handle);
  // Committing twice is legal; the second time must not write what other threads may be reading.
  if (!type.committed) type.committed = true;
}

void free_datatype(MPI_Datatype handle) {
  const std::lock_guard lock(uses_mutex);
  const auto use = uses.find(handle);
  if (use == uses.end()) return static_cast<void>(unnamed.erase(handle));
  if (use->second.freed) fail(MPI_ERR_TYPE, "the datatype was freed before; a call under way still uses it");
  use->second.freed = true;
}

KeptDatatype::KeptDatatype(MPI_Datatype handle) : handle_(handle) {
  const std::lock_guard lock(uses_mutex);
  ++uses[handle].count;
}

KeptDatatype::~KeptDatatype() {
  const std::lock_guard lock(uses_mutex);
  const auto use = uses.find(handle_);
  if (--use->second.count > 0) return;
  if (use->second.freed) unnamed.erase(handle_);
  uses.erase(use);
}

void set_datatype_name(MPI_Datatype handle, std::string_view name) {
  const std::lock_guard lock(changes);
  changeable(handle).name = name;
}

}  // namespace foldlane::api
