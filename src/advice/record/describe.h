// SPDX-License-Identifier: Apache-2.0
// Descriptions of advice (record/describe.h): the document ridge.advice/1.
//
//   record::write_json(advice, sink);
#pragma once

#include "advice/record/advice.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge {
namespace advice {

inline constexpr std::string_view kQuestions[] = {"Q1", "Q2", "Q3", "Q4", "Q5", "Q6"};
inline constexpr std::string_view kKinds[] = {
    "constant_is_input", "output_kept", "unfused_pattern", "layout",
    "narrow_type",       "branches",    "threads",         "optimization_level",
    "free_sizes",        "overhead",    "distance",        "slower_kernel",
    "runtime",           "spinning",    "batch",           "weights_reread"};
inline constexpr std::string_view kEffects[] = {"rounding", "values", "interface", "accuracy"};
inline constexpr std::string_view kPredictions[] = {"within", "missed", "unpredictable"};
inline std::span<const std::string_view> questions() { return kQuestions; }
inline std::span<const std::string_view> kinds() { return kKinds; }
inline std::span<const std::string_view> effects() { return kEffects; }
inline std::span<const std::string_view> predictions() { return kPredictions; }

// Figures that documents compute.

inline std::string_view prediction_word(const Check& c) {
  return c.prediction == Prediction::kNone ? "" : word(c.prediction);
}
inline stats::Estimate predicted(const std::optional<stats::Estimate>& gain) {
  return gain.value_or(kUnknown);
}
inline double finding_gain(const Finding& f) { return predicted(f.gain_ns).value; }
inline std::optional<stats::Interval> finding_ci95(const Finding& f) {
  return predicted(f.gain_ns).interval;
}
inline bool can_be_applied(const Finding& f) { return !f.effect.empty(); }
inline double joint_gain(const Joint& j) { return predicted(j.gain_ns).value; }
inline stats::Estimate achieved(const Joint& j) { return j.check ? j.check->gain_ns : kUnknown; }
inline double joint_achieved(const Joint& j) { return achieved(j).value; }
inline std::optional<stats::Interval> joint_ci95(const Joint& j) { return achieved(j).interval; }

}  // namespace advice

template <>
struct record::Describe<advice::KernelBound> {
  using T = advice::KernelBound;
  using Coverage = advice::Coverage;
  static constexpr std::array kCoverage{
      field<&T::coverage, &Coverage::nodes>("nodes", "share of the nodes that layers execute",
                                            known()),
      field<&T::coverage, &Coverage::time>("time", "share of the measured time of layers", known()),
      field<&T::coverage, &Coverage::unknown>(
          "unknown", "nodes of layers without a bound, ascending", at_least(0))};
  static constexpr std::array fields{
      field<&T::sequential_ns>("sequential_ns",
                               "sum of the layers' bounds with the threads of the run, not below "
                               "the bound of the model; null if none is known"),
      field<&T::critical_path_ns>(
          "critical_path_ns",
          "in any order, each layer at the roofs of all processors: longest path, what all layers "
          "need of one roof, or the bound of the model"),
      group<T, kCoverage>("coverage", "layers with a bound"),
      field<&T::beyond>("beyond",
                        "nodes of layers measured to be faster than their roof, ascending",
                        at_least(0))};
};

template <>
struct record::Describe<advice::ModelBound> {
  using T = advice::ModelBound;
  static constexpr std::array fields{
      field<&T::time_ns>("time_ns", "at the roofs of the threads of the run"),
      field<&T::parallel_ns>("parallel_ns", "at the roofs of all processors"),
      field<&T::kind>("kind", "the roof that takes longest: compute, memory:L2, memory:memory",
                      zero_is_null()),
      field<&T::macs>(
          "macs", "of products that an output depends on, by the direct algorithm, equal ones once",
          at_least(0)),
      field<&T::input_bytes>("input_bytes", "that are read of the inputs, each once", at_least(0)),
      field<&T::weight_bytes>("weight_bytes",
                              "that are read of the weights of products and of tables, each once",
                              at_least(0)),
      field<&T::output_bytes>("output_bytes", "of the outputs that no node reads", at_least(0)),
      field<&T::unknown>("unknown",
                         "products whose arithmetic is unknown and counts as 0, ascending",
                         at_least(0)),
      field<&T::reason>("reason", "for people: why there is no time", zero_is_null())};
};

