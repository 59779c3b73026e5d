// Peers: how they are named, found and recognised, and what is said of those that cannot be measured.
#include "bench/measure/implementation.hpp"

#include <gtest/gtest.h>

#include "support/fake_peer.hpp"

namespace foldlane::bench {
namespace {

using Words = std::vector<std::string>;

std::string complaint_about(const std::string& peer) {
  const ScratchDirectory scratch;
  try {
    build_peer(parse_peer(peer), scratch.path());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

void expect_words(const std::string& text, const Words& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

TEST(PeerName, IsFollowedByOptions) {
  EXPECT_EQ(parse_peer("mpich").name, "mpich");
  EXPECT_TRUE(parse_peer("mpich").options.empty());
  const PeerRequest request = parse_peer(" openmpi  --mca btl ^vader,x ");
  EXPECT_EQ(request.name, "openmpi");
  EXPECT_EQ(request.options, (Words{"--mca", "btl", "^vader,x"}));
}

TEST(Peer, IsRecognisedAndLaunchedLikeItsFamily) {
  const FakePeer mpich("echo HYDRA build details:; echo '    Version:   4.2.1'", "exit 0");
  const ScratchDirectory scratch;
  const Implementation found = build_peer(parse_peer(mpich.path() + " -x 1"), scratch.path());
  EXPECT_EQ(found.name, mpich.path());
  EXPECT_EQ(found.version, "MPICH 4.2.1");
  EXPECT_EQ(found.options, "-x 1");
  EXPECT_EQ(found.launch, (Words{mpich.path() + "/bin/mpiexec", "-bind-to", "none", "-x", "1"}));
  EXPECT_EQ(std::filesystem::path(found.probe).parent_path(), scratch.path());
}

TEST(Peer, IsLaunchedByTheCommandThatPutsFoldlaneUnderIt) {
  const FakePeer mpich("echo HYDRA build details:; echo '    Version:   4.2.1'", "exit 0");
  const ScratchDirectory scratch;
  PeerRequest request = parse_peer(mpich.path());
  request.accelerated = true;
  const Implementation found = build_peer(request, scratch.path());
  EXPECT_EQ(found.name, mpich.path() + "+foldlane");
  ASSERT_GT(found.launch.size(), 3u);
  EXPECT_EQ(std::filesystem::path(found.launch[0]).filename(), "foldlane");
  EXPECT_EQ(found.launch[1], "accelerate");
  EXPECT_EQ(found.launch[2], mpich.path() + "/bin/mpiexec");
}

TEST(Peer, MayBeOpenMpi) {
  const FakePeer peer("echo 'mpiexec (OpenRTE) 5.0.1'", "exit 0");
  const FakePeer other("echo 'mpirun (Open MPI) 4.1.4'; echo; echo 'Report bugs to x'", "exit 0");
  const ScratchDirectory scratch;
  EXPECT_EQ(build_peer(parse_peer(peer.path()), scratch.path()).version, "Open MPI 5.0.1");
  const Implementation found = build_peer(parse_peer(other.path()), scratch.path());
  EXPECT_EQ(found.version, "Open MPI 4.1.4");
  EXPECT_EQ(found.launch[1], "--allow-run-as-root");
}

TEST(Peer, ThatIsNotInstalledIsNamedWithItsPackages) {
  const EmptyPath nothing_installed;
  expect_words(complaint_about("mpich"), {"--vs mpich", "mpicc.mpich", "mpich and libmpich-dev"});
  expect_words(complaint_about("openmpi"), {"--vs openmpi", "openmpi-bin and libopenmpi-dev"});
}

TEST(Peer, NeedsBothCommandsInItsDirectory) {
  const FakePeer peer("exit 0", "exit 0");
  std::filesystem::remove(peer.path() + "/bin/mpicc");
  expect_words(complaint_about(peer.path()), {"--vs " + peer.path(), peer.path() + "/bin/mpicc"});
}

TEST(Peer, OfAnUnknownFamilyIsRefused) {
  const FakePeer peer("echo 'mpiexec of another kind 1.0'", "exit 0");
  expect_words(complaint_about(peer.path()), {"--vs " + peer.path(), "no family"});
}

TEST(Peer, WhoseCompilerFailsIsRefusedWithTheCompilersWords) {
  const FakePeer peer("echo HYDRA; echo Version: 1", "echo no header there >&2; exit 1");
  expect_words(complaint_about(peer.path()),
               {"--vs " + peer.path(), peer.path() + "/bin/mpicc", "cannot build", "no header there"});
}

/// A compiler whose measurement program has one setting.
FakePeer peer_with_setting(const std::string& name) {
  return {"echo HYDRA; echo Version: 1",
          "while [ \"$1\" != -o ]; do shift; done\n"
          "printf '#!/bin/sh\\n[ \"$*\" = \"setting " +
              name + "\" ]\\n' >\"$2\"; chmod +x \"$2\""};
}

TEST(Peer, WithoutASettingThatItIsGivenIsRefused) {
  const FakePeer peer = peer_with_setting("MPIR_CVAR_KNOWN");
  EXPECT_EQ(complaint_about(peer.path() + " -genv MPIR_CVAR_KNOWN x -genv OTHER y"), "none");
  expect_words(complaint_about(peer.path() + " -genv MPIR_CVAR_OTHER x"),
               {"--vs " + peer.path() + " -genv MPIR_CVAR_OTHER x", "no setting MPIR_CVAR_OTHER"});
}

TEST(Scratch, GoesAwayWithAllThatIsInIt) {
  std::filesystem::path path;
  {
    const ScratchDirectory scratch;
    path = scratch.path();
    std::filesystem::create_directories(path / "a" / "b");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace foldlane::bench
