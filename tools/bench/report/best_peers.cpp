#include "bench/report/best_peers.hpp"

#include <algorithm>

namespace foldlane::bench {
namespace {

void keep_best(std::vector<Figure>& figures) {
  std::vector<Figure> best;
  for (Figure& figure : figures) {
    const auto other =
        std::find_if(best.begin(), best.end(), [&](const Figure& kept) { return kept.who == figure.who; });
    if (other == best.end()) {
      best.push_back(std::move(figure));
    } else if (figure.time.value < other->time.value) {
      *other = std::move(figure);
    }
  }
  figures = std::move(best);
}

/// One configuration may have what another lacks.
void keep_unsupported(CaseResult& result) {
  std::vector<std::string> lacking;
  for (const std::string& who : result.not_supported_by) {
    const auto is_kept = [&](const Figure& figure) { return figure.who == who; };
    const bool has_it = std::any_of(result.figures.begin(), result.figures.end(), is_kept);
    if (!has_it && std::find(lacking.begin(), lacking.end(), who) == lacking.end()) lacking.push_back(who);
  }
  result.not_supported_by = std::move(lacking);
}

std::string options_text(const Peer& peer) { return peer.options.empty() ? "no options" : peer.options; }

}  // namespace

void keep_best_configurations(Report& report) {
  for (CaseResult& result : report.cases) {
    keep_best(result.figures);
    keep_unsupported(result);
  }
  std::vector<Peer> peers;
  for (const Peer& peer : report.peers) {
    const auto other =
        std::find_if(peers.begin(), peers.end(), [&](const Peer& kept) { return kept.name == peer.name; });
    if (other == peers.end()) {
      peers.push_back(peer);
    } else {
      other->options = options_text(*other) + " | " + options_text(peer);
    }
  }
  report.peers = std::move(peers);
}

}  // namespace foldlane::bench
