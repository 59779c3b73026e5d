#include "api/comm/founding_key.hpp"

namespace foldlane::api {
namespace {

/// FNV-1a over 64-bit words; two of the few foundings at a time collide with a chance of 2^-63.
class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x00000100000001b3U; }
  std::uint64_t key() const { return value_ | 2; }  // never zero; the lowest bit is not the caller's

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void add(Hash& hash, const std::vector<int>& members) {
  hash.add(members.size());
  for (const int rank : members) hash.add(static_cast<std::uint64_t>(rank));
}

}  // namespace

std::uint64_t founding_key(const Communicator& parent, const std::vector<int>& members, int tag) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(parent.team->membership().id()));
  hash.add(static_cast<std::uint64_t>(tag));
  add(hash, members);
  return hash.key();
}

std::uint64_t founding_key(std::string_view text, const std::vector<int>& members) {
  Hash hash;
  hash.add(text.size());
  for (const char letter : text) hash.add(static_cast<unsigned char>(letter));
  add(hash, members);
  return hash.key();
}

}  // namespace foldlane::api
