#include "api/replay/journal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "api/core/failure.hpp"

namespace foldlane::api {
namespace {

constexpr char kReceive[] = "receive";
constexpr char kCancel[] = "cancel";
constexpr char kTimes[] = "x";

}  // namespace

Journal::Journal(Mode mode, const std::string& directory, int rank, int ranks)
    : mode_(mode),
      path_(fmt::format("{}/rank-{}", directory, rank)),
      header_(fmt::format("foldlane record 1, rank {} of {}", rank, ranks)) {
  if (mode == Mode::replays) {
    read();
    return;
  }
  mkdir(directory.c_str(), 0777);  // it may be there; else the next line fails
  file_ = std::fopen(path_.c_str(), "w");
  if (file_ == nullptr) reject(std::strerror(errno));
  // A line at a time: a rank that is killed leaves all that it knew.
  std::setvbuf(file_, nullptr, _IOLBF, BUFSIZ);
  std::fprintf(file_, "%s\n", header_.c_str());
}

void Journal::reject(const std::string& why) const {
  fail(MPI_ERR_OTHER,
       fmt::format("{} {}: {}", replays() ? "--replay: reading" : "--record: writing", path_, why));
}

// ---- recording

void Journal::note(Call call, const Outcome& outcome) {
  if (pending_.times > 0 && pending_.is_of(call) && pending_.outcome == outcome) {
    ++pending_.times;
    return;
  }
  flush();
  pending_ = {call.name, outcome, 1};
}

void Journal::flush() {
  if (mode_ == Mode::records && pending_.times > 0) write(pending_);
  pending_.times = 0;
}

void Journal::write(const Line& line) {
  std::string text = fmt::format("{} {}", line.call, fmt::join(line.outcome, " "));
  if (line.times > 1) text += fmt::format(" {} {}", kTimes, line.times);
  std::fprintf(file_, "%s\n", text.c_str());
}

void Journal::note(std::uint64_t receive, Match match) {
  std::fprintf(file_, "%s %llu %d %d\n", kReceive, static_cast<unsigned long long>(receive), match.source,
               match.tag);
}

void Journal::note_cancel(std::uint64_t receive, bool cancelled) {
  std::fprintf(file_, "%s %llu %d\n", kCancel, static_cast<unsigned long long>(receive), cancelled);
}

// ---- replaying

void Journal::read() {
  errno = 0;
  std::ifstream file(path_);
  if (!file) reject(std::strerror(errno));
  std::string text;
  if (!std::getline(file, text) || text != header_)
    reject(fmt::format("it begins with \"{}\" instead of \"{}\"", text, header_));
  for (int number = 2; std::getline(file, text); ++number) read(text, number);
}

void Journal::read(const std::string& text, int number) {
  std::istringstream words(text);
  Line line{{}, {}, 1};
  words >> line.call;
  for (std::string word; words >> word;) {
    if (word == kTimes && words >> line.times) break;
    char* end = nullptr;
    line.outcome.push_back(static_cast<int>(std::strtol(word.c_str(), &end, 10)));
    if (*end != '\0') reject(fmt::format("line {} is \"{}\"", number, text));
  }
  const bool is_cancel = line.call == kCancel;
  if (!is_cancel && line.call != kReceive) return lines_.push_back(std::move(line));
  if (line.outcome.size() != (is_cancel ? 2 : 3)) reject(fmt::format("line {} is \"{}\"", number, text));
  const auto receive = static_cast<std::uint64_t>(line.outcome[0]);
  if (is_cancel) return static_cast<void>(cancels_[receive] = line.outcome[1] != 0);
  matches_[receive] = {line.outcome[1], line.outcome[2]};
  last_receive_ = std::max(last_receive_, receive);
}

std::optional<Outcome> Journal::recall(Call call) {
  if (lines_.empty()) {
    if (!said_)
      std::fprintf(stderr, "foldlane: %s ends here; the program goes on by itself\n", path_.c_str());
    said_ = true;
    return std::nullopt;
  }
  Line& line = lines_.front();
  if (!line.is_of(call)) {
    reject(fmt::format("the recorded run called {} here; is it the same program with the same input?",
                       line.call));
  }
  Outcome outcome = line.outcome;
  if (--line.times == 0) lines_.pop_front();
  return outcome;
}

std::optional<Journal::Match> Journal::recall(std::uint64_t receive) const {
  const auto found = matches_.find(receive);
  if (found == matches_.end()) return std::nullopt;
  return found->second;
}

std::optional<bool> Journal::recall_cancel(std::uint64_t receive) const {
  const auto found = cancels_.find(receive);
  if (found == cancels_.end()) return std::nullopt;
  return found->second;
}

}  // namespace foldlane::api
