// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of baseline.h.
#pragma once

#include <algorithm>

#include "lab/baseline/baseline.h"
#include "record/describe.h"

namespace ridge::lab {

inline constexpr std::int32_t kMostThreads = 1 << 20;

/// Positions and numbers that follow from each other: RIDGE-LAB-0074.
Result<void> check_baseline(const Baseline& baseline);

}  // namespace ridge::lab

namespace ridge {

template <>
struct record::Describe<lab::BaselineRule> {
  using T = lab::BaselineRule;
  static constexpr std::array fields{
      field<&T::false_accusations>(
          "false_accusations",
          "chance that any machine is named where all are equal, over all tests together",
          between(1e-9, 0.5), known()),
      field<&T::least_difference>("least_difference",
                                  "a machine that is slower by less than this share is not named",
                                  between(0, 10), known()),
      field<&T::least_machines>("least_machines", "a test with fewer is left out",
                                between(4, 1000)),
      field<&T::method>("method", "how machines are judged, with sources")};
};

template <>
struct record::Describe<lab::Vote> {
  using T = lab::Vote;
  static constexpr std::array fields{
      field<&T::machine>("machine", "its position in `machines`"),
      field<&T::value>("value", "median over its runs; of a roof the best", above(0), known()),
      field<&T::best>("best", "shortest time, highest roof", above(0), known()),
      field<&T::runs>("runs", "how many", at_least(1))};
};

template <>
struct record::Describe<lab::Thing> {
  using T = lab::Thing;
  static constexpr std::array fields{
      field<&T::name>("name", "roof, latency, or names of a group of layers"),
      field<&T::unit>("unit", "ns, B/s or FLOP/s"),
      field<&T::center>("center", "median over the machines that are not outside", above(0),
                        known()),
      field<&T::votes>("votes", "one for each machine, whatever its number of runs")};
};

template <>
struct record::Describe<lab::BaselinePoint> {
  using T = lab::BaselinePoint;
  static constexpr std::array fields{
      field<&T::model>("model", "path, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash", "structure of the model"),
      field<&T::sizes>("sizes", "free sizes as bound: batch=4, sequence=128"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::options>("options", "of the runtime, and how it was pinned"),
      field<&T::threads>("threads", "of the runtime; 0 where the run does not say",
                         between(0, lab::kMostThreads)),
      field<&T::batch>("batch", "items of one run of the model"),
      field<&T::processor>("processor", "kind and number of processors")};
};

template <>
struct record::Describe<lab::Subject> {
  using T = lab::Subject;
  static constexpr std::array fields{
      field<&T::kind>("kind", "what is tested: the roofs of a level, a latency, or a layer group"),
      field<&T::point>("point", "its position in `points`; null for roofs"),
      field<&T::processor>("processor", "kind and number of processors of its machines"),
      field<&T::level>("level", "of roofs: compute, L1, L2, L3, memory", zero_is_null()),
      field<&T::threads>("threads", "of roofs; null otherwise", between(0, lab::kMostThreads),
                         zero_is_null()),
      field<&T::nodes>("nodes", "of a layer group: nodes of the model"),
      field<&T::things>("things", "its figures"),
      field<&T::center>("center", "slowness of the machines that are not outside; 1: the median",
                        above(0), known()),
      field<&T::spread>("spread", "its standard deviation over these machines, as a factor",
                        at_least(1), known()),
      field<&T::limit>("limit", "another machine lies outside if it is slower by more", at_least(1),
                       known()),
      field<&T::machines>("machines", "that center and spread are of"),
      field<&T::significance>("significance", "part of false_accusations that this test has",
                              between(0, 1), known()),
      field<&T::outside>("outside", "machines that are slower: their positions in `machines`")};
};

template <>
struct record::Describe<lab::BaselineMachine> {
  using T = lab::BaselineMachine;
  static constexpr std::array fields{
      field<&T::name>("name", "of the host"),
      field<&T::processor>("processor", "kind and number: machines of one kind are compared"),
      field<&T::runs>("runs", "that were read")};
};

template <>
struct record::Describe<lab::Evidence> {
  using T = lab::Evidence;
  static constexpr std::array fields{
      field<&T::thing>("thing", "roof, latency, or names of a group of layers"),
      field<&T::unit>("unit", "ns, B/s or FLOP/s"),
      field<&T::value>("value", "of this machine", known()),
      field<&T::low>("expected_low", "center / limit", known()),
      field<&T::high>("expected_high", "center x limit", known()),
      field<&T::ratio>("ratio", "value / center", known())};
};

template <>
struct record::Describe<lab::OffFinding> {
  using T = lab::OffFinding;
  static constexpr std::array fields{
      field<&T::machine>("machine", "that lies outside"),
      field<&T::kind>("kind", "roofs, latency or layer"),
      field<&T::subject>("subject", "what is slower"),
      field<&T::slowness>("slowness", "how many times slower than the others", known()),
      field<&T::limit>("limit", "up to which it would not be named", known()),
      field<&T::machines>("machines", "that it is compared with"),
      field<&T::evidence>("evidence", "its figures beside what is expected")};
};

template <>
struct record::Describe<lab::LeftOut> {
  using T = lab::LeftOut;
  static constexpr std::array fields{field<&T::why>("why", "it cannot be compared"),
                                     field<&T::count>("count", "how many"),
                                     field<&T::examples>("examples", "the first of them")};
};

template <>
struct record::Describe<lab::Baseline> {
  using T = lab::Baseline;
  static constexpr std::string_view schema = "ridge.baseline/1";
  static constexpr std::string_view text =
      "What equal machines do, with its spread, and which of them lie outside: `ridge runs "
      "baseline "
      "STORE --format json`. `ridge doctor --baseline FILE` reads it.";
  static constexpr std::array fields{
      field<&T::ridge_version>("ridge_version", "of the program that made it"),
      field<&T::rows>("rows", "value of --rows: model or roof"),
      field<&T::columns>("columns", "value of --columns: host"),
      field<&T::rule>("rule", "how machines are judged", on_line()),
      field<&T::machines>("machines", "by name", on_line(), item_lines()),
      field<&T::points>("points", "models as they were measured", on_line(), item_lines()),
      field<&T::subjects>("subjects", "roofs, then latencies, then layer groups", on_line(),
                          item_lines()),
      field<&T::findings>("findings", "machines that lie outside, and where", on_line(),
                          item_lines()),
      field<&T::left_out>("left_out", "what could not be compared", on_line(), item_lines())};
  static Result<void> check(const T& baseline) { return lab::check_baseline(baseline); }
};

template <>
struct record::Describe<lab::BaselineCheck> {
  using T = lab::BaselineCheck;
  static constexpr std::string_view schema = "ridge.baseline_check/1";
  static constexpr std::string_view text =
      "This machine beside a baseline: `ridge doctor --baseline FILE --format json`.";
  static constexpr std::array fields{
      field<&T::machine>("machine", "name of the host"),
      field<&T::processor>("processor", "kind and number of processors"),
      field<&T::judged>("judged", "number of tests"),
      field<&T::findings>("findings", "where it lies outside; empty: nowhere", on_line(),
                          item_lines()),
      field<&T::left_out>("left_out", "what could not be compared", on_line(), item_lines())};
};

}  // namespace ridge
