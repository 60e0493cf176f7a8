// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/text_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxTextBytes = std::int64_t{256} << 20;
constexpr std::string_view kForms = "write a line for each sample, or lines NAME,TEXT";

bool is_blank(std::string_view line) { return trimmed(line).empty(); }

/// The text before the separator, unquoted; nullopt without one.
std::optional<std::string_view> name_in(std::string_view line, char separator) {
  const std::size_t at = line.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return unquoted(line.substr(0, at));
}

/// All lines of a file, split by a separator.
struct Split {
  char separator = ',';
  std::int64_t named = 0;    ///< lines that name a sample
  std::int64_t covered = 0;  ///< samples that a line names
  std::int64_t unknown = 0;  ///< lines of other names
  /// Numbers of the first lines, from 1: with a sample's name, of another name, without separator.
  std::size_t first_named = 0, first_unknown = 0, first_without = 0;
};

class TextReader {
 public:
  TextReader(const TruthSource& source, std::string_view text)
      : source_(source), samples_(source.names) {
    for (Lines lines(text); lines.next();) lines_.push_back(lines.line());
  }

  Result<TextTruth> read() {
    const Split split = best();
    if (split.named == 0 || is_chance(split)) return in_order();
    TRY(check(split));
    return named(split);
  }

 private:
  Error faulty(std::string message) const {
    return faulty_truth(std::move(message)).hint(std::string(kForms)).in_file(source_.path);
  }

  Split split_by(char separator) const {
    Split out{.separator = separator};
    std::vector<bool> seen(source_.names.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (is_blank(lines_[i])) continue;
      const auto note = [&](std::size_t& first) { first = first == 0 ? i + 1 : first; };
      const std::optional<std::string_view> name = name_in(lines_[i], separator);
      if (!name) {
        note(out.first_without);
      } else if (const auto sample = samples_.find(*name)) {
        note(out.first_named);
        ++out.named;
        out.covered += seen[*sample] ? 0 : 1;
        seen[*sample] = true;
      } else {
        note(out.first_unknown);
        ++out.unknown;
      }
    }
    return out;
  }
  /// The separator by which most lines name a sample.
  Split best() const {
    Split out = split_by(',');
    for (const char separator : {'\t', ' '})
      if (const Split other = split_by(separator); other.named > out.named) out = other;
    return out;
  }
  /// True where samples are numbered and some texts begin with a number: "7 days".
  bool is_chance(const Split& split) const {
    if (split.separator != ' ' || split.covered == std::ssize(source_.names)) return false;
    return std::ranges::all_of(lines_, [&](std::string_view line) {
      const auto name = name_in(line, ' ');
      return !name || !samples_.find(*name) || whole_number<std::int64_t>(*name).has_value();
    });
  }

  /// Refuses a file of which some lines name samples and others do not.
  Result<void> check(const Split& split) const {
    const bool all = split.covered == std::ssize(source_.names);
    if (all && split.first_without == 0) return {};
    if (!all && split.first_without == 0 && split.named >= split.unknown) return missing(split);
    const std::size_t other = split.first_without > 0 ? split.first_without : split.first_unknown;
    return faulty(
               fmt::format("line {} names a sample and line {} does not", split.first_named, other))
        .evidence(printable(shorten(valid_utf8(lines_[other - 1]), 60)));
  }
  Error missing(const Split& split) const {
    std::vector<bool> seen(source_.names.size());
    for (const std::string_view line : lines_)
      if (const auto name = name_in(line, split.separator))
        if (const auto sample = samples_.find(*name)) seen[*sample] = true;
    const auto at = std::ranges::find(seen, false) - seen.begin();
    return faulty(fmt::format("sample '{}' has no text",
                              printable(source_.names[static_cast<std::size_t>(at)])));
  }

  TextTruth named(const Split& split) const {
    TextTruth out;
    out.texts.resize(source_.names.size());
    for (const std::string_view line : lines_) {
      const auto name = name_in(line, split.separator);
      if (!name) continue;
      if (const auto sample = samples_.find(*name))
        out.texts[*sample].emplace_back(line.substr(line.find(split.separator) + 1));
    }
    if (split.unknown > 0 && source_.whole == Whole::kYes)
      out.notes.push_back(fmt::format(
          "{} of samples that the data does not have {} passed over, the first in line {}",
          counted(split.unknown, "text"), split.unknown == 1 ? "is" : "are", split.first_unknown));
    return out;
  }

  /// A line for each sample.
  Result<TextTruth> in_order() const {
    if (const std::optional<std::string_view> name = foreign_name())
      return faulty(fmt::format("no line names a sample: '{}' is none",
                                printable(shorten(valid_utf8(*name), 60))))
          .evidence(fmt::format("the first sample is '{}'", printable(source_.names.front())));
    const std::size_t samples = source_.names.size();
    std::size_t count = lines_.size();
    while (count > samples && is_blank(lines_[count - 1])) --count;
    if (count < samples)
      return faulty(fmt::format("sample '{}' has no text", printable(source_.names[count])));
    if (count > samples && source_.whole == Whole::kYes)
      return faulty(fmt::format("there are {} for {}",
                                counted(static_cast<std::int64_t>(count), "text"),
                                counted(static_cast<std::int64_t>(samples), "sample")));
    TextTruth out;
    for (std::size_t i = 0; i < samples; ++i) out.texts.push_back({std::string(lines_[i])});
    return out;
  }
  /// The first name of a file whose lines all begin with one, though not that of a sample.
  std::optional<std::string_view> foreign_name() const {
    for (const char separator : {',', '\t', ' '}) {
      std::optional<std::string_view> first;
      const bool all = std::ranges::all_of(lines_, [&](std::string_view line) {
        if (is_blank(line)) return true;
        const auto name = name_in(line, separator);
        if (name && !first) first = name;
        return name && (resembles_name(*name, source_.names) ||
                        (separator != ' ' && whole_number<std::int64_t>(*name).has_value()));
      });
      if (all && first) return first;
    }
    return std::nullopt;
  }

  const TruthSource& source_;
  SampleNames samples_;
  std::vector<std::string_view> lines_;
};

}  // namespace

Result<TextTruth> read_text_truth(const TruthSource& source) {
  const std::string text = TRY(text_of(source.path, source.bytes, kMaxTextBytes));
  return TextReader(source, text).read();
}

Result<void> check_single(const TextTruth& truth, const TruthSource& source) {
  for (std::size_t i = 0; i < truth.texts.size(); ++i)
    for (const std::string& text : truth.texts[i])
      if (text != truth.texts[i].front())
        return faulty_truth(fmt::format("sample '{}' has more than one text, cer compares with one",
                                        printable(source.names[i])))
            .hint("keep one line for each sample, or choose --metric exact")
            .in_file(source.path);
  return {};
}

}  // namespace ridge::evaluation
