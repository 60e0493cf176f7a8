// SPDX-License-Identifier: Apache-2.0
// Daemons that are started on demand.
//
//   Client client = TRY(connect_or_start({.program = "/usr/bin/ridge", .folder = folder}));
//
// A client that finds no daemon runs `ridge share serve --detach`, which starts one in a session of
// its own, with nothing of this program but its environment, waits until it listens, and ends. So
// no child of this program stays. Of several that start one at the same time one wins the lock, and
// all connect to it. What a daemon prints goes to a file in memory, and is the evidence where it
// does not start.
//
// Errors (environment class): as Client::connect; RIDGE-SHARE-0025 (it does not start in time; the
// evidence is what it printed). Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "sharing/run/client.h"

namespace ridge::sharing {

struct StartOptions {
  std::string program;  ///< ridge
  std::string folder;
  std::vector<std::string> arguments;  ///< flags of `ridge share serve`, beside --detach
  Nanos patience{5'000'000'000};
};

/// The daemon of the folder; starts it if there is none.
Result<Client> connect_or_start(const StartOptions& options);

/// Starts `ridge share serve` with the arguments in a session of its own, and waits until it
/// listens. Closes all descriptors of this process but the standard ones: it is about to end.
Result<void> start_detached(const StartOptions& options);

}  // namespace ridge::sharing
