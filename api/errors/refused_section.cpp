#include "api/errors/refused_section.hpp"

#include "api/errors/raise.hpp"

int foldlane_refuse_section(const char* call, MPI_Comm comm) {
  using namespace foldlane::api;
  return raise(
      Call{call}, comm,
      Failure{MPI_ERR_UNSUPPORTED_OPERATION,
              "Foldlane cannot use this array section as the buffer of this call; pass an array whose "
              "elements lie one after the other"});
}
