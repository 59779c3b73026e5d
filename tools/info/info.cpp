#include "info/info.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <nlohmann/json.hpp>

#include "info/info_facts.hpp"
#include "options/manual.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::tools {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  int ranks = 0;
  bool calls = false;
  bool json = false;
};

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// "cores: 2" per member; bytes_per_rank reads as "bytes per rank".
void print_members(const Json& object) {
  for (const auto& [key, value] : object.items()) {
    std::string words = key;
    std::replace(words.begin(), words.end(), '_', ' ');
    fmt::print("  {:<28}{}\n", words, plain(value));
  }
}

void print_isa(const Json& levels) {
  for (const Json& level : levels) {
    fmt::print("  {:<28}{}{}\n", plain(level["name"]), level["chosen"].get<bool>() ? "used: " : "",
               plain(level["reason"]));
  }
}

void print_decisions(const Json& decisions) {
  for (const Json& decision : decisions) {
    fmt::print("  {:<28}{} or {}, from {} bytes on\n", plain(decision["name"]), plain(decision["arms"][0]),
               plain(decision["arms"][1]), plain(decision["from_bytes"]));
  }
}

void print_environment(const Json& variables) {
  for (const Json& variable : variables) {
    fmt::print("  {:<28}{} ({})\n", plain(variable["name"]),
               variable["value"].is_null() ? "not set" : "= " + plain(variable["value"]),
               plain(variable["meaning"]));
  }
}

void print_text(const Json& facts) {
  fmt::print("Foldlane {}, MPI {}, {} of {} calls supported (--calls lists them)\n", plain(facts["version"]),
             plain(facts["mpi"]), plain(facts["calls"]["supported"]), plain(facts["calls"]["all"]));
  fmt::print("library: {}\n", facts["library"] == "" ? "not beside this command" : plain(facts["library"]));
  fmt::print("\nInstruction sets\n");
  print_isa(facts["isa"]);
  for (const auto& [title, key] : {std::pair{"This machine, as far as this process may use it", "machine"},
                                   {"A job", "job"},
                                   {"Its shared memory", "memory"},
                                   {"Limits", "limits"}}) {
    fmt::print("\n{}\n", title);
    print_members(facts[key]);
  }
  fmt::print("\nChosen by timing while a program works, unless FOLDLANE_ARMS says\n");
  print_decisions(facts["decisions"]);
  fmt::print("\nEnvironment\n");
  print_environment(facts["environment"]);
}

void print_calls(const Json& calls) {
  for (const Json& call : calls) {
    fmt::print("{:<40}{}\n", plain(call["name"]),
               call["supported"].get<bool>() ? "supported" : "not supported");
  }
}

void print(const InfoOptions& options) {
  const Json facts = options.calls ? call_facts() : info_facts(options.ranks);
  if (options.json) {
    fmt::print("{}\n", facts.dump(2));
  } else if (options.calls) {
    print_calls(facts);
  } else {
    print_text(facts);
  }
}

}  // namespace

int info_command(const std::vector<std::string>& arguments) {
  InfoOptions options;
  CLI::App app("What Foldlane sees and does on this machine.", "foldlane info");
  app.add_option("-n", options.ranks, "Show the figures of a job of this many ranks (default: usable CPUs)")
      ->check(CLI::Range(1, static_cast<int>(shm::kMaxRanks)));
  app.add_flag("--calls", options.calls, "List every MPI call with its state");
  app.add_flag("--json", options.json, "Print JSON");
  add_manual_flag(app);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    print(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "foldlane info: {}\n", error.what());
    return 1;
  }
}

}  // namespace foldlane::tools
