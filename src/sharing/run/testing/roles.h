// SPDX-License-Identifier: Apache-2.0
// Processes that tests and benchmarks of the daemon start: this program as a daemon, or as a client
// that stops at a step, where it can be killed.
//
//   if (argc > 1 && argv[1] == testing::kRoleArgument) return testing::role_main(argc, argv);
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "base/words.h"
#include "ipc/process.h"
#include "sharing/run/client.h"

namespace ridge::sharing::testing {

inline constexpr std::string_view kRoleArgument = "--share-test-role";

/// Where a client stops.
enum class Step : std::uint8_t {
  kConnected,
  kHalfGreeting,
  kGreeted,
  kHalfQuestion,
  kWaitsForLoad,
  kAnswerUnread,
  kHoldsLease,
  kHoldsMany,
  kMappedAndReleased,
  kWaitsForPin,
};

/// Bytes that loaded files may take in a daemon of start_daemon_role().
inline constexpr Bytes kRoleMemory{std::int64_t{256} << 20};

int role_main(int argc, char** argv);

/// A daemon, once it listens; not running() if it does not in time.
ipc::Process start_daemon_role(const std::string& folder);
/// A client that has come to a step; not running() if it does not in time.
ipc::Process start_client_role(const std::string& folder, const std::string& file, Step step);
/// A client that asks for a file, waits, and prints "granted" or the code of the error.
ipc::Process start_asking_role(const std::string& folder, const std::string& file);

/// Entries of /proc/PID/fd that point to something that begins so; "": all.
std::size_t descriptors_of(pid_t process, std::string_view target = "");
std::vector<pid_t> children_of(pid_t process);
/// Whether a process is there and no zombie.
bool is_alive(pid_t process);

}  // namespace ridge::sharing::testing

namespace ridge {

template <>
struct Words<sharing::testing::Step> {
  using enum sharing::testing::Step;
  static constexpr std::array list{Word{kConnected, "connected"},
                                   Word{kHalfGreeting, "half-greeting"},
                                   Word{kGreeted, "greeted"},
                                   Word{kHalfQuestion, "half-question"},
                                   Word{kWaitsForLoad, "waits-for-load"},
                                   Word{kAnswerUnread, "answer-unread"},
                                   Word{kHoldsLease, "holds-lease"},
                                   Word{kHoldsMany, "holds-many"},
                                   Word{kMappedAndReleased, "mapped-and-released"},
                                   Word{kWaitsForPin, "waits-for-pin"}};
};

}  // namespace ridge
