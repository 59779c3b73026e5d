#include "engine/identity/pmi.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/identity/numbers.hpp"
#include "shm/base/stderr_reader.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

/// "kvs_17" of "cmd=my_kvsname kvsname=kvs_17" and "kvsname". Empty if there is no such key.
std::string value_in(const std::string& line, const std::string& key) {
  const std::string text = " " + line;
  const std::size_t start = text.find(" " + key + "=");
  if (start == std::string::npos) return {};
  const std::size_t value = start + key.size() + 2;
  return text.substr(value, text.find(' ', value) - value);
}

Result<shm::UniqueFd> connect_to(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return Error{Errc::invalid, "it is not of the form host:port"};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int status =
      getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (status != 0) return Error{Errc::system, gai_strerror(status)};
  shm::UniqueFd connection;
  int error = 0;
  for (const addrinfo* each = found; each != nullptr && !connection.open(); each = each->ai_next) {
    shm::UniqueFd trial(socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol));
    if (connect(trial.get(), each->ai_addr, each->ai_addrlen) == 0) {
      connection = std::move(trial);
    } else {
      error = errno;
    }
  }
  freeaddrinfo(found);
  if (!connection.open()) return Error{Errc::system, std::strerror(error)};
  return connection;
}

}  // namespace

Result<Pmi> Pmi::open() {
  Pmi pmi;
  const bool is_connected = std::getenv(kPmiFdVariable) != nullptr;
  if (auto done = is_connected ? pmi.read_variables() : pmi.connect(); !done.ok()) return done.error();
  if (auto done = pmi.introduce(); !done.ok()) return done.error();
  return pmi;
}

Result<void> Pmi::read_variables() {
  const auto fd = number_in(kPmiFdVariable);
  const auto rank = number_in(kPmiRankVariable);
  const auto size = number_in(kPmiSizeVariable);
  for (const auto* each : {&fd, &rank, &size})
    if (!each->ok()) return each->error();
  if (fcntl(fd.value(), F_SETFD, FD_CLOEXEC) != 0)
    return Error{Errc::invalid, fmt::format("{} is {}, but no such file is open: does a script between the "
                                            "launcher and this process close it?",
                                            kPmiFdVariable, fd.value())};
  connection_.reset(fd.value());
  rank_ = rank.value();
  size_ = size.value();
  return {};
}

Result<void> Pmi::connect() {
  const std::string address = std::getenv(kPmiPortVariable);
  const auto id = number_in(kPmiIdVariable);
  if (!id.ok()) return id.error();
  auto connection = connect_to(address);
  if (!connection.ok())
    return Error{connection.error().code, fmt::format("connecting to {} '{}': {}", kPmiPortVariable, address,
                                                      connection.error().message)};
  connection_ = std::move(connection.value());
  if (auto answer = ask(fmt::format("cmd=initack pmiid={}", id.value()), "cmd"); !answer.ok())
    return answer.error();
  for (int line = 0; line < 3; ++line) {  // size, rank, and whether to debug, in any order
    const auto fact = hear();
    if (!fact.ok()) return fact.error();
    std::sscanf(value_in(fact.value(), "size").c_str(), "%d", &size_);
    std::sscanf(value_in(fact.value(), "rank").c_str(), "%d", &rank_);
  }
  return {};
}

Result<void> Pmi::introduce() {
  const auto version = ask("cmd=init pmi_version=1 pmi_subversion=1", "pmi_version");
  if (!version.ok()) return version.error();
  if (version.value() != "1") return Error{Errc::system, "it does not speak PMI 1"};
  const auto job = ask("cmd=get_my_kvsname", "kvsname");
  if (!job.ok()) return job.error();
  job_ = job.value();
  const auto mapping = ask("cmd=get kvsname=" + job_ + " key=PMI_process_mapping", "value");
  if (!mapping.ok()) return mapping.error();
  const auto one_node = maps_to_one_node(mapping.value());
  if (!one_node.ok()) return one_node.error();
  is_on_one_node_ = one_node.value();
  return {};
}

bool Pmi::say(const std::string& line) noexcept {
  const std::string text = line + "\n";
  return send(connection_.get(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

Pmi::Text Pmi::hear() {
  std::string line;
  for (char letter = 0; letter != '\n';) {
    const ssize_t count = read(connection_.get(), &letter, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count != 1)
      return Error{Errc::system,
                   "it has closed its PMI connection; it serves one MPI program of a rank, the first"};
    line += letter;
  }
  line.pop_back();
  return line;
}

Pmi::Text Pmi::ask(const std::string& line, const std::string& key) {
  say(line);
  const auto answer = hear();
  if (!answer.ok()) return answer;
  return value_in(answer.value(), key);
}

void Pmi::finalize() noexcept {
  if (connection_.open()) static_cast<void>(ask("cmd=finalize", "cmd"));
  connection_.reset();
}

void Pmi::abort(int code) noexcept {
  shm::await_reader_of_stderr();
  say(fmt::format("cmd=abort exitcode={}", code));
}

Result<bool> maps_to_one_node(const std::string& mapping) {
  constexpr char kStart[] = "(vector";
  std::size_t at = sizeof kStart - 1;
  if (mapping.rfind(kStart, 0) != 0 || mapping.find("(", at) == std::string::npos)
    return Error{Errc::system, "its PMI_process_mapping '" + mapping + "' does not say where ranks run"};
  while ((at = mapping.find('(', at)) != std::string::npos) {
    int node = -1;
    int nodes = 0;
    std::sscanf(mapping.c_str() + at++, "(%d,%d", &node, &nodes);
    if (node != 0 || nodes != 1) return false;
  }
  return true;
}

}  // namespace foldlane::engine
