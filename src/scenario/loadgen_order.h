// SPDX-License-Identifier: Apache-2.0
// Which samples LoadGen 6.0.17 would ask for, and when: the same seeds give the same sequences.
//
//   LoadgenOrder order = TRY(LoadgenOrder::make(settings, {total, performance}));
//   while (!order.next().empty()) ... order.samples() ..., loaded with order.loaded() ...
//   LoadgenArrivals arrivals(settings, effective);
//
// loadgen.cc shuffles the data set with qsl_rng_seed and cuts it into loadable sets. For each set
// that it runs, a generator seeded with sample_index_rng_seed first gives the permutations of its
// three ways to choose samples, in use or not; only then single indices are drawn from it.
// The server's gaps come from schedule_rng_seed. All by std::mt19937 and the distributions of
// libstdc++, whose sequences the standard does not fix: with another library they differ.
//
// Performance mode runs the first set alone, accuracy mode all. Random, equal and same issue go on
// for as long as next() is called (LoadGen stops at the queries it generated); offline there is one
// query. Errors: RIDGE-SCEN-0030, input class: sample counts that make no set. Thread rule: one
// thread. Memory: 4 bytes per sample of the data set, of a query and, for equal issue, of the
// queries at least to be issued (at most 2^30).
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/result.h"
#include "scenario/arrivals.h"
#include "scenario/loadgen_settings.h"

namespace ridge::scenario {

class LoadgenOrder {
 public:
  static Result<LoadgenOrder> make(const LoadgenSettings& settings, const SampleCounts& counts);

  /// Samples of the next query; empty at the end.
  std::span<const std::uint32_t> next();
  std::span<const std::uint32_t> samples() const { return query_; }

  /// The set of which the samples are, padded in MultiStream. Before the first next(): the first.
  std::span<const std::uint32_t> loaded() const { return set_; }

 private:
  LoadgenOrder(const LoadgenSettings& settings, const SampleCounts& counts);

  void begin_set(std::size_t first);
  bool draw();
  void fill_offline();
  std::uint32_t index();

  LoadgenSettings settings_;
  LoadgenEffective used_;
  std::vector<std::uint32_t> all_;  ///< the shuffled data set
  std::size_t begin_ = 0;           ///< first sample of the set in it
  std::vector<std::uint32_t> set_;
  std::size_t distinct_ = 0;  ///< samples of the set without padding
  std::mt19937 random_;
  std::vector<std::uint32_t> chosen_;  ///< positions in the set, in order; empty: drawn one by one
  std::size_t at_ = 0;                 ///< query of the set
  std::vector<std::uint32_t> query_;
};

/// Server: exponential gaps, the first arrival at 0. Other scenarios: the constant gap by which
/// LoadGen estimates how many queries to generate.
class LoadgenArrivals final : public Arrivals {
 public:
  LoadgenArrivals(const LoadgenSettings& settings, const LoadgenEffective& used);
  std::int64_t next() override;

 private:
  std::mt19937 random_;
  std::exponential_distribution<double> gaps_;
  std::int64_t period_ns_ = 0;  ///< 0: random
  std::int64_t now_ns_ = 0;
};

}  // namespace ridge::scenario
