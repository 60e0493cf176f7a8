// Tables of keys: the values that a description may have, their units and bounds. The same table
// serves to read files, set single values, list them and write them, so that none of these can omit
// a key.
//
//   constexpr Key<Dram> kKeys[] = {
//       number<[](auto& d) -> auto& { return d.gb_per_s; }>("gb_per_s", "bandwidth", ...)};
//   TRY(read_keys<Dram>(table, kKeys, dram));
//
// Errors state the place of the key or value. For an unknown key they suggest similar names; for a
// key written without its unit, the key with the unit.
// Thread rule: pure functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::accelerator {

/// Properties of a key that do not depend on the type that owns it.
struct KeyRule {
  enum class Kind : std::uint8_t { kWhole, kReal, kText, kFlag };
  enum class Need : std::uint8_t { kRequired, kOptional };

  std::string_view name;     ///< dotted: "dram.gb_per_s"
  std::string_view meaning;  ///< with its unit
  Kind kind = Kind::kReal;
  Need need = Need::kRequired;
  double least = 0, most = 0;
  double unit = 1;  ///< factor from the key's unit to the field's: 1024 for KiB
  /// Name without a unit, to recognize a forgotten unit: "dram.bandwidth"
  std::string_view unit_less;
};

template <typename T>
struct Key : KeyRule {
  double (*get)(const T&) = nullptr;
  void (*set)(T&, double) = nullptr;  ///< requires a value that the rule allows
  std::string (*text)(const T&) = nullptr;
  Result<void> (*set_text)(T&, std::string_view) = nullptr;
};

struct Bounds {
  double least = 0, most = 0;
};

/// Key of a number: a whole number if the field that `kField` returns is an integer.
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

/// Key of a number of KiB, fractions allowed, for a field in bytes.
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

/// Key of a field that is true or false.
template <auto kField, typename T>
constexpr Key<T> flag(std::string_view name, std::string_view meaning) {
  Key<T> key;
  key.name = name;
  key.meaning = meaning;
  key.kind = KeyRule::Kind::kFlag;
  key.need = KeyRule::Need::kOptional;
  key.most = 1;
  key.get = [](const T& t) { return kField(t) ? 1.0 : 0.0; };
  key.set = [](T& t, double value) { kField(t) = value != 0; };
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

/// Value in a file, with its dotted name.
struct NamedValue {
  std::string name;
  Place place;  ///< place of the key
  const Toml* value = nullptr;
};

/// Values of a table and its nested tables, in file order. Arrays are not flattened.
std::vector<NamedValue> named_values(const Toml& table);

/// Index of the rule called `name`; the error for an unknown name suggests similar ones.
Result<std::size_t> find_rule(std::string_view name, std::span<const KeyRule> rules);

/// Checks that `value` has the rule's type and, for a number, is within the bounds.
Result<void> check_value(const KeyRule& rule, const Toml& value);

Error missing_key(const KeyRule& rule);

/// Text for the allowed range of a number: "a whole number from 1 to 16384".
std::string allowed(const KeyRule& rule);

/// Makes outside text safe for a message: short, valid UTF-8, one line.
std::string shown(std::string_view text);

/// Shortest text that reads back as the same number: 16 as "16", 25.6 as "25.6".
std::string number_text(double value);

template <typename T>
std::vector<KeyRule> rules_of(std::span<const Key<T>> keys) {
  return {keys.begin(), keys.end()};
}

template <typename T>
Result<void> assign(const Key<T>& key, const Toml& value, T& out) {
  TRY(check_value(key, value));
  if (key.kind == KeyRule::Kind::kText) return key.set_text(out, value.text);
  key.set(out, key.kind == KeyRule::Kind::kFlag ? (value.truth ? 1 : 0) : value.number);
  return {};
}

/// Assigns every value of `values` to its key's field in `out`; a missing required key is an error.
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
