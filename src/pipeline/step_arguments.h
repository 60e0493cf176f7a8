// SPDX-License-Identifier: Apache-2.0
// Steps of the text form before they have a meaning: names and arguments with their columns.
//
//   for (StepCall& call : TRY(read_calls("crop(224, anchor=center)"))) {
//     const Anchor anchor = call.word("anchor", kAnchors);
//     TRY(call.finish());                   // an argument that nothing asked for is an error
//   }
//
// Words are compared without regard to case. Errors as in step_text.h. Views into the text that was
// read, or into the text of whoever calls add().
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/step_words.h"

namespace ridge::pipeline {

struct StepArgument {
  std::string_view key;    ///< "" without one
  std::string_view value;  ///< without brackets or quotes
  std::size_t column = 0;  ///< 0: of no text
  bool is_list = false, used = false;
};

class StepCall {
 public:
  StepCall(std::string_view name, std::size_t column) : name_(name), column_(column) {}

  std::string_view name() const { return name_; }
  std::size_t column() const { return column_; }
  void add(const StepArgument& argument) { arguments_.push_back(argument); }

  /// True if `word` is among the arguments, alone or as the value of `key`.
  bool has(std::string_view key, std::string_view word);
  /// The value of the word that is among the arguments; nullopt without one.
  template <typename Value, std::size_t kCount>
  std::optional<Value> find(std::string_view key, const Word<Value> (&table)[kCount]) {
    std::optional<Value> found;
    for (const Word<Value>& word : table)
      if (found)
        known_.push_back({key, word.text});
      else if (has(key, word.text))
        found = word.value;
    return found;
  }
  /// find(), with the first of the table as default.
  template <typename Value, std::size_t kCount>
  Value word(std::string_view key, const Word<Value> (&table)[kCount]) {
    return find(key, table).value_or(table[0].value);
  }

  /// Puts the words `opencv` and `area` in place of `method=opencv_area`.
  void split_method();

  /// A size without key, or height= and width=; an error without one.
  Result<Size> size();
  /// One length: `short=256`; nullopt without one.
  Result<std::optional<int>> side(std::string_view key);
  /// The numbers of `key`, or one number without key if `bare`; empty without.
  enum class Bare { kNo, kYes };
  Result<std::vector<double>> numbers(std::string_view key, Bare bare = Bare::kNo);

  /// Text behind `key`, in quotes or a word; nullopt without one.
  Result<std::optional<std::string>> text_of(std::string_view key);
  /// A whole number behind `key`, `otherwise` without one.
  Result<int> whole(std::string_view key, int least, int most, int otherwise);
  /// The first argument without key that nothing has asked for; an error without one.
  Result<std::string> text(std::string_view what);

  /// Fails if an argument is left over.
  Result<void> finish() const;
  Error missing(std::string_view what) const;

 private:
  struct Known {
    std::string_view key, word;  ///< no word: a key of numbers
  };

  std::string_view name_;
  std::size_t column_;
  std::vector<StepArgument> arguments_;
  std::vector<Known> known_;  ///< words and keys that were asked for
};

/// Error for a step that is none of `names`.
Error unknown_step(const StepCall& call, const std::vector<std::string>& names);

Result<std::vector<StepCall>> read_calls(std::string_view text);

/// The error with its column; without, if it is 0.
Error at_column(Error error, std::size_t column);
/// "did you mean 'a' or 'b'?", or the list of all if none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace ridge::pipeline
