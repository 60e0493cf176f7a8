// SPDX-License-Identifier: Apache-2.0
// The queries of a load, one after the other: when each is due, which sample it takes, of which
// model, and to which phase it belongs. It waits for nothing.
//
//   QuerySource source = TRY(QuerySource::make(scenario, {64}));
//   source.begin(now);
//   while (const std::optional<Due> due = source.draw(free)) ...   // a worker is free since then
//
//   begun --- warm-up --- measured_ns --- queries of the figures --- last scheduled --- drained
//
// Thread rule: one thread at a time (the worker that has the generator's turn); belongs and
// neighbor from any thread that was handed the query, as they read only it and what never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "scenario/mixture.h"
#include "scenario/scenario.h"
#include "stats/random.h"

namespace ridge::runtime {

/// A query that is to be issued.
struct Due {
  std::int64_t due_ns = 0;
  std::uint64_t ordinal = 0;  ///< among the queries of its phase
  std::uint32_t sample = 0;
  std::uint32_t model = 0;
  bool warmup = false;
  std::int64_t phase_ns = 0;  ///< when that phase began
  std::uint32_t late_ns = 0;
  std::int64_t issued_ns = 0;
};

class QuerySource {
 public:
  /// `samples`: how many each model has; samples of all models are numbered one after the other.
  static Result<QuerySource> make(const scenario::Scenario& scenario,
                                  const std::vector<std::uint32_t>& samples);

  /// Sets the first moment of the schedule.
  void begin(std::int64_t now_ns) { begun_ns_ = measured_ns_ = now_ns; }
  /// The next query, for a worker or a client that is free since `asked_ns`: due at once, a
  /// server's at the next moment of its schedule. nullopt: the load has no more.
  std::optional<Due> draw(std::int64_t asked_ns);
  /// True once queries of the warm-up are over.
  bool measuring() const { return !warming_; }
  /// When the first query after the warm-up could be due.
  std::int64_t measured_ns() const { return measured_ns_; }

  /// True if a query may be issued at that moment.
  bool belongs(const Due& due, std::int64_t at_ns) const;
  /// True after the longest time that the load may take.
  bool out_of_time(std::int64_t now_ns) const;
  /// Counts a server's queries that were due and are not issued: `drawn` of them, and the queries
  /// of the rest of the schedule.
  std::uint64_t abandon(std::uint64_t drawn);
  /// The i-th sample of a query of several.
  std::uint32_t neighbor(const Due& due, std::uint32_t i) const;

 private:
  struct Model {
    std::uint32_t first = 0, samples = 0, in_turn = 0;
  };
  QuerySource(const scenario::Scenario& scenario, std::vector<Model> models)
      : scenario_(scenario), models_(std::move(models)), random_(scenario.seed) {}

  bool warms_up(std::int64_t at_ns);
  bool goes_on(const Due& due, std::int64_t at_ns) const;
  std::uint32_t draw_sample(std::uint32_t model, std::uint64_t ordinal);

  scenario::Scenario scenario_;
  std::vector<Model> models_;
  stats::Random random_;
  std::unique_ptr<scenario::Arrivals> arrivals_;  // of a server
  std::optional<scenario::Mixture> mixture_;      // of several models
  std::int64_t begun_ns_ = 0, measured_ns_ = 0;
  std::int64_t last_ns_ = 0;  // when the last query was due
  bool warming_ = false;
  std::uint64_t warmed_ = 0, scheduled_ = 0;
};

}  // namespace ridge::runtime
