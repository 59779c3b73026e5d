// A program for people, as a failure shows it.
#include "matching/program.hpp"

namespace foldlane::matching {

namespace {

std::string name(int value) {
  if (value == kAny) return "any";
  return value == kNobody ? "nobody" : std::to_string(value);
}

std::string name(Layout layout) {
  static const char* const kNames[] = {"plain", "triple", "strided", "blocks", "reversed", "gaps"};
  return kNames[static_cast<int>(layout)];
}

std::string name(Unit unit) {
  static const char* const kNames[] = {"bytes", "ints", "doubles", "pairs"};
  return kNames[static_cast<int>(unit)];
}

std::string send_text(const Call& call, const Program& program) {
  static const char* const kModes[] = {"", " synchronous", " buffered", " ready"};
  if (call.message == kNone) return "to nobody";
  const Message& m = program.message(call.message);
  return "message " + std::to_string(call.message) + " to " + name(m.receiver) + " tag " + name(m.tag) +
         ", " + std::to_string(m.units) + " " + name(m.unit) + " " + name(call.layout) +
         kModes[static_cast<int>(call.mode)];
}

std::string receive_text(const Call& call) {
  std::string text = "source " + name(call.source) + " tag " + name(call.tag);
  if (call.kind != Kind::probe)
    text += ", room for " + std::to_string(call.capacity) + " " + name(call.unit) + " " +
            name(call.receive_layout);
  if (call.from != kNone) text += ", as call " + std::to_string(call.from) + " left it";
  return text;
}

std::string requests_text(const Call& call) {
  std::string text;
  for (int request : call.requests) text += (text.empty() ? "of calls " : ", ") + std::to_string(request);
  return text;
}

std::string title(const Call& call) {
  static const char* const kKinds[] = {"send",  "receive", "sendrecv", "sendrecv_replace",
                                       "probe", "cancel",  "wait",     "barrier"};
  static const char* const kWhich[] = {"", "all", "any", "some"};
  std::string text = kKinds[static_cast<int>(call.kind)];
  if (call.kind == Kind::complete)
    return (call.blocking ? text : "test") + kWhich[static_cast<int>(call.which)];
  if (call.takes) text = "m" + text;
  return call.blocking ? text : "i" + text;
}

}  // namespace

std::string text_of(const Call& call, const Program& program) {
  std::string text = title(call) + " ";
  if (call.kind != Kind::complete && call.kind != Kind::cancel)
    text += "[comm " + std::to_string(call.comm) + "] ";
  if (call.sends()) text += send_text(call, program);
  if (call.sends() && call.receives()) text += ", ";
  if (call.selects()) text += receive_text(call);
  return text + requests_text(call);
}

std::string text_of(const Program& program) {
  std::string text =
      "program " + std::to_string(program.seed) + " of " + std::to_string(program.ranks()) + " ranks\n";
  for (int rank = 0; rank < program.ranks(); ++rank) {
    text += " rank " + std::to_string(rank) + "\n";
    int place = 0;
    for (const Call& call : program.script(rank))
      text += "  " + std::to_string(place++) + " " + text_of(call, program) + "\n";
  }
  return text;
}

}  // namespace foldlane::matching
