// SPDX-License-Identifier: Apache-2.0
// Outcome of each point of a matrix, as ridge bench prints it: the document ridge.bench/1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "profile/profile.h"
#include "record/describe.h"
#include "stats/describe.h"
#include "store/store.h"

namespace ridge {
namespace cli {

enum class BenchState : std::uint8_t { kWaiting, kImpossible, kHeld, kMeasured, kFailed };

struct BenchPoint {
  std::string key, model, point, runtime;
  int threads = 1;
  BenchState state = BenchState::kWaiting;
  std::optional<store::RunId> run;
  stats::Estimate latency_ns;  ///< NaN without a run, as is the throughput
  double items_per_s = 0;
  std::optional<double> min_s;
  std::string error;
  std::string store_key;
};

struct BenchList {
  std::vector<BenchPoint> points;
  std::vector<std::string> notes;
};

}  // namespace cli

template <>
struct Words<cli::BenchState> {
  using State = cli::BenchState;
  static constexpr std::array list{
      Word{State::kWaiting, "waiting", "not measured"},
      Word{State::kImpossible, "impossible", "the model does not take these sizes"},
      Word{State::kHeld, "held", "the store had a run of it"},
      Word{State::kMeasured, "measured", "now"}, Word{State::kFailed, "failed", "see error"}};
};

template <>
struct record::Describe<cli::BenchPoint> {
  using T = cli::BenchPoint;
  using Estimate = stats::Estimate;
  static constexpr std::array fields{
      field<&T::model>("model", "path of the model, or zoo:NAME"),
      field<&T::point>("point", "sizes and threads: batch=4, 2 threads"),
      field<&T::runtime>("runtime", "as --runtimes names it"),
      field<&T::threads>("threads", "of the runtime"),
      field<&T::state>("state",
                       "waiting: not measured; impossible: the model does not take these sizes (of "
                       "--dry-run); held: the store had a run of it; measured: now; failed: see "
                       "error"),
      field<&T::run>("run",
                     "its number in the store; null where there is none, also where a measured "
                     "point could not be stored (a full disk)"),
      field<&T::latency_ns, &Estimate::value>("median_ns",
                                              "unprofiled latency; null without a run"),
      field<stats::AsEnds, &T::latency_ns, &Estimate::interval>("ci95_ns", "its 95 % interval"),
      field<&T::items_per_s>("items_per_s", "throughput; null without a run"),
      field<&T::min_s>("least_s",
                       "the point did not fit into what was left of --budget: seconds that it "
                       "takes at least, judged by points before it; null of all others"),
      field<&T::error>("error", "why it failed or is impossible", zero_is_null()),
      field<&T::key>("key",
                     "of the point in this request, for --point: the same on every machine; null "
                     "of an impossible one",
                     zero_is_null()),
      field<&T::store_key>("store_key",
                           "of --dry-run: the key of its run in a store, as this machine measures "
                           "it; null where its runtime is not here",
                           zero_is_null())};
};

template <>
struct record::Describe<cli::BenchList> {
  using T = cli::BenchList;
  static constexpr std::string_view schema = "ridge.bench/1";
  static constexpr std::string_view text =
      "What became of a matrix: `ridge bench MODEL... --store FILE --format json`. The runs "
      "themselves are in the store (ridge.runs/1, ridge.profile/1).";
  static constexpr std::array fields{
      field<&T::points>("points",
                        "every model in every runtime at every combination of sizes and threads, "
                        "in the order asked for",
                        item_lines()),
      field<&T::notes>("notes",
                       "what a model was given in place of what was asked for, of points measured "
                       "now")};
};

}  // namespace ridge
