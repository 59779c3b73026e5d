#include "api/host/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace foldlane::host {
namespace {

/// A duplicate is another communicator.
int copy_nothing(Handle, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return 0;
}

int rank_in(const Host& host, Handle comm) {
  int rank = 0;
  host.call().Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

Communicators::Communicators(const Host& host, engine::Job& job, const std::vector<int>& nodes,
                             Explanation& explanation, bool has_threads, std::function<void()> ended)
    : host_(host),
      job_(job),
      explanation_(explanation),
      world_(nodes),
      rank_(rank_in(host, host.constants().world)),
      has_threads_(has_threads),
      ended_(std::move(ended)) {
  recent_.fill(nowhere());
  host_.call().Comm_create_keyval(copy_nothing, forget_attribute, &keyval_, this);
  Communicator& world = add(host.constants().world);
  if (world_.nodes() == 1) {
    world.team = &job.world();
  } else {
    reach_across(host.constants().world, world, world_, rank_, job.world());
  }
}

Communicator* Communicators::find(Handle comm) const {
  void* value = nullptr;
  int found = 0;
  host_.call().Comm_get_attr(comm, keyval_, &value, &found);
  return found != 0 ? static_cast<Communicator*>(value) : nullptr;
}

Communicator& Communicators::add(Handle comm) {
  auto known = std::make_unique<Communicator>();
  host_.call().Comm_set_attr(comm, keyval_, known.get());
  return *known.release();  // the attribute's, until forget()
}

Communicator& Communicators::look_up(Handle comm) {
  if (comm == host_.constants().comm_null) return null_;
  Communicator* known = find(comm);
  if (known == nullptr) known = &add(comm);
  if (known->team == nullptr && known->reason == Reason::young && ++known->calls > kCallsBeforeTeam)
    take_over(comm, *known);
  if (!has_threads_) recent_[place_of(comm, kRecentBits)] = {comm, known};
  return *known;
}

void Communicators::take_over(Handle comm, Communicator& known) {
  const std::vector<int> members = members_of(comm);
  known.reason = Reason::outside;
  if (members.size() < 2) return;
  std::vector<int> nodes, here;
  for (const int member : members) {
    const Placement::Seat& seat = world_.seat(member);
    nodes.push_back(seat.node);
    if (seat.node == world_.seat(rank_).node) here.push_back(seat.index);
  }
  auto founded = job_.founding().found(here, agree_on_key(comm, members.front() == rank_));
  if (founded.ok()) known.own_team = std::move(founded.value());
  Placement placement(nodes);
  const bool is_on_one_node = placement.nodes() == 1;
  known.reason = Reason::no_team;
  if (is_on_one_node) known.team = known.own_team.get();
  if (is_on_one_node || !have_all(comm, founded.ok())) return;
  reach_across(comm, known, std::move(placement), rank_in(host_, comm), *known.own_team);
}

void Communicators::reach_across(Handle comm, Communicator& known, Placement placement, int member,
                                 engine::Team& team) {
  explanation_.note_order(placement.is_canonical());
  known.across = std::make_unique<AcrossNodes>(host_, explanation_, comm, std::move(placement), member, team,
                                               job_.messenger());
  known.reason = Reason::nodes;
}

/// Nodes found their teams apart.
bool Communicators::have_all(Handle comm, bool own) const {
  const int mine = own ? 1 : 0;
  int all = 0;
  host_.call().Allreduce(&mine, &all, 1, host_.value("MPI_INT").value_or(0),
                         host_.value("MPI_MIN").value_or(0), comm);
  return all != 0;
}

engine::Channel* Communicators::channel_of(Communicator& communicator) const {
  if (communicator.channel == nullptr && communicator.team->size() > 1)
    communicator.channel = &job_.messenger().open(*communicator.team, engine::Messages::collective);
  return communicator.channel;
}

/// As ranks of MPI_COMM_WORLD; none if there are others, or two groups.
std::vector<int> Communicators::members_of(Handle comm) const {
  const HostCalls& call = host_.call();
  int is_inter = 0, size = 0;
  call.Comm_test_inter(comm, &is_inter);
  if (is_inter != 0) return {};
  call.Comm_size(comm, &size);
  std::vector<int> own(static_cast<std::size_t>(size)), members(own.size());
  std::iota(own.begin(), own.end(), 0);
  Handle group = 0, world = 0;
  call.Comm_group(comm, &group);
  call.Comm_group(host_.constants().world, &world);
  call.Group_translate_ranks(group, size, own.data(), world, members.data());
  call.Group_free(&group);
  call.Group_free(&world);
  if (std::count(members.begin(), members.end(), host_.constants().undefined) > 0) return {};
  return members;
}

/// Threads may found several teams of the same members at a time.
std::uint64_t Communicators::agree_on_key(Handle comm, bool leads) const {
  std::uint64_t key = 0;
  if (leads) {
    std::random_device random;
    key = (std::uint64_t{random()} << 32 | random()) | 2;  // never zero; the lowest bit is not the caller's
  }
  host_.call().Bcast(&key, sizeof key, host_.constants().byte, 0, comm);
  return key;
}

void Communicators::forget(Communicator* gone) {
  std::replace_if(
      recent_.begin(), recent_.end(), [gone](const Recent& recent) { return recent.known == gone; },
      nowhere());
  const bool is_world = gone->own_team == nullptr && (gone->team != nullptr || gone->across != nullptr);
  gone->across.reset();
  if (is_world) ended_();
  if (gone->own_team != nullptr) job_.founding().retire(std::move(gone->own_team));
  delete gone;
}

int Communicators::forget_attribute(Handle, int, void* value, void* self) {
  static_cast<Communicators*>(self)->forget(static_cast<Communicator*>(value));
  return 0;
}

}  // namespace foldlane::host
