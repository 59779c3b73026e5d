// PMI-1 with a launcher that this test plays.
#include "engine/identity/pmi.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace foldlane::engine {
namespace {

using Exchange = std::vector<std::pair<std::string, std::string>>;  // what is said, and what is answered

/// Hears these lines, answers each, and returns what else it hears until the other end is gone. Closes `fd`.
std::string play(int fd, const Exchange& exchange) {
  std::FILE* const heard = fdopen(fd, "r");
  std::array<char, 512> line{};
  for (const auto& [said, answer] : exchange) {
    if (std::fgets(line.data(), line.size(), heard) == nullptr || said + "\n" != line.data()) break;
    send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
  }
  std::string rest;
  while (std::fgets(line.data(), line.size(), heard) != nullptr) rest += line.data();
  std::fclose(heard);
  return rest;
}

Exchange introduction(const std::string& mapping) {
  return {{"cmd=init pmi_version=1 pmi_subversion=1",
           "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
          {"cmd=get_my_kvsname", "cmd=my_kvsname kvsname=kvs_17\n"},
          {"cmd=get kvsname=kvs_17 key=PMI_process_mapping",
           "cmd=get_result rc=0 msg=success value=" + mapping + "\n"}};
}

class PmiFd : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0);
    setenv("PMI_FD", std::to_string(ends_[1]).c_str(), 1);
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "3", 1);
  }
  void TearDown() override {
    for (const char* name : {"PMI_FD", "PMI_RANK", "PMI_SIZE"}) unsetenv(name);
    close(ends_[0]);
    launcher_.join();
  }
  void launcher_plays(const Exchange& exchange) {
    const int end = dup(ends_[0]);  // the test may close its own before the thread begins
    launcher_ = std::thread([=, this] { rest_ = play(end, exchange); });
  }

  std::array<int, 2> ends_{};
  std::thread launcher_;
  std::string rest_;
};

TEST_F(PmiFd, TellsWhoARankIsAndIsTaken) {
  Exchange exchange = introduction("(vector,(0,1,3))");
  exchange.emplace_back("cmd=finalize", "cmd=finalize_ack\n");
  launcher_plays(exchange);
  auto pmi = Pmi::open();
  ASSERT_TRUE(pmi.ok()) << pmi.error().message;
  EXPECT_EQ(pmi.value().rank(), 1);
  EXPECT_EQ(pmi.value().size(), 3);
  EXPECT_EQ(pmi.value().job(), "kvs_17");
  EXPECT_TRUE(pmi.value().is_on_one_node());
  pmi.value().finalize();
  pmi.value().finalize();
}

TEST_F(PmiFd, IsToldOfAnAbort) {
  launcher_plays(introduction("(vector,(0,1,1))"));
  {
    auto pmi = Pmi::open();
    ASSERT_TRUE(pmi.ok()) << pmi.error().message;
    pmi.value().abort(17);
  }
  launcher_.join();
  EXPECT_EQ(rest_, "cmd=abort exitcode=17\n");
  launcher_ = std::thread([] {});
}

TEST_F(PmiFd, OfALauncherThatHasGoneIsAnError) {
  launcher_plays({});
  shutdown(ends_[0], SHUT_WR);
  EXPECT_EQ(Pmi::open().error().message,
            "it has closed its PMI connection; it serves one MPI program of a rank, the first");
}

TEST_F(PmiFd, ThatIsClosedIsAnError) {
  launcher_plays({});
  close(ends_[1]);
  EXPECT_NE(Pmi::open().error().message.find("no such file is open"), std::string::npos);
}

TEST(PmiPort, IsConnectedTo) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), bytes), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  Exchange exchange = introduction("(vector,(0,2,1))");
  exchange.insert(exchange.begin(),
                  {"cmd=initack pmiid=1", "cmd=initack\ncmd=set size=2\ncmd=set rank=1\ncmd=set debug=0\n"});
  std::thread launcher([&] { play(accept(listener, nullptr, nullptr), exchange); });
  setenv("PMI_PORT", ("127.0.0.1:" + std::to_string(ntohs(address.sin_port))).c_str(), 1);
  setenv("PMI_ID", "1", 1);
  {
    const auto pmi = Pmi::open();
    ASSERT_TRUE(pmi.ok()) << pmi.error().message;
    EXPECT_EQ(pmi.value().rank(), 1);
    EXPECT_EQ(pmi.value().size(), 2);
    EXPECT_FALSE(pmi.value().is_on_one_node());
  }
  launcher.join();
  close(listener);
  setenv("PMI_PORT", "nowhere", 1);
  EXPECT_EQ(Pmi::open().error().message, "connecting to PMI_PORT 'nowhere': it is not of the form host:port");
  unsetenv("PMI_PORT");
  unsetenv("PMI_ID");
}

TEST(PmiMapping, SaysWhetherAllRanksAreOnOneNode) {
  EXPECT_TRUE(maps_to_one_node("(vector,(0,1,4))").value());
  EXPECT_TRUE(maps_to_one_node("(vector,(0,1,2),(0,1,2))").value());
  EXPECT_FALSE(maps_to_one_node("(vector,(0,2,1))").value());
  EXPECT_FALSE(maps_to_one_node("(vector,(0,1,2),(1,1,2))").value());
  for (const char* const other : {"", "unknown", "(vector)"}) EXPECT_FALSE(maps_to_one_node(other).ok());
}

}  // namespace
}  // namespace foldlane::engine
