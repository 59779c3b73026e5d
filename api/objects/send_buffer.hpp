// Memory that the program has attached for buffered sends (MPI-5.0, 3.6): to a communicator, a session or the
// process. Messages are copied into it and leave it by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "api/objects/buffer_space.hpp"
#include "engine/p2p/communication.hpp"
#include "engine/p2p/list.hpp"
#include "engine/team/team.hpp"

namespace foldlane::api {

class SendBuffer : public std::enable_shared_from_this<SendBuffer> {
 public:
  /// `memory` may be MPI_BUFFER_AUTOMATIC: then there is always room. `whose` is for messages.
  SendBuffer(void* memory, std::size_t bytes, const char* whose);
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  void* memory() const noexcept { return memory_; }
  std::size_t bytes() const noexcept { return bytes_; }

  /// Sends a copy of what `original` is to send. `team` is kept meanwhile. Throws MPI_ERR_BUFFER if there is
  /// no room for it.
  void send(const engine::Parcel& original, std::shared_ptr<engine::Team> team);

  /// How many were sent so far, and whether the first `messages` of them have left the buffer.
  std::uint64_t messages();
  bool has_delivered(std::uint64_t messages);
  /// Waits until all that were sent so far have left it.
  void flush();
  /// What a wait for that says of itself.
  void note_wait(engine::WaitNote& note);

 private:
  struct Message {
    engine::Send send{};
    std::shared_ptr<SendBuffer> buffer;
    std::shared_ptr<engine::Team> team;
    std::uint64_t number = 0;
    Message* previous = nullptr;
    Message* next = nullptr;
  };

  std::byte* take(std::size_t bytes);
  void give_back(std::byte* place) noexcept;
  Message& copy(const engine::Parcel& original);
  static void end(void* message);
  [[noreturn]] void reject(std::size_t bytes);

  void* memory_;
  std::size_t bytes_;
  const char* whose_;
  std::mutex mutex_;                  // of the rest
  std::optional<BufferSpace> space_;  // none: there is room in the heap
  std::uint64_t messages_ = 0;
  engine::List<Message, &Message::previous, &Message::next> inside_;  // in the order of their numbers
};

/// Where one is attached, or none. Any thread may attach, detach and ask.
class SendBufferPlace {
 public:
  /// False: there is one already.
  bool attach(std::shared_ptr<SendBuffer> buffer);
  /// None is there from now on.
  std::shared_ptr<SendBuffer> detach();
  std::shared_ptr<SendBuffer> attached() const;

  /// Of what goes with its buffer: waits until the program has its memory again.
  void clear();

 private:
  std::shared_ptr<SendBuffer> buffer_;
};

/// Of this process.
extern SendBufferPlace process_send_buffer;

}  // namespace foldlane::api
