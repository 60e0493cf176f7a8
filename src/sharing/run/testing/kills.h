// SPDX-License-Identifier: Apache-2.0
// Kills clients, loading children and daemons at their steps, and looks for what they leave: leases,
// descriptors, memory, children; and whether a bystander noticed.
//
//   KillTrials trials(folder);                 // starts a daemon and a bystander with a lease
//   const KillResult result = trials.run(7);   // the seventh point
//   EXPECT_EQ(result.fault, "");
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "ipc/process.h"
#include "sharing/run/client.h"
#include "sharing/run/testing/roles.h"

namespace ridge::sharing::testing {

struct KillResult {
  std::string victim;  ///< client, loader or daemon
  std::string step;
  std::string fault;  ///< something that is left or was disturbed; "": nothing
  /// From the kill until all of it was gone; of a daemon, until the next one has granted a lease.
  Nanos delay{0};
};

class KillTrials {
 public:
  /// `folder`: private; for the socket and the files.
  explicit KillTrials(std::string folder, std::uint64_t seed = 1);

  /// "" if daemon and bystander are there.
  std::string start();
  KillResult run(std::uint64_t point);

 private:
  struct Bystander {
    Client client;
    std::unique_ptr<Lease> lease;
  };

  std::string start_daemon();
  std::string kill_client(Step step, KillResult& result);
  std::string kill_loader(KillResult& result);
  std::string kill_daemon(Step step, KillResult& result);
  const std::string& file_for(Step step) const;
  /// Waits until only the bystander is left; what else there is.
  std::string await_quiet();
  std::string check_bystander();
  std::string not_quiet(const ShareList& list) const;

  std::string folder_, small_, large_, small_hash_;
  std::mt19937_64 random_;
  ipc::Process daemon_;
  std::unique_ptr<Bystander> bystander_;
  std::size_t descriptors_ = 0;  ///< number that the quiet daemon has
};

}  // namespace ridge::sharing::testing
