#include "matching/run.hpp"

#include <algorithm>

#include "matching/draft.hpp"
#include "matching/payload.hpp"
#include "matching/peer_defects.hpp"

namespace foldlane::matching {

namespace {

class Run {
 public:
  Run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types)
      : program_(program),
        rank_(rank),
        comms_(comms),
        types_(types),
        log_(size()),
        requests_(size(), MPI_REQUEST_NULL),
        handles_(size(), MPI_MESSAGE_NULL),
        memory_(size()) {}

  Log make() {
    attach();
    for (place_ = 0; place_ < size(); ++place_) make(program_.script(rank_)[place_]);
    detach();
    for (std::size_t place = 0; place < size(); ++place)
      if (requests_[place] != MPI_REQUEST_NULL) complain(place, Complaint::request);
    return std::move(log_);
  }

 private:
  std::size_t size() const { return program_.script(rank_).size(); }
  const Call& call_at(std::size_t place) const { return program_.script(rank_)[place]; }
  MPI_Comm comm(const Call& call) const { return comms_[static_cast<std::size_t>(call.comm)]; }
  Seen seen(int place) const { return static_cast<Seen>(log_[static_cast<std::size_t>(place)].seen); }
  void see(std::size_t place, Seen what) { log_[place].seen = static_cast<std::int64_t>(what); }
  void complain(std::size_t place, Complaint complaint) {
    log_[place].complaint = static_cast<std::int64_t>(complaint);
  }
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
    Memory& memory = memory_[place_];
    memory = memory_of(m.unit, call.layout, m.units, m.units, id_of(program_, call.message));
    const int to = program_.comm(call.comm).place_of(rank_, m.receiver);
    return {memory.data(), elements_for(call.layout, m.units), types_.of(m.unit, call.layout), to, m.tag,
            comm(call)};
  }

