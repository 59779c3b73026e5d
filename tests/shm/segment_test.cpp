#include "shm/segment/segment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shm/segment/address.hpp"

namespace foldlane::shm {
namespace {

/// In the order of small_areas().
enum Which : std::size_t { kTally, kNotes, kBuffers, kTables };
constexpr Field kTallyFields[] = {{"count", 0, 8}};
constexpr Field kTableFields[] = {{"left", 0, 64}, {"right", 64, 64}};

std::vector<Area> small_areas() {
  return {{"tally", {8, 3, Keeper::job, Commit::by_creator}, kTallyFields},
          {"notes", {8, 5, Keeper::rank, Commit::by_creator}, kTallyFields},
          {"buffers", {4096, 4, Keeper::rank, Commit::by_rank}},
          {"tables", {128, 1000, Keeper::rank, Commit::as_needed}, kTableFields}};
}

SegmentShape small_shape(int ranks) { return shape_of(ranks, 1 << 20, small_areas()); }
std::uint64_t small_hash() { return layout_hash(small_areas()); }

Placement unbound(int ranks) {
  Placement placement;
  placement.ranks.assign(static_cast<std::size_t>(ranks), {{}, -1, 0, 0});
  return placement;
}

Segment make(int ranks) { return std::move(Segment::create(small_shape(ranks), unbound(ranks), 0).value()); }

TEST(Segment, WhatOneMappingWritesTheOtherReads) {
  Segment creator = make(3);
  auto attached = Segment::attach(creator.fd(), small_hash());
  ASSERT_TRUE(attached.ok()) << attached.error().message;
  ASSERT_TRUE(attached.value().commit_partition(2).ok());
  for (const std::size_t area : {kNotes, kBuffers, kTables}) {
    const auto mark = std::byte{static_cast<unsigned char>(0x50 + area)};
    *attached.value().element(2, area, 0) = mark;
    EXPECT_EQ(*creator.element(2, area, 0), mark);
  }
  attached.value().job_area(kTally)[23] = std::byte{7};
  EXPECT_EQ(creator.job_area(kTally)[23], std::byte{7});
  EXPECT_EQ(creator.ranks(), 3);
}

TEST(Segment, IsFoundThroughProc) {
  const Segment creator = make(2);
  const auto attached = attach(address_of(creator), small_hash());
  ASSERT_TRUE(attached.ok()) << attached.error().message;
  attached.value().job_area(kTally)[5] = std::byte{9};
  EXPECT_EQ(creator.job_area(kTally)[5], std::byte{9});
}

TEST(Segment, IsNotTakenForAnotherFileAtItsAddress) {
  const Segment creator = make(2), other = make(2);
  SegmentAddress address = address_of(creator);
  address.fd = other.fd();
  const auto attached = attach(address, small_hash());
  ASSERT_FALSE(attached.ok());
  EXPECT_NE(attached.error().message.find("PID namespace"), std::string::npos);
  address.fd = 9999;
  EXPECT_EQ(attach(address, small_hash()).error().code, Errc::system);
}

TEST(Segment, LinesOfDifferentRanksNeverShareAPage) {
  Segment segment = make(2);
  const auto page_of = [&](const void* place) {
    return segment.offset_of(static_cast<const std::byte*>(place)) / kPageBytes;
  };
  std::vector<std::set<std::uint64_t>> pages(2);
  for (const int rank : {0, 1}) {
    std::set<std::uint64_t>& own = pages[static_cast<std::size_t>(rank)];
    own.insert(page_of(&segment.rank_lines(rank)));
    const std::pair<std::size_t, std::uint64_t> areas[] = {{kNotes, 5}, {kBuffers, 4}, {kTables, 1000}};
    for (const auto& [area, elements] : areas)
      for (std::uint64_t i = 0; i < elements; ++i) own.insert(page_of(segment.element(rank, area, i)));
  }
  for (const std::uint64_t page : pages[0]) EXPECT_FALSE(pages[1].contains(page)) << page;
}

/// Else each process would have a page table for each other one.
TEST(Segment, WhatAllRanksHaveOfAKindLiesTogether) {
  Segment segment = make(64);
  const SegmentMap map = map_of(small_shape(64));
  for (const int rank : {1, 2, 63}) {
    const auto ranks_before = static_cast<std::ptrdiff_t>(rank);
    const auto distance = [&](std::size_t area, std::uint64_t index) {
      return segment.element(rank, area, index) - segment.element(0, area, index);
    };
    EXPECT_EQ(distance(kNotes, 4), ranks_before * static_cast<std::ptrdiff_t>(map.controls_bytes));
    EXPECT_EQ(distance(kBuffers, 3), ranks_before * static_cast<std::ptrdiff_t>(map.buffers_bytes));
    EXPECT_EQ(distance(kTables, 0), ranks_before * static_cast<std::ptrdiff_t>(kPageBytes));
    EXPECT_EQ(distance(kTables, 999), ranks_before * static_cast<std::ptrdiff_t>(kPageBytes));
  }
}

TEST(Segment, TheElementsOfAnAreaThatGrowsFillWholePages) {
  EXPECT_EQ(chunk_of({128, 1000, Keeper::rank, Commit::as_needed}).elements, 32u);
  EXPECT_EQ(chunk_of({128, 1000, Keeper::rank, Commit::as_needed}).bytes, kPageBytes);
  EXPECT_EQ(chunk_of({1500, 10, Keeper::rank, Commit::as_needed}).elements, 2u);
  EXPECT_EQ(chunk_of({6912, 10, Keeper::rank, Commit::as_needed}).elements, 1u);
  EXPECT_EQ(chunk_of({6912, 10, Keeper::rank, Commit::as_needed}).bytes, 2 * kPageBytes);
}

TEST(Segment, AProcessThatKnowsOtherAreasIsRefused) {
  const Segment creator = make(2);
  const auto attached = Segment::attach(creator.fd(), small_hash() + 1);
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().code, Errc::bad_segment);
  EXPECT_NE(attached.error().message.find("its layout differs"), std::string::npos);
}

TEST(Segment, AnAreaThatGrowsIsCommittedInOrderAndSaysHowFar) {
  Segment segment = make(1);
  EXPECT_EQ(segment.growth(0, kTables).ready.observe(), 0u);
  ASSERT_TRUE(segment.commit_elements(0, kTables, 1).ok());
  const std::uint64_t first = segment.growth(0, kTables).ready.observe();
  EXPECT_GE(first, 1u);
  EXPECT_LT(first, 1000u);
  ASSERT_TRUE(segment.commit_elements(0, kTables, first + 1).ok());
  EXPECT_GT(segment.growth(0, kTables).ready.observe(), first);
  ASSERT_TRUE(segment.commit_elements(0, kTables, 1000).ok());
  EXPECT_EQ(segment.growth(0, kTables).ready.observe(), 1000u);
  EXPECT_EQ(segment.growth(0, kTables).refused.observe(), 0u);
}

TEST(Segment, IsPrivateSealedAndNameless) {
  Segment segment = make(2);
  struct stat status {};
  ASSERT_EQ(fstat(segment.fd(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_EQ(ftruncate(segment.fd(), 4096), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(ftruncate(segment.fd(), 1l << 40), -1);
  EXPECT_EQ(fcntl(segment.fd(), F_ADD_SEALS, F_SEAL_WRITE), -1);
  EXPECT_NE(fcntl(segment.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(Segment, CostsMemoryOnlyWhereCommitted) {
  Segment segment = make(4);
  const auto blocks = [&] {
    struct stat status {};
    fstat(segment.fd(), &status);
    return static_cast<std::uint64_t>(status.st_blocks) * 512;
  };
  const std::uint64_t header_bytes = blocks();
  const SegmentMap map = map_of(small_shape(4));
  EXPECT_EQ(header_bytes, map.controls_offset + 4 * map.controls_bytes);
  ASSERT_TRUE(segment.commit_partition(1).ok());
  const std::uint64_t joined_bytes = header_bytes + map.buffers_bytes + kPageBytes;
  EXPECT_EQ(blocks(), joined_bytes);
  ASSERT_TRUE(segment.commit_elements(1, kTables, 32).ok());
  EXPECT_EQ(blocks(), joined_bytes);
  ASSERT_TRUE(segment.commit_elements(1, kTables, 33).ok());
  EXPECT_EQ(blocks(), joined_bytes + kPageBytes);
}

/// The line of /proc/self/smaps that says how the mapping around `address` is treated.
std::string mapping_flags(const std::byte* address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &start, &end) == 2) {
      const auto at = reinterpret_cast<std::uintptr_t>(address);
      inside = start <= at && at < end;
    }
    if (inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

TEST(Segment, ACoreDumpDoesNotCommitTheHeaps) {
  Segment creator = make(2);
  auto attached = Segment::attach(creator.fd(), small_hash());
  ASSERT_TRUE(attached.ok());
  for (const Segment* segment : {&creator, &attached.value()}) {
    EXPECT_NE(mapping_flags(segment->heap(1)).find(" dd "), std::string::npos) << "not excluded from dumps";
    EXPECT_EQ(mapping_flags(segment->element(0, kBuffers, 0)).find(" dd "), std::string::npos);
  }
}

TEST(Segment, RefusesImpossibleShapes) {
  SegmentShape none = small_shape(1);
  none.ranks = 0;
  EXPECT_EQ(Segment::create(none, unbound(0), 0).error().message, "a job has 1 to 4096 ranks, not 0");
}

TEST(Segment, RefusesImpossibleAreas) {
  const Area sane{"sane", {8, 3, Keeper::rank, Commit::by_creator}};
  std::vector<Area> areas(kMostAreas, sane);
  EXPECT_TRUE(Segment::create(shape_of(1, 0, areas), unbound(1), 0).ok());
  areas.push_back(sane);
  EXPECT_EQ(Segment::create(shape_of(1, 0, areas), unbound(1), 0).error().code, Errc::invalid);
  const auto kept = static_cast<Keeper>(2);
  const auto committed = static_cast<Commit>(4);
  for (const AreaShape& shape : {AreaShape{0, 1, Keeper::rank, Commit::by_rank},
                                 {5000, 1, Keeper::rank, Commit::by_rank},
                                 {8, 1, Keeper::job, Commit::as_needed},
                                 {8, 1, kept, Commit::by_creator},
                                 {8, 1, Keeper::rank, committed},
                                 {1ull << 31, 1, Keeper::rank, Commit::as_needed},
                                 {8, 1ull << 21, Keeper::rank, Commit::as_needed},
                                 {1ull << 30, 1ull << 20, Keeper::rank, Commit::as_needed}}) {
    const Area area{"impossible", shape};
    EXPECT_EQ(Segment::create(shape_of(1, 0, {&area, 1}), unbound(1), 0).error().code, Errc::invalid)
        << shape.element_bytes << " bytes, " << shape.elements << " elements";
  }
}

TEST(Segment, AnAreaThatNobodyWantsTakesNoMemory) {
  for (const Commit commit : {Commit::by_creator, Commit::by_rank, Commit::as_needed, Commit::one_by_one}) {
    const Area unwanted{"unwanted", {kPageBytes, 0, Keeper::rank, commit}};
    const Area slots{"slots", {kPageBytes, 1, Keeper::rank, Commit::by_rank}};
    const SegmentShape shape = shape_of(2, 0, std::vector{slots, unwanted});
    EXPECT_EQ(map_of(shape).total_bytes, map_of(shape_of(2, 0, {&slots, 1})).total_bytes);
    auto segment = Segment::create(shape, unbound(2), 0);
    ASSERT_TRUE(segment.ok());
    EXPECT_TRUE(segment.value().commit_partition(0).ok());
    EXPECT_EQ(segment.value().growth(0, 1).ready.observe(), 0u);
  }
}

TEST(Segment, AnAreaThatGrowsEnds) {
  Segment segment = make(1);
  EXPECT_EQ(segment.commit_elements(0, kTables, 1001).error().code, Errc::invalid);
  ASSERT_TRUE(segment.commit_elements(0, kTables, 1000).ok());
  EXPECT_EQ(segment.growth(0, kTables).refused.observe(), 0u);
}

int copy_with_byte(const Segment& original, std::uint64_t at, unsigned char change) {
  const auto bytes = static_cast<std::size_t>(original.header().total_bytes);
  const int fd = memfd_create("damaged", MFD_CLOEXEC);
  EXPECT_EQ(ftruncate(fd, static_cast<off_t>(bytes)), 0);
  std::vector<unsigned char> head(2 * kPageBytes);
  EXPECT_EQ(pread(original.fd(), head.data(), head.size(), 0), static_cast<ssize_t>(head.size()));
  head[at] = static_cast<unsigned char>(head[at] ^ change);
  EXPECT_EQ(pwrite(fd, head.data(), head.size(), 0), static_cast<ssize_t>(head.size()));
  return fd;
}

TEST(Segment, EveryDamagedByteOfHeaderAndPlacesIsRefused) {
  const Segment original = make(3);
  for (std::uint64_t at = 0; at < 2 * kPageBytes; ++at) {
    const bool header = at < offsetof(SegmentHeader, checksum) + 8;
    const bool places = at >= kPageBytes && at < kPageBytes + 3 * sizeof(RankPlaceEntry);
    if (!header && !places) continue;
    for (const int change : {0x01, 0x80, 0xff}) {
      const int fd = copy_with_byte(original, at, static_cast<unsigned char>(change));
      const auto attached = Segment::attach(fd, small_hash());
      close(fd);
      ASSERT_FALSE(attached.ok()) << "byte " << at << " ^ " << change;
      ASSERT_EQ(attached.error().code, Errc::bad_segment) << attached.error().message;
    }
  }
}

TEST(Segment, SaysWhatIsWrongWithAForeignDescriptor) {
  const int zeroes = open("/dev/zero", O_RDWR | O_CLOEXEC);
  const auto foreign = Segment::attach(zeroes, small_hash());
  close(zeroes);
  ASSERT_FALSE(foreign.ok());
  EXPECT_NE(foreign.error().message.find("not a Foldlane segment"), std::string::npos);
  EXPECT_EQ(Segment::attach(-1, small_hash()).error().code, Errc::system);
  const int short_file = memfd_create("short", MFD_CLOEXEC);
  EXPECT_NE(Segment::attach(short_file, small_hash()).error().message.find("too short"), std::string::npos);
  close(short_file);
}

}  // namespace
}  // namespace foldlane::shm
