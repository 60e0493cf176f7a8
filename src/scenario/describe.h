// SPDX-License-Identifier: Apache-2.0
// Descriptions of the load under which a model is evaluated (record/describe.h): what documents,
// locks and messages call the members of scenarios and of requests of tokens. Apart from their
// types, because few files read or write them.
#pragma once

#include "record/describe.h"
#include "scenario/generated.h"
#include "scenario/scenario.h"

namespace ridge {

template <>
struct record::Describe<scenario::Constant> {
  using T = scenario::Constant;
  static constexpr std::string_view name = "constant";
  static constexpr std::array fields{field<&T::rate>("rate_per_s", "queries per second")};
};

template <>
struct record::Describe<scenario::Poisson> {
  using T = scenario::Poisson;
  static constexpr std::string_view name = "poisson";
  static constexpr std::array fields{field<&T::rate>("rate_per_s", "mean of queries per second")};
};

template <>
struct record::Describe<scenario::Gamma> {
  using T = scenario::Gamma;
  static constexpr std::string_view name = "gamma";
  static constexpr std::array fields{
      field<&T::rate>("rate_per_s", "mean of queries per second"),
      field<&T::shape>("shape", "shape of the gaps: below 1 burstier than poisson")};
};

template <>
struct record::Describe<scenario::Bursty> {
  using T = scenario::Bursty;
  static constexpr std::string_view name = "bursty";
  static constexpr std::array fields{
      field<&T::quiet_rate>("quiet_per_s", "queries per second between bursts"),
      field<&T::burst_rate>("burst_per_s", "queries per second in a burst"),
      field<&T::quiet_s>("quiet_s", "mean time between bursts"),
      field<&T::burst_s>("burst_s", "mean time of a burst")};
};

template <>
struct record::Describe<scenario::Replay> {
  using T = scenario::Replay;
  static constexpr std::string_view name = "replay";
  static constexpr std::array fields{
      field<&T::times_ns>("times_ns", "recorded due times, ascending"),
      field<&T::speed>("speed", "factor of the speed at which they are played"),
      field<&T::rounds>("rounds", "times that they are played")};
};

template <>
struct record::Describe<scenario::Batching> {
  using T = scenario::Batching;
  static constexpr std::string_view name = "batching";
  static constexpr std::array fields{
      field<&T::most>("max", "queries in a batch at most"),
      field<&T::wait>("wait_ns", "time for which the first query waits for others"),
      field<&T::sizes>("sizes", "sizes of batches that can be run; none: powers of two and max")};
};

template <>
struct record::Describe<scenario::Scenario> {
  using T = scenario::Scenario;
  static constexpr std::string_view name = "scenario";
  static constexpr std::string_view text = "Load under which a model is evaluated.";
  static constexpr std::array fields{
      field<&T::kind>("kind", "as in MLPerf Inference where it has the scenario"),
      field<&T::arrivals>("arrivals", "process of a server's arrivals"),
      field<&T::samples_per_query>("samples_per_query", "samples of each query"),
      field<&T::workers>("lanes", "runs at the same time"),
      field<&T::order>("order", "order in which samples are taken"),
      field<&T::seed>("seed", "seed of arrivals and samples"),
      field<&T::batching>("batching", "queries that run together; null: one by one"),
      field<&T::clients>("clients", "clients of a closed loop; 0: each worker is one"),
      field<&T::mix>("mix", "shares of the queries that go to other models"),
      field<&T::warmup_runs>("warmup_runs", "runs of each worker before, not recorded"),
      field<&T::warmup_duration>("warmup_ns", "time at the beginning that figures leave out"),
      field<&T::warmup_queries>("warmup_queries",
                                "queries at the beginning that figures leave out"),
      field<&T::min_duration>("min_duration_ns", "time for which queries are issued at least"),
      field<&T::min_queries>("min_queries", "queries that are issued at least"),
      field<&T::max_duration>("max_duration_ns", "time after which none are issued"),
      field<&T::max_queries>("max_queries", "queries that are issued at most"),
      field<&T::last>("last", "last query of a load without a limit of its own"),
      field<&T::listed>("listed", "first sample of each query, in the order listed"),
      field<&T::kept>("kept", "numbers of runs whose outputs are kept, ascending")};
};

template <>
struct record::Describe<scenario::TokenRequest> {
  using T = scenario::TokenRequest;
  static constexpr std::string_view name = "token_request";
  static constexpr std::array fields{
      field<&T::after_ns>("after_ns", "due time of the request, from the first one on"),
      field<&T::prompt>("prompt", "tokens of the prompt"),
      field<&T::tokens>("tokens", "tokens that are generated")};
};

namespace scenario {

/// "poisson", "constant", "gamma", "bursty", "replay".
inline std::string_view name(const ArrivalProcess& process) {
  return record::kType<ArrivalProcess>.alternatives[process.index()]->name;
}

}  // namespace scenario
}  // namespace ridge
