// SPDX-License-Identifier: Apache-2.0
#include "manifest/run_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/shape.h"
#include "pipeline/step_reader.h"

namespace ridge::manifest {
namespace {

using pipeline::Step;

constexpr std::string_view kTokens = "tokens";
/// Steps that follow the run.
constexpr std::string_view kAfter[] = {"softmax", "drop_first", "argsort", "labels",
                                       "boxes",   "masks",      "image"};

Error unclear(const StepSpec& step, const StepParameter& p, std::string_view instead) {
  return input_error("RIDGE-MAN-0081", fmt::format("'{}' of '{}' does not say what to compute: {}",
                                                   p.name, step.name, p.value))
      .hint(std::string(instead))
      .in(step.place.text());
}

std::vector<std::string> listed_elements(std::string_view list) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = std::min(list.find(", "), list.size());
    out.emplace_back(list.substr(0, end));
    if (end == list.size()) return out;
    list.remove_prefix(end + 2);
  }
}

/// Replaces the thesis' names of one step; what concerns later steps is kept for finish().
class Rewriter {
 public:
  Result<void> add(const StepSpec& given) {
    StepSpec step{given.name, {}, given.place};
    std::optional<StepSpec> cast;
    for (const StepParameter& p : given.parameters) {
      if (p.name == "data_layout") {
        layout_place_ = step.place;
        if (step.name == "layout")
          step.parameters.push_back({"order", p.value});
        else
          layout_ = p.value;
      } else if (step.name == "decode" && p.name == "element_type") {
        if (p.value != "uint8" && p.value != "float32")
          return unclear(step, p, "images have elements of uint8; add a cast(float32) for others");
        if (p.value == "float32") cast = StepSpec{"cast", {{"type", "float32"}}, step.place};
      } else if (step.name == kTokens && p.name == "checksum") {
        TRY_IN(step.place.text(), parse_checksum(p.value));
      } else if (p.name == "dimensions") {
        TRY(dimensions(step, p));
      } else if (p.name == "keep_aspect_ratio") {
        if (p.value != "false")
          return unclear(step, p, "write short=N and a crop, or inside=N and a pad, instead of it");
      } else if (step.name == "normalize" && (p.name == "rescale" || p.name == "scale")) {
        step.parameters.push_back({"std", p.value});
      } else {
        step.parameters.push_back(p);
      }
    }
    out_.push_back(std::move(step));
    if (cast) out_.push_back(std::move(*cast));
    return {};
  }

  std::vector<StepSpec> finish() && {
    const bool stated =
        std::ranges::any_of(out_, [](const StepSpec& s) { return s.name == "layout"; });
    if (!layout_.empty() && !stated)
      out_.push_back({"layout", {{"order", layout_}}, layout_place_});
    return std::move(out_);
  }

 private:
  static Result<void> dimensions(StepSpec& step, const StepParameter& p) {
    std::vector<std::string> all = listed_elements(p.value);
    if (all.size() == 3 && all[2] == "3" && all[0] != "3")
      all.pop_back();
    else if (all.size() == 3)
      all.erase(all.begin());
    if (all.size() != 2) return unclear(step, p, "write height= and width=");
    step.parameters.push_back({"height", all[0]});
    step.parameters.push_back({"width", all[1]});
    return {};
  }

  std::vector<StepSpec> out_;
  std::string layout_;
  Place layout_place_;
};

Result<Step> step_of(const StepSpec& spec) {
  if (std::ranges::find(kAfter, spec.name) != std::end(kAfter))
    return input_error("RIDGE-MAN-0080",
                       fmt::format("'{}' is a step after the run, not before it", spec.name))
        .hint("state it in the steps of an output")
        .in(spec.place.text());
  pipeline::StepCall call(spec.name, 0);
  for (const StepParameter& p : spec.parameters)
    call.add({.key = p.name, .value = p.value, .is_list = p.value.find(',') != std::string::npos});
  auto step = pipeline::step_of(call);
  if (!step.ok()) return std::move(step).error().in(spec.place.text());
  return step;
}

/// Error of shape.h with the line of the step that it is about.
Result<void> check_order(const std::vector<Step>& steps, const std::vector<StepSpec>& specs) {
  if (steps.size() == 1 && pipeline::takes_text(steps[0])) return {};
  const bool file = !steps.empty() && std::holds_alternative<pipeline::Decode>(steps[0]);
  const auto check = [&](std::size_t count) -> Result<void> {
    const std::span<const Step> some(steps.data(), count);
    if (file) return TRY(pipeline::infer_shape(some)), Result<void>();
    // Arrays are gray or have three channels.
    pipeline::Shape from{.size = {}, .channels = 1};
    if (pipeline::infer_shape_from(from, some).ok()) return {};
    from.channels = 3;
    TRY(pipeline::infer_shape_from(from, some));
    return {};
  };
  for (std::size_t count = 1; count <= steps.size(); ++count)
    if (auto checked = check(count); !checked.ok())
      return std::move(checked).error().in(specs[count - 1].place.text());
  return {};
}

}  // namespace

Result<std::vector<Step>> input_steps(std::span<const StepSpec> specs) {
  Rewriter rewriter;
  for (const StepSpec& spec : specs) TRY(rewriter.add(spec));
  const std::vector<StepSpec> plain = std::move(rewriter).finish();
  std::vector<Step> out;
  for (const StepSpec& spec : plain) out.push_back(TRY(step_of(spec)));
  TRY(check_order(out, plain));
  return out;
}

Asset tokenizer_of(std::span<const StepSpec> specs) {
  Asset out;
  for (const StepSpec& spec : specs) {
    if (spec.name != kTokens) continue;
    if (const std::string* file = spec.find("file"); file != nullptr) out.path = *file;
    if (const std::string* bare = spec.find(""); bare != nullptr && out.path.empty())
      out.path = *bare;
    // input_steps() says what is wrong with one that cannot be read.
    if (const std::string* checksum = spec.find("checksum"))
      if (const auto parsed = parse_checksum(*checksum); parsed.ok()) out.checksum = *parsed;
  }
  return out;
}

}  // namespace ridge::manifest
