// SPDX-License-Identifier: Apache-2.0
// The flags of a verb as rows of data. flag_parser.cc alone knows the library that parses them;
// help, completion and the table of flags are made from the same rows.
//
//   Flags flags;
//   flags.add("MODEL", options.model, "an ONNX file, or zoo:NAME").required();
//   flags.add("--by", options.by, "rows: node or op").one_of({"node", "op"});
//   flags.add("--strict", options.strict, "exit 1 where a node's work is not known");
//
// Ownership: borrows the targets, which outlive the parsing. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ridge::cli {

/// Use that a verb makes of the path that a flag names.
enum class Writes : std::uint8_t {
  kNothing,  ///< reads it, or it is no path
  kFile,     ///< writes this file
  kFolder,   ///< writes files into this folder
  kStore,    ///< adds to this run database
  kNewFile,  ///< writes this file if it does not exist, else reads it
};

/// One row: names, target, help, and rules for its values.
struct Flag {
  using Target =
      std::variant<bool*, std::string*, int*, std::int64_t*, std::uint32_t*, std::uint64_t*,
                   double*, std::optional<std::uint64_t>*, std::optional<std::uint32_t>*,
                   std::vector<std::string>*, std::vector<int>*, std::vector<std::uint32_t>*,
                   std::function<void()>, std::function<void(const std::string&)>>;
  /// Returns an error message, or "" for a good value, which it may replace.
  using Check = std::function<std::string(std::string&)>;

  std::string names;  ///< "-o,--output"; without a dash: a positional argument
  Target target;
  std::string help;
  std::string heading = {};  ///< group in --help; empty: the first one
  bool is_required = false;
  bool takes_one = false;                ///< each mention takes one value, a list needs several
  std::vector<std::string> values = {};  ///< allowed values; empty: any
  std::optional<std::pair<int, int>> bounds = {};
  bool is_positive = false;
  std::optional<std::pair<int, int>> times = {};  ///< how many values one mention takes
  char delimiter = '\0';
  std::string shown = {};     ///< value text in --help; empty: its type
  std::string fallback = {};  ///< the value of a mention without one
  Check check = {};
  std::string check_name = {};  ///< its text in --help
  Writes written = Writes::kNothing;
  std::size_t given = 0;  ///< after parsing: number of mentions

  Flag& required() { return is_required = true, *this; }
  Flag& one_of(std::vector<std::string> all) { return values = std::move(all), *this; }
  Flag& range(int least, int most) { return bounds = {least, most}, *this; }
  Flag& positive() { return is_positive = true, *this; }
  Flag& single() { return takes_one = true, *this; }
  Flag& count(int least, int most) { return times = {least, most}, *this; }
  Flag& separator(char c) { return delimiter = c, *this; }
  Flag& shown_as(std::string text) { return shown = std::move(text), *this; }
  Flag& without_value(std::string text) { return fallback = std::move(text), *this; }
  /// The path is checked before the verb runs (output_check.h).
  Flag& writes(Writes what) { return written = what, *this; }
  Flag& checked(Check by, std::string name = "") {
    return check = std::move(by), check_name = std::move(name), *this;
  }

  /// Names that begin with "--", without the dashes; "o" of "-o".
  std::vector<std::string> long_names() const;
  std::vector<std::string> short_names() const;
};

class Flags {
 public:
  /// `target`: where the value goes, or a function that takes it. The row stays where it is.
  template <typename T>
  Flag& add(std::string names, T& target, std::string help) {
    return append({std::move(names), &target, std::move(help)});
  }
  Flag& add(std::string names, std::function<void()> target, std::string help) {
    return append({std::move(names), std::move(target), std::move(help)});
  }
  Flag& add_function(std::string names, std::function<void(const std::string&)> target,
                     std::string help) {
    return append({std::move(names), std::move(target), std::move(help)});
  }
  /// Rows that are added from now on stand under this heading in --help.
  void heading(std::string text) { heading_ = std::move(text); }
  /// Runs after all values were taken.
  void after(std::function<void()> callback) { after_ = std::move(callback); }

  /// After parsing: whether the flag with that long name was on the command line.
  bool given(std::string_view long_name) const;

  std::deque<Flag>& rows() { return rows_; }
  const std::deque<Flag>& rows() const { return rows_; }
  void run_after() const {
    if (after_) after_();
  }

 private:
  Flag& append(Flag row);

  std::deque<Flag> rows_;
  std::string heading_;
  std::function<void()> after_;
};

}  // namespace ridge::cli
