// FNV-1a: equal for what is equal on every machine and in every build.
#pragma once

#include <cstdint>
#include <string_view>

namespace foldlane::shm {

class Hash {
 public:
  void mix(std::string_view text) noexcept {
    for (const char letter : text) mix_byte(static_cast<unsigned char>(letter));
    mix(text.size());
  }
  void mix(std::uint64_t number) noexcept {
    for (int byte = 0; byte < 8; ++byte) mix_byte(number >> 8 * byte & 0xff);
  }
  std::uint64_t value() const noexcept { return hash_; }

 private:
  void mix_byte(std::uint64_t byte) noexcept { hash_ = (hash_ ^ byte) * 1099511628211U; }
  std::uint64_t hash_ = 14695981039346656037U;
};

}  // namespace foldlane::shm
