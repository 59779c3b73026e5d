#include "execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace foldlane::model {

namespace {

constexpr std::uint32_t kManyWriters = mask(Kind::sleepers) | mask(Kind::watchers) | mask(Kind::bell) |
                                       mask(Kind::told) | mask(Kind::receipt) | mask(Kind::arrived) |
                                       mask(Kind::done) | mask(Kind::knock) | mask(Kind::knock_summary) |
                                       mask(Kind::taken) | mask(Kind::place) | mask(Kind::rounds);

}  // namespace

Execution* Execution::current_ = nullptr;

Execution::Execution(Program& program, const Settings& settings, Choices& choices,
                     std::vector<std::unique_ptr<Fiber>>& fibers, Fiber& home)
    : program_(program),
      settings_(settings),
      choices_(choices),
      fibers_(fibers),
      home_(home),
      memory_(program.threads()),
      threads_(program.threads()) {
  current_ = this;
  trace_.reserve(256);
  program.add_places(memory_);
  if (program.abort_word() != nullptr) abort_word_ = memory_.add_word(Kind::abort, program.abort_word());
}

Execution::~Execution() { current_ = nullptr; }

// ---- threads

void Execution::run() {
  for (std::size_t t = 0; t < threads_.size(); ++t) fibers_[t]->start(thread_main);
  give_way();
  drain();
}

void Execution::thread_main() {
  Execution& here = *current_;
  const int number = here.running_;
  here.checkpoint(0);
  if (!here.draining_) here.program_.run(number);
  here.thread(number).op = Op::done;
  here.draining_ ? here.switch_to(-1) : here.give_way();
}

void Execution::switch_to(int next) {
  Fiber& from = fiber(running_);
  running_ = next;
  Fiber::switch_between(from, fiber(next));
}

void Execution::give_way() {
  const int next = pick();
  if (next != running_) switch_to(next);
}

void Execution::drain() {
  draining_ = true;
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    if (thread(t).op != Op::done) switch_to(t);
  }
}

void Execution::step() {
  const bool dies = running_ == settings_.dying_thread && self().steps == settings_.dying_step;
  ++self().steps;
  if (dies) die();
}

void Execution::die() {
  dead_ = true;
  note("dies", -1, 0);
  if (abort_word_ >= 0) memory_.store(running_, abort_word_, 1, false);
  self().op = Op::dead;
  give_way();
}

void Execution::schedule(Op op, int word, std::uint64_t value) {
  step();
  if (draining_) return;
  Thread& me = self();
  me.op = op;
  me.word = word;
  me.value = value;
  me.declined = 0;
  me.declined_abort = false;
  me.option = 0;
  const bool unobservable = word >= 0 && memory_.kind(word) == Kind::constant;
  const bool is_race = word >= 0 && memory_.kind(word) == Kind::arrived;  // who is first, matters
  if (interleaves() ? !unobservable : op != Op::local || is_race) give_way();
}

// ---- choosing what happens next

int Execution::pick() { return interleaves() ? pick_interleaving() : pick_wait(); }

int Execution::pick_interleaving() {
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    if (thread(t).op == Op::start) return t;
  }
  if (std::ranges::any_of(threads_, [&](const Thread& each) { return has_overlooked(each); })) {
    cut_ = true;
    return -1;
  }
  const int reader = pick_wait_or_load();
  if (reader >= 0) return reader;
  std::array<int, kMaxThreads> able{};
  std::size_t count = 0;
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    const Thread& each = thread(t);
    if (each.op == Op::local || (each.op == Op::asleep && !each.asleep)) able[count++] = t;
  }
  if (count == 0) return conclude();
  if (choices_.on_new_ground() && choices_.seen(digest())) {
    cut_ = true;
    return -1;
  }
  return able[choices_.choose(count)];
}

/// The dying thread first: the sooner the abort word is set, the fewer waits must postpone for its sake.
int Execution::next_in_order(int position) const {
  const int first = settings_.dying_thread;
  if (first < 0) return position;
  if (position == 0) return first;
  return position <= first ? position - 1 : position;
}

