#include "bench/report/case_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"

namespace foldlane::bench {
namespace {

template <class Words, class Value>
const char* word_in(const Words& words, Value value) {
  return std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == value; })
      ->second;
}

}  // namespace

const char* name_of(Buffers buffers) {
  switch (buffers) {
    case Buffers::hot:
      return "hot";
    case Buffers::rotating:
      return "rotating";
    case Buffers::fresh:
      break;
  }
  return "fresh";
}

const char* word_of(Timing timing) { return word_in(kTimingWords, timing); }

const char* word_of(Beside beside) { return word_in(kBesideWords, beside); }

const char* name_of(Beside beside) {
  switch (beside) {
    case Beside::nothing:
      return "";
    case Beside::tests:
      return "computing, Test every 100 us";
    case Beside::no_calls:
      return "computing, no calls";
    case Beside::late:
      break;
  }
  return "computing, Test every 100 us, last rank 2 ms late";
}

std::string ranks_text(const Case& what) {
  return fmt::format("{} {}{}", what.ranks, what.call == "fold" ? "source" : "rank",
                     what.ranks == 1 ? "" : "s");
}

std::string threads_text(const Case& what) {
  if (what.threads == 0) return "";
  return what.threads == 1 ? "MPI_THREAD_MULTIPLE" : fmt::format("{} threads", what.threads);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && bytes != 0 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

std::string name_of(const Case& what) {
  const Case usual;
  const bool has_buffers = has_data(what.call);
  const bool is_message = is_pattern(what.call);
  std::string name = what.call;
  const auto add_if = [&](bool said, const std::string& part) {
    if (said) name += " " + part;
  };
  add_if(has_buffers || what.type != usual.type, what.type);
  add_if(combines(what.call) || what.op != usual.op, what.op);
  add_if(has_buffers || what.bytes != usual.bytes, size_text(what.bytes));
  add_if(true, ranks_text(what));
  add_if(what.threads != usual.threads, threads_text(what));
  add_if(what.root != usual.root, fmt::format("root {}", what.root));
  add_if(has_buffers || what.buffers != usual.buffers, name_of(what.buffers));
  add_if(what.in_place, "in place");
  add_if(what.unaligned, "unaligned");
  add_if(what.huge_pages, "huge pages");
  add_if(what.alloc_mem, "MPI_Alloc_mem");
  add_if(what.beside != usual.beside, name_of(what.beside));
  add_if(what.timing == Timing::back_to_back && !is_message, "back to back");
  add_if(what.timing == Timing::whole, "from first entry");
  return name;
}

}  // namespace foldlane::bench
