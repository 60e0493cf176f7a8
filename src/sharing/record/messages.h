// SPDX-License-Identifier: Apache-2.0
// Messages between the daemon of `ridge share` and its clients. Each is the payload of a frame
// (run/line.h).
//
//   client: Hello, then any number of Ask
//   daemon: Hello or Failure; to each Ask one of Grant, Later, Failure, Done, Listing
//
// Answers may come in another order than their questions: an answer has the number of its question.
// Hello and Failure are the same in all versions of the protocol, which may append members to
// Hello; so a program names a daemon that is older or newer than itself. Plain data;
// describe_messages.h describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "sharing/record/share_list.h"

namespace ridge::sharing {

inline constexpr std::uint32_t kProtocol = 1;

using LeaseId = std::uint64_t;

/// Kinds of frames.
struct MessageKind {
  enum Value : std::uint16_t {
    kHello = 1,
    kAsk,
    kGrant = 100,
    kLater,
    kFailure,
    kDone,
    kListing,
  };
};

struct Hello {
  std::uint32_t protocol = kProtocol;
  std::string ridge;  ///< version of the program
};

/// A client's wish.
enum class What : std::uint8_t {
  kWeights,  ///< a lease of descriptors to read
  kSession,  ///< a lease of a process that has the model loaded
  kRelease,  ///< gives a lease back
  kList,
  kPin,  ///< loads the model and keeps it until kUnpin
  kUnpin,
  kEvict,  ///< frees one model that nobody leases
  kFlush,  ///< frees all that nobody leases or pinned
  kStop,
};

struct Ask {
  std::uint64_t id = 0;  ///< chosen by the client
  What what = What::kList;
  std::string model = {};  ///< absolute path, or the key of an object
  Level level = Level::kMemory;
  // Of a session, or of weights that are prepared for one.
  std::string runtime = {};
  std::uint32_t threads = 1;
  std::vector<std::pair<std::string, std::string>> options = {};
  LeaseId lease = 0;  ///< kRelease
  bool wait = false;  ///< until a load has ended; else the answer to a miss is Later
};

struct Grant {
  std::uint64_t id = 0;
  LeaseId lease = 0;
  std::string key;
  Level level = Level::kMemory;
  bool hit = false;  ///< it was there; else it was loaded for this lease
  Bytes bytes{0};
  std::string about;  ///< the loader's words on the descriptors that come along
};

/// Why a client has to load a model by itself.
enum class Why : std::uint8_t {
  kMiss,        ///< it is not there; it is loaded now for those who ask later
  kLoading,     ///< it is being loaded
  kLeaving,     ///< it is being freed
  kNoRoom,      ///< all else is leased or pinned, or the policy lets nothing go
  kOverBudget,  ///< it is larger than the budget
  kTooMany,     ///< the client has as many leases and questions as one may have
  kSlow,        ///< the template does not answer
};

struct Later {
  std::uint64_t id = 0;
  Why why = Why::kMiss;
};

struct Failure {
  std::uint64_t id = 0;  ///< 0: of the connection, which ends
  std::optional<Error> error;
};

struct Done {
  std::uint64_t id = 0;
  std::uint64_t done = 0;    ///< objects, or leases that were given back
  std::uint64_t spared = 0;  ///< kFlush: those that stay
};

struct Listing {
  std::uint64_t id = 0;
  ShareList list;
};

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::What> {
  using enum sharing::What;
  static constexpr std::array list{
      Word{kWeights, "weights"}, Word{kSession, "session"}, Word{kRelease, "release"},
      Word{kList, "list"},       Word{kPin, "pin"},         Word{kUnpin, "unpin"},
      Word{kEvict, "evict"},     Word{kFlush, "flush"},     Word{kStop, "stop"}};
};

template <>
struct Words<sharing::Why> {
  using enum sharing::Why;
  static constexpr std::array list{
      Word{kMiss, "miss", "it is not loaded yet"},
      Word{kLoading, "loading", "it is being loaded"},
      Word{kLeaving, "leaving", "it is being freed"},
      Word{kNoRoom, "no_room", "there is no memory left: all else is leased, pinned or kept"},
      Word{kOverBudget, "over_budget", "it is larger than the daemon's budget"},
      Word{kTooMany, "too_many", "this program has as many leases as one may have"},
      Word{kSlow, "slow", "the process that has it loaded does not answer"}};
};

}  // namespace ridge