std::vector<std::size_t> Execution::messages_for(const Thread& thread, int number) const {
  const auto& messages = memory_.messages(thread.word);
  const std::size_t oldest = memory_.oldest_readable(number, thread.word);
  const bool only_first = settings_.search == Search::earliest;
  std::vector<std::size_t> options;
  for (std::size_t m = std::max(oldest, thread.declined); m < messages.size(); ++m) {
    if (messages[m].value < thread.value || (only_first && thread.declined > 0)) continue;
    options.push_back(m);
    if (only_first) break;
  }
  const bool aborted = thread.op == Op::await && abort_word_ >= 0 && memory_.latest(abort_word_) > 0 &&
                       !mutated(settings_.mutation.zero, abort_word_);
  // A wait looks at its word last; it gives up only if it can still miss the value.
  if (aborted && !thread.declined_abort && messages[oldest].value < thread.value) options.push_back(kAborted);
  return options;
}

bool Execution::over(int number) const {
  const Op op = threads_[static_cast<std::size_t>(number)].op;
  return op == Op::done || op == Op::dead;
}

/// Whether something may still come that this wait could take instead.
bool Execution::may_postpone(const Thread& thread, int number) const {
  const int dying = settings_.dying_thread;
  if (!interleaves() && dying >= 0 && dying != number && !dead_ && !over(dying)) return true;
  if (settings_.search == Search::earliest) return false;
  const int writer = memory_.messages(thread.word).back().writer;
  if (writer >= 0 && !mutated(kManyWriters, thread.word)) return writer != number && !over(writer);
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    if (t != number && !over(t)) return true;
  }
  return false;
}

int Execution::pick_wait() {
  const int number = pick_wait_or_load();
  return number >= 0 ? number : pick_racer();
}

/// When nobody can read any more: one of those that are about to change a word that others change too.
int Execution::pick_racer() {
  std::array<int, kMaxThreads> racers{};
  std::size_t count = 0;
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    if (thread(t).op == Op::local) racers[count++] = t;
  }
  return count == 0 ? conclude() : racers[choices_.choose(count)];
}

/// -1: every thread that is about to read declines all there is to read so far.
int Execution::pick_wait_or_load() {
  const auto count = static_cast<int>(threads_.size());
  for (int position = 0; position < count; ++position) {
    const int number = next_in_order(position);
    Thread& waiting = thread(number);
    if (waiting.op == Op::start) return number;
    if (waiting.op != Op::await && waiting.op != Op::load) continue;
    const auto options = messages_for(waiting, number);
    if (options.empty()) continue;
    const std::size_t choice = choices_.choose(options.size() + (may_postpone(waiting, number) ? 1 : 0));
    if (choice < options.size()) {
      waiting.option = options[choice];
      return number;
    }
    waiting.declined = memory_.latest(waiting.word) + 1;
    waiting.declined_abort = dead_;
  }
  return -1;
}

bool Execution::has_overlooked(const Thread& thread) const {
  return thread.op == Op::in_vain && std::ranges::any_of(thread.looks, [&](const Look& look) {
           return memory_.latest(look.word) > look.message;
         });
}

int Execution::conclude() {
  bool hangs = false;
  for (const Thread& each : threads_) {
    if (each.op == Op::done || each.op == Op::dead) continue;
    hangs = true;
    cut_ = cut_ || each.declined > 0;
  }
  if (hangs && !cut_) problem_ = fmt::format("hang: {}\n{}", who_waits(), describe_trace());
  return -1;
}

std::uint64_t Execution::digest() const {
  std::array<bool, kMaxThreads> alive{};
  std::array<std::uint64_t, kMaxThreads> of_threads{};
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    const Thread& each = threads_[t];
    alive[t] = each.op != Op::done && each.op != Op::dead;
    const auto blocked = static_cast<std::uint64_t>(each.op) * 2 + (each.asleep ? 1 : 0);
    of_threads[t] = alive[t] ? mix(each.history, blocked) : 0;
  }
  std::uint64_t digest = memory_.digest(alive, of_threads);
  for (const std::uint64_t each : of_threads) digest += mix(each, 0);  // in no order, for the sake of roles
  return digest;
}

