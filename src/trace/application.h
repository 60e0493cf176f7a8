// SPDX-License-Identifier: Apache-2.0
// The application's level of an evaluation: a span for each query and each step around the model,
// on the clock of layers and kernels (CLOCK_MONOTONIC).
//
//   ApplicationTrace trace;
//   trace.add_steps(steps);                                   // made ahead of all loads
//   trace.add({.name = "ort", .queries = load.queries});
//   trace.add_profiled("ort", profile.timeline, origin_ns);   // queries with layers below
//   const profile::Timeline timeline = trace.take();
//
//   level        thread                        spans
//   application  NAME, queries, track 1        query > wait
//   model        NAME, worker 1                  run, whose parent is its query
//   application  pre-processing                sample > decode, resize, ...
//   counter      (none)                        NAME, queries waiting
//   layer, ...   NAME, profiled                layers of the profiled queries, below their run
//
// A query lasts from its due time to its answer, its wait up to its issue, its run the
// rest. Records of queries do not name their worker: runs are laid on as many tracks as overlap, at
// most the number of workers, each on the track that became free last before its issue. Queries
// that wait at the same time lie on tracks of their own, at most kMaxTracks; of a query beyond
// there is only its run, with the same attributes (`scheduled_ns` counts from the run's start).
// Attributes: `query` (number by schedule, from 0), `sample`, `late_ns`, `failed`.
//
// Ownership: copies everything. Thread rule: plain data. Cost: O(n log n); 64 bytes a span.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "profile/timeline.h"
#include "scenario/query.h"

namespace ridge::trace {

/// One step of the application on one sample.
struct ApplicationStep {
  std::uint32_t sample = 0;
  std::string name;  ///< "resize"
  std::int64_t begin_ns = 0, end_ns = 0;
};

struct ApplicationLoad {
  std::string name;                          ///< the runtime's; begins the names of its threads
  std::span<const scenario::Query> queries;  ///< ascending by their due time
};

class ApplicationTrace {
 public:
  /// Queries of a load that are kept: its first ones, and the slowest of the rest, half each.
  static constexpr std::size_t kMaxQueries = 20'000;
  static constexpr std::size_t kMaxTracks = 64;
  static constexpr std::size_t kMaxSteps = 20'000;

  /// Adds the steps of samples, at most kMaxSteps. Those of a sample follow each other.
  void add_steps(std::span<const ApplicationStep> steps);
  void add(const ApplicationLoad& load);
  /// Adds the runs of a recording that were recorded whole (attribute `recorded`) as queries that
  /// were issued at once, with everything below them. `origin_ns`: the moment at which the
  /// recording's times are zero.
  void add_profiled(const std::string& name, const profile::Timeline& recording,
                    std::int64_t origin_ns);

  std::uint64_t left_out() const { return left_out_; }  ///< queries without spans
  profile::Timeline take() { return std::move(timeline_); }

 private:
  void add_waiting(const ApplicationLoad& load, std::span<const std::uint32_t> kept);
  profile::SpanId add_query(const ApplicationLoad& load, std::uint32_t number, std::size_t track);
  void describe(const scenario::Query& query, std::uint32_t number);

  profile::Timeline timeline_;
  std::uint64_t left_out_ = 0;
};

/// Assigns intervals to tracks on which they do not overlap; each to the free track whose last one
/// ended latest, so that a worker goes on with what came after its last run.
class Tracks {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};
  explicit Tracks(std::size_t most) : most_(most) {}
  /// Intervals come by ascending begin. Returns kNone if all tracks are taken.
  std::size_t place(std::int64_t begin_ns, std::int64_t end_ns);

 private:
  std::size_t most_;
  std::vector<std::int64_t> ends_;  ///< by track
};

}  // namespace ridge::trace
