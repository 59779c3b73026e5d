// One rank's walk through the calls of a Material, each compared with the serial fold byte by byte: elements,
// gaps and guards.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectives/matrix.hpp"
#include "engine/collectives/collectives.hpp"

namespace foldlane::testing {

class TypedWalk {
 public:
  TypedWalk(RankContext& context, const Material& material) : context_(context), material_(material) {}

  std::string scan(std::size_t count, bool in_place, engine::Prefix prefix) {
    const bool inclusive = prefix == engine::Prefix::inclusive;
    const int end = context_.rank + (inclusive ? 1 : 0);
    Image send = input(count), recv = in_place ? input(count) : blank(count);
    Image wanted = recv;
    if (end > 0) wanted.put(0, expected(0, end).data(), count);
    const auto done = engine::scan(context_.world, in_place ? recv.buffer() : send.buffer(), recv.buffer(),
                                   count, material_.reduction(), prefix);
    return verdict(inclusive ? "scan" : "exscan", done, count, recv, wanted, send);
  }

  std::string allreduce(std::size_t count, bool in_place) {
    Image send = input(count), recv = in_place ? input(count) : blank(count);
    Image wanted = recv;
    wanted.put(0, expected(0, context_.size).data(), count);
    const auto done = engine::allreduce(context_.world, in_place ? recv.buffer() : send.buffer(),
                                        recv.buffer(), count, material_.reduction());
    return verdict("allreduce", done, count, recv, wanted, send);
  }

  std::string reduce(std::size_t count, bool in_place, int root) {
    const bool here = context_.rank == root;
    in_place = in_place && here;
    Image send = input(count), recv = in_place ? input(count) : blank(count);
    Image wanted = recv;
    if (here) wanted.put(0, expected(0, context_.size).data(), count);
    const auto done = engine::reduce(context_.world, in_place ? recv.buffer() : send.buffer(),
                                     here ? recv.buffer() : nullptr, count, material_.reduction(), root);
    return verdict("reduce", done, count, recv, wanted, send);
  }

  std::string reduce_scatter(const std::vector<std::int64_t>& blocks, bool in_place) {
    const std::size_t count = sum(blocks), own = block(blocks, context_.rank);
    Image send = input(count), recv = in_place ? input(count) : blank(own);
    Image wanted = recv;
    const auto result = expected(0, context_.size);
    wanted.put(0, result.data() + start(blocks, context_.rank) * bytes(), own);
    const auto done = engine::reduce_scatter(context_.world, in_place ? recv.buffer() : send.buffer(),
                                             recv.buffer(), blocks.data(), material_.reduction());
    if (in_place) {  // what is left of the input is undefined
      recv.clear(own, count - own);
      wanted.clear(own, count - own);
    }
    return verdict("reduce_scatter", done, count, recv, wanted, send);
  }

  std::string bcast(std::size_t count, int root) {
    Image buffer = context_.rank == root ? input(count) : blank(count);
    Image wanted = blank(count);
    wanted.put(0, material_.input(root).data(), count);
    const auto done = engine::bcast(context_.world, message(buffer, count), root);
    return verdict("bcast", done, count, buffer, wanted, buffer);
  }

  std::string allreduce_between(const engine::Sides& sides, std::size_t count) {
    Image send = input(count), recv = blank(count), wanted = recv;
    wanted.put(0, of(sides.remote).data(), count);
    const auto done = engine::allreduce_between(context_.world, sides, send.buffer(), recv.buffer(), count,
                                                material_.reduction());
    return verdict("allreduce_between", done, count, recv, wanted, send);
  }

  std::string reduce_scatter_between(const engine::Sides& sides, const std::vector<std::int64_t>& blocks) {
    const int position = context_.rank - sides.local.first;
    const std::size_t count = sum(blocks), own = block(blocks, position);
    Image send = input(count), recv = blank(own), wanted = recv;
    wanted.put(0, of(sides.remote).data() + start(blocks, position) * bytes(), own);
    const auto done = engine::reduce_scatter_between(context_.world, sides, send.buffer(), recv.buffer(),
                                                     blocks.data(), material_.reduction());
    return verdict("reduce_scatter_between", done, count, recv, wanted, send);
  }

