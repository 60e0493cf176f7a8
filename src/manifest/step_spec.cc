// SPDX-License-Identifier: Apache-2.0
#include "manifest/step_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

constexpr std::size_t kMaxSteps = 64, kMaxParameters = 64;

bool is_step_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '+';
}

/// True for at least two numbers, separated by ", ".
bool is_list(std::string_view list) {
  for (std::size_t count = 1;; ++count) {
    const std::size_t end = std::min(list.find(", "), list.size());
    if (!finite_number(list.substr(0, end))) return false;
    if (end == list.size()) return count > 1;
    list.remove_prefix(end + 2);
  }
}

std::string quoted_value(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string value_text(std::string_view value) {
  if (is_list(value)) return fmt::format("[{}]", value);
  const bool word = !value.empty() && std::all_of(value.begin(), value.end(), is_step_word);
  return word ? std::string(value) : quoted_value(value);
}

/// Reader of steps; every function returns nullopt or false for text of another form.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_blanks();
    return text_.empty();
  }
  std::optional<StepSpec> step() {
    StepSpec out;
    out.name = word();
    if (out.name.empty()) return std::nullopt;
    if (!take('(') || take(')')) return out;
    while (out.parameters.size() < kMaxParameters) {
      auto next = parameter();
      if (!next) return std::nullopt;
      out.parameters.push_back(std::move(*next));
      if (take(')')) return out;
      if (!take(',')) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  void skip_blanks() {
    const std::size_t begin = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(begin, text_.size()));
  }
  bool take(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string word() {
    skip_blanks();
    const auto* const end = std::find_if_not(text_.begin(), text_.end(), is_step_word);
    std::string out(text_.begin(), end);
    text_.remove_prefix(out.size());
    return out;
  }
  std::optional<StepParameter> parameter() {
    if (take('"')) return with_value("", quoted_text());
    if (take('[')) return with_value("", list());
    std::string first = word();
    if (first.empty()) return std::nullopt;
    if (!take('=')) return StepParameter{"", std::move(first)};
    if (take('"')) return with_value(std::move(first), quoted_text());
    if (take('[')) return with_value(std::move(first), list());
    std::string value = word();
    if (value.empty()) return std::nullopt;
    return StepParameter{std::move(first), std::move(value)};
  }
  static std::optional<StepParameter> with_value(std::string name,
                                                 std::optional<std::string> value) {
    if (!value) return std::nullopt;
    return StepParameter{std::move(name), std::move(*value)};
  }
  std::optional<std::string> quoted_text() {
    std::string out;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        return out;
      }
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;
      out += text_[i];
    }
    return std::nullopt;
  }
  /// Words up to the bracket, separated by ", " in the result.
  std::optional<std::string> list() {
    std::string out;
    while (true) {
      const std::string element = word();
      if (element.empty()) return std::nullopt;
      out += (out.empty() ? "" : ", ") + element;
      if (take(']')) return out;
      if (!take(',')) return std::nullopt;
    }
  }

  std::string_view text_;
};

Error invalid_step(std::string_view text) {
  const std::string shown = shorten(valid_utf8(printable(text)), 60);
  return input_error("RIDGE-MAN-0028", fmt::format("invalid step '{}'", shown))
      .hint("for example: resize(short=256, method=pillow_bilinear)");
}

}  // namespace

std::string step_text(const StepSpec& step) {
  std::string out = step.name;
  for (std::size_t i = 0; i < step.parameters.size(); ++i) {
    const StepParameter& p = step.parameters[i];
    out += i == 0 ? "(" : ", ";
    out += p.name.empty() ? value_text(p.value) : fmt::format("{}={}", p.name, value_text(p.value));
  }
  return step.parameters.empty() ? out : out + ")";
}

Result<std::vector<StepSpec>> parse_step_texts(std::string_view text) {
  Scanner scanner(text);
  std::vector<StepSpec> out;
  while (!scanner.at_end()) {
    auto step = scanner.step();
    if (!step || out.size() == kMaxSteps) return invalid_step(text);
    out.push_back(std::move(*step));
  }
  return out;
}

Result<StepSpec> parse_step(std::string_view text) {
  std::vector<StepSpec> steps = TRY(parse_step_texts(text));
  if (steps.size() != 1) return invalid_step(text);
  return std::move(steps[0]);
}

}  // namespace ridge::manifest
