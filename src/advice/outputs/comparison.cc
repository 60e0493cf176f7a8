// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "advice/outputs/further_sizes.h"
#include "advice/outputs/input_kinds.h"
#include "advice/outputs/values.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;
using Sizes = attribution::CanonicalOptions::Sizes;

constexpr std::size_t kFurther = 2;  // sizes of each free size

/// One set of inputs.
struct PreparedInput {
  InputKind kind = InputKind::kSeeded;
  std::uint64_t seed = 0;
  bool files = false;  ///< takes the user's files, where there are any
};

bool is_usual(InputKind kind) { return kind == InputKind::kSeeded || kind == InputKind::kZeros; }

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

/// The model at other sizes. Nothing if it cannot have them.
std::optional<Resolved> at_sizes(const Resolved& resolved, const analysis::BoundSizes& sizes) {
  analysis::Bindings bindings{.sizes = sizes, .shapes = {}};
  bindings.takes_arrays = false;
  Result<Resolved> out = analysis::resolve(resolved.shared_model(), bindings);
  return out.ok() ? std::optional(std::move(*out)) : std::nullopt;
}

/// Another level at which the model should compute the same.
runtime::Optimization other_level(runtime::Optimization level) {
  return level == runtime::Optimization::kBasic ? runtime::Optimization::kDisable
                                                : runtime::Optimization::kBasic;
}

/// Sessions of both models, and of the first at another level once that is asked for.
class OutputPair {
 public:
  static Result<OutputPair> load(measure::Column before, measure::Column after) {
    OutputReader first = TRY(OutputReader::load(before));
    OutputReader second = TRY(OutputReader::load(after));
    return OutputPair(std::move(before), std::move(after), std::move(first), std::move(second));
  }

  Result<runtime::Outputs> before(const Resolved& at, const PreparedInput& prepared) {
    return first_.outputs(at, prepared.kind, prepared.seed, prepared.files);
  }
  Result<runtime::Outputs> after(const Resolved& at, const PreparedInput& prepared) {
    return second_.outputs(at, prepared.kind, prepared.seed, prepared.files);
  }

  /// By output: the relative difference of the model from itself at another level.
  std::map<std::string, double> of_levels(const Resolved& at, const PreparedInput& prepared,
                                          const runtime::Outputs& before) {
    if (!tried_) {
      tried_ = true;
      measure::Column other = before_;
      other.request.runtime.optimization = other_level(other.request.runtime.optimization);
      Result<OutputReader> reader = OutputReader::load(other);
      if (reader.ok()) level_.emplace(std::move(*reader));
    }
    std::map<std::string, double> out;
    if (!level_) return out;
    const Result<runtime::Outputs> same =
        level_->outputs(at, prepared.kind, prepared.seed, prepared.files);
    if (!same.ok()) return out;
    for (const OutputApart& o : outputs_apart(before, *same).outputs) out[o.name] = o.max_rel;
    return out;
  }

  const measure::Column& column_before() const { return before_; }
  const measure::Column& column_after() const { return after_; }
  bool alive() const { return first_.alive() && second_.alive(); }

 private:
  OutputPair(measure::Column before, measure::Column after, OutputReader first, OutputReader second)
      : before_(std::move(before)),
        after_(std::move(after)),
        first_(std::move(first)),
        second_(std::move(second)) {}

  measure::Column before_, after_;
  OutputReader first_, second_;
  std::optional<OutputReader> level_;
  bool tried_ = false;
};

class Comparison {
 public:
  /// Compares one run. False if the model itself does not run so.
  Result<bool> add(OutputPair& pair, const Resolved& before, const Resolved& after,
                   const PreparedInput& prepared, const std::string& sizes) {
    const Result<runtime::Outputs> of_model = pair.before(before, prepared);
    if (!of_model.ok()) return pair.alive() ? Result<bool>(false) : of_model.error();
    const Result<runtime::Outputs> of_copy = pair.after(after, prepared);
    const std::string where = fmt::format("{}, {}", name(prepared.kind), sizes);
    if (!of_copy.ok()) {
      if (!pair.alive()) return of_copy.error();
      refused(prepared.kind, sizes);
      return true;
    }
    const OutputsApart apart = outputs_apart(*of_model, *of_copy);
    for (const std::string& output : apart.without_data)
      add_once(out_.not_compared,
               fmt::format("output '{}': the runtime gives no elements of its type", output));
    std::optional<std::map<std::string, double>> levels;
    for (const OutputApart& o : apart.outputs) {
      // The model at another optimization level is right too, so twice its own difference from
      // there counts as rounding. That takes a third session, which only an output needs that
      // differs by more than its elements' rounding.
      compared_ = true;
      double rounding = o.rounding;
      if (o.max_rel > rounding) {
        if (!levels) levels = pair.of_levels(before, prepared, *of_model);
        const auto own = levels->find(o.name);
        if (own != levels->end() && std::isfinite(own->second))
          rounding = std::max(rounding, 2 * own->second);
      }
      if (is_usual(prepared.kind)) {
        out_.max_abs = std::max(out_.max_abs, o.max_abs);
        out_.max_rel = std::max(out_.max_rel, o.max_rel);
        out_.rounding = std::max(out_.rounding, rounding);
      }
      if (o.max_rel > rounding)
        note(prepared.kind, std::isfinite(o.max_rel)
                                ? fmt::format("by {:.2g} of the largest element of '{}': {}",
                                              o.max_rel, o.name, where)
                                : fmt::format("without bound in '{}': {}", o.name, where));
    }
    add_once(out_.sizes, sizes);
    add_once(out_.inputs, std::string(name(prepared.kind)));
    return true;
  }

