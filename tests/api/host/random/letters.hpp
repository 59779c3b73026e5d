// Messages between the steps of a random program: begun in one, complete in that or in a later one.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "matching/random.hpp"

namespace foldlane::host_test {

enum class Sending : std::uint8_t { blocking, synchronous, nonblocking, synchronous_nonblocking };

struct Letter {
  int from, to;
  int bytes;
  int end;  // the step after which both have it behind them
  Sending way;
  std::uint64_t seed;
};

Letter draw_letter(matching::Random& random, int ranks, int step);

/// Those of one rank. Who receives begins that before it sends anything in the same step, so nobody waits in
/// a circle.
class Letters {
 public:
  explicit Letters(int rank) : rank_(rank) {}

  void begin(const std::vector<Letter>& of_step);
  /// False: something else has come.
  bool end(int step);

 private:
  struct UnderWay {
    Letter letter;
    std::vector<unsigned char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void receive(const Letter& letter, int tag);
  void send(const Letter& letter, int tag);
  bool complete(UnderWay& one) const;

  int rank_;
  int begun_ = 0;
  std::vector<UnderWay> under_way_;
};

}  // namespace foldlane::host_test
