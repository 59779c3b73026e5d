// MPI_Alloc_mem, MPI_Free_mem: memory inside the segment, where peers can reach it without a copy.
#include <fmt/format.h>

#include <cstring>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"

namespace foldlane::api {

int alloc_mem(Call call, MPI_Aint size, MPI_Info info, void* baseptr) {
  return run(call, [&] {
    check_active();
    if (size < 0) fail(MPI_ERR_ARG, fmt::format("size is {}; it must not be negative", size));
    check_info(info);
    check_output(baseptr, "baseptr");
    auto memory = world.job->allocate(static_cast<std::size_t>(size));
    if (!memory.ok()) fail(memory.error());
    // baseptr is the address of a pointer of a type that only the caller knows.
    std::memcpy(baseptr, &memory.value(), sizeof(void*));
  });
}

int free_mem(Call call, void* base) {
  return run(call, [&] {
    check_active();
    const auto freed = world.job->deallocate(base);
    if (!freed.ok()) fail(MPI_ERR_BASE, freed.error().message);
  });
}

}  // namespace foldlane::api
