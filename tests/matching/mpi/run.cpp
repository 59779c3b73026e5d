#include "matching/mpi/run.hpp"

#include "matching/draft.hpp"
#include "matching/mpi/completion.hpp"
#include "matching/mpi/notes.hpp"

namespace foldlane::matching {

namespace {

class Run {
 public:
  Run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types, Buffer buffer)
      : program_(program),
        rank_(rank),
        comms_(comms),
        types_(types),
        notes_(program.script(rank), types),
        requests_(size(), MPI_REQUEST_NULL),
        handles_(size(), MPI_MESSAGE_NULL),
        attaches_(buffer == Buffer::own) {}

  Log make() {
    attach();
    for (place_ = 0; place_ < size(); ++place_) make(program_.script(rank_)[place_]);
    detach();
    for (std::size_t place = 0; place < size(); ++place)
      if (requests_[place] != MPI_REQUEST_NULL) notes_.complain(place, Complaint::request);
    return notes_.take();
  }

 private:
  std::size_t size() const { return program_.script(rank_).size(); }
  const Call& call_at(std::size_t place) const { return program_.script(rank_)[place]; }
  MPI_Comm comm(const Call& call) const { return comms_[static_cast<std::size_t>(call.comm)]; }
  /// Some calls that wait are made as loops of calls that do not: those must make progress too.
  bool polls() const { return (program_.seed + place_) % 3 == 0; }

  void make(const Call& call) {
    switch (call.kind) {
      case Kind::send:
        return call.blocking ? send(call) : start_send(call);
      case Kind::receive:
        return receive(call);
      case Kind::exchange:
        return exchange(call);
      case Kind::replace:
        return replace(call);
      case Kind::probe:
        return call.takes ? matched_probe(call) : probe(call);
      case Kind::cancel:
        return cancel(call);
      case Kind::complete:
        return complete(call);
      case Kind::barrier:
        MPI_Barrier(comm(call));
        return;
    }
  }

  // ---- Sends ----

  struct Sent {
    void* buffer;
    int count;
    MPI_Datatype type;
    int to, tag;
    MPI_Comm comm;
  };

  Sent prepare_send(const Call& call) {
    if (call.message == kNone) return {nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 3, comm(call)};
    const Message& m = program_.message(call.message);
    Memory& memory = notes_.memory(place_);
    memory = memory_of(m.unit, call.layout, m.units, m.units, id_of(program_, call.message));
    const int to = program_.comm(call.comm).place_of(rank_, m.receiver);
    return {memory.data(), elements_for(call.layout, m.units), types_.of(m.unit, call.layout), to, m.tag,
            comm(call)};
  }

