// SPDX-License-Identifier: Apache-2.0
// Descriptions of estimates from bricks, and of their check against measured models
// (record/describe.h): the documents ridge.estimate/1 and ridge.bricks_check/1.
//
//   record::write_json(estimates, sink);
#pragma once

#include "bricks/check.h"
#include "bricks/estimate_document.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge {
namespace bricks {

inline constexpr std::string_view kSources[] = {word(Source::kMeasured), word(Source::kPredicted)};
inline std::span<const std::string_view> sources() { return kSources; }
inline std::string_view source_word(const EstimatedLayer& layer) { return word(layer.source); }

/// A layer without a time.
struct MissingLayer {
  std::string brick;
  std::vector<graph::NodeId> nodes;
  std::string why;
};

inline std::vector<EstimatedLayer> layers_with_time(const ModelEstimate& m) {
  std::vector<EstimatedLayer> out;
  for (const EstimatedLayer& layer : m.layers)
    if (layer.source != Source::kMissing) out.push_back(layer);
  return out;
}

inline std::vector<MissingLayer> missing_layers(const ModelEstimate& m) {
  std::vector<MissingLayer> out;
  for (const EstimatedLayer& layer : m.layers)
    if (layer.source == Source::kMissing) out.push_back({layer.brick, layer.nodes, layer.why});
  return out;
}

inline double error_of(const CheckedModel& m) { return m.error(); }
inline bool intervals_meet(const CheckedModel& m) { return m.intervals_meet(); }

template <auto kMember>
auto of_summary(const Check& check) {
  return summary_of(check).*kMember;
}

}  // namespace bricks

template <>
struct record::Describe<bricks::EstimatedLayer> {
  using T = bricks::EstimatedLayer;
  static constexpr std::array fields{
      field<&T::nodes>("nodes", "rows of its nodes in ridge.analysis/1, ascending", at_least(0)),
      field<&T::brick>("brick", "key of its brick; null if the piece has none", zero_is_null()),
      field<&T::time, &stats::Estimate::value>(
          "time_ns", "of one run, without the cost of profiling", known()),
      computed<&stats::ci95<T, &T::time>>("ci95_ns", "95 % interval, low and high"),
      computed<&bricks::source_word>("source",
                                     "measured: its brick was; predicted: from measured bricks "
                                     "with kernels in common",
                                     one_of<&bricks::sources>())};
};

template <>
struct record::Describe<bricks::MissingLayer> {
  using T = bricks::MissingLayer;
  static constexpr std::array fields{
      field<&T::brick>("brick", "key that a brick of this layer alone has", zero_is_null()),
      field<&T::nodes>("nodes", "rows of its nodes, ascending", at_least(0)),
      field<&T::why>("why", "for people: why its brick was not measured and cannot be predicted",
                     zero_is_null())};
};

template <>
struct record::Describe<bricks::ModelEstimate> {
  using T = bricks::ModelEstimate;
  static constexpr std::array coverage{
      field<&T::measured_share>(
          "measured", "share of the layers' time that measured bricks stand for", known()),
      field<&T::predicted_share>(
          "predicted", "share that is predicted from measured bricks with kernels in common",
          known())};
  static constexpr std::array fields{
      field<&T::name>("name", "path, and the sizes given for it"),
      field<&T::total, &stats::Estimate::value>("estimate_ns",
                                                "latency; null if a layer is missing"),
      computed<&stats::ci95<T, &T::total>>(
          "ci95_ns",
          "95 % interval, low and high; null if a brick was measured in one process only"),
      field<&T::critical_path_ns>(
          "critical_path_ns",
          "longest path through the layers and the time outside them: least time with any number "
          "of processors"),
      field<&T::outside, &stats::Estimate::value>(
          "outside_layers_ns", "time of a run outside its kernels, from chains of equal kernels"),
      group<T, coverage>("coverage", "where the times of the layers come from"),
      computed<&bricks::layers_with_time>("layers", "pieces in an executable order", item_lines()),
      computed<&bricks::missing_layers>("missing", "layers without a time", item_lines())};
};

template <>
struct record::Describe<bricks::EstimateDocument> {
  using T = bricks::EstimateDocument;
  static constexpr std::string_view schema = "ridge.estimate/1";
  static constexpr std::string_view text =
      "Latencies of models from measured bricks: `ridge bricks estimate MODEL... --store FILE "
      "--format json`. The models were loaded and not run. Layers and time outside layers add up "
      "to the estimate.";
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::runtime>("runtime", "whose kernels the bricks run, as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::host>("host", "host, processor, number of processors"),
      field<&T::threads>("threads", "of the runtime", at_least(1)),
      field<&T::models>("models", "in the order given", item_lines())};
};

