// SPDX-License-Identifier: Apache-2.0
#include "manifest/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::manifest {
namespace {

constexpr std::size_t kLongest = 100;

bool is_version_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// At most 18 digits, so that adding one cannot overflow.
std::optional<std::uint64_t> number_of(std::string_view text) {
  if (!all_digits(text) || text.size() > 18 || (text.size() > 1 && text[0] == '0'))
    return std::nullopt;
  return whole_number<std::uint64_t>(text);
}

bool is_any(std::string_view text) { return text == "x" || text == "X" || text == "*"; }

/// A version whose last numbers may be missing or x.
struct Partial {
  Version version;
  std::size_t given = 0;  ///< count of its numbers
};

bool valid_identifiers(std::string_view text, bool zeros_allowed) {
  for (const std::string_view part : split(text, ".")) {
    if (part.empty() || !std::all_of(part.begin(), part.end(), is_version_word)) return false;
    if (!zeros_allowed && all_digits(part) && part.size() > 1 && part[0] == '0') return false;
  }
  return true;
}

/// Parses `1`, `1.2`, `1.2.x`, `1.2.3-rc.1+build`.
std::optional<Partial> partial_of(std::string_view text) {
  Partial out;
  out.version.text = text;
  if (text.size() > kLongest) return std::nullopt;
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
    if (!valid_identifiers(text.substr(plus + 1), true)) return std::nullopt;
    text = text.substr(0, plus);
  }
  const std::size_t minus = text.find('-');
  const std::vector<std::string_view> numbers = split(text.substr(0, minus), ".");
  if (numbers.size() > 3) return std::nullopt;
  bool any = false;
  for (const std::string_view part : numbers) {
    any = any || is_any(part);
    const auto number = number_of(part);
    if (any ? !number && !is_any(part) : !number) return std::nullopt;
    if (!any) out.version.numbers[out.given++] = *number;
  }
  if (minus == std::string_view::npos) return out;
  const std::string_view tail = text.substr(minus + 1);
  if (out.given != 3 || !valid_identifiers(tail, false)) return std::nullopt;
  for (const std::string_view part : split(tail, ".")) out.version.prerelease.emplace_back(part);
  return out;
}

std::strong_ordering compared(const std::string& a, const std::string& b) {
  const bool number = all_digits(a), other = all_digits(b);
  if (number != other) return number ? std::strong_ordering::less : std::strong_ordering::greater;
  // No leading zeros: the longer number is the larger.
  if (number && a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

/// Next version after all that share the first `kept` numbers: (1.2.3, 2) -> 1.3.0.
Version next_version(const Version& version, std::size_t kept) {
  Version out;
  for (std::size_t i = 0; i < kept; ++i) out.numbers[i] = version.numbers[i];
  ++out.numbers[kept - 1];
  return out;
}

}  // namespace

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto order = numbers <=> other.numbers; order != 0) return order;
  if (prerelease.empty() != other.prerelease.empty())
    return prerelease.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
  const std::size_t common = std::min(prerelease.size(), other.prerelease.size());
  for (std::size_t i = 0; i < common; ++i)
    if (const auto order = compared(prerelease[i], other.prerelease[i]); order != 0) return order;
  return prerelease.size() <=> other.prerelease.size();
}

Result<Version> parse_version(std::string_view text) {
  auto parsed = partial_of(text);
  const bool wild =
      std::any_of(text.begin(),
                  text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('-'), text.size())),
                  [](char c) { return c == 'x' || c == 'X' || c == '*'; });
  if (!parsed || wild)
    return input_error("RIDGE-MAN-0030",
                       fmt::format("invalid version '{}'", printable(text.substr(0, kLongest))))
        .hint("a version is MAJOR.MINOR.PATCH, for example 1.2.0 or 1.2.0-rc.1");
  return std::move(parsed->version);
}

/// Parser of one comparator after another.
class ConstraintParser {
 public:
  using Relation = Constraint::Relation;

  static bool holds(std::strong_ordering order, Relation relation) {
    switch (relation) {
      case Relation::kAtLeast:
        return order >= 0;
      case Relation::kAbove:
        return order > 0;
      case Relation::kAtMost:
        return order <= 0;
      case Relation::kBelow:
        return order < 0;
    }
    return false;
  }

