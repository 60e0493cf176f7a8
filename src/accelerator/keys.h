// Tables of keys: what a description may hold, in which unit, between which bounds. One table
// reads files, sets single values, lists them and writes them, so that none of these can forget a
// key.
//
//   constexpr Key<Dram> kKeys[] = {
//       number<[](auto& d) -> auto& { return d.gb_per_s; }>("gb_per_s", "bandwidth", ...)};
//   TRY(read_keys<Dram>(table, kKeys, dram));
//
// Errors name the place of the key or value, near keys of unknown ones, and the unit of keys that
// have none. Thread rule: pure functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "accelerator/toml.h"
#include "base/result.h"

namespace ridge::accelerator {

/// What is known of a key without its owner.
struct KeyRule {
  enum class Kind : std::uint8_t { kWhole, kReal, kText };
  enum class Need : std::uint8_t { kRequired, kOptional };

  std::string_view name;     ///< dotted: "dram.gb_per_s"
  std::string_view meaning;  ///< with its unit
  Kind kind = Kind::kReal;
  Need need = Need::kRequired;
  double least = 0, most = 0;
  double unit = 1;             ///< what 1 stands for in what holds it: 1024 of KiB
  std::string_view unit_less;  ///< what it is called by who forgets the unit: "dram.bandwidth"
};

template <typename T>
struct Key : KeyRule {
  double (*get)(const T&) = nullptr;
  void (*set)(T&, double) = nullptr;  ///< of a number that the rule allows
  std::string (*text)(const T&) = nullptr;
  Result<void> (*set_text)(T&, std::string_view) = nullptr;
};

struct Bounds {
  double least = 0, most = 0;
};

/// A number: whole where the field that `kField` refers to is.
template <auto kField, typename T>
constexpr Key<T> number(std::string_view name, std::string_view meaning, Bounds bounds,
                        KeyRule::Need need = KeyRule::Need::kRequired,
                        std::string_view unit_less = {}) {
  using Field = std::remove_cvref_t<decltype(kField(std::declval<T&>()))>;
  Key<T> key;
  key.name = name;
  key.meaning = meaning;
  key.kind = std::is_integral_v<Field> ? KeyRule::Kind::kWhole : KeyRule::Kind::kReal;
  key.need = need;
  key.least = bounds.least;
  key.most = bounds.most;
  key.unit_less = unit_less;
  key.get = [](const T& t) { return static_cast<double>(kField(t)); };
  key.set = [](T& t, double value) { kField(t) = static_cast<Field>(value); };
  return key;
}

/// A number of KiB, fractions allowed, of a field in bytes.
template <auto kField, typename T>
constexpr Key<T> kibibytes(std::string_view name, std::string_view meaning, Bounds bounds,
                           KeyRule::Need need = KeyRule::Need::kRequired,
                           std::string_view unit_less = {}) {
  Key<T> key = number<kField, T>(name, meaning, bounds, need, unit_less);
  key.unit = 1024;
  key.get = [](const T& t) { return static_cast<double>(kField(t)) / 1024; };
  key.set = [](T& t, double kib) { kField(t) = std::llround(kib * 1024); };
  return key;
}

template <typename T>
constexpr Key<T> text(std::string_view name, std::string_view meaning, KeyRule::Need need,
                      std::string (*get)(const T&), Result<void> (*set)(T&, std::string_view)) {
  Key<T> key;
  key.name = name;
  key.meaning = meaning;
  key.kind = KeyRule::Kind::kText;
  key.need = need;
  key.text = get;
  key.set_text = set;
  return key;
}

/// A value of a file under its dotted name.
struct NamedValue {
  std::string name;
  Place place;  ///< of the key
  const Toml* value = nullptr;
};

/// Of a table and the tables in it, in the order of the file. Arrays stay whole.
std::vector<NamedValue> named_values(const Toml& table);

/// The index of the rule of that name; an error names what was meant.
Result<std::size_t> find_rule(std::string_view name, std::span<const KeyRule> rules);

/// That `value` is of the rule's type and, if it is a number, within its bounds.
Result<void> check_value(const KeyRule& rule, const Toml& value);

Error missing_key(const KeyRule& rule);

/// Of a number: "a whole number from 1 to 16384".
std::string allowed(const KeyRule& rule);

/// Text from outside as a message may show it: short, valid, one line.
std::string shown(std::string_view text);

/// 16 as "16", 25.6 as "25.6": what reads back as the same number.
std::string number_text(double value);

template <typename T>
std::vector<KeyRule> rules_of(std::span<const Key<T>> keys) {
  return {keys.begin(), keys.end()};
}

template <typename T>
Result<void> assign(const Key<T>& key, const Toml& value, T& out) {
  TRY(check_value(key, value));
  if (key.kind == KeyRule::Kind::kText) return key.set_text(out, value.text);
  key.set(out, value.number);
  return {};
}

/// Every value of `values` by its key; a required key that has none is an error.
template <typename T>
Result<void> read_keys(const std::vector<NamedValue>& values, std::span<const Key<T>> keys,
                       T& out) {
  const std::vector<KeyRule> rules = rules_of(keys);
  std::vector<bool> given(keys.size());
  for (const NamedValue& v : values) {
    const std::size_t i = TRY_IN(v.place.text(), find_rule(v.name, rules));
    TRY_IN(v.value->place.text(), assign(keys[i], *v.value, out));
    given[i] = true;
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!given[i] && keys[i].need == KeyRule::Need::kRequired) return missing_key(keys[i]);
  return {};
}

}  // namespace ridge::accelerator
