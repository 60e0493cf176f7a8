// SPDX-License-Identifier: Apache-2.0
// What a daemon holds and loads: does what the table of leases says (leases.h), with a loader, and
// answers the clients that ask for it.
//
//   Holdings holdings(options, loader, watch, clients);
//   holdings.ask(client, ask);                    // kWeights, kSession, kPin
//   holdings.happened(tag, now);                  // a load, a fork or the end of a process
//   holdings.look_after(now);                     // once a second
//
// Errors that clients get: those of the loader; RIDGE-SHARE-0050 (there is no such object), 0051
// (leased), 0052 (pinned), 0053 (loading or leaving), 0054 (not pinned), 0055 (several have that
// key), 0056 (a load took too long). Thread rule: one thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "sharing/run/connections.h"
#include "sharing/run/daemon_options.h"
#include "sharing/run/leases.h"
#include "sharing/run/loader.h"
#include "sharing/run/watch.h"

namespace ridge::sharing {

class Holdings {
 public:
  Holdings(const DaemonOptions& options, Loader& loader, Watch& watch);
  Holdings(const Holdings&) = delete;
  Holdings& operator=(const Holdings&) = delete;

  /// Where answers go; before the first question.
  void answer_to(Connections& clients) { clients_ = &clients; }

  void ask(ClientId client, const Ask& ask);
  void release(ClientId client, const Ask& ask);
  void unpin(ClientId client, const Ask& ask);
  void evict(ClientId client, const Ask& ask);
  void flush(ClientId client, const Ask& ask);
  void gone(ClientId client);
  /// A load, a fork or the process of an object.
  void happened(std::uint64_t tag, Nanos now);
  /// Ends what takes too long; frees what policies keep no longer.
  void look_after(Nanos now);
  /// Adds the levels and the objects.
  void list(ShareList& out) const;
  /// When look_after() has something to do; nullopt: never, as it stands.
  std::optional<Nanos> next_moment(Nanos now) const;
  /// Whether something is loaded now, or pinned.
  bool busy() const;

 private:
  using Loading = Work<std::unique_ptr<Resident>>;
  struct Entry {
    Ask ask;
    Subject subject;
    std::unique_ptr<Loading> loading;
    std::unique_ptr<Resident> resident;
    Nanos began{0};
    bool slow = false;  ///< its process does not answer
    std::optional<Error> failure;
  };
  struct Forking {
    std::unique_ptr<Work<Files>> work;
    Effect effect;
    Nanos until{0};
  };

  static std::uint64_t number(ObjectRef ref);
  static ObjectRef ref_of(std::uint64_t number);

  void follow(Nanos now);
  void follow_one(const Effect& effect, Nanos now);
  void start_loads(Nanos now);
  void finish_load(ObjectRef ref, Nanos now);
  void fail(ObjectRef ref, Error error, Nanos now);
  void forget(ObjectRef ref);
  void give(const Effect& effect, Nanos now);
  void grant(const Effect& effect, Files files);
  void finish_fork(LeaseId lease, Nanos now);
  void mark_slow(Entry& entry);
  void give_up_slow(Nanos now);
  void refuse(ClientId client, std::uint64_t ask, const Error& error);
  Result<Subject> subject_of(const Ask& ask);

  DaemonOptions options_;
  Loader& loader_;
  Watch& watch_;
  Connections* clients_ = nullptr;
  Leases leases_;
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by number(ref)
  std::deque<ObjectRef> to_load_;
  std::size_t loads_ = 0;  ///< in progress
  std::size_t slow_ = 0;   ///< number of slow entries
  std::unordered_map<LeaseId, Forking> forks_;
};

}  // namespace ridge::sharing