void Execution::checkpoint(std::uint64_t place_in_code) {
  if (draining_) return;
  self().checkpoint = mix(program_.role(running_), place_in_code);
  self().history = self().checkpoint;
}

void Execution::remember(std::uint64_t value) { self().history = mix(self().history, value + 1); }

// ---- operations

int Execution::word(const void* address) {
  if (abort_word_ >= 0 && address == program_.abort_word()) return abort_word_;
  return memory_.add_word(program_.kind_of(address), address);
}

void Execution::store(int word, std::uint64_t value) {
  if (!draining_) schedule(Op::local, word, value);
  if (draining_) return;
  note("publishes", word, value);
  memory_.store(running_, word, value, !relaxed(settings_.mutation.relaxed_publish, word, value));
  remember(0);
}

std::uint64_t Execution::load(int word, bool acquire) {
  const bool blind = mutated(settings_.mutation.zero, word);
  if (!draining_ && !blind) schedule(Op::load, word, 0);
  if (draining_) return ~std::uint64_t{0};
  if (blind) return 0;
  if (mutated(settings_.mutation.satisfied, word)) return ~std::uint64_t{0};
  const std::uint64_t there = memory_.messages(word)[self().option].value;
  const bool acquires = acquire && !relaxed(settings_.mutation.relaxed_observe, word, there);
  const std::uint64_t value = memory_.load(running_, word, self().option, acquires);
  note("reads", word, value);
  if (self().looking) self().looks.push_back({word, self().option});
  remember(value);
  if (memory_.kind(word) != Kind::abort) {
    self().read_word = word;
    self().read_value = value;
  }
  return value;
}

bool Execution::relaxed(std::uint32_t kinds, int word, std::uint64_t value) const {
  const Values values = settings_.mutation.relaxed;
  return mutated(kinds, word) && (values == Values::all || (values == Values::zero) == (value == 0));
}

void Execution::block_for_good() {
  if (draining_) return;
  note("looks in vain", -1, 0);
  self().op = Op::in_vain;
  self().declined = 0;
  give_way();
}

void Execution::await_news() {
  if (!draining_) await(self().read_word, self().read_value + 1, abort_word_);
}

bool Execution::await(int word, std::uint64_t value, int abort_word) {
  if (mutated(settings_.mutation.satisfied, word)) return !draining_;
  if (!draining_) schedule(Op::await, word, value);
  if (draining_) return false;
  const bool acquires = !relaxed(settings_.mutation.relaxed_observe, word, value);
  if (self().option == kAborted) {
    memory_.load(running_, abort_word, memory_.latest(abort_word), true);
    note("gives up waiting for", word, value);
    return false;
  }
  const std::uint64_t read = memory_.load(running_, word, self().option, acquires);
  note("awaits", word, value, read);
  remember(read);
  return true;
}

std::uint64_t Execution::begin_rmw(int word) {
  if (!draining_ && !mutated(settings_.mutation.late, word)) schedule(Op::local, word, 0);
  if (draining_) return 0;
  const std::uint64_t value = memory_.messages(word).back().value;
  remember(value);
  return value;
}

void Execution::learn_latest(int word) {
  if (!draining_) memory_.load(running_, word, memory_.latest(word), true);
}

void Execution::replace(int word, std::uint64_t value) {
  if (draining_) return;
  if (mutated(settings_.mutation.late, word)) {
    late_.push_back({running_, word, value - memory_.messages(word).back().value});
    return;
  }
  note("read-modify-writes", word, value);
  if (settings_.mutation.bell_stands_still && memory_.kind(word) == Kind::bell) return;
  memory_.replace(running_, word, value);
  catch_up();
}

