// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/list.h"
#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::pipeline {
namespace {

constexpr std::size_t kMaxStepBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxSteps = 64, kMaxArguments = 64;

Error malformed(std::size_t column, std::string message) {
  return at_column(
      input_error("RIDGE-PIPE-0020", std::move(message))
          .hint("steps look like: decode(rgb) resize(256, short) crop(224) layout(nchw)"),
      column);
}

constexpr std::string_view kMethod = "method";
constexpr std::string_view kLibraries[] = {"pillow",     "pillow12",           "opencv",
                                           "half_pixel", "pytorch_half_pixel", "align_corners",
                                           "asymmetric"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '+' || c == '/';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t column() const { return at_ + 1; }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool at_end() const { return at_ >= text_.size(); }
  /// Takes `c` and the blanks before it.
  bool take(char c) {
    skip_blanks();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// Text up to `end`, which is taken too; nullopt if it does not come.
  std::optional<std::string_view> until(char end) {
    const std::size_t begin = at_;
    const std::size_t found = text_.find(end, at_);
    if (found == text_.npos) return std::nullopt;
    at_ = found + 1;
    return text_.substr(begin, found - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

Result<StepArgument> read_argument(Scanner& scanner) {
  scanner.skip_blanks();
  StepArgument argument;
  argument.column = scanner.column();
  if (scanner.take('"')) {
    const auto quoted = scanner.until('"');
    if (!quoted) return malformed(argument.column, "the text has no closing '\"'");
    argument.value = *quoted;
    return argument;
  }
  argument.value = scanner.word();
  if (argument.value.empty()) return malformed(scanner.column(), "an argument is expected here");
  if (!scanner.take('=')) return argument;
  argument.key = argument.value;
  argument.is_list = scanner.take('[');
  if (!argument.is_list && scanner.take('"')) {
    const auto quoted = scanner.until('"');
    if (!quoted) return malformed(argument.column, "the text has no closing '\"'");
    argument.value = *quoted;
    return argument;
  }
  if (!argument.is_list) {
    argument.value = scanner.word();
    if (argument.value.empty()) return malformed(scanner.column(), "a value is expected here");
    return argument;
  }
  const std::size_t column = scanner.column();
  const auto value = scanner.until(']');
  if (!value) return malformed(column, "the list has no ']'");
  argument.value = *value;
  return argument;
}

Result<StepCall> read_call(Scanner& scanner) {
  const std::size_t column = scanner.column();
  const std::string_view name = scanner.word();
  if (name.empty()) return malformed(column, "the name of a step is expected here");
  StepCall call(name, column);
  if (!scanner.take('(') || scanner.take(')')) return call;
  for (std::size_t count = 0; count < kMaxArguments; ++count) {
    call.add(TRY(read_argument(scanner)));
    if (scanner.take(')')) return call;
    if (!scanner.take(','))
      return malformed(scanner.column(), fmt::format("',' or ')' is expected here, to go on with "
                                                     "'{}' or to end it",
                                                     name));
  }
  return malformed(scanner.column(), fmt::format("more than {} arguments", kMaxArguments));
}

/// "224" or "640x480".
std::optional<Size> size_of(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto width = whole_number<int>(text.substr(0, cross));
  const auto height = cross == text.npos ? width : whole_number<int>(text.substr(cross + 1));
  if (!width || !height) return std::nullopt;
  return Size{*width, *height};
}

}  // namespace

Error at_column(Error error, std::size_t column) {
  return column == 0 ? std::move(error) : std::move(error).in(fmt::format("column {}", column));
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const auto near = near_names(name, known);
  if (near.empty()) return fmt::format("possible here: {}", fmt::join(known, ", "));
  return fmt::format("did you mean '{}'?", fmt::join(near, "' or '"));
}

bool StepCall::has(std::string_view key, std::string_view word) {
  known_.push_back({key, word});
  for (StepArgument& argument : arguments_)
    if ((argument.key.empty() || argument.key == key) && !argument.used && !argument.is_list &&
        same_word(argument.value, word))
      return argument.used = true;
  return false;
}

void StepCall::split_method() {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].key != kMethod) continue;
    arguments_[i].key = {};
    const std::string_view value = arguments_[i].value;
    for (const std::string_view library : kLibraries) {
      // Example: "opencv_area" becomes "opencv" and "area". "pillow12_bilinear" is not "pillow": a
      // '_' must follow the library.
      const std::size_t n = library.size();
      if (value.size() <= n + 1 || value[n] != '_' || value.substr(0, n) != library) continue;
      StepArgument filter = arguments_[i];
      filter.value = value.substr(n + 1);
      arguments_[i].value = library;
      arguments_.insert(arguments_.begin() + static_cast<std::ptrdiff_t>(i) + 1, filter);
      break;
    }
    return;
  }
}

Result<std::optional<int>> StepCall::side(std::string_view key) {
  const std::vector<double> given = TRY(numbers(key));
  if (given.empty()) return std::optional<int>();
  if (given.size() != 1 || given[0] < 1 || given[0] > kLongestSide ||
      given[0] != std::floor(given[0]))
    return missing(fmt::format("a whole {}= from 1 to {}", key, kLongestSide));
  return std::optional<int>(static_cast<int>(given[0]));
}

Result<Size> StepCall::size() {
  for (StepArgument& argument : arguments_) {
    if (!argument.key.empty() || argument.used) continue;
    const auto size = size_of(argument.value);
    if (!size) continue;
    argument.used = true;
    auto valid = check_size(size->width, size->height);
    if (!valid.ok()) return at_column(std::move(valid).error(), argument.column);
    return *size;
  }
  const std::optional<int> height = TRY(side("height")), width = TRY(side("width"));
  if (!height || !width) return missing("a size, as in 224 or 640x480");
  TRY(check_size(*width, *height));
  return Size{*width, *height};
}

Result<std::vector<double>> StepCall::numbers(std::string_view key, Bare bare) {
  known_.push_back({key, {}});
  std::vector<double> values;
  for (StepArgument& argument : arguments_) {
    const bool is_bare =
        bare == Bare::kYes && argument.key.empty() && finite_number(argument.value);
    if (argument.used || (argument.key != key && !is_bare)) continue;
    argument.used = true;
    for (const std::string_view part : split(argument.value)) {
      const std::string_view text = trimmed(part);
      const auto value = finite_number(text);
      if (!value) return malformed(argument.column, fmt::format("'{}' is no number", text));
      values.push_back(*value);
      if (values.size() >= kMaxArguments) break;
    }
    break;
  }
  return values;
}

Result<std::optional<std::string>> StepCall::text_of(std::string_view key) {
  known_.push_back({key, {}});
  for (StepArgument& argument : arguments_) {
    if (argument.key != key || argument.used) continue;
    argument.used = true;
    if (argument.value.find('"') != std::string_view::npos)
      return malformed(argument.column, fmt::format("{}= has a quotation mark in its text", key));
    return std::optional(std::string(argument.value));
  }
  return std::optional<std::string>();
}

Result<int> StepCall::whole(std::string_view key, int least, int most, int otherwise) {
  const std::vector<double> given = TRY(numbers(key));
  if (given.empty()) return otherwise;
  if (given.size() != 1 || given[0] < least || given[0] > most || given[0] != std::floor(given[0]))
    return missing(fmt::format("a whole {}= from {} to {}", key, least, most));
  return static_cast<int>(given[0]);
}

Result<std::string> StepCall::text(std::string_view what) {
  for (StepArgument& argument : arguments_) {
    if (!argument.key.empty() || argument.used || argument.value.empty()) continue;
    argument.used = true;
    return std::string(argument.value);
  }
  return missing(what);
}

Result<void> StepCall::finish() const {
  for (const StepArgument& argument : arguments_) {
    if (argument.used) continue;
    std::vector<std::string> words, all;
    bool is_known = false;
    for (const Known& k : known_) {
      const bool here = argument.key.empty() ? !k.word.empty() : argument.key == k.key;
      if (here && !k.word.empty()) words.emplace_back(k.word);
      is_known = is_known || (here && (k.word.empty() || same_word(k.word, argument.value)));
      const std::string name =
          k.word.empty() || !argument.key.empty() ? fmt::format("{}=", k.key) : std::string(k.word);
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    const bool has_key = !argument.key.empty();
    const std::string text =
        has_key ? std::string(argument.key) + "=" : std::string(argument.value);
    std::string message = fmt::format("'{}' has no argument '{}'", name_, printable(text));
    std::string hint = suggestion(text, all);
    if (is_known) {
      message = fmt::format("'{}' has '{}' twice", name_, printable(text));
      hint = "keep one of them";
    } else if (has_key && !words.empty()) {
      message = fmt::format("'{}' has no {} '{}'", name_, argument.key, printable(argument.value));
      hint = suggestion(argument.value, words);
    }
    return at_column(input_error("RIDGE-PIPE-0022", std::move(message)).hint(std::move(hint)),
                     argument.column);
  }
  return {};
}

Error StepCall::missing(std::string_view what) const {
  return at_column(input_error("RIDGE-PIPE-0023", fmt::format("'{}' lacks {}", name_, what)),
                   column_);
}

Error unknown_step(const StepCall& call, const std::vector<std::string>& names) {
  return at_column(
      input_error("RIDGE-PIPE-0021", fmt::format("unknown step '{}'", printable(call.name())))
          .hint(suggestion(call.name(), names)),
      call.column());
}

Result<std::vector<StepCall>> read_calls(std::string_view text) {
  if (text.size() > kMaxStepBytes)
    return malformed(kMaxStepBytes + 1, fmt::format("the text has {} bytes, the limit is {}",
                                                    text.size(), kMaxStepBytes));
  std::vector<StepCall> calls;
  Scanner scanner(text);
  for (scanner.skip_blanks(); !scanner.at_end(); scanner.skip_blanks()) {
    if (calls.size() == kMaxSteps)
      return malformed(scanner.column(), fmt::format("more than {} steps", kMaxSteps));
    calls.push_back(TRY(read_call(scanner)));
  }
  return calls;
}

}  // namespace ridge::pipeline
