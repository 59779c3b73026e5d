// All words of the text files of a machine in order: a sample sort, in which every rank sorts a part.
//
// Each rank reads its share of the files and sorts their words. Samples of them tell where to cut the
// alphabet so that all ranks get about as much. Then every rank sends every other one the words that belong
// there; how many bytes those are only the sender knows, so the receiver asks MPI_Probe before it makes room.
// Rank 0 also sorts everything alone, and the results must be the same.
//
//   mpicxx -std=c++17 -O2 words.cpp -o words && mpiexec -n 4 ./words [directory or file]...
#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

enum Tag { kSamples = 1, kBucket, kSorted };

// ---- Reading ----

// In an order that is the same on all ranks.
std::vector<fs::path> find_files(const std::vector<std::string>& places) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const std::string& place : places) {
    if (fs::is_regular_file(place, ignored)) files.emplace_back(place);
    if (!fs::is_directory(place, ignored)) continue;
    for (fs::recursive_directory_iterator at(place, fs::directory_options::skip_permission_denied, ignored),
         end;
         at != end; at.increment(ignored))
      if (!at->is_symlink(ignored) && at->is_regular_file(ignored)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A file with a zero byte is no text.
void add_words(const fs::path& file, Words& words) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.find('\0') != std::string::npos) return;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (auto at = text.begin(); at != text.end();) {
    const auto start = std::find_if(at, text.end(), is_letter);
    at = std::find_if_not(start, text.end(), is_letter);
    if (start != at) words.emplace_back(start, at);
  }
}

Words sorted_words(const std::vector<fs::path>& files, std::size_t first, std::size_t step) {
  Words words;
  for (std::size_t i = first; i < files.size(); i += step) add_words(files[i], words);
  std::sort(words.begin(), words.end());
  return words;
}

// ---- Messages: words with a zero byte behind each ----

std::string packed(Words::const_iterator from, Words::const_iterator to) {
  std::string text;
  for (; from != to; ++from) text.append(*from).push_back('\0');
  return text;
}

void unpack(const std::string& text, Words& words) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) words.emplace_back(&text[at]);
}

// MPI counts in int: a message has less than 2 GiB.
int length(const std::string& text) { return static_cast<int>(text.size()); }

// A message of this source, or of any, whatever its length.
std::string receive(int source, Tag tag) {
  MPI_Status status;
  MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
  int bytes = 0;
  MPI_Get_count(&status, MPI_CHAR, &bytes);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(&text[0], bytes, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

void send(const std::string& text, int to, Tag tag) {
  MPI_Send(text.data(), length(text), MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

// ---- The sort ----

struct Job {
  int rank, ranks;
};

// So many of the words, evenly spread.
Words some_of(const Words& words, std::size_t count) {
  Words some;
  for (std::size_t i = 0; i < count && !words.empty(); ++i) some.push_back(words[i * words.size() / count]);
  return some;
}

// Where the alphabet is cut: rank r gets the words from cut r - 1 up to cut r.
Words agree_on_cuts(const Job& job, const Words& own) {
  constexpr std::size_t kSamplesEach = 64;
  Words samples = some_of(own, kSamplesEach);
  std::string text;
  if (job.rank != 0) {
    send(packed(samples.begin(), samples.end()), 0, kSamples);
  } else {
    for (int rank = 1; rank < job.ranks; ++rank) unpack(receive(MPI_ANY_SOURCE, kSamples), samples);
    std::sort(samples.begin(), samples.end());
    Words cuts = some_of(samples, static_cast<std::size_t>(job.ranks));
    if (!cuts.empty()) cuts.erase(cuts.begin());
    text = packed(cuts.begin(), cuts.end());
  }
  int bytes = length(text);
  MPI_Bcast(&bytes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(bytes));
  MPI_Bcast(&text[0], bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  Words cuts;
  unpack(text, cuts);
  return cuts;
}

// For each rank what belongs there; the words are sorted, so these are pieces of them.
std::vector<std::string> cut(const Job& job, const Words& words, const Words& cuts) {
  std::vector<std::string> pieces;
  auto from = words.begin();
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(job.ranks); ++rank) {
    const auto to = rank < cuts.size() ? std::lower_bound(from, words.end(), cuts[rank]) : words.end();
    pieces.push_back(packed(from, to));
    from = to;
  }
  return pieces;
}

Words exchange(const Job& job, const std::vector<std::string>& pieces) {
  std::vector<MPI_Request> sent(pieces.size());
  for (int i = 0; i < job.ranks; ++i) {
    const int to = (job.rank + i) % job.ranks;  // not all to rank 0 at first
    const std::string& piece = pieces[static_cast<std::size_t>(to)];
    MPI_Isend(piece.data(), length(piece), MPI_CHAR, to, kBucket, MPI_COMM_WORLD,
              &sent[static_cast<std::size_t>(i)]);
  }
  Words words;
  for (int i = 0; i < job.ranks; ++i) unpack(receive(MPI_ANY_SOURCE, kBucket), words);
  MPI_Waitall(job.ranks, sent.data(), MPI_STATUSES_IGNORE);
  std::sort(words.begin(), words.end());
  return words;
}

// All parts, one after another, on rank 0.
Words collect(const Job& job, const Words& part) {
  if (job.rank != 0) send(packed(part.begin(), part.end()), 0, kSorted);
  Words all = part;
  for (int rank = 1; rank < job.ranks && job.rank == 0; ++rank) unpack(receive(rank, kSorted), all);
  return all;
}

// ---- The job ----

bool compare(const Words& all, const Words& serial) {
  const bool same = all == serial;
  if (!all.empty())
    std::printf("result  %zu words, from %s over %s to %s\n", all.size(), all.front().c_str(),
                all[all.size() / 2].c_str(), all.back().c_str());
  std::printf("check   %-4s the words are in the order of the serial sort\n", same ? "ok" : "FAIL");
  return same;
}

// Collective.
void print_share(const Job& job, const Words& part) {
  const long long own = static_cast<long long>(part.size());
  long long least = 0, most = 0;
  MPI_Reduce(&own, &least, 1, MPI_LONG_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&own, &most, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (job.rank == 0) std::printf("share   %lld to %lld words per rank\n", least, most);
}

bool run(const Job& job, const std::vector<std::string>& places) {
  const std::vector<fs::path> files = find_files(places);
  if (job.rank == 0) std::printf("files   %zu\n", files.size());
  const Words own =
      sorted_words(files, static_cast<std::size_t>(job.rank), static_cast<std::size_t>(job.ranks));
  const Words part = exchange(job, cut(job, own, agree_on_cuts(job, own)));
  print_share(job, part);
  const Words all = collect(job, part);
  int ok = job.rank != 0 || (!files.empty() && compare(all, sorted_words(files, 0, 1)));
  if (files.empty() && job.rank == 0)
    std::fprintf(stderr, "words: there are no files; name directories or files\n");
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return ok != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Job job{};
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  std::vector<std::string> places(argv + 1, argv + argc);
  if (places.empty()) places = {"/usr/share/common-licenses", "/usr/share/doc"};
  const bool ok = run(job, places);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