  /// The model takes inputs that the changed model does not.
  void refused(InputKind kind, const std::string& sizes) {
    note(kind, fmt::format("the changed model does not run: {}, {}", name(kind), sizes));
  }
  void not_compared(std::string what) { add_once(out_.not_compared, std::move(what)); }

  Result<OutputDifference> result() && {
    if (!compared_ && out_.differs_usually.empty())
      return input_error("RIDGE-WB-0090", "the models have no output that could be compared");
    return std::move(out_);
  }

 private:
  void note(InputKind kind, const std::string& what) {
    std::string& to = is_usual(kind) ? out_.differs_usually : out_.differs_unusually;
    if (to.empty()) to = what;
  }

  OutputDifference out_;
  bool compared_ = false;
};

bool has_floats(const Resolved& resolved) {
  return std::ranges::any_of(resolved.model().main().inputs, [&](graph::ValueId v) {
    const onnx::DataTypeInfo* type = onnx::info(resolved.type(v).dtype);
    return resolved.model().value(v).tensor == nullptr && type != nullptr && type->floating &&
           type->bits >= 16;
  });
}

std::vector<PreparedInput> prepared_inputs_of(std::uint64_t seed, bool unusual) {
  std::vector<PreparedInput> out = {{InputKind::kSeeded, seed}};
  if (!unusual) return out;
  out.push_back({InputKind::kZeros, seed});
  for (const InputKind kind : kUnusualKinds) out.push_back({kind, seed});
  return out;
}

/// Seeded inputs, or the user's, at the bound sizes.
Result<void> add_seeded(OutputPair& pair, const std::string& sizes, Comparison& out) {
  const measure::Request& request = pair.column_before().request;
  for (std::uint64_t i = 0; i < kOutputRuns; ++i) {
    const PreparedInput prepared{InputKind::kSeeded, request.seed + 1000 * i, true};
    const Resolved& before = *pair.column_before().resolved;
    if (!TRY(out.add(pair, before, *pair.column_after().resolved, prepared, sizes)))
      return pair.before(before, prepared).error();
  }
  return {};
}

/// Further sizes, in sessions for any size.
Result<void> add_further(const measure::Column& before, const measure::Column& after,
                         const std::vector<std::string>& free, Comparison& out) {
  measure::Column first = before, second = after;
  first.request.sizes = second.request.sizes = Sizes::kAsDeclared;
  OutputPair pair = TRY(OutputPair::load(first, second));
  const std::vector<PreparedInput> prepared_inputs =
      prepared_inputs_of(before.request.seed + 1, has_floats(*before.resolved));
  std::map<std::string, std::set<std::int64_t>> done;
  for (const SizeTrial& trial : trials(*before.resolved, free)) {
    const bool wanted = std::ranges::any_of(trial.changed, [&](const std::string& name) {
      return done[name].size() < kFurther && !done[name].contains(trial.sizes.at(name).value);
    });
    if (!wanted) continue;
    const std::optional<Resolved> model = at_sizes(*before.resolved, trial.sizes);
    if (!model) continue;
    const std::string sizes = sizes_text(trial.sizes);
    const std::optional<Resolved> copy = at_sizes(*after.resolved, trial.sizes);
    if (!copy) {
      if (pair.before(*model, prepared_inputs[0]).ok()) out.refused(prepared_inputs[0].kind, sizes);
      continue;
    }
    if (!TRY(out.add(pair, *model, *copy, prepared_inputs[0], sizes))) continue;
    for (const PreparedInput& prepared : std::span(prepared_inputs).subspan(1))
      TRY(out.add(pair, *model, *copy, prepared, sizes));
    for (const std::string& name : trial.changed) done[name].insert(trial.sizes.at(name).value);
  }
  return {};
}

}  // namespace

Result<OutputDifference> compare_outputs(const measure::Column& before,
                                         const measure::Column& after) {
  Comparison out;
  OutputPair pair = TRY(OutputPair::load(before, after));
  TRY(add_seeded(pair, sizes_text(before.resolved->bindings()), out));
  return std::move(out).result();
}

Result<OutputDifference> compare_widely(const measure::Column& before, const measure::Column& after,
                                        Expected expected) {
  Comparison out;
  const Resolved& model = *before.resolved;
  const std::string sizes = sizes_text(model.bindings());
  {
    OutputPair pair = TRY(OutputPair::load(before, after));
    TRY(add_seeded(pair, sizes, out));
    for (const PreparedInput& prepared : prepared_inputs_of(before.request.seed, has_floats(model)))
      TRY(out.add(pair, model, *after.resolved, prepared, sizes));
  }
  if (expected == Expected::kSameIfBound) return std::move(out).result();
  for (const graph::ValueId v : model.model().main().inputs) {
    const graph::Value& input = model.model().value(v);
    if (input.tensor == nullptr && (input.declared == nullptr || !input.declared->has_shape))
      out.not_compared(fmt::format("other shapes of input '{}', which declares none", input.name));
  }
  const std::vector<std::string> free = free_sizes(model);
  if (!free.empty()) {
    const Result<void> done = add_further(before, after, free, out);
    if (!done.ok()) out.not_compared("other sizes: " + done.error().summary());
  }
  return std::move(out).result();
}

}  // namespace ridge::advice
