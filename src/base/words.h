// SPDX-License-Identifier: Apache-2.0
// Words: the one list of an enumeration's values and what they are called in documents, on command
// lines and in tables.
//
//   template <>
//   struct Words<scenario::Order> {
//     static constexpr std::array list{Word{Order::kRandom, "random", "drawn with replacement"},
//                                      Word{Order::kInTurn, "in-turn", "0, 1, 2, ..."}};
//   };
//   word(Order::kRandom)             // "random"
//   find_word<Order>("in-turn")      // Order::kInTurn; nullopt for a text that is none of them
//
// Specialized in namespace ridge, beside the enumeration, before the first use. Thread rule: pure.
// Cost: word() is a lookup where values count from 0, find_word() a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ridge {

struct Word {
  template <typename Enum>
    requires std::is_enum_v<Enum>
  constexpr Word(Enum e, std::string_view word, std::string_view sentence = {})
      : value(static_cast<std::int64_t>(e)), text(word), meaning(sentence) {}

  std::int64_t value;
  std::string_view text, meaning;
};

template <typename Enum>
struct Words;

template <typename Enum>
concept Worded = requires { Words<Enum>::list; };

/// "" for a value that has no word.
template <Worded Enum>
constexpr std::string_view word(Enum e) {
  const auto& list = Words<Enum>::list;
  const auto value = static_cast<std::int64_t>(e);
  const auto at = static_cast<std::size_t>(value);
  if (at < list.size() && list[at].value == value) return list[at].text;
  for (const Word& w : list)
    if (w.value == value) return w.text;
  return {};
}

template <Worded Enum>
constexpr std::optional<Enum> find_word(std::string_view text) {
  for (const Word& w : Words<Enum>::list)
    if (w.text == text) return static_cast<Enum>(w.value);
  return std::nullopt;
}

/// All of them in the order of the list.
template <Worded Enum>
std::vector<std::string> words() {
  std::vector<std::string> out;
  for (const Word& w : Words<Enum>::list) out.emplace_back(w.text);
  return out;
}

}  // namespace ridge
