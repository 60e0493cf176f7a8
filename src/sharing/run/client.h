// SPDX-License-Identifier: Apache-2.0
// A program's side of the daemon of `ridge share`.
//
//   Client client = TRY(Client::connect(folder));
//   Leased leased = client.lease({.what = What::kWeights, .model = "/models/resnet50.onnx"});
//   if (!leased.lease) load_by_myself(leased.why);           // a reason, not a failure
//   use(leased.lease->files());                               // until the lease is destroyed
//
// A daemon never stands in the way: whatever goes wrong, and by the deadline, the answer is to load
// the model without it. Connecting and starting: start_daemon.h.
//
// Errors (environment class): as connect_to(); RIDGE-SHARE-0020 (no answer in time), 0021 (the
// daemon ended), 0022 (what it sends is no message), and what the daemon answers. Thread rule: one
// thread. Ownership: a Lease borrows its client, which outlives it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"
#include "sharing/record/messages.h"
#include "sharing/run/line.h"

namespace ridge::sharing {

/// Time for the answer to a question.
inline constexpr Nanos kAnswerTime{5'000'000'000};

class Lease;

/// A lease, or why there is none.
struct Leased {
  std::unique_ptr<Lease> lease;
  std::optional<Error> why;
};

class Client {
 public:
  /// Connects to the daemon of a folder, and greets it.
  static Result<Client> connect(const std::string& folder, Nanos patience = kAnswerTime);

  /// Asks for weights or a session. With `wait`, until the load has ended or `patience` is over.
  Leased lease(Ask ask, Nanos patience = kAnswerTime);
  /// kPin, kUnpin, kEvict, kFlush, kStop.
  Result<Done> order(Ask ask, Nanos patience = kAnswerTime);
  Result<ShareList> list(Nanos patience = kAnswerTime);
  /// After kStop: returns once the daemon has closed the connection, the last thing it does.
  Result<void> wait_for_end(Nanos patience = kAnswerTime);

 private:
  friend class Lease;
  explicit Client(Line line) : line_(std::move(line)) {}

  Result<void> greet(Nanos patience);
  Result<LineFrame> frame(Nanos deadline);
  /// The answer to a question; those to others, which nobody waits for, are passed over.
  Result<LineFrame> answer(Ask& ask, Nanos patience);
  Result<Leased> try_lease(Ask& ask, Nanos patience);
  void release(LeaseId lease);
  Error lost() const;

  Line line_;
  std::uint64_t next_ = 1;
};

/// Ends with the object, and with this process.
class Lease {
 public:
  Lease(Client& client, Grant grant, std::vector<ipc::Descriptor> files)
      : client_(client), grant_(std::move(grant)), files_(std::move(files)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { client_.release(grant_.lease); }

  const Grant& grant() const { return grant_; }
  /// Weights: sealed memory. A session: the ends of a process that has the model loaded.
  std::vector<ipc::Descriptor>& files() { return files_; }

 private:
  Client& client_;
  Grant grant_;
  std::vector<ipc::Descriptor> files_;
};

}  // namespace ridge::sharing