  void send(const Call& call) {
    static constexpr decltype(&MPI_Send) kSends[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
    const Sent s = prepare_send(call);
    kSends[static_cast<std::size_t>(call.mode)](s.buffer, s.count, s.type, s.to, s.tag, s.comm);
    spoil(place_);
  }

  void start_send(const Call& call) {
    static constexpr decltype(&MPI_Isend) kSends[] = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
    const Sent s = prepare_send(call);
    kSends[static_cast<std::size_t>(call.mode)](s.buffer, s.count, s.type, s.to, s.tag, s.comm,
                                                &requests_[place_]);
  }

  /// The buffer of a send that is done is the program's again.
  void spoil(std::size_t place) { std::fill(memory_[place].begin(), memory_[place].end(), 0xee); }

  void attach() {
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
    if (buffer != buffer_.data() && !buffer_.empty()) complain(0, Complaint::memory);
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
    Memory& memory = memory_[place_];
    memory = memory_of(call.unit, call.receive_layout, call.capacity, 0, 0);
    Received r{memory.data(),
               elements_for(call.receive_layout, call.capacity),
               types_.of(call.unit, call.receive_layout),
               source(call),
               tag(call.tag),
               comm(call)};
    if (call.from == kNone || program_.call(rank_, call.from).kind != Kind::probe) return r;
    if (seen(call.from) != Seen::message) return r;
    const Record& found = log_[static_cast<std::size_t>(call.from)];
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
    if (after && program_.call(rank_, call.from).kind == Kind::receive && seen(call.from) != Seen::cancelled)
      return;
    const Received r = prepare_receive(call);
    MPI_Status status;
    MPI_Message* const handle = after ? &handles_[static_cast<std::size_t>(call.from)] : nullptr;
    if (handle != nullptr && *handle != MPI_MESSAGE_NULL) {
      if (call.blocking) MPI_Mrecv(r.buffer, r.count, r.type, handle, &status);
      if (!call.blocking) MPI_Imrecv(r.buffer, r.count, r.type, handle, &requests_[place_]);
      if (*handle != MPI_MESSAGE_NULL) complain(place_, Complaint::handle);
    } else {
      if (call.blocking) MPI_Recv(r.buffer, r.count, r.type, r.from, r.tag, r.comm, &status);
      if (!call.blocking) MPI_Irecv(r.buffer, r.count, r.type, r.from, r.tag, r.comm, &requests_[place_]);
    }
    if (call.blocking) note(place_, status);
  }

  void exchange(const Call& call) {
    const Sent s = prepare_send(call);
    const Memory sent = std::move(memory_[place_]);
    const Received r = prepare_receive(call);
    MPI_Status status;
    MPI_Sendrecv(sent.data(), s.count, s.type, s.to, s.tag, r.buffer, r.count, r.type, r.from, r.tag, r.comm,
                 &status);
    note(place_, status);
  }

  /// The gaps of a layout are the same on both sides of this call, so its memory is checked like any other.
  void replace(const Call& call) {
    const Sent s = prepare_send(call);
    MPI_Status status;
    MPI_Sendrecv_replace(s.buffer, s.count, s.type, s.to, s.tag, source(call), tag(call.tag), s.comm,
                         &status);
    note(place_, status);
  }

  /// What a receive has led to.
  void note(std::size_t place, const MPI_Status& status) {
    const Call& call = call_at(place);
    int cancelled = 0;
    MPI_Test_cancelled(&status, &cancelled);
    int units = 0;
    if (cancelled != 0) {
      see(place, Seen::cancelled);
    } else {
      units = note_envelope(place, status, types_.of(call.unit, call.receive_layout),
                            units_of(call.receive_layout));
    }
    const Memory& memory = memory_[place];
    const std::uint32_t id = id_in(memory, call.unit, call.receive_layout, units);
    if (memory != memory_of(call.unit, call.receive_layout, call.capacity, units, id))
      complain(place, Complaint::memory);
    log_[place].id = id;
  }

  /// Of a message of that type that was received or found. Returns how many units it has.
  int note_envelope(std::size_t place, const MPI_Status& status, MPI_Datatype type, int in_element) {
    const int parts = call_at(place).unit == Unit::pair ? 2 : 1;
    int count = 0, elements = 0;
    MPI_Get_count(&status, type, &count);
    MPI_Get_elements(&status, type, &elements);
    const bool is_forgotten = kForgetsNobody && call_at(place).source == kNobody;
    if (status.MPI_SOURCE == MPI_PROC_NULL || is_forgotten) {
      see(place, Seen::nobody);
      if (is_forgotten) return 0;
      if (status.MPI_TAG != MPI_ANY_TAG || count != 0 || elements != 0) complain(place, Complaint::nobody);
      return 0;
    }
    const int units = elements / parts;
    const int whole = elements % (parts * in_element) == 0 ? units / in_element : MPI_UNDEFINED;
    if (count != whole) complain(place, Complaint::count);
    Record& record = log_[place];
    record.source = status.MPI_SOURCE;
    record.tag = status.MPI_TAG;
    record.units = units;
    see(place, Seen::message);
    return std::min(units, call_at(place).capacity);
  }

  // ---- Probes ----

  void note_probe(const Call& call, bool found, const MPI_Status& status) {
    if (found) note_envelope(place_, status, types_.of(call.unit, Layout::plain), 1);
  }

  void probe(const Call& call) {
    MPI_Status status;
    int flag = 1;
    if (call.blocking && !polls()) {
      MPI_Probe(source(call), tag(call.tag), comm(call), &status);
    } else {
      do MPI_Iprobe(source(call), tag(call.tag), comm(call), &flag, &status);
      while (call.blocking && flag == 0);
    }
    note_probe(call, flag != 0, status);
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
    note_probe(call, flag != 0, status);
    if (flag != 0 && (handle == MPI_MESSAGE_NO_PROC) != (seen(static_cast<int>(place_)) == Seen::nobody))
      complain(place_, Complaint::handle);
    if (flag == 0) handle = MPI_MESSAGE_NULL;
  }

  // ---- Requests ----

  void cancel(const Call& call) {
    MPI_Request& request = requests_[static_cast<std::size_t>(call.requests[0])];
    if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
  }

  void complete(const Call& call) {
    Requests requests = requests_of(call);
    bool done = false;
    do done = attempt(call, requests);
    while (call.blocking && !done);
    for (std::size_t i = 0; i < call.requests.size(); ++i)
      requests_[static_cast<std::size_t>(call.requests[i])] = requests.handles[i];
  }

  struct Requests {
    std::vector<MPI_Request> handles;
    std::vector<MPI_Status> statuses;
    std::vector<int> indices;
    int size;
  };

  Requests requests_of(const Call& call) const {
    const std::size_t size = call.requests.size();
    Requests requests{{}, std::vector<MPI_Status>(size), std::vector<int>(size), static_cast<int>(size)};
    for (int request : call.requests)
      requests.handles.push_back(requests_[static_cast<std::size_t>(request)]);
    return requests;
  }

  /// One call. Returns whether it completed what the whole call is for.
  bool attempt(const Call& call, Requests& r) {
    const std::vector<MPI_Request> before = r.handles;
    const bool waits = call.blocking && !polls();
    int flag = 1, index = 0, count = r.size;
    MPI_Request* const handles = r.handles.data();
    MPI_Status* const statuses = r.statuses.data();
    for (int i = 0; i < r.size; ++i) r.indices[static_cast<std::size_t>(i)] = i;
    switch (call.which) {
      case Which::one:
        waits ? MPI_Wait(handles, statuses) : MPI_Test(handles, &flag, statuses);
        break;
      case Which::all:
        waits ? MPI_Waitall(r.size, handles, statuses) : MPI_Testall(r.size, handles, &flag, statuses);
        break;
      case Which::any:
        waits ? MPI_Waitany(r.size, handles, &index, statuses)
              : MPI_Testany(r.size, handles, &index, &flag, statuses);
        r.indices[0] = index;
        count = index == MPI_UNDEFINED ? 0 : 1;
        break;
      case Which::some:
        waits ? MPI_Waitsome(r.size, handles, &count, r.indices.data(), statuses)
              : MPI_Testsome(r.size, handles, &count, r.indices.data(), statuses);
        flag = count != 0;
        if (count == MPI_UNDEFINED) count = 0;
        break;
    }
    if (flag != 0) note_completed(call, before, r, count);
    return flag != 0;
  }

  void note_completed(const Call& call, const std::vector<MPI_Request>& before, const Requests& r,
                      int count) {
    const bool whole = call.which == Which::one || call.which == Which::all;
    for (int i = 0; i < count; ++i) {
      const auto index = static_cast<std::size_t>(r.indices[static_cast<std::size_t>(i)]);
      const auto request = static_cast<std::size_t>(call.requests[index]);
      const bool is_active = before[index] != MPI_REQUEST_NULL;
      if (!is_active && whole) continue;
      if (!is_active || r.handles[index] != MPI_REQUEST_NULL) complain(place_, Complaint::index);
      log_[place_].seen |= std::int64_t{1} << index;
      if (call_at(request).receives()) note(request, r.statuses[static_cast<std::size_t>(i)]);
      if (!call_at(request).receives()) spoil(request);
    }
  }

  const Program& program_;
  int rank_;
  const std::vector<MPI_Comm>& comms_;
  const Types& types_;
  std::size_t place_ = 0;
  Log log_;  // and, by call as well:
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Message> handles_;
  std::vector<Memory> memory_;
  Memory buffer_;
};

}  // namespace

Log run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types) {
  return Run(program, rank, comms, types).make();
}

}  // namespace foldlane::matching
