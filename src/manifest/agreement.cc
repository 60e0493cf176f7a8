// SPDX-License-Identifier: Apache-2.0
#include "manifest/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/number.h"

namespace ridge::manifest {
namespace {

/// Relative difference up to which two spellings of a constant are equal: 0.485 * 255 is 123.675.
constexpr double kSameConstant = 1e-6;

using Numbers = std::vector<double>;

/// Numbers of a list; empty if it is none.
Numbers numbers(std::string_view list) {
  Numbers out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    const auto value = finite_number(list.substr(0, end));
    if (!value) return {};
    out.push_back(*value);
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return out;
}

double number_at(const Numbers& all, std::size_t i, double otherwise) {
  if (all.empty()) return otherwise;
  return all[all.size() == 1 ? 0 : std::min(i, all.size() - 1)];
}

/// Effect of all normalize steps together: (x - mean) / scale.
struct Affine {
  Numbers mean{0, 0, 0}, scale{1, 1, 1};
};

Affine affine_of(const std::vector<StepSpec>& steps) {
  Affine out;
  const auto list = [](const StepSpec& s, std::string_view name) {
    const std::string* value = s.find(name);
    return value == nullptr ? Numbers() : numbers(*value);
  };
  for (const StepSpec& s : steps) {
    if (s.name != "normalize") continue;
    for (std::size_t c = 0; c < 3; ++c) {
      // y = ((x - mean) / scale / divide - m) / s.
      out.scale[c] *= number_at(list(s, "divide"), c, 1);
      out.mean[c] += number_at(list(s, "mean"), c, 0) * out.scale[c];
      out.scale[c] *= number_at(list(s, "std"), c, 1);
    }
  }
  return out;
}

bool same(const Numbers& code, const Numbers& stated) {
  if (stated.empty() || (stated.size() != 1 && stated.size() != code.size())) return false;
  for (std::size_t c = 0; c < code.size(); ++c) {
    const double other = number_at(stated, c, 0);
    const double larger = std::max({std::abs(code[c]), std::abs(other), 1e-3});
    if (std::abs(code[c] - other) > kSameConstant * larger) return false;
  }
  return true;
}

std::string shown_numbers(const Numbers& all) {
  Numbers rounded;
  for (const double n : all) rounded.push_back(std::round(n * 1e6) / 1e6);
  return fmt::format("{}", fmt::join(rounded, ", "));
}

StepSpec* last_named(std::vector<StepSpec>& steps, std::string_view name) {
  StepSpec* found = nullptr;
  for (StepSpec& s : steps)
    if (s.name == name) found = &s;
  return found;
}

std::string* parameter_of(StepSpec* step, std::string_view parameter) {
  if (step == nullptr) return nullptr;
  for (StepParameter& p : step->parameters)
    if (p.name == parameter) return &p.value;
  return nullptr;
}

/// Comparison of one input with the steps of its code.
class Agreement {
 public:
  Agreement(std::vector<StepSpec>& steps, const Tensor& input, Prefer prefer)
      : steps_(steps), input_(input), prefer_(prefer) {}

  Result<void> all() {
    TRY(word("color_mode", parameter_of(last_named(steps_, "decode"), "color_mode")));
    TRY(word("layout", parameter_of(last_named(steps_, "layout"), "order")));
    TRY(dimensions());
    TRY(element_type());
    return constants();
  }

 private:
  /// True if the parameter's value is to replace the code's value.
  Result<bool> decide(const Setting& stated, std::string_view code) const {
    if (prefer_ != Prefer::kNeither) return prefer_ == Prefer::kParameters;
    return input_error("RIDGE-MAN-0050", fmt::format("parameter '{}' is {}, the code means {}",
                                                     stated.name, stated.value, code))
        .hint("correct one of them, or choose with --prefer code or --prefer parameters")
        .in(stated.place.text());
  }

  Result<void> word(std::string_view parameter, std::string* value) {
    const Setting* stated = find(input_.parameters, parameter);
    if (stated == nullptr || value == nullptr) return {};
    // NCHW is CHW for each sample.
    std::string_view given = stated->value;
    if (given.size() == 4 && given[0] == 'N') given.remove_prefix(1);
    if (given != *value && TRY(decide(*stated, *value))) *value = given;
    return {};
  }

  Result<void> dimensions() {
    const Setting* stated = find(input_.parameters, "dimensions");
    StepSpec* sized = last_named(steps_, "crop");
    if (sized == nullptr) sized = last_named(steps_, "resize");
    std::string* height = parameter_of(sized, "height");
    std::string* width = parameter_of(sized, "width");
    if (stated == nullptr || height == nullptr || width == nullptr) return {};
    const Numbers given = numbers(stated->value);
    // Three channels are the first dimension in the catalogue, whatever the layout.
    if (given.size() < 2) return {};
    const bool last = given.back() == 3 && given.size() == 3 && given.front() != 3;
    const std::size_t first = given.size() - (last ? 3 : 2);
    const std::string h = fmt::format("{}", given[first]), w = fmt::format("{}", given[first + 1]);
    if (h == *height && w == *width) return {};
    if (TRY(decide(*stated, fmt::format("height {}, width {}", *height, *width)))) {
      *height = h;
      *width = w;
    }
    return {};
  }

  Result<void> element_type() {
    const Setting* stated = find(input_.parameters, "element_type");
    std::string* type = parameter_of(last_named(steps_, "cast"), "type");
    const std::string code = type == nullptr ? "uint8" : *type;
    if (stated == nullptr || stated->value == code) return {};
    if (!TRY(decide(*stated, code))) return {};
    if (type != nullptr)
      *type = stated->value;
    else
      steps_.insert(steps_.end() - 1, {"cast", {{"type", stated->value}}, stated->place});
    return {};
  }

  Result<void> constants() {
    const Affine code = affine_of(steps_);
    const Setting* mean = find(input_.parameters, "mean");
    const Setting* scale = find(input_.parameters, "scale");
    bool replaced = false;
    if (mean != nullptr && !same(code.mean, numbers(mean->value)))
      replaced = TRY(decide(*mean, shown_numbers(code.mean)));
    if (scale != nullptr && !same(code.scale, numbers(scale->value)))
      replaced = TRY(decide(*scale, shown_numbers(code.scale))) || replaced;
    if (!replaced) return {};
    StepSpec own{"normalize", {}, mean != nullptr ? mean->place : scale->place};
    own.parameters.push_back({"mean", mean != nullptr ? mean->value : shown_numbers(code.mean)});
    own.parameters.push_back({"std", scale != nullptr ? scale->value : shown_numbers(code.scale)});
    own.parameters.push_back({"arithmetic", "float32"});
    std::erase_if(steps_, [](const StepSpec& s) { return s.name == "normalize"; });
    steps_.insert(steps_.end() - 1, std::move(own));
    return {};
  }

  std::vector<StepSpec>& steps_;
  const Tensor& input_;
  Prefer prefer_;
};

}  // namespace

Result<std::vector<StepSpec>> agreed(std::vector<StepSpec> steps, const Tensor& input,
                                     Prefer prefer) {
  if (!steps.empty()) TRY(Agreement(steps, input, prefer).all());
  return steps;
}

}  // namespace ridge::manifest