  void send(const Call& call) {
    static constexpr decltype(&MPI_Send) kSends[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
    const Sent s = prepare_send(call);
    kSends[static_cast<std::size_t>(call.mode)](s.buffer, s.count, s.type, s.to, s.tag, s.comm);
    notes_.spoil(place_);
  }

  void start_send(const Call& call) {
    static constexpr decltype(&MPI_Isend) kSends[] = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
    const Sent s = prepare_send(call);
    kSends[static_cast<std::size_t>(call.mode)](s.buffer, s.count, s.type, s.to, s.tag, s.comm,
                                                &requests_[place_]);
  }

  void attach() {
    if (!attaches_) return;
    std::size_t bytes = 0;
    for (const Call& call : program_.script(rank_)) {
      if (!call.sends() || call.mode != Mode::buffered || call.message == kNone) continue;
      const Message& m = program_.message(call.message);
      bytes += static_cast<std::size_t>(m.units * bytes_of(m.unit)) + MPI_BSEND_OVERHEAD + 128;
    }
    buffer_.resize(bytes);
    if (bytes != 0) MPI_Buffer_attach(buffer_.data(), static_cast<int>(bytes));
  }

  void detach() {
    void* buffer = nullptr;
    int bytes = 0;
    if (!buffer_.empty()) MPI_Buffer_detach(&buffer, &bytes);
    if (buffer != buffer_.data() && !buffer_.empty()) notes_.complain(0, Complaint::memory);
  }

  // ---- Receives ----

  struct Received {
    void* buffer;
    int count;
    MPI_Datatype type;
    int from, tag;
    MPI_Comm comm;
  };

  Received prepare_receive(const Call& call) {
    Memory& memory = notes_.memory(place_);
    memory = memory_of(call.unit, call.receive_layout, call.capacity, 0, 0);
    Received r{memory.data(),
               elements_for(call.receive_layout, call.capacity),
               types_.of(call.unit, call.receive_layout),
               source(call),
               tag(call.tag),
               comm(call)};
    if (call.from == kNone || program_.call(rank_, call.from).kind != Kind::probe) return r;
    if (notes_.seen(call.from) != Seen::message) return r;
    const Record& found = notes_.record(call.from);
    r.from = static_cast<int>(found.source);
    r.tag = static_cast<int>(found.tag);
    return r;
  }

  int source(const Call& call) const {
    if (call.source == kAny) return MPI_ANY_SOURCE;
    return call.source == kNobody ? MPI_PROC_NULL : program_.comm(call.comm).place_of(rank_, call.source);
  }
  static int tag(int tag) { return tag == kAny ? MPI_ANY_TAG : tag; }

  void receive(const Call& call) {
    const bool after = call.from != kNone;
    if (after && program_.call(rank_, call.from).kind == Kind::receive &&
        notes_.seen(call.from) != Seen::cancelled)
      return;
    const Received r = prepare_receive(call);
    MPI_Status status;
    MPI_Message* const handle = after ? &handles_[static_cast<std::size_t>(call.from)] : nullptr;
    if (handle != nullptr && *handle != MPI_MESSAGE_NULL) {
      if (call.blocking) MPI_Mrecv(r.buffer, r.count, r.type, handle, &status);
      if (!call.blocking) MPI_Imrecv(r.buffer, r.count, r.type, handle, &requests_[place_]);
      if (*handle != MPI_MESSAGE_NULL) notes_.complain(place_, Complaint::handle);
    } else {
      if (call.blocking) MPI_Recv(r.buffer, r.count, r.type, r.from, r.tag, r.comm, &status);
      if (!call.blocking) MPI_Irecv(r.buffer, r.count, r.type, r.from, r.tag, r.comm, &requests_[place_]);
    }
    if (call.blocking) notes_.receive(place_, status);
  }

  void exchange(const Call& call) {
    const Sent s = prepare_send(call);
    const Memory sent = std::move(notes_.memory(place_));
    const Received r = prepare_receive(call);
    MPI_Status status;
    MPI_Sendrecv(sent.data(), s.count, s.type, s.to, s.tag, r.buffer, r.count, r.type, r.from, r.tag, r.comm,
                 &status);
    notes_.receive(place_, status);
  }

  /// The gaps of a layout are the same on both sides of this call, so its memory is checked like any other.
  void replace(const Call& call) {
    const Sent s = prepare_send(call);
    MPI_Status status;
    MPI_Sendrecv_replace(s.buffer, s.count, s.type, s.to, s.tag, source(call), tag(call.tag), s.comm,
                         &status);
    notes_.receive(place_, status);
  }

  // ---- Probes ----

  void probe(const Call& call) {
    MPI_Status status;
    int flag = 1;
    if (call.blocking && !polls()) {
      MPI_Probe(source(call), tag(call.tag), comm(call), &status);
    } else {
      do MPI_Iprobe(source(call), tag(call.tag), comm(call), &flag, &status);
      while (call.blocking && flag == 0);
    }
    if (flag != 0) notes_.probe(place_, status);
  }

  void matched_probe(const Call& call) {
    MPI_Status status;
    MPI_Message& handle = handles_[place_];
    int flag = 1;
    if (call.blocking && !polls()) {
      MPI_Mprobe(source(call), tag(call.tag), comm(call), &handle, &status);
    } else {
      do MPI_Improbe(source(call), tag(call.tag), comm(call), &flag, &handle, &status);
      while (call.blocking && flag == 0);
    }
    if (flag != 0) notes_.probe(place_, status);
    if (flag != 0 &&
        (handle == MPI_MESSAGE_NO_PROC) != (notes_.seen(static_cast<int>(place_)) == Seen::nobody))
      notes_.complain(place_, Complaint::handle);
    if (flag == 0) handle = MPI_MESSAGE_NULL;
  }

  // ---- Requests ----

  void cancel(const Call& call) {
    MPI_Request& request = requests_[static_cast<std::size_t>(call.requests[0])];
    if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
  }

  void complete(const Call& call) {
    std::vector<MPI_Request> before;
    for (int request : call.requests) before.push_back(requests_[static_cast<std::size_t>(request)]);
    Requests requests(before);
    bool done = false;
    do done = complete_once(call.which, call.blocking && !polls(), requests);
    while (call.blocking && !done);
    note_completed(call, before, requests);
    for (std::size_t i = 0; i < call.requests.size(); ++i)
      requests_[static_cast<std::size_t>(call.requests[i])] = requests.handles[i];
  }

  void note_completed(const Call& call, const std::vector<MPI_Request>& before, const Requests& r) {
    const bool whole = call.which == Which::one || call.which == Which::all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(r.count); ++i) {
      const auto index = static_cast<std::size_t>(r.indices[i]);
      const auto request = static_cast<std::size_t>(call.requests[index]);
      const bool is_active = before[index] != MPI_REQUEST_NULL;
      if (!is_active && whole) continue;
      if (!is_active || r.handles[index] != MPI_REQUEST_NULL) notes_.complain(place_, Complaint::index);
      notes_.completion(place_, index);
      if (call_at(request).receives()) notes_.receive(request, r.statuses[i]);
      if (!call_at(request).receives()) notes_.spoil(request);
    }
  }

  const Program& program_;
  int rank_;
  const std::vector<MPI_Comm>& comms_;
  const Types& types_;
  std::size_t place_ = 0;
  Notes notes_;
  std::vector<MPI_Request> requests_;  // by call
  std::vector<MPI_Message> handles_;   // by call
  bool attaches_;
  Memory buffer_;
};

}  // namespace

Log run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types,
        Buffer buffer) {
  return Run(program, rank, comms, types, buffer).make();
}

}  // namespace foldlane::matching
