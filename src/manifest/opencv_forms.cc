// SPDX-License-Identifier: Apache-2.0
#include "manifest/opencv_forms.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "base/number.h"
#include "manifest/image_steps.h"

namespace ridge::manifest {
namespace {

using Type = ImageSteps::Type;

constexpr int kDeepestCall = 4;

constexpr std::string_view kCenterCrop = R"(height, width, _ = img.shape
left = int((width - out_width) / 2)
right = int((width + out_width) / 2)
top = int((height - out_height) / 2)
bottom = int((height + out_height) / 2)
img = img[top:bottom, left:right]
return img)";

/// Short side to 100 * size / scale, long side in proportion, both truncated.
constexpr std::string_view kResizeInProportion = R"(height, width, _ = img.shape
new_height = int(100. * out_height / scale)
new_width = int(100. * out_width / scale)
if height > width:
 w = new_width
 h = int(new_height * height / width)
else:
 h = new_height
 w = int(new_width * width / height)
img = cv2.resize(img, (w, h), interpolation=inter_pol)
return img)";

struct Array {
  std::string values;  ///< as a list
  Type type = Type::kFloat64;
};

/// Local names of a function under way.
struct Scope {
  std::optional<std::vector<std::int64_t>> dims;
  bool transposes = false;  ///< value of need_transpose
  bool has_size = false;    ///< output_height and output_width are set from dims
  std::map<std::string, Array, std::less<>> arrays;
  std::map<std::string, double, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> interpolations;
};

std::string method_named(std::string_view interpolation) {
  for (const auto& [name, method] : {std::pair{"LINEAR", "opencv_linear"},
                                     {"AREA", "opencv_area"},
                                     {"NEAREST", "opencv_nearest"},
                                     {"CUBIC", "opencv_cubic"}})
    if (interpolation == name) return method;
  return {};
}

std::optional<std::vector<std::int64_t>> sizes(std::string_view list) {
  std::vector<std::int64_t> out;
  while (true) {
    const std::size_t end = std::min(list.find(", "), list.size());
    const auto size = whole_number(list.substr(0, end));
    if (!size || *size <= 0 || *size > 1 << 20) return std::nullopt;
    out.push_back(*size);
    if (end == list.size()) break;
    list.remove_prefix(end + 2);
  }
  return out.size() == 3 ? std::optional(out) : std::nullopt;
}

/// Follower of the code from its entry to what it returns.
class Follower {
 public:
  Follower(const CodeProgram& program, Place place)
      : program_(program), image_(ImageSteps::Library::kOpencv, place) {}

  Result<std::vector<StepSpec>> entry(const CodeFunction& function);

 private:
  enum class Flow : std::uint8_t { kNext, kSkipBlock, kEnterBlock, kReturn, kUnknown };

  Result<void> follow(const CodeFunction& function, Scope scope);
  Flow take(const CodeStatement& s, Scope& scope);
  Flow take_condition(std::string_view text, const Scope& scope);
  Flow take_setting(std::string_view text, Scope& scope);
  Flow take_geometry(const CodeStatement& s, Scope& scope);
  Flow take_type(const CodeStatement& s);
  Flow take_arithmetic(const CodeStatement& s, const Scope& scope);
  Flow resize_in_proportion(std::string_view method, const CodeStatement& s, const Scope& scope);
  Flow center_crop(const CodeStatement& s, const Scope& scope);
  bool in_place(std::string_view operation, std::string_view operand, const Scope& scope, Place p);
  bool with_array(std::string_view operation, std::string_view name, const Scope& scope, Place p);
  bool with_number(std::string_view operation, std::string_view number, Place p);
  bool multiply(std::string_view factor, Place p);
  /// Follows `return f(img, ...)` or `img = f(img, dims)`; nullopt if the text is none.
  std::optional<Result<void>> take_call(const CodeStatement& s, const Scope& scope);

  const CodeProgram& program_;
  ImageSteps image_;
  int calls_ = 0;
};

Follower::Flow Follower::take_condition(std::string_view text, const Scope& scope) {
  if (text == canonical("if need_transpose:"))
    return scope.transposes ? Flow::kEnterBlock : Flow::kSkipBlock;
  if (text == canonical("if dims != None:"))
    return scope.dims ? Flow::kEnterBlock : Flow::kSkipBlock;
  // imread always returns three channels.
  if (text == canonical("if len(img.shape) < 3 or img.shape[2] != 3:")) return Flow::kSkipBlock;
  return Flow::kUnknown;
}