template <>
struct record::Describe<bricks::CheckedModel> {
  using T = bricks::CheckedModel;
  static constexpr std::array fields{
      field<&T::name>("name", "path, and the sizes given for it"),
      field<&T::measured, &stats::Estimate::value>(
          "measured_ns", "latency: mean of the medians of its processes", known()),
      computed<&stats::ci95<T, &T::measured>>("measured_ci95_ns", "95 % interval, low and high"),
      field<&T::estimate, &stats::Estimate::value>("estimate_ns", "from bricks", known()),
      computed<&stats::ci95<T, &T::estimate>>("ci95_ns", "95 % interval of the estimate"),
      computed<&bricks::error_of>("error", "estimate / measured - 1", known()),
      computed<&bricks::intervals_meet>("intervals_meet",
                                        "the two intervals have a point in common"),
      field<&T::processes>("processes", "in which the model was measured", at_least(1)),
      field<&T::seconds>("seconds", "time to load and run the model in all of them", known()),
      field<&T::narrow>("narrow",
                        "its measured interval reached the width; if not, its time does not count "
                        "as saved"),
      field<&T::measured_width>("measured_width",
                                "half of the measured interval, relative; null if it was measured "
                                "in too few processes"),
      field<&T::estimate_width>("estimate_width",
                                "half of what measuring the bricks adds to the interval of the "
                                "estimate, relative"),
      field<&T::estimate_narrow>("estimate_narrow",
                                 "the estimate reached the width; if not, the model's time does "
                                 "not count as saved")};
};

template <>
struct record::Describe<bricks::CheckTimes> {
  using T = bricks::CheckTimes;
  static constexpr std::array fields{
      field<&T::plan_s>("plan_s", "loading models and cutting them", known()),
      field<&T::load_s>("load_s", "starting processes and loading bricks", known()),
      field<&T::run_s>("run_s", "running bricks, donors and dropped runs included", known())};
};

template <>
struct record::Describe<bricks::Check> {
  using T = bricks::Check;
  using Summary = bricks::CheckSummary;
  static constexpr std::string_view schema = "ridge.bricks_check/1";
  static constexpr std::string_view text =
      "Estimates from bricks beside measured models, and what both cost: `ridge bricks check "
      "MODEL... --store FILE --format json`. Bricks and models took turns, one process each.";
  static constexpr std::array time{
      field<&T::times>("bricks", "what the bricks took, in seconds"),
      computed<&bricks::of_summary<&Summary::models_s>>(
          "models_s",
          "loading and running the models that count: measured interval and estimate both reached "
          "the width"),
      field<&T::width>(
          "width", "half an interval relative to its figure, wanted for models and estimates alike",
          known()),
      computed<&bricks::of_summary<&Summary::counted>>(
          "models_counted", "models that count in models_s and saved", at_least(0)),
      computed<&bricks::of_summary<&Summary::models_width>>("models_width",
                                                            "largest measured_width of these"),
      computed<&bricks::of_summary<&Summary::estimates_width>>("estimates_width",
                                                               "largest estimate_width of these"),
      computed<&bricks::of_summary<&Summary::saved>>(
          "saved",
          "models_s / (plan_s + load_s + run_s); null if the store had bricks before, or no model "
          "counts"),
      computed<&bricks::of_summary<&Summary::saved_equal_runs>>(
          "saved_equal_runs", "time of one run of every model / time of one run of every brick")};
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::runtime>("runtime", "whose kernels the bricks run, as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::host>("host", "host, processor, number of processors"),
      field<&T::threads>("threads", "of the runtime", at_least(1)),
      field<&T::models>("models", "in the order given", item_lines()),
      field<&T::without_estimate>("without_estimate",
                                  "measured models that have a brick without a time"),
      computed<&bricks::of_summary<&Summary::mape>>("mape", "mean of |error|"),
      computed<&bricks::of_summary<&Summary::p95>>("p95", "|error| at rank floor(0.95 n), from 0"),
      computed<&bricks::of_summary<&Summary::worst>>("worst", "largest |error|"),
      computed<&bricks::of_summary<&Summary::bias>>("bias", "mean of error"),
      computed<&bricks::of_summary<&Summary::intervals_met>>(
          "intervals_met", "models whose intervals meet", at_least(0)),
      group<T, time>("time", "what bricks and models took, in seconds")};
};

}  // namespace ridge
