// SPDX-License-Identifier: Apache-2.0
// Description (record/describe.h) of a sweep: ridge.profiles/1.
#pragma once

#include "profile/describe.h"
#include "profile/sweep.h"
#include "stats/describe.h"

namespace ridge::profile {

/// Results of all points of a sweep together.
struct SweepSummary {
  std::vector<SweepPoint> points;
  std::vector<SweepAxis> effects;
  std::optional<std::int64_t> knee_batch;
};

inline SweepSummary summary_of(const Sweep& sweep) {
  return {sweep.points(), sweep.axes(), sweep.knee_batch()};
}

}  // namespace ridge::profile

namespace ridge {

template <>
struct record::Describe<profile::SweepPoint> {
  using T = profile::SweepPoint;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::label>("label", "sizes and threads, after the runtime where that varies"),
      field<&T::runtime>("runtime", "its name, such as ONNX Runtime"),
      field<&T::batch>("batch", "items per run"),
      field<&T::threads>("threads", "of the runtime"),
      field<&T::latency_ns, &E::value>("median_ns", "latency, profiling off"),
      field<stats::AsEnds, &T::latency_ns, &E::interval>("ci95_ns", "95 % interval of that median"),
      field<&T::items_per_s>("items_per_s", "throughput at that latency")};
};

template <>
struct record::Describe<profile::SweepAxis::Step> {
  using T = profile::SweepAxis::Step;
  static constexpr std::array fields{
      field<&T::value>("value", "OpenVINO, 2 threads, batch=4"),
      field<&T::others>("others", "values of the other axes that vary; empty where none does"),
      field<&T::ratio, &stats::Estimate::value>(
          "ratio", "throughput by that at the base; above 1 is faster"),
      field<&T::ratio, &stats::Estimate::interval>(
          "ci95", "its 95 % interval; null where too little was measured to tell"),
      field<&T::reason>("reason", "why there is no interval", zero_is_null())};
};

template <>
struct record::Describe<profile::SweepAxis> {
  using T = profile::SweepAxis;
  static constexpr std::array fields{
      field<&T::kind>("axis", "what varies"),
      field<&T::size>("size", "name of the size; null of other axes", zero_is_null()),
      field<&T::base>("base", "the first runtime, the least number of threads, or the least size"),
      computed<static_cast<std::string (*)(const T&)>(&profile::text)>("text",
                                                                       "the steps as a sentence"),
      field<&T::steps>("steps", "each value but the base, with each value of the other axes",
                       item_lines())};
};

template <>
struct record::Describe<profile::SweepSummary> {
  using T = profile::SweepSummary;
  static constexpr std::array fields{
      field<&T::points>("points", "one per profile, in the same order", item_lines()),
      field<&T::effects>("effects",
                         "what each axis did that varies: the throughput at its values by that at "
                         "its base, all other axes the same",
                         on_line(), item_lines()),
      field<&T::knee_batch>(
          "knee_batch",
          "the smallest batch whose doubling adds at most 5 % throughput in the same runtime at "
          "the same threads; null where every doubling measured still paid, or none was")};
};

template <>
struct record::Describe<profile::Sweep> {
  using T = profile::Sweep;
  static constexpr std::string_view schema = "ridge.profiles/1";
  static constexpr std::string_view text =
      "A sweep over runtimes, sizes or threads: `ridge profile MODEL --runtimes ort,openvino "
      "--bind "
      "batch=1,2,4 --threads 1,2 --format json`.";
  static constexpr std::array fields{
      computed<&profile::summary_of>("sweep", "what the points say together"),
      field<&T::profiles>("profiles", "each a ridge.profile/1", on_line(), item_lines())};
};

}  // namespace ridge
