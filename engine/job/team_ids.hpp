// Who may use which lines: team ids of the whole job, taken and given back by the leaders of teams. Off the
// data path: claims are read-modify-writes on words that any rank may write.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "shm/segment/layout.hpp"

namespace foldlane::engine {

struct TeamId {
  int id;
  std::uint64_t first_epoch;  // the id's lines never held this epoch, nor a call of this number
};

class TeamIds {
 public:
  explicit TeamIds(std::span<shm::TeamIdWord> words) : words_(words) {}

  /// Nothing if all ids are in use. Any thread.
  std::optional<TeamId> take() noexcept;

  /// `next` is above every epoch and call number of the team; everybody must have finished with its lines.
  void give_back(int id, std::uint64_t next) noexcept { word(id).publish(next << 1); }

 private:
  shm::TeamIdWord& word(int id) noexcept { return words_[static_cast<std::size_t>(id)]; }

  std::span<shm::TeamIdWord> words_;
};

}  // namespace foldlane::engine