Follower::Flow Follower::take_setting(std::string_view text, Scope& scope) {
  CodeMatch m;
  // The original size, which the code after the run refers to.
  if (text == "wlist.append(img.shape[1])" || text == "hlist.append(img.shape[0])")
    return Flow::kNext;
  if (text == canonical("output_height, output_width, _ = dims") ||
      text == canonical("im_height, im_width, _ = dims")) {
    scope.has_size = scope.dims.has_value();
    return scope.has_size ? Flow::kNext : Flow::kUnknown;
  }
  if (matches("{name:} = cv2.INTER_{method:}", text, m)) {
    const std::string method = method_named(m["method"]);
    if (method.empty()) return Flow::kUnknown;
    scope.interpolations[std::string(m["name"])] = method;
    return Flow::kNext;
  }
  if (matches("{name:} = np.array([{values*}])", text, m)) {
    scope.arrays[std::string(m["name"])] = {std::string(m["values"]), Type::kFloat64};
    return Flow::kNext;
  }
  if (matches("{name:} = np.array([{values*}], dtype=np.float32)", text, m)) {
    scope.arrays[std::string(m["name"])] = {std::string(m["values"]), Type::kFloat32};
    return Flow::kNext;
  }
  if (matches("{name:} = {value}", text, m)) {
    scope.numbers[std::string(m["name"])] = *finite_number(m["value"]);
    return Flow::kNext;
  }
  return Flow::kUnknown;
}

Follower::Flow Follower::center_crop(const CodeStatement& s, const Scope& scope) {
  const CodeFunction* crop = program_.find("center_crop");
  CodeMatch m;
  if (crop == nullptr || !scope.has_size || !body_matches(kCenterCrop, *crop, m) ||
      crop->signature != canonical("def center_crop(img, out_height, out_width):"))
    return Flow::kUnknown;
  image_.add({"crop",
              {{"height", std::to_string((*scope.dims)[0])},
               {"width", std::to_string((*scope.dims)[1])},
               {"rounding", "floor"}},
              s.place});
  return Flow::kNext;
}

Follower::Flow Follower::resize_in_proportion(std::string_view method, const CodeStatement& s,
                                              const Scope& scope) {
  const CodeFunction* resize = program_.find("resize_with_aspectratio");
  CodeMatch m, signature;
  if (resize == nullptr || method.empty() || !scope.has_size ||
      !body_matches(kResizeInProportion, *resize, m) ||
      !matches("def resize_with_aspectratio(img, out_height, out_width, scale={percent}, "
               "inter_pol=cv2.INTER_LINEAR):",
               resize->signature, signature))
    return Flow::kUnknown;
  const double percent = *finite_number(signature["percent"]);
  // For other shapes the formula is not "the short side to a size".
  if ((*scope.dims)[0] != (*scope.dims)[1] || percent <= 0) return Flow::kUnknown;
  const double side = std::floor(100. * static_cast<double>((*scope.dims)[0]) / percent);
  if (side < 1 || side > 1 << 20) return Flow::kUnknown;
  image_.add({"resize",
              {{"short", fmt::format("{:.0f}", side)},
               {"method", std::string(method)},
               {"rounding", "truncate"}},
              s.place});
  return Flow::kNext;
}

Follower::Flow Follower::take_geometry(const CodeStatement& s, Scope& scope) {
  CodeMatch m;
  if (s.text == canonical("img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)")) {
    if (image_.normalized() || image_.channels_first()) return Flow::kUnknown;
    image_.swap_channels();
    return Flow::kNext;
  }
  if (image_.channels_first()) return Flow::kUnknown;
  if (s.text == "img=img.transpose([2,0,1])") {
    image_.move_channels_first();
    return Flow::kNext;
  }
  if (matches("img = cv2.resize(img, ({width}, {height}))", s.text, m)) {
    image_.add({"resize",
                {{"height", std::string(m["height"])},
                 {"width", std::string(m["width"])},
                 {"method", "opencv_linear"}},
                s.place});
    return Flow::kNext;
  }
  if (scope.has_size &&
      matches("img = cv2.resize(img, (im_width, im_height), interpolation=cv2.INTER_{method:})",
              s.text, m) &&
      !method_named(m["method"]).empty()) {
    image_.add({"resize",
                {{"height", std::to_string((*scope.dims)[0])},
                 {"width", std::to_string((*scope.dims)[1])},
                 {"method", method_named(m["method"])}},
                s.place});
    return Flow::kNext;
  }
  if (s.text == canonical("img = center_crop(img, output_height, output_width)"))
    return center_crop(s, scope);
  const std::string_view proportional =
      "img = resize_with_aspectratio(img, output_height, output_width, inter_pol=";
  if (matches(std::string(proportional) + "cv2.INTER_{method:})", s.text, m))
    return resize_in_proportion(method_named(m["method"]), s, scope);
  if (matches(std::string(proportional) + "{name:})", s.text, m)) {
    const auto found = scope.interpolations.find(m["name"]);
    return found == scope.interpolations.end() ? Flow::kUnknown
                                               : resize_in_proportion(found->second, s, scope);
  }
  return Flow::kUnknown;
}

