// Info objects: their handles, and the calls that read and change them. All are legal at any time.
#include "api/info/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "api/core/calls.hpp"
#include "api/core/handle_table.hpp"
#include "api/errors/args.hpp"
#include "api/info/info_environment.hpp"

namespace foldlane::api {
namespace {

HandleTable<MPI_Info, InfoMap> infos("info", [](MPI_Info, const InfoMap& map) {
  return std::optional(fmt::format("{} keys", map.entries().size()));
});
std::mutex contents;  // of all objects: the table guards only the handles

[[noreturn]] void reject_info(MPI_Info info) {
  if (info == MPI_INFO_NULL) fail(MPI_ERR_INFO, "the info is MPI_INFO_NULL");
  if (info == MPI_INFO_ENV) fail(MPI_ERR_INFO, "MPI_INFO_ENV belongs to the library; change a copy of it");
  fail(MPI_ERR_INFO, fmt::format("the info {} does not exist; it may have been freed", fmt::ptr(info)));
}

/// Needs `contents` locked.
InfoMap& check_own(MPI_Info info) {
  InfoMap* found = infos.find(info);
  if (found == nullptr) reject_info(info);
  return *found;
}

/// Needs `contents` locked.
const InfoMap& check_readable(MPI_Info info) {
  return info == MPI_INFO_ENV ? environment_info() : check_own(info);
}

std::string_view check_key(const char* key) {
  if (key == nullptr) fail(MPI_ERR_INFO_KEY, "the key is null");
  const std::size_t length = strnlen(key, MPI_MAX_INFO_KEY);
  if (length == 0) fail(MPI_ERR_INFO_KEY, "the key is empty");
  if (length == MPI_MAX_INFO_KEY) {
    fail(MPI_ERR_INFO_KEY, fmt::format("the key is longer than {} characters", MPI_MAX_INFO_KEY - 1));
  }
  return {key, length};
}

std::string_view check_value(const char* value) {
  if (value == nullptr) fail(MPI_ERR_INFO_VALUE, "the value is null");
  const std::size_t length = strnlen(value, MPI_MAX_INFO_VAL);
  if (length == MPI_MAX_INFO_VAL) {
    fail(MPI_ERR_INFO_VALUE, fmt::format("the value is longer than {} characters", MPI_MAX_INFO_VAL - 1));
  }
  return {value, length};
}

/// Calls `use` with the value, if the key exists, and tells which.
template <class Use>
void look_up(MPI_Info info, const char* key, int* flag, const Use& use) {
  const std::lock_guard lock(contents);
  const InfoMap& map = check_readable(info);
  const std::string* value = map.find(check_key(key));
  check_output(flag, "flag");
  if (value != nullptr) use(*value);
  *flag = value != nullptr;
}

}  // namespace

InfoMap check_info(MPI_Info info) {
  if (info == MPI_INFO_NULL) return {};
  const std::lock_guard lock(contents);
  return check_readable(info);
}

void answer_in(MPI_Info info, std::string_view key, std::string_view value) {
  if (info == MPI_INFO_NULL || info == MPI_INFO_ENV) return;
  const std::lock_guard lock(contents);
  check_own(info).set(key, value);
}

MPI_Info new_info_handle(InfoMap map) {
  MPI_Info handle = infos.insert(std::move(map));
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many infos exist; free some with MPI_Info_free");
  return handle;
}

std::uint64_t live_infos() { return infos.live(); }

int info_create(Call call, MPI_Info* info) {
  return run(call, [&] {
    check_output(info, "info");
    *info = new_info_handle({});
  });
}

int info_create_env(Call call, int argc, char** argv, MPI_Info* info) {
  return run(call, [&] {
    if (argc < 0) fail(MPI_ERR_ARG, fmt::format("argc is {}; it must not be negative", argc));
    check_output(info, "info");
    *info = new_info_handle(environment_info_of(argc, argv));
  });
}

int info_dup(Call call, MPI_Info info, MPI_Info* newinfo) {
  return run(call, [&] {
    if (info == MPI_INFO_NULL) reject_info(info);
    InfoMap copy = check_info(info);
    check_output(newinfo, "newinfo");
    *newinfo = new_info_handle(std::move(copy));
  });
}

int info_free(Call call, MPI_Info* info) {
  return run(call, [&] {
    check_output(info, "info");
    const std::lock_guard lock(contents);
    check_own(*info);
    infos.erase(*info);
    *info = MPI_INFO_NULL;
  });
}

int info_set(Call call, MPI_Info info, const char* key, const char* value) {
  return run(call, [&] {
    const std::lock_guard lock(contents);
    InfoMap& map = check_own(info);
    map.set(check_key(key), check_value(value));
  });
}

int info_delete(Call call, MPI_Info info, const char* key) {
  return run(call, [&] {
    const std::lock_guard lock(contents);
    InfoMap& map = check_own(info);
    if (!map.erase(check_key(key))) {
      fail(MPI_ERR_INFO_NOKEY, fmt::format("the info has no key \"{}\"", key));
    }
  });
}

int info_get(Call call, MPI_Info info, const char* key, int valuelen, char* value, int* flag) {
  return run(call, [&] {
    if (valuelen < 0) fail(MPI_ERR_ARG, fmt::format("valuelen is {}; it must not be negative", valuelen));
    check_output(value, "value");
    look_up(info, key, flag, [&](const std::string& text) {
      int length;
      copy_text(text, static_cast<std::size_t>(valuelen) + 1, value, &length);
    });
  });
}

int info_get_string(Call call, MPI_Info info, const char* key, int* buflen, char* value, int* flag) {
  return run(call, [&] {
    check_output(buflen, "buflen");
    if (*buflen < 0) fail(MPI_ERR_ARG, fmt::format("buflen is {}; it must not be negative", *buflen));
    if (*buflen > 0) check_output(value, "value");
    look_up(info, key, flag, [&](const std::string& text) {
      int length;
      if (*buflen > 0) copy_text(text, static_cast<std::size_t>(*buflen), value, &length);
      *buflen = static_cast<int>(text.size()) + 1;
    });
  });
}

int info_get_valuelen(Call call, MPI_Info info, const char* key, int* valuelen, int* flag) {
  return run(call, [&] {
    check_output(valuelen, "valuelen");
    look_up(info, key, flag, [&](const std::string& text) { *valuelen = static_cast<int>(text.size()); });
  });
}

int info_get_nkeys(Call call, MPI_Info info, int* nkeys) {
  return run(call, [&] {
    const std::lock_guard lock(contents);
    const InfoMap& map = check_readable(info);
    *check_output(nkeys, "nkeys") = static_cast<int>(map.entries().size());
  });
}

int info_get_nthkey(Call call, MPI_Info info, int n, char* key) {
  return run(call, [&] {
    const std::lock_guard lock(contents);
    const auto& entries = check_readable(info).entries();
    if (n < 0 || static_cast<std::size_t>(n) >= entries.size()) {
      fail(MPI_ERR_ARG,
           fmt::format("there is no key number {}; the info has {} keys, counted from 0", n, entries.size()));
    }
    int length;
    copy_text(entries[static_cast<std::size_t>(n)].first, MPI_MAX_INFO_KEY, check_output(key, "key"),
              &length);
  });
}

}  // namespace foldlane::api
