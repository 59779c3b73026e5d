#include "matching/draft.hpp"

#include <algorithm>

namespace foldlane::matching {

int bytes_of(Unit unit) {
  static constexpr int kBytes[] = {1, 4, 8, 12};
  return kBytes[static_cast<int>(unit)];
}

int units_of(Layout layout) {
  static constexpr int kUnits[] = {1, 3, 4, 6, 6, 3};
  return kUnits[static_cast<int>(layout)];
}

Layout some_layout(Random& random, int units) {
  const auto layout = static_cast<Layout>(random.below(6));
  return units % units_of(layout) == 0 ? layout : Layout::plain;
}

int some_units(Random& random, Unit unit, int most_bytes) {
  static const std::vector<int> kBytes = {0,    1,     4,     8,     12,     24,    31,   32,   33,
                                          48,   64,    72,    95,    96,     97,    120,  128,  240,
                                          1023, 1024,  1025,  4095,  4096,   8190,  8191, 8192, 8193,
                                          8208, 32768, 65535, 65537, 131072, 307200};
  const auto end = std::upper_bound(kBytes.begin(), kBytes.end(), most_bytes);
  return kBytes[static_cast<std::size_t>(random.below(static_cast<int>(end - kBytes.begin())))] /
         bytes_of(unit);
}

int Draft::add(int rank, double time, Call call) {
  scripts_[static_cast<std::size_t>(rank)].push_back({time, calls_, std::move(call)});
  return calls_++;
}

int Draft::add_message(const Message& message) {
  messages_.push_back(message);
  return static_cast<int>(messages_.size()) - 1;
}

int Draft::receive(int rank, double time, double later, Call receive, Form form) {
  if (form == Form::posted) {
    receive.blocking = false;
    return add(rank, time, receive);
  }
  if (form == Form::cancelled) {
    Call posted = receive;
    posted.blocking = false;
    receive.from = add(rank, time, posted);
    for (Kind kind : {Kind::cancel, Kind::complete}) {
      Call call{kind};
      call.requests = {receive.from};
      add(rank, later, call);
    }
  } else if (form != Form::plain) {
    Call probe = receive;
    probe.kind = Kind::probe;
    probe.blocking = form == Form::probed || form == Form::matched;
    probe.takes = form == Form::matched || form == Form::imatched;
    receive.from = add(rank, time, probe);
  }
  add(rank, later, receive);
  return kNone;
}

Program Draft::build() const {
  Program program;
  program.seed = seed_;
  program.comms = communicators_of(static_cast<int>(scripts_.size()));
  program.scripts.resize(scripts_.size());
  std::vector<int> place(static_cast<std::size_t>(calls_));
  for (std::size_t rank = 0; rank < scripts_.size(); ++rank) {
    std::vector<Timed> sorted = scripts_[rank];
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Timed& a, const Timed& b) { return a.time < b.time; });
    Script& script = program.scripts[rank];
    for (Timed& timed : sorted) {
      Call& call = timed.call;
      place[static_cast<std::size_t>(timed.number)] = static_cast<int>(script.size());
      if (call.from != kNone) call.from = place[static_cast<std::size_t>(call.from)];
      for (int& request : call.requests) request = place[static_cast<std::size_t>(request)];
      if (call.kind == Kind::cancel) script[static_cast<std::size_t>(call.requests[0])].cancellable = true;
      if (call.sends() && call.message != kNone) {
        program.messages.push_back(message(call.message));
        program.messages.back().send = static_cast<int>(script.size());
        call.message = static_cast<int>(program.messages.size()) - 1;
      }
      script.push_back(call);
    }
  }
  return program;
}

}  // namespace foldlane::matching