Follower::Flow Follower::take_type(const CodeStatement& s) {
  CodeMatch m;
  const auto to_float = [&] { image_.cast(Type::kFloat32, s.place); };
  if (matches("img = np.asarray(img, dtype=\"float32\") / {divisor}", s.text, m)) {
    to_float();
    return with_number("divide", m["divisor"], s.place) ? Flow::kNext : Flow::kUnknown;
  }
  for (const std::string_view form :
       {"img = np.asarray(img, dtype=\"{type:}\")", "img = np.asarray(img, dtype=np.{type:})",
        "img = np.array(img, dtype=np.{type:})"}) {
    if (!matches(form, s.text, m)) continue;
    if (m["type"] != "float32" && m["type"] != "uint8") return Flow::kUnknown;
    image_.cast(m["type"] == "uint8" ? Type::kUint8 : Type::kFloat32, s.place);
    return Flow::kNext;
  }
  return Flow::kUnknown;
}

/// `img op number`: NumPy computes it in the type of the array.
bool Follower::with_number(std::string_view operation, std::string_view number, Place p) {
  const auto value = finite_number(number);
  if (!value || image_.type() == Type::kUint8 || (operation != "mean" && *value == 0)) return false;
  image_.normalize({std::string(operation), std::string(number)},
                   image_.type() == Type::kFloat32 ? "float32" : "float64", p);
  return true;
}

/// `img op array` with a new result: float64 if either is.
bool Follower::with_array(std::string_view operation, std::string_view name, const Scope& scope,
                          Place p) {
  const auto array = scope.arrays.find(name);
  if (array == scope.arrays.end()) {
    const auto number = scope.numbers.find(name);
    return number != scope.numbers.end() &&
           with_number(operation, fmt::format("{}", number->second), p);
  }
  if (image_.type() == Type::kUint8) return false;
  const bool wide = array->second.type == Type::kFloat64 || image_.type() == Type::kFloat64;
  image_.normalize({std::string(operation), array->second.values}, wide ? "float64" : "float32", p);
  if (wide) image_.set_type(Type::kFloat64);
  return true;
}

/// `img op= array`: computed in the wider type, rounded to the image's type.
bool Follower::in_place(std::string_view operation, std::string_view operand, const Scope& scope,
                        Place p) {
  const Type before = image_.type();
  if (!with_array(operation, operand, scope, p)) return false;
  image_.set_type(before);
  return true;
}

/// A product with a power of two is exactly a quotient.
bool Follower::multiply(std::string_view factor, Place p) {
  const double value = finite_number(factor).value_or(0);
  int exponent = 0;
  if (value <= 0 || std::frexp(value, &exponent) != 0.5) return false;
  return with_number("std", fmt::format("{}", 1 / value), p);
}

Follower::Flow Follower::take_arithmetic(const CodeStatement& s, const Scope& scope) {
  CodeMatch m;
  const auto known = [](bool holds) { return holds ? Flow::kNext : Flow::kUnknown; };
  const Place p = s.place;
  if (image_.channels_first()) return Flow::kUnknown;
  if (matches("img /= {value}", s.text, m)) return known(with_number("divide", m["value"], p));
  if (matches("img -= {value}", s.text, m)) return known(with_number("mean", m["value"], p));
  if (matches("img *= {value}", s.text, m)) return known(multiply(m["value"], p));
  if (matches("img -= {name:}", s.text, m)) return known(in_place("mean", m["name"], scope, p));
  if (matches("img /= {name:}", s.text, m)) return known(in_place("std", m["name"], scope, p));
  if (matches("img = img - {name:}", s.text, m))
    return known(with_array("mean", m["name"], scope, p));
  if (matches("img = img / {name:}", s.text, m))
    return known(with_array("std", m["name"], scope, p));
  if (matches("img = img / {value} - {name:}", s.text, m))
    return known(with_number("divide", m["value"], p) && with_array("mean", m["name"], scope, p));
  if (matches("img = (img - {mean:}) / {std:}", s.text, m))
    return known(with_array("mean", m["mean"], scope, p) && with_array("std", m["std"], scope, p));
  return Flow::kUnknown;
}

