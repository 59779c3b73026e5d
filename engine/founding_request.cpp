#include "engine/founding_request.hpp"

#include <utility>

#include "engine/fold_whole.hpp"
#include "engine/verdict.hpp"

namespace foldlane::engine {

std::shared_ptr<Founding::Request> Founding::start_duplicate(Team& parent) {
  auto request = std::make_shared<Request>(*this, parent);
  request->start();
  return request;
}

void Founding::Request::start() {
  before_ = parent_.leave_unfinished(shared_from_this());
  step();
}

/// Calls take place in order: this one begins when the one before needs the team no more.
bool Founding::Request::begin() {
  if (procedure_) return true;
  if (before_ != nullptr && !before_->step()) return false;
  before_.reset();
  if (!parent_.announce({.call = Call::duplicate, .count = sizeof own_})) {
    failed_ = done_ = true;
    return false;
  }
  if (parent_.members().front() == founding_.rank_) own_ = founding_.take_id(parent_.members());
  offers_.resize(static_cast<std::size_t>(parent_.size()));
  if (parent_.size() == 1) {  // has no lines
    offers_.front() = own_;
    done_ = true;
    return false;
  }
  procedure_.emplace(exchange_shown(parent_, reinterpret_cast<const std::byte*>(&own_), sizeof own_,
                                    reinterpret_cast<std::byte*>(offers_.data())));
  return true;
}

bool Founding::Request::step() {
  if (done_ || !begin()) return done_;
  const Progress progress = procedure_->step();
  failed_ = progress == Progress::failed;
  done_ = progress != Progress::waiting;
  return done_;
}

void Founding::Request::finish() {
  if (before_ != nullptr) before_->finish();
  if (done_ || !begin()) return;
  failed_ = !procedure_->run();
  done_ = true;
}

FoundedTeam Founding::Request::result() {
  if (failed_) return failure_of(parent_);
  return founding_.join(parent_.members(), offers_.front());
}

}  // namespace foldlane::engine
