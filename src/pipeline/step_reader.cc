// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"
#include "pipeline/step_words.h"

namespace ridge::pipeline {
namespace {

Result<Step> decode_step(StepCall& call) {
  Decode step;
  step.color = call.word("color_mode", kColors);
  const GrayBy library = call.word("library", kDecoders);
  if (step.color == Color::kGray) step.gray = library;
  step.turn = call.find("orientation", kTurns)
                  .value_or(library == GrayBy::kOpencv ? Turn::kExif : Turn::kNever);
  step.jpeg = {call.word("dct", kDcts), call.word("chroma", kUpsamplings)};
  return Step(step);
}

Result<Step> reverse_step(StepCall&) { return Step(ReverseChannels()); }

/// Length of `short=` or `inside=`, or the size with the word for how it is met.
Result<Target> target_of(StepCall& call) {
  Target out;
  for (const Word<Fit>& fit : kFits) {
    if (fit.value == Fit::kExact) continue;
    const std::optional<int> side = TRY(call.side(fit.text));
    if (!side) continue;
    out = {fit.value, {*side, *side}, call.word("rounding", kSideRoundings)};
    return out;
  }
  out.size = TRY(call.size());
  out.fit = call.word("fit", kFits);
  out.rounding = call.word("rounding", kSideRoundings);
  if (out.fit == Fit::kShort && out.size.width != out.size.height)
    return call.missing("one length for the short side, not two");
  return out;
}

Result<Step> resize_step(StepCall& call) {
  Resize step;
  call.split_method();
  step.target = TRY(target_of(call));
  if (call.has("library", kOpencv)) {
    step.by = OpencvResize{call.word("filter", kOpencvFilters)};
  } else if (const auto coordinates = call.find("library", kCoordinates)) {
    const auto filter = call.word("filter", kFloatFilters);
    step.by = FloatResize{filter, *coordinates, call.word("nearest", kNearestRoundings)};
  } else {
    const PillowRelease release = call.word("library", kPillowReleases);
    step.by = PillowResize{call.word("filter", kPillowFilters), release};
  }
  return Step(step);
}

Result<Step> crop_step(StepCall& call) {
  const Size size = TRY(call.size());
  const Anchor anchor = call.word("anchor", kAnchors);
  return Step(Crop{size, anchor, call.word("rounding", kCropRoundings)});
}

Result<Step> pad_step(StepCall& call) {
  const Size size = TRY(call.size());
  Pad step{size, call.word("anchor", kAnchors), 0};
  const auto value = TRY(call.numbers("value"));
  if (value.empty()) return Step(step);
  if (value.size() != 1 || value[0] < 0 || value[0] > 255 || value[0] != std::floor(value[0]))
    return call.missing("a whole value from 0 to 255");
  step.value = static_cast<int>(value[0]);
  return Step(step);
}

Result<Step> cast_step(StepCall& call) { return Step(Cast{call.word("type", kElementTypes)}); }

Result<Step> compute_step(StepCall& call) {
  Compute step;
  for (const auto& operation : kOperations)
    if (operation.text == call.name()) step.operation = operation.value;
  step.operands = TRY(call.numbers("values", StepCall::Bare::kYes));
  if (step.operands.empty()) return call.missing("a number, or values=[...]");
  step.arithmetic = call.word("arithmetic", kArithmetics);
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
  step.arithmetic = call.word("arithmetic", kArithmetics);
  return Step(step);
}

Result<Step> layout_step(StepCall& call) { return Step(Arrange{call.word("order", kLayouts)}); }

Result<Step> bytes_step(StepCall& call) {
  ByteWindow step;
  step.begin = TRY(call.whole("begin", 0, text::kMostBytes, 0));
  step.end = TRY(call.whole("end", 0, text::kMostBytes, 0));
  step.block = TRY(call.whole("block", 0, std::numeric_limits<int>::max(), 0));
  step.pad = TRY(call.whole("pad", 0, std::numeric_limits<int>::max(), step.pad));
  step.strip = call.word("strip", kStrips);
  if (step.begin + step.end == 0) return call.missing("begin=N, end=N or both");
  return Step(step);
}

Result<Step> tokens_step(StepCall& call) {
  Tokens step;
  const std::optional<std::string> named = TRY(call.text_of("file"));
  step.length = TRY(call.whole("length", 1, text::kMostTokens, 0));
  if (step.length == 0) return call.missing("length=N, the number of tokens of a sample");
  if (auto pad = TRY(call.text_of("pad"))) step.pad = *std::move(pad);
  for (const auto& [key, input] :
       {std::pair{"ids", &step.ids}, {"mask", &step.mask}, {"types", &step.types}})
    if (auto name = TRY(call.text_of(key))) *input = *std::move(name);
  step.file = named ? *named : TRY(call.text("a tokenizer.json"));
  return Step(std::move(step));
}

struct StepKind {
  std::string_view name;
  Result<Step> (*make)(StepCall& call);
};

constexpr StepKind kStepKinds[] = {
    {"add", compute_step},      {"bytes", bytes_step},      {"cast", cast_step},
    {"crop", crop_step},        {"decode", decode_step},    {"divide", compute_step},
    {"layout", layout_step},    {"multiply", compute_step}, {"normalize", normalize_step},
    {"pad", pad_step},          {"resize", resize_step},    {"reverse_channels", reverse_step},
    {"subtract", compute_step}, {"tokens", tokens_step}};

}  // namespace

Result<Step> step_of(StepCall& call) {
  const auto kind = std::find_if(std::begin(kStepKinds), std::end(kStepKinds),
                                 [&](const StepKind& k) { return k.name == call.name(); });
  if (kind == std::end(kStepKinds)) {
    std::vector<std::string> names;
    for (const StepKind& k : kStepKinds) names.emplace_back(k.name);
    return unknown_step(call, names);
  }
  Step step = TRY(kind->make(call));
  TRY(call.finish());
  return step;
}

}  // namespace ridge::pipeline
