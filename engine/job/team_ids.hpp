// Who may use which lines: team ids of the whole job, taken and given back by the leaders of teams. Off the
// data path: claims are read-modify-writes on words that any rank may write.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "shm/segment/layout.hpp"

namespace foldlane::engine {

/// Who has a team id, and from which epoch on its lines are fresh: first epoch * 2 + (1 if in use). Writers:
/// leaders of teams, by claim.
using TeamIdWord = shm::Epoch;

struct TeamId {
  int id;
  std::uint64_t first_epoch;  // the id's lines never held this epoch, nor a call of this number
};

class TeamIds {
 public:
  explicit TeamIds(std::span<TeamIdWord> words) : words_(words) {}

  /// Nothing if all ids are in use. Any thread.
  std::optional<TeamId> take() noexcept;

  /// `next` is above every epoch and call number of the team; everybody must have finished with its lines.
  void give_back(int id, std::uint64_t next) noexcept { word(id).publish(next << 1); }

 private:
  TeamIdWord& word(int id) noexcept { return words_[static_cast<std::size_t>(id)]; }

  std::span<TeamIdWord> words_;
};

}  // namespace foldlane::engine
