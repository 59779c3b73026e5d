// The calls that make a group out of others: union, intersection, difference, incl, excl and their ranges.
#include <fmt/format.h>

#include <span>
#include <utility>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/group/group_selection.hpp"
#include "api/group/group_sets.hpp"

namespace foldlane::api {
namespace {

template <class Combine>
int combine(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* result, const Combine& combined) {
  return run(call, [&] {
    check_active();
    const GroupRef left = check_group(group1);
    const GroupRef right = check_group(group2);
    check_output(result, "newgroup");
    *result = new_group_handle(make_group(combined(left->ranks, right->ranks), left->session));
  });
}

template <class Item>
std::span<const Item> check_list(int n, const Item* items, const char* parameter) {
  if (n < 0) fail(MPI_ERR_ARG, fmt::format("n is {}; it must not be negative", n));
  if (n > 0) check_output(items, parameter);
  return {items, static_cast<std::size_t>(n)};
}

using Select = std::vector<int>(const std::vector<int>& ranks, const std::vector<int>& positions);

int select_ranks(Call call, MPI_Group group, int n, const int* ranks, MPI_Group* result, Select& select) {
  return run(call, [&] {
    check_active();
    const GroupRef from = check_group(group);
    const auto positions = checked_positions(check_list(n, ranks, "ranks"), from->size());
    check_output(result, "newgroup");
    *result = new_group_handle(make_group(select(from->ranks, positions), from->session));
  });
}

int select_ranges(Call call, MPI_Group group, int n, const RankRange* ranges, MPI_Group* result,
                  Select& select) {
  return run(call, [&] {
    check_active();
    const GroupRef from = check_group(group);
    const auto positions = expanded_positions(check_list(n, ranges, "ranges"), from->size());
    check_output(result, "newgroup");
    *result = new_group_handle(make_group(select(from->ranks, positions), from->session));
  });
}

}  // namespace

int group_union(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(call, group1, group2, newgroup, united);
}

int group_intersection(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(call, group1, group2, newgroup, intersected);
}

int group_difference(Call call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(call, group1, group2, newgroup, without);
}

int group_incl(Call call, MPI_Group group, int n, const int* ranks, MPI_Group* newgroup) {
  return select_ranks(call, group, n, ranks, newgroup, picked);
}

int group_excl(Call call, MPI_Group group, int n, const int* ranks, MPI_Group* newgroup) {
  return select_ranks(call, group, n, ranks, newgroup, left_over);
}

int group_range_incl(Call call, MPI_Group group, int n, int (*ranges)[3], MPI_Group* newgroup) {
  return select_ranges(call, group, n, ranges, newgroup, picked);
}

int group_range_excl(Call call, MPI_Group group, int n, int (*ranges)[3], MPI_Group* newgroup) {
  return select_ranges(call, group, n, ranges, newgroup, left_over);
}

}  // namespace foldlane::api