  /// Appends the bounds of one comparator; false if `text` is none.
  static bool take(std::string_view text, Constraint::All& out) {
    std::string_view sign;
    for (const std::string_view known : {">=", "<=", ">", "<", "=", "^", "~"})
      if (text.starts_with(known)) {
        sign = known;
        break;
      }
    const auto parsed = partial_of(trimmed(text.substr(sign.size())));
    if (!parsed) return false;
    const auto& [version, given] = *parsed;
    const auto add = [&](Relation relation, Version v) {
      out.push_back({relation, std::move(v)});
      return true;
    };
    if (sign == ">=") return add(Relation::kAtLeast, version);
    if (sign == "<") return add(Relation::kBelow, version);
    if (given == 0) return add(sign == ">" ? Relation::kBelow : Relation::kAtLeast, {});
    const bool exact = given == 3;
    if (sign == ">")
      return exact ? add(Relation::kAbove, version)
                   : add(Relation::kAtLeast, next_version(version, given));
    if (sign != "<=") add(Relation::kAtLeast, version);
    if (sign == "^")
      return add(Relation::kBelow, next_version(version, significant(version, given)));
    if (sign == "~")
      return add(Relation::kBelow, next_version(version, std::min<std::size_t>(given, 2)));
    return exact ? add(Relation::kAtMost, version)
                 : add(Relation::kBelow, next_version(version, given));
  }

 private:
  /// Count of the numbers up to the first that is not 0.
  static std::size_t significant(const Version& version, std::size_t given) {
    for (std::size_t i = 0; i < given; ++i)
      if (version.numbers[i] != 0) return i + 1;
    return given;
  }
};

Result<Constraint> parse_constraint(std::string_view text) {
  Constraint out;
  out.text_ = trimmed(text);
  const auto invalid = [&] {
    return input_error("RIDGE-MAN-0031", fmt::format("invalid version constraint '{}'",
                                                     printable(text.substr(0, kLongest))))
        .hint("for example 1.2.0, >=1.2,<2, ^1.2, ~1.2, 1.x or latest");
  };
  if (text.size() > kLongest || out.text_.empty()) return invalid();
  if (out.text_ == "latest") {
    out.any_.push_back({});
    return out;
  }
  for (const std::string_view alternative : split(out.text_, "||")) {
    Constraint::All all;
    std::string_view rest = trimmed(alternative);
    if (rest.empty()) return invalid();
    while (!rest.empty()) {
      // A sign may be followed by blanks.
      const std::size_t begin = rest.find_first_not_of("<>=^~ ");
      if (begin == std::string_view::npos) return invalid();
      const std::size_t end = std::min(rest.find_first_of(" ,<>=^~", begin), rest.size());
      if (!ConstraintParser::take(rest.substr(0, end), all)) return invalid();
      rest = trimmed(rest.substr(end));
      if (rest.starts_with(',')) {
        rest = trimmed(rest.substr(1));
        if (rest.empty()) return invalid();
      }
    }
    out.any_.push_back(std::move(all));
  }
  return out;
}

bool Constraint::allows(const Version& version) const {
  return std::any_of(any_.begin(), any_.end(), [&](const All& all) {
    bool named = version.prerelease.empty();
    for (const Bound& bound : all) {
      if (!ConstraintParser::holds(version <=> bound.version, bound.relation)) return false;
      named =
          named || (!bound.version.prerelease.empty() && bound.version.numbers == version.numbers);
    }
    return named;
  });
}

Result<void> check_name(std::string_view name) {
  const bool valid = !name.empty() && name.size() <= kLongest && name[0] != '.' && name[0] != '-' &&
                     std::all_of(name.begin(), name.end(),
                                 [](char c) { return is_version_word(c) || c == '.' || c == '_'; });
  if (valid) return {};
  return input_error("RIDGE-MAN-0033",
                     fmt::format("invalid name '{}'", printable(name.substr(0, kLongest))))
      .hint("names have up to 100 letters, digits, dots, minus signs and underscores");
}

Result<Reference> parse_reference(std::string_view text) {
  const std::size_t at = text.find('@');
  Reference out;
  out.name = text.substr(0, at);
  TRY(check_name(out.name));
  out.constraint =
      TRY(parse_constraint(at == std::string_view::npos ? "latest" : text.substr(at + 1)));
  return out;
}

}  // namespace ridge::manifest