Follower::Flow Follower::take(const CodeStatement& s, Scope& scope) {
  if (s.text == "return img") return Flow::kReturn;
  Flow flow = take_condition(s.text, scope);
  if (flow == Flow::kUnknown) flow = take_setting(s.text, scope);
  if (flow == Flow::kUnknown) flow = take_geometry(s, scope);
  if (flow == Flow::kUnknown) flow = take_type(s);
  if (flow == Flow::kUnknown) flow = take_arithmetic(s, scope);
  return flow;
}

std::optional<Result<void>> Follower::take_call(const CodeStatement& s, const Scope& scope) {
  CodeMatch m, signature;
  Scope inner;
  std::string_view text = s.text;
  const bool rounded = matches("return np.ascontiguousarray({f:}(img), dtype=np.float32)", text, m);
  if (!rounded) {
    if (text.starts_with("return "))
      text.remove_prefix(7);
    else if (matches("img = {f:}(img, dims)", text, m))
      inner.dims = scope.dims;
    else
      return std::nullopt;
  }
  const auto with_dims = [&] { return (inner.dims = sizes(m["dims"])).has_value(); };
  const bool whole = rounded || text != s.text;
  if (whole && !rounded) {
    const bool called = matches("{f:}(img)", text, m) ||
                        (matches("{f:}(img, [{dims*}])", text, m) && with_dims()) ||
                        (matches("{f:}(img, dims=[{dims*}])", text, m) && with_dims()) ||
                        (matches("{f:}(img, [{dims*}], False)", text, m) && with_dims()) ||
                        (matches("{f:}(img, [{dims*}], True)", text, m) && with_dims() &&
                         (inner.transposes = true));
    if (!called) return std::nullopt;
  }
  const CodeFunction* function = program_.find(m["f"]);
  if (function == nullptr || calls_ >= kDeepestCall) return std::nullopt;
  const bool known =
      matches("def {f:}(img, dims=None, need_transpose=False):", function->signature, signature) ||
      (matches("def {f:}(img, dims):", function->signature, signature) && !whole) ||
      (matches("def {f:}(img):", function->signature, signature) && !inner.dims && whole);
  if (!known) return unknown_statement({function->signature, 0, function->place});
  ++calls_;
  auto result = follow(*function, std::move(inner));
  if (result.ok() && rounded) image_.cast(Type::kFloat32, s.place);
  return result;
}

Result<void> Follower::follow(const CodeFunction& function, Scope scope) {
  std::uint32_t level = 0;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const CodeStatement& s = function.body[i];
    if (s.level > level) return unknown_statement(s);
    level = s.level;
    if (auto called = take_call(s, scope)) {
      TRY(std::move(*called));
      if (s.text.starts_with("return ")) return {};
      continue;
    }
    switch (take(s, scope)) {
      case Flow::kNext:
        break;
      case Flow::kEnterBlock:
        ++level;
        break;
      case Flow::kSkipBlock:
        while (i + 1 < function.body.size() && function.body[i + 1].level > s.level) ++i;
        break;
      case Flow::kReturn:
        return {};
      case Flow::kUnknown:
        return unknown_statement(s);
    }
  }
  return unknown_statement({function.signature, 0, function.place});
}

Result<std::vector<StepSpec>> Follower::entry(const CodeFunction& function) {
  if (function.body.empty() ||
      function.body[0].text != canonical("img = cv2.imread(dataset[int(data)])"))
    return unknown_statement(function.body.empty()
                                 ? CodeStatement{function.signature, 0, function.place}
                                 : function.body[0]);
  CodeFunction rest = function;
  rest.body.erase(rest.body.begin());
  TRY(follow(rest, {}));
  if (image_.type() == Type::kFloat64)
    return input_error("RIDGE-MAN-0046", "the code returns float64, which no model here takes")
        .hint("state the steps instead, or end with np.ascontiguousarray(..., dtype=np.float32)")
        .in(function.place.text());
  return std::move(image_).steps();
}

}  // namespace

Result<std::vector<StepSpec>> opencv_steps(const CodeProgram& program, const CodeFunction& entry) {
  for (const CodeStatement& s : program.statements)
    if (s.text != canonical("wlist, hlist = [], []")) return unknown_statement(s);
  return Follower(program, entry.place).entry(entry);
}

}  // namespace ridge::manifest
