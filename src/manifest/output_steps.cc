// SPDX-License-Identifier: Apache-2.0
#include "manifest/output_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace ridge::manifest {
namespace {

std::string value_or(const StepSpec& step, std::string_view name, std::string_view otherwise = "") {
  const std::string* value = step.find(name);
  return value == nullptr ? std::string(otherwise) : *value;
}

bool is_local(std::string_view path) {
  return !path.empty() && path.find("://") == std::string_view::npos;
}

std::string labels_text(std::string_view path) {
  return is_local(path) ? step_text({"labels", {{"", fmt::format("{}", path)}}, {}}) : "";
}

class Writer {
 public:
  Result<void> add(const StepSpec& step) {
    if (step.name == "softmax") return softmax(step);
    if (step.name == "drop_first") {
      if (value_or(step, "axis", "1") != "1") return refused(step);
      call("drop_first", {value_or(step, "count", "1"), output(step)});
      return {};
    }
    if (step.name == "argsort") return argsort(step), Result<void>();
    if (step.name == "labels") return labels(value_or(step, "path")), Result<void>();
    if (step.name == "boxes") return boxes(step);
    if (step.name == "masks") return masks(step);
    if (step.name == "image") return image(step);
    return refused(step);
  }

  std::string text() const { return fmt::format("{}", fmt::join(calls_, " ")); }

 private:
  static Error refused(const StepSpec& step) {
    return input_error("RIDGE-MAN-0082", fmt::format("no step here computes {}", step_text(step)))
        .hint("evaluate without data, or state other steps of the outputs")
        .in(step.place.text());
  }
  static std::string output(const StepSpec& step) {
    const std::string index = value_or(step, "output", "0");
    return index == "0" ? "" : "output=" + index;
  }
  void call(std::string_view name, const std::vector<std::string>& arguments) {
    std::vector<std::string> some;
    for (const std::string& a : arguments)
      if (!a.empty()) some.push_back(a);
    calls_.push_back(some.empty() ? std::string(name)
                                  : fmt::format("{}({})", name, fmt::join(some, ", ")));
  }
  void labels(std::string_view path) {
    if (std::string text = labels_text(path); !text.empty()) calls_.push_back(std::move(text));
  }
  void argsort(const StepSpec& step) {
    const std::string top = value_or(step, "top");
    call(top.empty() ? "argsort" : "top", {top, output(step)});
    labels(value_or(step, "labels", value_or(step, "labels_url")));
  }
  Result<void> softmax(const StepSpec& step) {
    const std::string axis = value_or(step, "axis", "1");
    if (axis != "1" && axis != "-1") return refused(step);
    call("softmax", {output(step)});
    return {};
  }
  Result<void> boxes(const StepSpec& step) {
    const std::string order = value_or(step, "order", "yxyx");
    const std::string skipped = value_or(step, "skip_class");
    const bool reduces = value_or(step, "reduce") == "argmax";
    const bool background = skipped == "0" && reduces;
    if ((order != "yxyx" && order != "xyxy") || !(skipped.empty() || skipped == "-1" || background))
      return refused(step);
    const std::string stop = value_or(step, "stop_below");
    call("boxes",
         {order == "yxyx" ? "corners_y_first" : "corners",
          step.find("height") != nullptr ? "pixels" : "shares", reduces ? "best_class" : "",
          "score=" + value_or(step, "least_score", "0"), stop.empty() ? "" : "until=" + stop,
          "overlap=1", background ? "first_class=1" : "", "boxes=" + value_or(step, "boxes", "0"),
          "scores=" + value_or(step, "scores", "1"),
          reduces ? "" : "classes=" + value_or(step, "classes", "2")});
    return {};
  }
  Result<void> masks(const StepSpec& step) {
    if (value_or(step, "kind") != "semantic" || value_or(step, "reduce") != "argmax" ||
        value_or(step, "axis") != "1")
      return refused(step);
    call("masks", {"chw", output(step)});
    return {};
  }
  Result<void> image(const StepSpec& step) {
    const bool first = value_or(step, "from", "CHW") == "CHW";
    const std::string scale = value_or(step, "scale", "1");
    call("image", {first ? "chw" : "hwc", scale == "1" ? "" : "multiply=" + scale, output(step)});
    return {};
  }

  std::vector<std::string> calls_;
};

}  // namespace

Result<std::string> output_steps_text(std::span<const StepSpec> after) {
  Writer writer;
  for (const StepSpec& step : after) TRY(writer.add(step));
  return writer.text();
}

std::string class_names_of(std::span<const StepSpec> after) {
  for (const StepSpec& step : after)
    for (const std::string_view key : {"path", "labels", "labels_url"})
      if (const std::string* path = step.find(key); path != nullptr && is_local(*path))
        return *path;
  return {};
}

}  // namespace ridge::manifest
