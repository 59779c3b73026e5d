#include "api/objects/send_buffer.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <new>
#include <utility>

#include "api/core/failure.hpp"
#include "api/core/world.hpp"

namespace foldlane::api {
namespace {

std::mutex places;  // all of them

engine::Messenger& messenger() noexcept { return world.job->messenger(); }

}  // namespace

SendBuffer::SendBuffer(void* memory, std::size_t bytes, const char* whose)
    : memory_(memory), bytes_(bytes), whose_(whose) {
  if (memory != MPI_BUFFER_AUTOMATIC) space_.emplace(static_cast<std::byte*>(memory), bytes);
}

void SendBuffer::send(const engine::Parcel& original, std::shared_ptr<engine::Team> team) {
  Message& message = copy(original);
  message.team = std::move(team);
  message.buffer = shared_from_this();
  messenger().start_and_forget(message.send, end, &message);
}

SendBuffer::Message& SendBuffer::copy(const engine::Parcel& original) {
  const auto packed = static_cast<std::size_t>(original.buffer.bytes);
  std::byte* const place = take(packed);
  auto* const message = new (place) Message{};
  std::byte* const data = place + sizeof(Message);
  original.buffer.copy_to(data, 0, packed);
  message->send.channel = original.channel;
  message->send.to = original.to;
  message->send.tag = original.tag;
  message->send.buffer = {data, packed, nullptr, original.buffer.type};
  const std::lock_guard lock(mutex_);
  message->number = ++messages_;
  inside_.append(*message);
  return *message;
}

/// For a message of so many bytes.
std::byte* SendBuffer::take(std::size_t bytes) {
  static_assert(sizeof(Message) + BufferSpace::kPieceOverhead <= MPI_BSEND_OVERHEAD);
  const std::size_t needed = sizeof(Message) + bytes;
  if (!space_) return static_cast<std::byte*>(::operator new(needed));
  // What has been received meanwhile goes first: a message between two of those would cut the room that they
  // leave in two.
  world.job->drive();
  {
    const std::lock_guard lock(mutex_);
    if (std::byte* const place = space_->take(needed)) return place;
  }
  reject(bytes);
}

void SendBuffer::give_back(std::byte* place) noexcept {
  if (!space_) return ::operator delete(place);
  const std::lock_guard lock(mutex_);
  space_->give_back(place);
}

void SendBuffer::end(void* owner) {
  auto* const message = static_cast<Message*>(owner);
  const std::shared_ptr<SendBuffer> buffer = std::move(message->buffer);
  {
    const std::lock_guard lock(buffer->mutex_);
    buffer->inside_.remove(*message);
  }
  message->~Message();
  buffer->give_back(reinterpret_cast<std::byte*>(message));
}

void SendBuffer::reject(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t needed = bytes + MPI_BSEND_OVERHEAD;
  const std::size_t free = space_->free();
  fail(MPI_ERR_BUFFER,
       fmt::format(
           "a message of {} bytes needs {} in the buffer of {} bytes that is attached to {}, of which {} "
           "are free{}; attach a larger buffer, or flush it before",
           bytes, needed, bytes_, whose_, free, free < needed ? "" : ", but not in one piece"));
}

std::uint64_t SendBuffer::messages() {
  const std::lock_guard lock(mutex_);
  return messages_;
}

bool SendBuffer::has_delivered(std::uint64_t messages) {
  const std::lock_guard lock(mutex_);
  return inside_.empty() || inside_.first()->number > messages;
}

void SendBuffer::flush() {
  const std::uint64_t all = messages();
  world.job->wait_until([&] { return has_delivered(all); },
                        [this](engine::WaitNote& note) { note_wait(note); });
}

void SendBuffer::note_wait(engine::WaitNote& note) {
  const std::lock_guard lock(mutex_);
  note.is_known = !inside_.empty();
  if (inside_.empty()) return;
  const engine::Send& first = inside_.first()->send;
  note.call = fmt::format(
      "the buffer attached to {}, from which a message with tag {} ({} bytes) has to go to "
      "rank {} on {}",
      whose_, first.tag, first.buffer.bytes, first.to, first.channel->name());
  note.awaited.push_back(first.to);
}

// ----

SendBufferPlace process_send_buffer;

bool SendBufferPlace::attach(std::shared_ptr<SendBuffer> buffer) {
  const std::lock_guard lock(places);
  if (buffer_ != nullptr) return false;
  buffer_ = std::move(buffer);
  return true;
}

std::shared_ptr<SendBuffer> SendBufferPlace::detach() {
  const std::lock_guard lock(places);
  return std::exchange(buffer_, nullptr);
}

std::shared_ptr<SendBuffer> SendBufferPlace::attached() const {
  const std::lock_guard lock(places);
  return buffer_;
}

void SendBufferPlace::clear() {
  if (const std::shared_ptr<SendBuffer> buffer = detach()) buffer->flush();
}

}  // namespace foldlane::api