template <>
struct record::Describe<advice::AchievableLayer> {
  using T = advice::AchievableLayer;
  static constexpr std::array fields{
      field<&T::nodes>("nodes", "its nodes, ascending", at_least(0)),
      field<&T::time_ns>("time_ns", "of one run", known()),
      field<&T::from>("from",
                      "\"brick KEY\", or the way in which the model was run: \"OpenVINO\"")};
};

template <>
struct record::Describe<advice::Achievable> {
  using T = advice::Achievable;
  using Coverage = advice::Coverage;
  static constexpr std::array kCoverage{
      field<&T::coverage, &Coverage::nodes>("nodes", "share of the nodes of pieces", known()),
      field<&T::coverage, &Coverage::time>("time", "share of the time of pieces", known()),
      field<&T::coverage, &Coverage::unknown>(
          "unknown", "nodes of pieces without a measured brick, ascending", at_least(0))};
  static constexpr std::array fields{
      field<&T::sequential_ns>("sequential_ns", "layers one after the other", known()),
      field<&T::scheduled_ns>("scheduled_ns",
                              "estimate: independent layers at the same time on all processors, "
                              "one thread each; null for runs with several threads"),
      group<T, kCoverage>("coverage", "pieces with a measured brick; 0 without a store of bricks"),
      field<&T::layers>("layers", "pieces with a measured brick, in an executable order",
                        item_lines())};
};

template <>
struct record::Describe<advice::OutputDifference> {
  using T = advice::OutputDifference;
  static constexpr std::array fields{
      field<&T::max_abs>(
          "max_abs",
          "largest difference of two elements for usual inputs: seeded, of the user's files, "
          "zeros; of outputs that are no floats: largest share of elements that differ"),
      field<&T::max_rel>("max_rel", "relative to the largest element of the output"),
      field<&T::rounding>(
          "rounding",
          "greatest relative difference that was taken for rounding: that of the type, or twice "
          "the difference of the model itself between two optimization levels for the same inputs",
          known()),
      field<&T::sizes>("sizes", "free sizes: \"batch=1\", \"batch=2\""),
      field<&T::inputs>(
          "inputs",
          "elements of float inputs: \"seeded\", \"zeros\", \"times 1e-30\", \"times 100\", \"some "
          "of 1e20\", \"some NaN\", \"some infinite\""),
      field<&T::differs_usually>(
          "differs_usually", "for people: the first difference beyond rounding for usual inputs",
          zero_is_null()),
      field<&T::differs_unusually>("differs_unusually",
                                   "for people: the first one for other inputs", zero_is_null()),
      field<&T::not_compared>("not_compared", "for people: what was not compared, and why")};
};

template <>
struct record::Describe<advice::Check> {
  using T = advice::Check;
  static constexpr std::array fields{
      field<&T::state>("state",
                       "what the repair did, whatever was predicted: the interval of the gain lies "
                       "above 0, below 0, or includes 0"),
      computed<&advice::prediction_word>(
          "prediction",
          "how the predicted gain fared: as near to the achieved one as allowed, or not; "
          "unpredictable: its interval is wider than what is allowed; null: nothing was predicted, "
          "or the check was not judged",
          one_of<&advice::predictions>(), zero_is_null()),
      field<&T::before_ns, &stats::Estimate::value>("before_ns", "latency of the model"),
      field<&T::after_ns, &stats::Estimate::value>("after_ns", "latency of the edited copy"),
      field<&T::gain_ns, &stats::Estimate::value>("achieved_gain_ns",
                                                  "median difference of runs side by side"),
      computed<&stats::ci95<T, &T::gain_ns>>("ci95_ns", "its 95 % interval"),
      field<&T::outputs>(
          "outputs",
          "difference of the outputs, and where they were compared; null if they were not"),
      field<&T::reason>("reason", "for people: why it was not judged", zero_is_null())};
};

template <>
struct record::Describe<advice::ChangedPiece> {
  using T = advice::ChangedPiece;
  static constexpr std::array fields{
      field<&T::nodes>("nodes", "of the model, ascending; empty: kernels of the runtime's own",
                       at_least(0)),
      field<&T::before_ns>("before_ns", "in the measured run", known()),
      field<&T::after_ns>("after_ns", "by the bricks of the edited copy", known())};
};

