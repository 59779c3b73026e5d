// Every declaration of the standard's Annex A.4 exists with that very type, and links.
#include <mpi_cxx.hpp>

namespace {

int links = 0;

template <class Pointer>
void linked(Pointer function) {
  links += function != nullptr;
}

}  // namespace

int main() {
  using namespace MPI;
#include "annex.inc"
  std::printf("%d of %d declarations of Annex A.4\n", links, in_annex);
  return links == in_annex ? 0 : 1;
}
