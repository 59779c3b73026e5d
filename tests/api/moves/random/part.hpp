// What one member gives to a call and gets from it.
#pragma once

#include "circle.hpp"
#include "side.hpp"

namespace foldlane::moves {

struct Part {
  Side send, recv;        // empty: the call takes nothing from this member, or has nothing for it
  bool in_place = false;  // of this member
  int root = 0;           // as its call names it
};

Part part_of(const Move& move, const Circle& circle, const Layouts& layouts);

/// Starts the call: complete when it returns, under way, or yet to be started, as its form has it.
MPI_Request start(const Move& move, MPI_Comm comm, int root, const void* send, const Side& sent, void* recv,
                  const Side& received);

}  // namespace foldlane::moves