template <>
struct record::Describe<advice::Finding> {
  using T = advice::Finding;
  static constexpr std::array fields{
      field<&T::id>("id", "for --check and --apply"),
      field<&T::question>(
          "question",
          "Benanza's question that it answers: Q1 distance to what is possible, Q2 independent "
          "branches, Q3 slower implementations, Q4 time for what is not needed, Q5 missed fusions, "
          "Q6 a narrower type",
          one_of<&advice::questions>(), zero_is_null()),
      field<&T::kind>("kind", "what is wrong", one_of<&advice::kinds>()),
      field<&T::nodes>("nodes", "nodes that it concerns, ascending", at_least(0)),
      field<&T::evidence>("evidence",
                          "for people: what is wrong, in how many places, and which kernels run "
                          "without it"),
      computed<&advice::finding_gain>(
          "predicted_gain_ns", "latency before less latency after, from bricks; null without them"),
      computed<&advice::finding_ci95>("ci95_ns", "95 % interval of the predicted gain"),
      field<&T::predictable>(
          "predictable",
          "false: the gain cannot be predicted in this budget, because half of its interval is "
          "wider than the greater of 10 % of the gain and 2 % of the latency; null without a "
          "predicted gain"),
      field<&T::confidence>("confidence",
                            "how well predictions of this kind have held on this host; null with "
                            "too few checks",
                            zero_is_null()),
      field<&T::no_price>("no_price", "for people: why there is no predicted gain", zero_is_null()),
      field<&T::changed>("changed",
                         "where the predicted gain arises: groups of nodes whose bricks the edit "
                         "changes, largest gain first; empty without bricks"),
      field<&T::lossless>(
          "lossless",
          "true: a check compared all outputs, at the sizes and for the inputs that it lists, and "
          "they are the same up to rounding; null: nothing can be applied",
          when<&advice::can_be_applied>()),
      field<&T::effect>("effect",
                        "what a caller sees of it: nothing but rounding; other values for some "
                        "inputs; other inputs, outputs or sizes; approximate outputs; null: "
                        "nothing can be applied",
                        one_of<&advice::effects>(), zero_is_null()),
      field<&T::effect_where>(
          "effect_where",
          "for people: for which inputs values differ, or what of the interface changes",
          zero_is_null()),
      field<&T::how>("how", "for people: the repair"),
      field<&T::command>("command", "that writes the edited model"),
      field<&T::check>("check", "measured in turns; null if not asked for")};
};

template <>
struct record::Describe<advice::Joint> {
  using T = advice::Joint;
  static constexpr std::array fields{
      field<&T::ids>("ids", "in the order in which they were applied"),
      computed<&advice::joint_gain>("predicted_ns",
                                    "gain of all together, from bricks; null without them"),
      computed<&advice::joint_achieved>("achieved_ns",
                                        "gain measured in turns; null if it was not"),
      computed<&advice::joint_ci95>("ci95_ns", "its 95 % interval"),
      field<&T::check>("check", "measured in turns; null if not asked for")};
};

template <>
struct record::Describe<advice::Advice> {
  using T = advice::Advice;
  static constexpr std::string_view schema = "ridge.advice/1";
  static constexpr std::string_view text =
      "How fast a model could be and what is in the way: `ridge advise MODEL --format json`. Nodes "
      "are rows of ridge.analysis/1. A figure that is unknown is null.";
  static constexpr std::array kMeasured{
      field<&T::measured_ns, &stats::Estimate::value>("median_ns",
                                                      "median of runs without the profiler"),
      computed<&stats::ci95<T, &T::measured_ns>>("ci95_ns", "95 % interval, low and high")};
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::model>("model", "as given"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::host>("host", "host, processor, number of processors"),
      field<&T::threads>("threads", "of the runtime", at_least(1)),
      group<T, kMeasured>("measured", "latency of a run", on_line()),
      field<&T::kernel_bound>(
          "bound_of_kernels",
          "least time of the kernels that the run has, under the measured roofs of the machine; "
          "fewer kernels may be faster; layers without a bound count as 0",
          on_line()),
      field<&T::model_bound>(
          "bound_of_model",
          "least time of the model however it is cut into kernels: its arithmetic, or its inputs, "
          "weights and outputs, each once; tensors between nodes do not count",
          on_line()),
      field<&T::achievable>("achievable",
                            "least time that was measured: of the run, of bricks that cover the "
                            "model, or of pieces of several runs",
                            on_line()),
      field<&T::simulated_ns>(
          "simulated_ns", "latency that the measured layers and the time between them add up to",
          on_line()),
      field<&T::findings>("findings",
                          "edits after which the runtime executes other kernels, other ways to run "
                          "the model, and where its time goes",
                          on_line(), item_lines()),
      field<&T::joint>(
          "joint",
          "all edits applied together but those that change values; null unless there are two",
          on_line()),
      field<&T::notes>("notes", "for people: what the reader must know", on_line())};
};

}  // namespace ridge