  /// `root`: a member of the team.
  std::string reduce_between(const engine::Sides& sides, std::size_t count, int root) {
    const engine::Part part = part_of(sides, root);
    Image send = input(count), recv = blank(count), wanted = recv;
    if (part.role == engine::Part::root) wanted.put(0, of(sides.remote).data(), count);
    const bool bystander = part.role == engine::Part::bystander;
    const auto done = engine::reduce_between(
        context_.world, sides, part, part.role == engine::Part::partner ? send.buffer() : nullptr,
        part.role == engine::Part::root ? recv.buffer() : nullptr, bystander ? 0 : count,
        bystander ? engine::Reduction{} : material_.reduction());
    return verdict("reduce_between", done, count, recv, wanted, send);
  }

  std::string bcast_between(const engine::Sides& sides, std::size_t count, int root) {
    const engine::Part part = part_of(sides, root);
    Image buffer = context_.rank == root ? input(count) : blank(count), wanted = buffer;
    if (part.role == engine::Part::partner) wanted.put(0, material_.input(root).data(), count);
    const bool bystander = part.role == engine::Part::bystander;
    const auto done = engine::bcast_between(context_.world, sides, part,
                                            bystander ? engine::Message{} : message(buffer, count));
    return verdict("bcast_between", done, count, buffer, wanted, buffer);
  }

  long calls = 0;

 private:
  std::size_t bytes() const { return material_.form().packed_bytes; }
  Image blank(std::size_t count) const { return {material_.form(), count}; }
  Image input(std::size_t count) const {
    Image image = blank(count);
    image.put(0, material_.input(context_.rank).data(), count);
    return image;
  }
  engine::Message message(Image& image, std::size_t count) const {
    return {image.buffer(), count * bytes(), material_.reduction().type_map};
  }
  static std::size_t block(const std::vector<std::int64_t>& blocks, int rank) {
    return static_cast<std::size_t>(blocks[static_cast<std::size_t>(rank)]);
  }
  static std::size_t start(const std::vector<std::int64_t>& blocks, int rank) {
    std::size_t before = 0;
    for (int r = 0; r < rank; ++r) before += block(blocks, r);
    return before;
  }
  const std::vector<std::byte>& expected(int first, int end) {
    auto& result = expected_[{first, end}];
    if (result.empty()) result = material_.expected(first, end);
    return result;
  }
  const std::vector<std::byte>& of(const engine::Members& side) {
    return expected(side.first, side.first + side.count);
  }
  engine::Part part_of(const engine::Sides& sides, int root) const {
    if (root == context_.rank) return {engine::Part::root, 0};
    const bool local = root >= sides.local.first && root < sides.local.first + sides.local.count;
    if (local) return {engine::Part::bystander, 0};
    return {engine::Part::partner, root - sides.remote.first};
  }

  std::string verdict(const char* call, const shm::Result<void>& done, std::size_t count, const Image& result,
                      const Image& wanted, const Image& sent) {
    ++calls;
    const auto problem = [&](const std::string& what) {
      return fmt::format("{} of {} x {}: {}", call, count, material_.name(), what);
    };
    if (!done.ok()) return problem(done.error().message);
    if (!(result == wanted)) return problem("differing bytes");
    const bool apart = &sent != &result;
    return apart && !(sent == input(count)) ? problem("changed its input") : "";
  }

  RankContext& context_;
  const Material& material_;
  std::map<std::pair<int, int>, std::vector<std::byte>> expected_;
};

/// The first problem of some calls.
inline std::string first_problem(const std::vector<std::function<std::string()>>& calls) {
  for (const auto& call : calls) {
    if (auto problem = call(); !problem.empty()) return problem;
  }
  return "";
}

/// What a rank finds wrong; its peers then do not wait for it.
template <class Body>
std::string run_walk(RankContext& context, const Body& body) {
  std::string problem;
  try {
    problem = body();
  } catch (const std::exception& error) {
    problem = fmt::format("exception: {}", error.what());
  }
  if (!problem.empty()) context.world.agreement().give_up(engine::Broken::operation);
  return problem;
}

/// What an element may look like: with gaps, lower bounds below 0, extents of any kind, at any address, and
/// larger than a share of a slot or a slot of `slot_bytes`.
std::vector<Form> forms(std::size_t slot_bytes);

}  // namespace foldlane::testing
