// Messages whose data become ready, and arrive, partition by partition (MPI-5.0, 4). Each partition of the
// sender travels as a message of its own, in a channel that no other call uses; where the receiver's
// partitions end is the receiver's business.
//
// The two ends find each other by an introduction: MPI_Psend_init sends one with the tag that both calls were
// given, MPI_Precv_init receives one. So the n-th of one matches the n-th of the other, and stays with it. It
// says which tags the partitions have: below those of all introductions, and of no other sender of this rank.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "api/p2p/requests.hpp"
#include "api/request/request.hpp"

namespace foldlane::api {

/// What a sender says about its partitions.
struct Introduction {
  std::int32_t first_tag;  // of partition 0; the next ones' are below it
  std::int32_t partitions;
  std::uint64_t bytes;  // of each, packed
};

struct PartitionedArguments {
  const Datatype& type;
  MessageMemory memory;  // of all partitions
  int partitions;
  MPI_Count count;  // elements of each
  int partner;
  int tag;
};

/// What MPI_Pready and MPI_Parrived find behind a request.
class PartitionedRequest : public Request {
 public:
  PartitionedRequest(MPI_Comm comm, int partitions, int partner, int tag) noexcept
      : Request(comm, Lifetime::persistent), partitions_(partitions), partner_(partner), given_tag_(tag) {}

  std::string title() const final;
  int partitions() const noexcept { return partitions_; }
  virtual bool sends() const noexcept = 0;
  /// Of an active request that sends. Throws MPI_ERR_ARG if it was called before.
  virtual void ready(int partition) = 0;
  /// Of one that receives.
  virtual bool has_arrived(int partition) = 0;

  PartitionedRequest* partitioned() noexcept final { return this; }
  void cancel() final;
  Freed free() final;

 private:
  int partitions_;
  int partner_;
  int given_tag_;
};

class PartitionedSend final : public PartitionedRequest {
 public:
  PartitionedSend(MPI_Comm comm, Communicator& communicator, const PartitionedArguments& arguments);

  void begin() override;
  bool poll() override;
  bool has_failed() const noexcept override;
  void describe(MPI_Status& status) override { finish(status); }
  void finish(MPI_Status&) override;
  void note_wait(engine::WaitNote& note) override;
  bool sends() const noexcept override { return true; }
  void ready(int partition) override;
  bool has_arrived(int) override { return false; }

 private:
  struct Partition {
    engine::Send send;
    shm::RealAtoms::Word<std::uint32_t> is_ready{};
  };

  int tag_;
  std::unique_ptr<Partition[]> list_;  // null: to MPI_PROC_NULL
  KeptForMessage kept_;
};

/// The receiving end; the introduction may outlive the request, and the other way round.
class PartitionedEnd {
 public:
  PartitionedEnd(const Line& line, const PartitionedArguments& arguments);

  /// Any number of times, when all of the last time has been received.
  void start();
  void introduce(engine::Delivery delivery, const Introduction& introduction);

  bool is_over();
  bool has_failed();
  bool has_arrived(int partition, int partitions);
  /// Once it is over.
  void finish(MPI_Status& status);
  void note_wait(engine::WaitNote& note) const;

 private:
  void post();
  bool are_over(std::uint64_t first, std::uint64_t end);
  [[noreturn]] void fail_as(engine::Delivery delivery);

  const Line line_;
  const engine::UserBuffer buffer_;
  const int source_;
  const int tag_;
  std::mutex mutex_;  // of the rest
  bool wants_data_ = false;
  engine::Delivery introduced_ = engine::Delivery::under_way;
  Introduction sender_{};
  std::unique_ptr<engine::Receive[]> list_;
  std::uint64_t over_ = 0;  // so many from the first on
};

class PartitionedReceive final : public PartitionedRequest {
 public:
  PartitionedReceive(MPI_Comm comm, Communicator& communicator, const PartitionedArguments& arguments);

  void begin() override;
  bool poll() override { return end_ == nullptr || end_->is_over(); }
  bool has_failed() const noexcept override { return end_ != nullptr && end_->has_failed(); }
  void describe(MPI_Status& status) override { finish(status); }
  void finish(MPI_Status& status) override;
  void note_wait(engine::WaitNote& note) override { end_->note_wait(note); }
  bool sends() const noexcept override { return false; }
  void ready(int) override {}
  bool has_arrived(int partition) override {
    return end_ == nullptr || !is_active() || end_->has_arrived(partition, partitions());
  }

 private:
  std::shared_ptr<PartitionedEnd> end_;  // null: from MPI_PROC_NULL
  KeptForMessage kept_;
};

}  // namespace foldlane::api
