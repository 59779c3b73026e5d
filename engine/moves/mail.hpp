// Where the messages of a member's collective calls go.
#pragma once

namespace foldlane::engine {

class Channel;
class Messenger;

struct Mail {
  Messenger* messenger = nullptr;
  Channel* channel = nullptr;  // of Messages::collective; null: the call goes without messages
};

}  // namespace foldlane::engine
