// SPDX-License-Identifier: Apache-2.0
// What load a model is evaluated under. Plain data; the names are MLPerf Inference's where it has
// the scenario.
//
//   Scenario s{.kind = Kind::kServer, .arrivals = Poisson{.rate = 12}, .workers = 2};
//   TRY(check(s));
//
// What documents and messages call its members: describe.h.
//
// Thread rule: value types. Errors: usage class (RIDGE-SCEN-0101).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "base/words.h"
#include "scenario/arrivals.h"
#include "scenario/batching.h"

namespace ridge::scenario {

enum class Kind : std::uint8_t {
  kSingleStream,  ///< one client: the next query when the one before it is done
  kMultiStream,   ///< one client with queries of several samples
  kOffline,       ///< one query with all samples; its figure is the throughput
  kServer,        ///< queries at due times of their own, whether or not the ones before are done
  kClosedLoop,    ///< `workers` clients, each with its next query when its last one is done
};

/// Order in which samples are taken.
enum class Order : std::uint8_t {
  kRandom,  ///< drawn with replacement
  kInTurn,  ///< 0, 1, 2, ..., again and again
  kListed,  ///< as in Scenario::listed
};

/// The last query of a load without a limit of its own.
enum class Last : std::uint8_t {
  kWithin,  ///< within the least duration
  kBeyond,  ///< the first beyond it, as LoadGen has it
};

struct Scenario {
  Kind kind = Kind::kSingleStream;
  ArrivalProcess arrivals = Poisson{};  ///< due times of a server's queries
  std::uint32_t samples_per_query = 1;
  std::uint32_t workers = 1;  ///< runs at the same time
  Order order = Order::kRandom;
  std::uint64_t seed = 1;
  std::optional<Batching> batching;  ///< queries that run together
  /// Clients of a closed loop, whose queries wait for a worker; 0: each worker is one.
  std::uint32_t clients = 0;
  /// Shares of the queries that go to other models, whose samples follow the first one's samples,
  /// which has the rest.
  std::vector<double> mix;
  std::uint32_t warmup_runs = 3;  ///< runs of each worker before, not recorded
  /// First phase of the schedule, until both are reached: recorded, and left out of the figures.
  Nanos warmup_duration{0};
  std::uint64_t warmup_queries = 0;
  /// After the warm-up. Both must be reached; a server's queries are scheduled within the least
  /// duration or longer.
  Nanos min_duration{10'000'000'000};
  std::uint64_t min_queries = 100;
  /// Queries end when either is reached; those scheduled and not issued by then are abandoned.
  Nanos max_duration{600'000'000'000};
  std::uint64_t max_queries = std::uint64_t{1} << 26;
  Last last = Last::kWithin;
  std::vector<std::uint32_t> listed;  ///< first sample of each query; max_queries at least
  /// Numbers of runs whose outputs are kept, ascending: the run of query q and its sample i is
  /// q * samples_per_query + i.
  std::vector<std::uint64_t> kept;
};

/// Queries per second over a long time.
double mean_rate(const ArrivalProcess& process);
/// Bursts become level, and recorded times evenly spaced.
void set_mean_rate(ArrivalProcess& process, double rate);

/// Rejects what cannot be generated: no rate, no workers, limits below the least.
Result<void> check(const Scenario& scenario);

}  // namespace ridge::scenario

namespace ridge {

template <>
struct Words<scenario::Kind> {
  using Kind = scenario::Kind;
  static constexpr std::array list{
      Word{Kind::kSingleStream, "single-stream", "one client, one query after the other"},
      Word{Kind::kMultiStream, "multi-stream", "one client with queries of several samples"},
      Word{Kind::kOffline, "offline", "one query with all samples"},
      Word{Kind::kServer, "server", "queries at due times of their own"},
      Word{Kind::kClosedLoop, "closed-loop", "several clients, one query after the other each"}};
};

template <>
struct Words<scenario::Order> {
  using Order = scenario::Order;
  static constexpr std::array list{Word{Order::kRandom, "random", "drawn with replacement"},
                                   Word{Order::kInTurn, "in_turn", "0, 1, 2, ..., again and again"},
                                   Word{Order::kListed, "listed", "as listed"}};
};

template <>
struct Words<scenario::Last> {
  using Last = scenario::Last;
  static constexpr std::array list{
      Word{Last::kWithin, "within", "within the least duration"},
      Word{Last::kBeyond, "beyond", "the first beyond it, as LoadGen has it"}};
};

}  // namespace ridge
