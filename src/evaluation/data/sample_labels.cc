// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/sample_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kNone = -1;
constexpr std::string_view kHint =
    "write a line for each sample with the number of its class, or lines NAME,CLASS";

Error bad_line(std::size_t line, std::string what) {
  return input_error("RIDGE-WB-0112", fmt::format("line {}: {}", line, what))
      .hint(std::string(kHint));
}

std::optional<std::int64_t> class_of(std::string_view cell) {
  const auto out = whole_number<std::int64_t>(unquoted(cell));
  return out && *out >= 0 ? out : std::nullopt;
}

/// Order of the two cells of a line, the same in all lines.
enum class ColumnOrder : std::uint8_t { kNameFirst, kClassFirst };

/// A line's name and class, as far as the samples know them.
struct LabelRow {
  std::string_view name;
  std::int64_t label = kNone;
  std::optional<std::size_t> sample;
};

class LabelReader {
 public:
  LabelReader(const std::vector<std::string>& names, Whole whole, ColumnOrder order)
      : names_(names), whole_(whole), order_(order) {
    for (std::size_t i = 0; i < names.size(); ++i) position_.emplace(names[i], i);
    out_.classes.assign(names.size(), kNone);
    line_of_.assign(names.size(), 0);
  }

  Result<SampleLabels> run(const std::vector<std::string_view>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (!lines[i].empty()) TRY(take(lines[i], i + 1));
    return finish();
  }
  /// Number of lines that named a sample.
  std::int64_t named() const { return named_; }

 private:
  Result<void> take(std::string_view text, std::size_t line) {
    if (const auto alone = class_of(text)) {
      first_alone_ = first_alone_ == 0 ? line : first_alone_;
      if (first_with_name_ > 0) return mixture();
      const std::size_t sample = in_order_++;
      return sample < names_.size() ? set(sample, *alone, line) : Result<void>();
    }
    const std::optional<LabelRow> row = row_of(text);
    if (!row) return bad_line(line, "it has no number of a class");
    first_with_name_ = first_with_name_ == 0 ? line : first_with_name_;
    if (first_alone_ > 0) return mixture();
    named_ += row->sample ? 1 : 0;
    if (row->sample) return set(*row->sample, row->label, line);
    if (++absent_ == 1) first_absent_ = row->name;
    return {};
  }

  Error mixture() const {
    return input_error("RIDGE-WB-0112",
                       fmt::format("line {} has a name and a class, line {} a class alone",
                                   first_with_name_, first_alone_))
        .hint(std::string(kHint));
  }

  /// Splits at the last or the first separator: names may have separators in them.
  std::optional<LabelRow> row_of(std::string_view text) const {
    std::optional<LabelRow> unknown;
    for (const std::string_view separators : {",", ";", "\t", " "}) {
      const std::size_t at = order_ == ColumnOrder::kNameFirst ? text.find_last_of(separators)
                                                               : text.find_first_of(separators);
      if (at == std::string_view::npos) continue;
      std::string_view name = text.substr(0, at), label = text.substr(at + 1);
      if (order_ == ColumnOrder::kClassFirst) std::swap(name, label);
      const auto found = class_of(label);
      if (!found) continue;
      const LabelRow row{unquoted(name), *found, sample_of(unquoted(name))};
      if (row.sample) return row;
      if (!unknown) unknown = row;
    }
    return unknown;
  }

  std::optional<std::size_t> sample_of(std::string_view name) const {
    for (const std::string_view part : {name, name.substr(name.find_last_of("/\\") + 1)})
      if (const auto at = position_.find(part); at != position_.end()) return at->second;
    return std::nullopt;
  }

  Result<void> set(std::size_t sample, std::int64_t label, std::size_t line) {
    if (out_.classes[sample] != kNone && out_.classes[sample] != label)
      return bad_line(line, fmt::format("sample '{}' has class {} here and class {} in line {}",
                                        printable(names_[sample]), label, out_.classes[sample],
                                        line_of_[sample]));
    out_.classes[sample] = label;
    line_of_[sample] = line;
    return {};
  }

  Result<SampleLabels> finish() {
    if (in_order_ > names_.size() && whole_ == Whole::kYes)
      return input_error("RIDGE-WB-0212",
                         fmt::format("there are {} for {}",
                                     counted(static_cast<std::int64_t>(in_order_), "label"),
                                     counted(std::ssize(names_), "sample")))
          .hint("write a line for each sample, or lines NAME,CLASS");
    if (absent_ > 0 && named_ == 0)
      return input_error("RIDGE-WB-0112", fmt::format("no line names a sample: '{}' is none",
                                                      printable(first_absent_)))
          .evidence(fmt::format("the first sample is '{}'", printable(names_.front())))
          .hint(std::string(kHint));
    const auto missing = std::ranges::find(out_.classes, kNone);
    if (missing != out_.classes.end())
      return input_error(
                 "RIDGE-WB-0112",
                 fmt::format("sample '{}' has no label",
                             names_[static_cast<std::size_t>(missing - out_.classes.begin())]))
          .hint(std::string(kHint));
    if (absent_ > 0 && whole_ == Whole::kYes)
      out_.notes.push_back(
          fmt::format("{} of samples that the data does not have {} passed over: '{}'{}",
                      counted(absent_, "label"), absent_ == 1 ? "is" : "are",
                      printable(first_absent_), absent_ == 1 ? "" : ", ..."));
    return std::move(out_);
  }

  const std::vector<std::string>& names_;
  Whole whole_;
  ColumnOrder order_;
  std::unordered_map<std::string_view, std::size_t> position_;
  SampleLabels out_;
  std::vector<std::size_t> line_of_;                   // by sample
  std::size_t in_order_ = 0;                           // lines with a class alone
  std::size_t first_alone_ = 0, first_with_name_ = 0;  // numbers of lines, from 1
  std::int64_t absent_ = 0, named_ = 0;
  std::string first_absent_;
};

}  // namespace

Result<SampleLabels> read_sample_labels(std::string_view text,
                                        const std::vector<std::string>& names, Whole whole) {
  std::vector<std::string_view> lines;
  for (Lines all(text); all.next();) lines.push_back(trimmed(all.line()));
  LabelReader name_first(names, whole, ColumnOrder::kNameFirst),
      class_first(names, whole, ColumnOrder::kClassFirst);
  Result<SampleLabels> out = name_first.run(lines);
  if (out.ok()) return out;
  Result<SampleLabels> other = class_first.run(lines);
  // Of two errors that of the order which names more samples.
  return other.ok() || class_first.named() > name_first.named() ? std::move(other) : std::move(out);
}

}  // namespace ridge::evaluation
