#include "letters.hpp"

#include <algorithm>

namespace foldlane::host_test {
namespace {

std::vector<unsigned char> text_of(const Letter& letter) {
  std::vector<unsigned char> text(static_cast<std::size_t>(letter.bytes));
  std::uint64_t word = letter.seed;
  for (unsigned char& byte : text) byte = static_cast<unsigned char>((word = word * 5 + 1) >> 32);
  return text;
}

}  // namespace

Letter draw_letter(matching::Random& random, int ranks, int step) {
  constexpr int kBytes[] = {0, 1, 100, 5000, 20'000, 100'000, 300'000};
  const int from = random.below(ranks), ahead = random.between(1, ranks - 1);
  return {from,
          (from + ahead) % ranks,
          kBytes[random.below(7)],
          step + random.below(5),
          static_cast<Sending>(random.below(4)),
          random.next()};
}

void Letters::begin(const std::vector<Letter>& of_step) {
  int tag = begun_;
  for (const Letter& letter : of_step) {
    if (letter.to == rank_) receive(letter, tag);
    ++tag;
  }
  tag = begun_;
  for (const Letter& letter : of_step) {
    if (letter.from == rank_) send(letter, tag);
    ++tag;
  }
  begun_ = tag;
}

void Letters::receive(const Letter& letter, int tag) {
  under_way_.push_back({letter, std::vector<unsigned char>(static_cast<std::size_t>(letter.bytes))});
  UnderWay& one = under_way_.back();
  MPI_Irecv(one.bytes.data(), letter.bytes, MPI_BYTE, letter.from, tag, MPI_COMM_WORLD, &one.request);
}

void Letters::send(const Letter& letter, int tag) {
  UnderWay one{letter, text_of(letter)};
  const void* const text = one.bytes.data();
  if (letter.way == Sending::blocking) MPI_Send(text, letter.bytes, MPI_BYTE, letter.to, tag, MPI_COMM_WORLD);
  if (letter.way == Sending::synchronous)
    MPI_Ssend(text, letter.bytes, MPI_BYTE, letter.to, tag, MPI_COMM_WORLD);
  if (letter.way == Sending::nonblocking)
    MPI_Isend(text, letter.bytes, MPI_BYTE, letter.to, tag, MPI_COMM_WORLD, &one.request);
  if (letter.way == Sending::synchronous_nonblocking)
    MPI_Issend(text, letter.bytes, MPI_BYTE, letter.to, tag, MPI_COMM_WORLD, &one.request);
  if (one.request != MPI_REQUEST_NULL) under_way_.push_back(std::move(one));
}

bool Letters::end(int step) {
  bool all_right = true;
  const auto is_later = [&](const UnderWay& one) { return one.letter.end > step; };
  const auto due = std::partition(under_way_.begin(), under_way_.end(), is_later);
  for (auto one = due; one != under_way_.end(); ++one) all_right = complete(*one) && all_right;
  under_way_.erase(due, under_way_.end());
  return all_right;
}

bool Letters::complete(UnderWay& one) const {
  int done = 0;
  while (one.letter.seed % 2 == 0 && done == 0) MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
  MPI_Wait(&one.request, MPI_STATUS_IGNORE);
  return one.letter.to != rank_ || one.bytes == text_of(one.letter);
}

}  // namespace foldlane::host_test
