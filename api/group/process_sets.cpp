// The process sets of sessions: all ranks of the job, and the calling one alone.
#include "api/group/process_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/info/info.hpp"
#include "api/objects/session.hpp"

namespace foldlane::api {
namespace {

constexpr std::array<std::string_view, 2> kNames{"mpi://WORLD", "mpi://SELF"};

/// Names of the standard's own sets are URIs, whose scheme and authority have no case.
bool same_name(std::string_view a, std::string_view b) {
  const auto same = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

[[noreturn]] void reject_index(int n) {
  fail(MPI_ERR_ARG, fmt::format("there is no process set number {}; they are 0 to {}", n, kNames.size() - 1));
}

}  // namespace

std::optional<std::vector<int>> members_of_process_set(std::string_view name) {
  if (same_name(name, kNames[0])) return world.job->world().members();
  if (same_name(name, kNames[1])) return world.job->self().members();
  return std::nullopt;
}

int session_get_num_psets(Call call, MPI_Session session, MPI_Info info, int* npset_names) {
  return run(call, session, [&] {
    check_session(session);
    check_info(info);
    *check_output(npset_names, "npset_names") = static_cast<int>(kNames.size());
  });
}

int session_get_nth_pset(Call call, MPI_Session session, MPI_Info info, int n, int* pset_len,
                         char* pset_name) {
  return run(call, session, [&] {
    check_session(session);
    check_info(info);
    if (n < 0 || static_cast<std::size_t>(n) >= kNames.size()) reject_index(n);
    check_output(pset_len, "pset_len");
    if (*pset_len < 0) fail(MPI_ERR_ARG, fmt::format("pset_len is {}; it must not be negative", *pset_len));
    const std::string_view name = kNames[static_cast<std::size_t>(n)];
    int length;
    if (*pset_len > 0) {
      copy_text(name, static_cast<std::size_t>(*pset_len), check_output(pset_name, "pset_name"), &length);
    }
    *pset_len = static_cast<int>(name.size()) + 1;
  });
}

int session_get_pset_info(Call call, MPI_Session session, const char* pset_name, MPI_Info* info) {
  return run(call, session, [&] {
    check_session(session);
    const auto members = members_of_process_set(check_output(pset_name, "pset_name"));
    if (!members) fail(MPI_ERR_ARG, fmt::format("there is no process set \"{}\"", pset_name));
    check_output(info, "info");
    InfoMap facts;
    facts.set("mpi_size", std::to_string(members->size()));
    *info = new_info_handle(std::move(facts));
  });
}

int group_from_session_pset(Call call, MPI_Session session, const char* pset_name, MPI_Group* newgroup) {
  return run(call, session, [&] {
    check_session(session);
    auto members = members_of_process_set(check_output(pset_name, "pset_name"));
    check_output(newgroup, "newgroup");
    *newgroup = members ? new_group_handle(make_group(std::move(*members), session)) : MPI_GROUP_NULL;
  });
}

}  // namespace foldlane::api