/// With what the running thread has put off (Mutation::late).
void Execution::catch_up() {
  for (std::size_t i = 0; i < late_.size();) {
    const Late late = late_[i];
    if (late.thread != running_) {
      ++i;
      continue;
    }
    late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(i));
    schedule(Op::local, late.word, 0);
    if (draining_) return;
    const std::uint64_t value = memory_.messages(late.word).back().value + late.change;
    note("read-modify-writes late", late.word, value);
    memory_.replace(running_, late.word, value);
  }
}

void Execution::light_barrier() {
  // Not a choice point: the earlier it takes effect after the operation before it, the more the thread may
  // still read.
  if (draining_ || settings_.mutation.no_light_barrier) return;
  note("light barrier", -1, 0);
  memory_.light_barrier(running_);
  remember(1);
}

void Execution::heavy_barrier() {
  if (draining_ || settings_.mutation.no_heavy_barrier) return;
  schedule(Op::local, -1, 0);
  if (draining_) return;
  note("heavy barrier", -1, 0);
  memory_.heavy_barrier(running_);
  remember(2);
}

void Execution::sleep_while(int word, std::uint64_t seen) {
  if (!draining_) schedule(Op::local, word, seen);
  if (draining_) return;
  const std::uint64_t now = memory_.messages(word).back().value;
  memory_.load(running_, word, memory_.latest(word), false);  // the kernel's look, on this very CPU
  const bool sleeps = settings_.mutation.seen_too_late || now == seen;
  note(sleeps ? "falls asleep on" : "does not sleep on", word, seen, now);
  // A wait that has slept starts over: what it read before has no influence any more, but for the length of
  // its next nap, which never ends by itself here.
  self().history = mix(self().checkpoint, ~program_.kept_over_nap(running_));
  if (!sleeps) return;
  self().asleep = true;
  self().op = Op::asleep;
  give_way();
  if (!draining_) note("wakes up", -1, 0);
}

void Execution::wake_all(int word) {
  if (draining_ || settings_.mutation.no_wake) return;
  schedule(Op::local, word, 0);
  if (draining_) return;
  note("wakes sleepers of", word, 0);
  remember(3);
  for (Thread& each : threads_) each.asleep = each.asleep && each.word != word;
}

void Execution::access(const void* start, std::size_t bytes, bool write) {
  if (draining_) return;
  step();
  if (draining_ || bytes == 0) return;
  trace_.push_back({running_, write ? "writes" : "reads bytes at", start, bytes, 0});
  switch (memory_.access(running_, start, bytes, write)) {
    case Memory::Access::fine:
      return;
    case Memory::Access::race:
      return fail("data race at " + program_.name_of(start));
    case Memory::Access::never_written:
      return fail("use of an unpublished place at " + program_.name_of(start));
  }
}

void Execution::fail(const std::string& what) {
  if (draining_) return;
  problem_ = fmt::format("{}: {}\n{}", program_.thread_name(running_), what, describe_trace());
  switch_to(-1);
}

// ---- telling

void Execution::note(const char* what, int word, std::uint64_t value, std::uint64_t extra) {
  trace_.push_back({running_, what, word < 0 ? nullptr : memory_.address(word), value, extra});
}

std::string Execution::describe_trace() const {
  std::string text;
  for (const Event& event : trace_) {
    text += fmt::format("  {} {}", program_.thread_name(event.thread), event.what);
    if (event.address != nullptr)
      text += fmt::format(" {}, {}", program_.name_of(event.address), event.value);
    if (event.extra != 0) text += fmt::format(" (is {})", event.extra);
    text += "\n";
  }
  return text;
}

std::string Execution::who_waits() {
  std::string text;
  for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
    const Thread& each = thread(t);
    if (each.op == Op::done || each.op == Op::dead || each.word < 0) continue;
    text += fmt::format("{} {} {} {} (is {}); ", program_.thread_name(t),
                        each.asleep ? "sleeps on" : "waits for", program_.name_of(memory_.address(each.word)),
                        each.value, memory_.messages(each.word).back().value);
  }
  return text;
}

}  // namespace foldlane::model
