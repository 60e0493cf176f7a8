// SPDX-License-Identifier: Apache-2.0
#include "accuracy/error_rate.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <optional>

#include "accuracy/characters.h"
#include "accuracy/edit_distance.h"
#include "accuracy/fault.h"
#include "base/checked.h"

namespace ridge::accuracy {
namespace {

constexpr std::uint64_t kMaxPairs = std::uint64_t{1} << 38;

/// Numbers for words, equal for equal words.
using Vocabulary = std::map<std::u32string, char32_t, std::less<>>;

/// Words of a text without white space at its ends.
std::u32string numbered_words(std::u32string_view text, Vocabulary& vocabulary) {
  std::u32string numbers, word;
  const auto finish = [&] {
    if (word.empty()) return;
    numbers += vocabulary.try_emplace(word, static_cast<char32_t>(vocabulary.size())).first->second;
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool space = is_space(text[i]);
    const bool in_run = space && ((i > 0 && is_space(text[i - 1])) ||
                                  (i + 1 < text.size() && is_space(text[i + 1])));
    if (in_run || text[i] == U' ')
      finish();
    else
      word += text[i];
  }
  finish();
  return numbers;
}

std::u32string symbols_of(ErrorUnit unit, const std::string& text, Vocabulary& vocabulary) {
  const std::u32string codes = code_points(text);
  const std::u32string_view inner = stripped(codes);
  return unit == ErrorUnit::kWord ? numbered_words(inner, vocabulary) : std::u32string(inner);
}

}  // namespace

Result<ErrorRate> ErrorRate::make(ErrorUnit unit, std::span<const std::string> references,
                                  std::span<const std::string> hypotheses) {
  const char* metric = unit == ErrorUnit::kWord ? "word error rate" : "character error rate";
  if (references.size() != hypotheses.size())
    return sizes_differ(metric, references.size(), "references", hypotheses.size(), "hypotheses");
  ErrorRate rate;
  for (std::size_t i = 0; i < references.size(); ++i) {
    Vocabulary vocabulary;
    const std::u32string truth = symbols_of(unit, references[i], vocabulary);
    const std::u32string found = symbols_of(unit, hypotheses[i], vocabulary);
    const auto pairs = checked_mul<std::uint64_t>(truth.size(), found.size());
    if (!pairs || *pairs > kMaxPairs)
      return too_large(metric,
                       fmt::format("text {} has {} symbols, and its reference {}", i, found.size(),
                                   truth.size()),
                       "split long recordings into sentences");
    rate.texts_.push_back({edit_distance(truth, found), truth.size()});
  }
  return rate;
}

double ErrorRate::value(Weights weights) const {
  if (texts_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double edits = 0, length = 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    edits += weight_of(weights, i) * static_cast<double>(texts_[i].edits);
    length += weight_of(weights, i) * static_cast<double>(texts_[i].length);
  }
  return length == 0 ? edits : edits / length;
}

Figure ErrorRate::figure(const stats::BootstrapOptions& options) const {
  return resampled(
      texts_.size(), [this](Weights weights) { return value(weights); }, options);
}

}  // namespace ridge::accuracy
