// SPDX-License-Identifier: Apache-2.0
#include "pipeline/output_step_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "pipeline/step_arguments.h"

namespace ridge::pipeline {
namespace {

constexpr Word<BoxFormat> kFormats[] = {{"corners", BoxFormat::kCorners},
                                        {"corners_y_first", BoxFormat::kCornersYFirst},
                                        {"corner_size", BoxFormat::kCornerSize},
                                        {"center_size", BoxFormat::kCenterSize}};
constexpr Word<ClassesOf> kClassesOf[] = {{"every_class", ClassesOf::kEvery},
                                          {"best_class", ClassesOf::kBest}};
constexpr Word<BoxUnit> kUnits[] = {{"pixels", BoxUnit::kPixels}, {"shares", BoxUnit::kShares}};
constexpr Word<ChannelAxis> kAxes[] = {{"chw", ChannelAxis::kFirst}, {"hwc", ChannelAxis::kLast}};
constexpr std::string_view kArgsort = "argsort";
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr double kMaxCount = 1e9;

/// One number of a key; nullopt without it.
Result<std::optional<double>> number(StepCall& call, std::string_view key,
                                     StepCall::Bare bare = StepCall::Bare::kNo) {
  const std::vector<double> values = TRY(call.numbers(key, bare));
  if (values.size() > 1) return call.missing(fmt::format("one number for '{}', not several", key));
  if (values.empty()) return std::optional<double>();
  return std::optional(values[0]);
}

Result<std::size_t> count(StepCall& call, std::string_view key, std::size_t otherwise,
                          StepCall::Bare bare = StepCall::Bare::kNo) {
  const std::optional<double> value = TRY(number(call, key, bare));
  if (!value) return otherwise;
  if (*value < 0 || *value > kMaxCount || *value != std::floor(*value))
    return call.missing(fmt::format("a whole number for '{}'", key));
  return static_cast<std::size_t>(*value);
}

Result<OutputStep> softmax_step(StepCall& call) {
  return OutputStep(Softmax{TRY(count(call, "output", 0))});
}

Result<OutputStep> drop_first_step(StepCall& call) {
  DropFirst step;
  step.output = TRY(count(call, "output", 0));
  step.count = TRY(count(call, "count", 1, StepCall::Bare::kYes));
  return OutputStep(step);
}

Result<OutputStep> top_step(StepCall& call) {
  Top step;
  step.output = TRY(count(call, "output", 0));
  step.most = call.name() == kArgsort ? kAll : TRY(count(call, "most", 5, StepCall::Bare::kYes));
  return OutputStep(step);
}

Result<OutputStep> boxes_step(StepCall& call) {
  Boxes step;
  step.format = call.word("order", kFormats);
  step.unit = call.word("unit", kUnits);
  step.classes_of = call.word("pick", kClassesOf);
  if (const auto until = TRY(number(call, "until"))) step.until = static_cast<float>(*until);
  step.score = static_cast<float>(TRY(number(call, "score")).value_or(step.score));
  step.overlap = TRY(number(call, "overlap")).value_or(step.overlap);
  step.most = TRY(count(call, "most", step.most));
  step.first_class = static_cast<std::int64_t>(TRY(count(call, "first_class", 0)));
  step.boxes = TRY(count(call, "boxes", 0));
  step.scores = TRY(count(call, "scores", 1));
  if (const std::size_t classes = TRY(count(call, "classes", kAll)); classes != kAll)
    step.classes = classes;
  return OutputStep(step);
}

Result<OutputStep> masks_step(StepCall& call) {
  Masks step;
  step.axis = call.word("order", kAxes);
  step.above = TRY(number(call, "above"));
  step.output = TRY(count(call, "output", 0));
  return OutputStep(step);
}

Result<OutputStep> image_step(StepCall& call) {
  Picture step;
  step.axis = call.word("order", kAxes);
  step.multiply = TRY(number(call, "multiply")).value_or(1);
  step.output = TRY(count(call, "output", 0));
  return OutputStep(step);
}

Result<OutputStep> sequence_step(StepCall& call) {
  const auto path = call.name() == "ctc" ? Sequence::Path::kCollapsed : Sequence::Path::kPlain;
  return OutputStep(Sequence{path, TRY(count(call, "output", 0))});
}

Result<OutputStep> labels_step(StepCall& call) {
  const std::string path = TRY(call.text("a file with a label on each line"));
  return OutputStep(Labels{path});
}

struct OutputStepKind {
  std::string_view name;
  Result<OutputStep> (*make)(StepCall& call);
};

constexpr OutputStepKind kOutputStepKinds[] = {
    {kArgsort, top_step},   {"boxes", boxes_step},
    {"ctc", sequence_step}, {"drop_first", drop_first_step},
    {"image", image_step},  {"labels", labels_step},
    {"masks", masks_step},  {"softmax", softmax_step},
    {"top", top_step},      {"words", sequence_step}};

Result<OutputStep> output_step_of(StepCall& call) {
  const auto kind = std::ranges::find(kOutputStepKinds, call.name(), &OutputStepKind::name);
  if (kind == std::end(kOutputStepKinds)) {
    std::vector<std::string> names;
    for (const OutputStepKind& k : kOutputStepKinds) names.emplace_back(k.name);
    return unknown_step(call, names);
  }
  OutputStep step = TRY(kind->make(call));
  TRY(call.finish());
  return step;
}

/// Arguments of a step as text: those that differ from the default.
class OutputStepPrinter {
 public:
  std::string operator()(const Softmax& s) {
    return position("output", s.output, 0).call("softmax");
  }
  std::string operator()(const DropFirst& s) {
    return add(fmt::format("{}", s.count)).position("output", s.output, 0).call("drop_first");
  }
  std::string operator()(const Top& s) {
    if (s.most == kAll) return position("output", s.output, 0).call(kArgsort);
    return add(fmt::format("{}", s.most)).position("output", s.output, 0).call("top");
  }
  std::string operator()(const Boxes& s) {
    const Boxes usual;
    add(std::string(word_for(kFormats, s.format)));
    if (s.unit != usual.unit) add(std::string(word_for(kUnits, s.unit)));
    if (s.classes_of != usual.classes_of) add(std::string(word_for(kClassesOf, s.classes_of)));
    add(fmt::format("score={}", s.score)).add(fmt::format("overlap={}", s.overlap));
    if (s.until) add(fmt::format("until={}", *s.until));
    position("most", s.most, usual.most);
    position("first_class", static_cast<std::size_t>(s.first_class), 0);
    position("boxes", s.boxes, 0).position("scores", s.scores, 1);
    if (s.classes) add(fmt::format("classes={}", *s.classes));
    return call("boxes");
  }
  std::string operator()(const Masks& s) {
    add(std::string(word_for(kAxes, s.axis)));
    if (s.above) add(fmt::format("above={}", *s.above));
    return position("output", s.output, 0).call("masks");
  }
  std::string operator()(const Picture& s) {
    add(std::string(word_for(kAxes, s.axis)));
    if (s.multiply != 1) add(fmt::format("multiply={}", s.multiply));
    return position("output", s.output, 0).call("image");
  }
  std::string operator()(const Sequence& s) {
    position("output", s.output, 0);
    return call(s.path == Sequence::Path::kCollapsed ? "ctc" : "words");
  }
  std::string operator()(const Labels& s) { return add("\"" + s.path + "\"").call("labels"); }

 private:
  OutputStepPrinter& add(std::string argument) {
    arguments_.push_back(std::move(argument));
    return *this;
  }
  OutputStepPrinter& position(std::string_view key, std::size_t value, std::size_t usual) {
    return value == usual ? *this : add(fmt::format("{}={}", key, value));
  }
  std::string call(std::string_view name) const {
    if (arguments_.empty()) return std::string(name);
    return fmt::format("{}({})", name, fmt::join(arguments_, ", "));
  }

  std::vector<std::string> arguments_;
};

}  // namespace

Result<std::vector<OutputStep>> parse_output_steps(std::string_view text) {
  std::vector<StepCall> calls = TRY(read_calls(text));
  std::vector<OutputStep> steps;
  for (StepCall& call : calls) steps.push_back(TRY(output_step_of(call)));
  return steps;
}

std::string print_output_step(const OutputStep& step) {
  return std::visit(OutputStepPrinter(), step);
}

std::string print_output_steps(std::span<const OutputStep> steps) {
  std::string out;
  for (const OutputStep& step : steps) out += (out.empty() ? "" : " ") + print_output_step(step);
  return out;
}

}  // namespace ridge::pipeline
