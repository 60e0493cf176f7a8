#include "pipeline/step_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "pipeline/step_arguments.h"
#include "pipeline/step_words.h"

namespace ridge::pipeline {
namespace {

Result<Step> decode_step(StepCall& call) {
  Decode step;
  step.color = call.word(kColors);
  step.turn = call.word(kTurns);
  step.jpeg = {call.word(kDcts), call.word(kUpsamplings)};
  return Step(step);
}

Result<Step> reverse_step(StepCall&) { return Step(ReverseChannels()); }

Result<Step> resize_step(StepCall& call) {
  Resize step;
  step.target.size = TRY(call.size());
  step.target.fit = call.word(kFits);
  step.target.rounding = call.word(kSideRoundings);
  if (step.target.fit == Fit::kShort && step.target.size.width != step.target.size.height)
    return call.missing("one length for the short side, not two");
  if (call.has(kOpencv)) {
    step.by = OpencvResize{call.word(kOpencvFilters)};
  } else if (const auto coordinates = call.find(kCoordinates)) {
    step.by = FloatResize{call.word(kFloatFilters), *coordinates, call.word(kNearestRoundings)};
  } else {
    const PillowRelease release = call.word(kPillowReleases);
    step.by = PillowResize{call.word(kPillowFilters), release};
  }
  return Step(step);
}

Result<Step> crop_step(StepCall& call) {
  const Size size = TRY(call.size());
  return Step(Crop{size, call.word(kAnchors), call.word(kCropRoundings)});
}

Result<Step> pad_step(StepCall& call) {
  const Size size = TRY(call.size());
  Pad step{size, call.word(kAnchors), 0};
  const auto value = TRY(call.numbers("value"));
  if (value.empty()) return Step(step);
  if (value.size() != 1 || value[0] < 0 || value[0] > 255 || value[0] != std::floor(value[0]))
    return call.missing("a whole value from 0 to 255");
  step.value = static_cast<int>(value[0]);
  return Step(step);
}

Result<Step> cast_step(StepCall& call) { return Step(Cast{call.word(kElementTypes)}); }

Result<Step> compute_step(StepCall& call) {
  Compute step;
  for (const auto& operation : kOperations)
    if (operation.text == call.name()) step.operation = operation.value;
  step.operands = TRY(call.numbers("values", StepCall::Bare::kYes));
  if (step.operands.empty()) return call.missing("a number, or values=[...]");
  step.arithmetic = call.word(kArithmetics);
  return Step(step);
}

Result<Step> normalize_step(StepCall& call) {
  Normalize step;
  const auto divisor = TRY(call.numbers("divide"));
  if (divisor.size() > 1) return call.missing("one number to divide by, not several");
  if (!divisor.empty()) step.divisor = divisor[0];
  if (auto mean = TRY(call.numbers("mean")); !mean.empty()) step.mean = std::move(mean);
  if (auto deviation = TRY(call.numbers("std")); !deviation.empty())
    step.std = std::move(deviation);
  step.arithmetic = call.word(kArithmetics);
  return Step(step);
}

Result<Step> layout_step(StepCall& call) { return Step(Arrange{call.word(kLayouts)}); }

struct Kind {
  std::string_view name;
  Result<Step> (*make)(StepCall& call);
};

constexpr Kind kKinds[] = {{"add", compute_step},
                           {"cast", cast_step},
                           {"crop", crop_step},
                           {"decode", decode_step},
                           {"divide", compute_step},
                           {"layout", layout_step},
                           {"multiply", compute_step},
                           {"normalize", normalize_step},
                           {"pad", pad_step},
                           {"resize", resize_step},
                           {"reverse_channels", reverse_step},
                           {"subtract", compute_step}};

Result<Step> step_of(StepCall& call) {
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const Kind& k) { return k.name == call.name(); });
  if (kind == std::end(kKinds)) {
    std::vector<std::string> names;
    for (const Kind& k : kKinds) names.emplace_back(k.name);
    return unknown_step(call, names);
  }
  Step step = TRY(kind->make(call));
  TRY(call.finish());
  return step;
}

}  // namespace

Result<std::vector<Step>> parse_steps(std::string_view text) {
  std::vector<StepCall> calls = TRY(read_calls(text));
  std::vector<Step> steps;
  for (StepCall& call : calls) steps.push_back(TRY(step_of(call)));
  return steps;
}

}  // namespace ridge::pipeline
