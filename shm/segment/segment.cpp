#include "shm/segment/segment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <numa.h>
#include <numaif.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "shm/segment/header.hpp"
#include "shm/segment/huge_pages.hpp"

namespace foldlane::shm {
namespace {

namespace bip = boost::interprocess;

#ifndef MFD_NOEXEC_SEAL
constexpr unsigned MFD_NOEXEC_SEAL = 8;  // Linux 6.3; Debian 12's headers are older
#endif

/// What Boost.Interprocess wants to see of a mappable object.
class MappableFd {
 public:
  explicit MappableFd(int fd) : fd_(fd) {}
  bip::mapping_handle_t get_mapping_handle() const { return {fd_, false}; }

 private:
  int fd_;
};

int open_memfd() {
  const int fd = memfd_create("foldlane", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (fd >= 0 || errno != EINVAL) return fd;
  return memfd_create("foldlane", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

/// Where it can have huge pages. Another thread may take that room, and a limit leave none that is larger.
Result<bip::mapped_region> map(int fd, std::uint64_t bytes) {
  try {
    return bip::mapped_region(MappableFd(fd), bip::read_write, 0, bytes, huge_page_aligned_room(bytes));
  } catch (const bip::interprocess_exception&) {
  }
  try {
    return bip::mapped_region(MappableFd(fd), bip::read_write, 0, bytes);
  } catch (const bip::interprocess_exception& failure) {
    return system_error(fmt::format("mapping the shared segment ({} MiB of address space; a limit on virtual "
                                    "memory, `ulimit -v`, may be too small)",
                                    bytes >> 20),
                        failure.get_native_error());
  }
}

Result<void> commit(int fd, std::uint64_t offset, std::uint64_t bytes, const char* purpose) {
  int status = 0;
  do {
    status = posix_fallocate(fd, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  } while (status == EINTR);
  if (status == 0) return {};
  Error error =
      system_error(fmt::format("committing {} bytes of shared memory for {}", bytes, purpose), status);
  error.message +=
      "; the memory (or its cgroup's limit, memory.max) is too small: use fewer ranks or raise it";
  return error;
}

/// A core dump reads every page of a shared mapping, holes included, and so would commit all of the heaps and
/// of what was not needed of areas that grow.
void exclude_holes_from_dumps(const bip::mapped_region& region, const SegmentMap& layout) {
  auto* base = static_cast<std::byte*>(region.get_address());
  madvise(base + layout.growing_offset, layout.total_bytes - layout.growing_offset, MADV_DONTDUMP);
}

/// The policy must stand before the first page is allocated. Containers may forbid mbind, and then the pages
/// land where their first writer runs, which is right for bound ranks: not an error.
void prefer_node(std::byte* start, std::uint64_t bytes, int node) {
  if (node < 0 || numa_available() < 0 || numa_max_node() == 0) return;
  bitmask* nodes = numa_allocate_nodemask();
  numa_bitmask_setbit(nodes, static_cast<unsigned>(node));
  mbind(start, bytes, MPOL_PREFERRED, nodes->maskp, nodes->size + 1, 0);
  numa_free_nodemask(nodes);
}

/// The control lines are looked at by peers before their owner has joined, so they are placed and committed
/// here: a peer's look would otherwise allocate them, on its own node.
Result<void> commit_controls(int fd, std::byte* base, const SegmentMap& layout, const Placement& placement) {
  std::byte* controls = base + layout.controls_offset;
  for (const RankPlace& place : placement.ranks) {
    prefer_node(controls, layout.controls_bytes, place.numa);
    controls += layout.controls_bytes;
  }
  return commit(fd, layout.controls_offset, placement.ranks.size() * layout.controls_bytes,
                "the control lines of all ranks");
}

}  // namespace

Segment::Segment(UniqueFd fd, bip::mapped_region region) : fd_(std::move(fd)), region_(std::move(region)) {
  map_ = map_of(header().shape);
}

Segment::Segment(Segment&&) noexcept = default;
Segment::~Segment() = default;

Result<Segment> Segment::create(const SegmentShape& shape, const Placement& placement,
                                std::uint64_t llc_bytes) {
  if (auto checked = check_shape(shape); !checked.ok()) return checked.error();
  UniqueFd fd(open_memfd());
  if (fd.get() < 0) return system_error("creating the shared segment (memfd_create)", errno);
  const SegmentMap layout = map_of(shape);
  if (fchmod(fd.get(), 0600) != 0 || ftruncate(fd.get(), static_cast<off_t>(layout.total_bytes)) != 0 ||
      fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return system_error("sizing and sealing the shared segment", errno);
  }
  if (auto done = commit(fd.get(), 0, layout.controls_offset, "the segment's header"); !done.ok()) {
    return done.error();
  }
  auto region = map(fd.get(), layout.total_bytes);
  if (!region.ok()) return region.error();
  exclude_holes_from_dumps(region.value(), layout);
  SegmentHeader header = header_for(shape, placement, llc_bytes);
  const auto places = entries(placement);
  header.checksum = checksum(header, places);
  auto* base = static_cast<std::byte*>(region.value().get_address());
  std::memcpy(base + kPageBytes, places.data(), places.size() * sizeof(RankPlaceEntry));
  std::memcpy(base, &header, sizeof(header));
  if (auto done = commit_controls(fd.get(), base, layout, placement); !done.ok()) return done.error();
  return Segment(std::move(fd), std::move(region.value()));
}

Result<Segment> Segment::attach(int fd, std::uint64_t layout_hash) {
  UniqueFd own(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  struct stat status {};
  if (own.get() < 0 || fstat(own.get(), &status) != 0)
    return system_error("opening the job's shared segment", errno);
  SegmentHeader header;
  if (pread(own.get(), &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) {
    return bad_segment("it is too short");
  }
  if (auto valid = validate(header, static_cast<std::uint64_t>(status.st_size), layout_hash); !valid.ok()) {
    return valid.error();
  }
  auto region = map(own.get(), header.total_bytes);
  if (!region.ok()) return region.error();
  exclude_holes_from_dumps(region.value(), map_of(header.shape));
  Segment segment(std::move(own), std::move(region.value()));
  if (checksum(segment.header(), segment.places()) != segment.header().checksum)
    return bad_segment("its header is damaged");
  const bool registered = register_global_barrier();
  if (!registered && header.wake == static_cast<std::uint32_t>(Wake::membarrier)) {
    return Error{Errc::system,
                 "registering for membarrier: the launcher could, this process cannot (seccomp?)"};
  }
  return segment;
}

Result<void> Segment::commit_partition(int rank) {
  const auto before = static_cast<std::uint64_t>(rank);
  // A policy is kept with the pages' file, but not on every kernel: its rank says it again.
  const int node = numa_of(rank);
  prefer_node(base() + map_.controls_offset + before * map_.controls_bytes, map_.controls_bytes, node);
  // A peer may be the first to touch it.
  prefer_node(heap(rank), header().shape.heap_bytes, node);
  if (auto committed = commit_buffers(rank); !committed.ok()) return committed;
  for (std::size_t area = 0; area < header().shape.area_count; ++area) {
    const AreaShape& shape = shape_of_area(area);
    if (shape.commit != Commit::as_needed || shape.elements == 0) continue;
    if (auto committed = commit_elements(rank, area, 1); !committed.ok()) return committed;
  }
  return {};
}

Result<void> Segment::commit_buffers(int rank) {
  if (map_.buffers_bytes == 0) return {};
  const std::uint64_t offset = map_.buffers_offset + static_cast<std::uint64_t>(rank) * map_.buffers_bytes;
  std::byte* const start = base() + offset;
  prefer_node(start, map_.buffers_bytes, numa_of(rank));
  if (auto committed = commit(fd_.get(), offset, map_.buffers_bytes, "this rank's buffers"); !committed.ok())
    return committed;
  for (std::uint64_t at = 0; at < map_.buffers_bytes; at += kPageBytes) start[at] = std::byte{0};
  return {};
}

Result<void> Segment::commit_elements(int rank, std::size_t area, std::uint64_t elements) {
  Growth& growth = rank_lines(rank).growth[area];
  if (elements <= growth.ready.peek()) return {};
  const AreaShape& shape = shape_of_area(area);
  if (elements > shape.elements)
    return Error{Errc::invalid,
                 fmt::format("this area of the segment has {} elements, not {}", shape.elements, elements)};
  if (growth.refused.peek() != 0) return Error{Errc::no_memory, "an earlier part got no memory"};
  for (std::uint64_t ready = growth.ready.peek(); ready < elements;) {
    auto committed = commit_chunk(rank, area, ready);
    if (!committed.ok()) {
      growth.refused.publish(1);
      return committed;
    }
    ready = std::min(ready + chunk_of(shape).elements, shape.elements);
    growth.ready.publish(ready);
  }
  return {};
}

Result<void> Segment::commit_some(int rank, std::size_t area, std::uint64_t first, std::uint64_t count) {
  std::byte* const whole = element(rank, area, 0);
  prefer_node(whole, scattered_bytes(shape_of_area(area)), numa_of(rank));
  const std::uint64_t start = offset_of(element(rank, area, first)) / kPageBytes * kPageBytes;
  const std::uint64_t end = round_up(offset_of(element(rank, area, first + count)), kPageBytes);
  return commit(fd_.get(), start, end - start, "messages between two ranks");
}

Result<void> Segment::commit_chunk(int rank, std::size_t area, std::uint64_t first_element) {
  std::byte* const start = element(rank, area, first_element);
  const std::uint64_t bytes = chunk_of(shape_of_area(area)).bytes;
  prefer_node(start, bytes, numa_of(rank));
  return commit(fd_.get(), offset_of(start), bytes, "a table of the segment that grows");
}

Result<void> Segment::commit_heap(int rank, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t start = offset_of(heap(rank)) + offset;
  commit_huge_pages(fd_.get(), base(), start, bytes);
  return commit(fd_.get(), start, bytes, "an allocation in the segment");
}

void Segment::decommit_heap(int rank, std::uint64_t offset, std::uint64_t bytes) noexcept {
  const auto start = static_cast<std::uint64_t>(heap(rank) - base());
  fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(start + offset),
            static_cast<off_t>(bytes));
}

const SegmentHeader& Segment::header() const noexcept { return *reinterpret_cast<SegmentHeader*>(base()); }

std::span<const RankPlaceEntry> Segment::places() const noexcept {
  return {reinterpret_cast<const RankPlaceEntry*>(base() + kPageBytes), header().shape.ranks};
}

LauncherLine& Segment::launcher_line() const noexcept {
  return *reinterpret_cast<LauncherLine*>(base() + map_.launcher_offset);
}

EndedLine& Segment::ended_line(int rank) const noexcept {
  return reinterpret_cast<EndedLine*>(base() + map_.ended_offset)[rank];
}

RankLines& Segment::rank_lines(int rank) const noexcept {
  return *reinterpret_cast<RankLines*>(base() + map_.controls_offset +
                                       static_cast<std::uint64_t>(rank) * map_.controls_bytes);
}

std::byte* Segment::element(int rank, std::size_t area, std::uint64_t index) const noexcept {
  const AreaShape& shape = shape_of_area(area);
  const auto before = static_cast<std::uint64_t>(rank);
  std::byte* const first = base() + map_.areas[area];
  if (shape.commit == Commit::as_needed) {
    const Chunk chunk = chunk_of(shape);
    return first + (index / chunk.elements * header().shape.ranks + before) * chunk.bytes +
           index % chunk.elements * shape.element_bytes;
  }
  if (shape.commit == Commit::one_by_one)
    return first + before * scattered_bytes(shape) + index * shape.element_bytes;
  const bool is_control = shape.commit == Commit::by_creator;
  return first + before * (is_control ? map_.controls_bytes : map_.buffers_bytes) +
         index * shape.element_bytes;
}

std::byte* Segment::heap(int rank) const noexcept {
  return base() + map_.heaps_offset + static_cast<std::uint64_t>(rank) * header().shape.heap_bytes;
}

}  // namespace foldlane::shm
