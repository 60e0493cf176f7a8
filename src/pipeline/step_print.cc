// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "pipeline/step_text.h"
#include "pipeline/step_words.h"

namespace ridge::pipeline {
namespace {

/// Arguments of a step, those with their default value left out.
class Line {
 public:
  explicit Line(std::string_view name) : text_(name) {}

  Line& argument(std::string_view text) {
    text_ += count_++ == 0 ? "(" : ", ";
    text_ += text;
    return *this;
  }
  template <typename Value, std::size_t kCount>
  Line& word(const Word<Value> (&table)[kCount], Value value) {
    return value == table[0].value ? *this : argument(word_for(table, value));
  }
  Line& size(Size size) {
    return argument(size.width == size.height ? fmt::format("{}", size.width)
                                              : fmt::format("{}x{}", size.width, size.height));
  }
  Line& list(std::string_view key, const std::vector<double>& values, double left_out) {
    if (values.size() == 1 && values[0] == left_out) return *this;
    return argument(fmt::format("{}=[{}]", key, fmt::join(values, ", ")));
  }
  Line& number(std::string_view key, int value, int left_out) {
    return value == left_out ? *this : argument(fmt::format("{}={}", key, value));
  }
  Line& quoted(std::string_view key, std::string_view value, std::string_view left_out) {
    return value == left_out ? *this : argument(fmt::format("{}=\"{}\"", key, value));
  }
  std::string text() const { return count_ == 0 ? text_ : text_ + ")"; }

 private:
  std::string text_;
  int count_ = 0;
};

struct StepPrinter {
  std::string operator()(const Decode& step) const {
    Line line("decode");
    line.argument(word_for(kColors, step.color));
    // With the library, whose default is exif, the orientation is always stated.
    if (step.gray == GrayBy::kOpencv)
      line.argument(word_for(kDecoders, step.gray)).argument(word_for(kTurns, step.turn));
    else
      line.word(kTurns, step.turn);
    return line.word(kDcts, step.jpeg.dct).word(kUpsamplings, step.jpeg.upsampling).text();
  }
  std::string operator()(const ReverseChannels&) const { return "reverse_channels"; }
  std::string operator()(const Resize& step) const {
    Line line("resize");
    line.size(step.target.size).word(kFits, step.target.fit);
    line.word(kSideRoundings, step.target.rounding);
    if (const auto* by = std::get_if<PillowResize>(&step.by)) {
      line.argument(word_for(kPillowFilters, by->filter));
      line.argument(word_for(kPillowReleases, by->release));
    } else if (const auto* opencv = std::get_if<OpencvResize>(&step.by)) {
      line.argument(word_for(kOpencvFilters, opencv->filter)).argument(kOpencv);
    } else {
      const auto& how = std::get<FloatResize>(step.by);
      line.argument(word_for(kFloatFilters, how.filter));
      line.argument(word_for(kCoordinates, how.coordinates)).word(kNearestRoundings, how.rounding);
    }
    return line.text();
  }
  std::string operator()(const Crop& step) const {
    return Line("crop")
        .size(step.size)
        .word(kAnchors, step.anchor)
        .word(kCropRoundings, step.rounding)
        .text();
  }
  std::string operator()(const Pad& step) const {
    Line line("pad");
    line.size(step.size).word(kAnchors, step.anchor);
    if (step.value != 0) line.argument(fmt::format("value={}", step.value));
    return line.text();
  }
  std::string operator()(const Cast& step) const {
    return Line("cast").argument(word_for(kElementTypes, step.type)).text();
  }
  std::string operator()(const Compute& step) const {
    Line line(word_for(kOperations, step.operation));
    if (step.operands.size() == 1)
      line.argument(fmt::format("{}", step.operands[0]));
    else
      line.argument(fmt::format("values=[{}]", fmt::join(step.operands, ", ")));
    return line.word(kArithmetics, step.arithmetic).text();
  }
  std::string operator()(const Normalize& step) const {
    Line line("normalize");
    if (step.divisor != 1) line.argument(fmt::format("divide={}", step.divisor));
    line.list("mean", step.mean, 0).list("std", step.std, 1);
    return line.word(kArithmetics, step.arithmetic).text();
  }
  std::string operator()(const Arrange& step) const {
    return Line("layout").argument(word_for(kLayouts, step.layout)).text();
  }
  std::string operator()(const ByteWindow& step) const {
    const ByteWindow usual;
    return Line("bytes")
        .number("begin", step.begin, usual.begin)
        .number("end", step.end, usual.end)
        .number("block", step.block, usual.block)
        .number("pad", step.pad, usual.pad)
        .word(kStrips, step.strip)
        .text();
  }
  std::string operator()(const Tokens& step) const {
    const Tokens usual;
    return Line("tokens")
        .quoted("file", step.file, usual.file)
        .number("length", step.length, usual.length)
        .quoted("pad", step.pad, usual.pad)
        .quoted("ids", step.ids, usual.ids)
        .quoted("mask", step.mask, usual.mask)
        .quoted("types", step.types, usual.types)
        .text();
  }
};

}  // namespace

std::string print_step(const Step& step) { return std::visit(StepPrinter(), step); }

std::string print_steps(std::span<const Step> steps) {
  std::string text;
  for (const Step& step : steps) {
    if (!text.empty()) text += ' ';
    text += print_step(step);
  }
  return text;
}

}  // namespace ridge::pipeline
