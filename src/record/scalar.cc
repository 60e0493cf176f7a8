// SPDX-License-Identifier: Apache-2.0
#include "record/scalar.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/number.h"

namespace ridge::record {
namespace {

template <typename T>
bool store(T value, void* out) {
  std::memcpy(out, &value, sizeof value);
  return true;
}

bool within(const Field* rule, double number) {
  if (rule == nullptr || !rule->bounded()) return true;
  return (rule->above ? number > rule->least : number >= rule->least) && number <= rule->most;
}

template <typename Number>
bool put_whole(const Type& t, Number number, void* out, const Field* rule) {
  if (t.form == Form::kReal) return put(t, static_cast<double>(number), out, rule);
  if (t.form != Form::kInteger || !within(rule, static_cast<double>(number))) return false;
  return with_integer(t, [&]<typename T>(T) {
    return std::in_range<T>(number) && store(static_cast<T>(number), out);
  });
}

std::string bounds_of(const Type& t, const Field* rule) {
  double least = -std::numeric_limits<double>::infinity(), most = -least;
  if (t.form == Form::kInteger && t.size < 8)
    with_integer(t, [&]<typename T>(T) {
      least = static_cast<double>(std::numeric_limits<T>::min());
      most = static_cast<double>(std::numeric_limits<T>::max());
      return true;
    });
  if (t.form == Form::kInteger && t.size == 8 && !t.is_signed) least = 0;
  if (rule != nullptr) least = std::max(least, rule->least), most = std::min(most, rule->most);
  std::string out;
  const bool exclusive = rule != nullptr && rule->above && least == rule->least;
  if (std::isfinite(least)) out += fmt::format(" {} {}", exclusive ? "above" : "from", least);
  if (exclusive && std::isfinite(most)) return fmt::format("{} and up to {}", out, most);
  if (std::isfinite(most)) out += fmt::format("{} to {}", out.empty() ? " up" : "", most);
  return out;
}

}  // namespace

bool is_scalar(const Type& t) { return t.form <= Form::kWord && t.form != Form::kJson; }

std::string_view word_at(const Type& t, const void* value) {
  const std::int64_t number = integer_at(t, value);
  const auto at = static_cast<std::size_t>(number);
  if (at < t.words.size() && t.words[at].value == number) return t.words[at].text;
  for (const Word& w : t.words)
    if (w.value == number) return w.text;
  return {};
}

bool is_zero(const Type& t, const void* value) {
  switch (t.form) {
    case Form::kTruth:
      return !*static_cast<const bool*>(value);
    case Form::kInteger:
    case Form::kWord:
      return integer_at(t, value) == 0;
    case Form::kReal:
      return real_at(t, value) == 0;
    case Form::kText:
      return text_at(t, value).empty();
    case Form::kJson:
      return static_cast<const Json*>(value)->text.empty();
    case Form::kRecord:
    case Form::kOneOf:
    case Form::kEither:
      return false;
    default:
      return t.count(value) == 0;
  }
}

void make_zero(const Type& t, void* out) {
  if (t.form == Form::kText) static_cast<std::string*>(out)->clear();
  if (t.form == Form::kJson) static_cast<Json*>(out)->text.clear();
  if (t.form == Form::kMap) t.clear(out);
  if (t.form == Form::kTruth) store(false, out);
  if (t.form == Form::kWord) with_integer(t, [&]<typename T>(T zero) { return store(zero, out); });
  if (t.form == Form::kInteger || t.form == Form::kReal) put(t, std::int64_t{0}, out);
  if ((t.form == Form::kOptional || t.form == Form::kList) && t.resize != nullptr) t.resize(out, 0);
}

bool put(const Type& t, std::int64_t number, void* out, const Field* rule) {
  return put_whole(t, number, out, rule);
}

bool put(const Type& t, std::uint64_t number, void* out, const Field* rule) {
  return put_whole(t, number, out, rule);
}

bool put(const Type& t, double number, void* out, const Field* rule) {
  if (t.form == Form::kInteger && std::nearbyint(number) == number &&
      std::fabs(number) <= kMaxExact)
    return put(t, static_cast<std::int64_t>(number), out, rule);
  if (t.form != Form::kReal || !within(rule, number)) return false;
  if (t.size != sizeof(float)) return store(number, out);
  return std::fabs(number) <= std::numeric_limits<float>::max() &&
         store(static_cast<float>(number), out);
}

bool put(const Type& t, std::string_view text, void* out, const Field* rule) {
  if (t.form == Form::kWord) {
    const auto found = std::ranges::find(t.words, text, &Word::text);
    if (found == t.words.end()) return false;
    return with_integer(t, [&]<typename T>(T) { return store(static_cast<T>(found->value), out); });
  }
  if (t.form != Form::kText) return false;
  if (rule != nullptr && text.size() > rule->longest_text) return false;
  if (rule != nullptr && rule->allowed != nullptr &&
      std::ranges::find(rule->allowed(), text) == rule->allowed().end())
    return false;
  static_cast<std::string*>(out)->assign(text);
  return true;
}

void put_nan(const Type& t, void* out) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  t.size == sizeof(float) ? store(static_cast<float>(kNan), out) : store(kNan, out);
}

std::string scalar_text(const Type& t, const void* value) {
  switch (t.form) {
    case Form::kTruth:
      return *static_cast<const bool*>(value) ? "true" : "false";
    case Form::kInteger:
      return beyond_signed(t, value)
                 ? fmt::format("{}", static_cast<std::uint64_t>(integer_at(t, value)))
                 : fmt::format("{}", integer_at(t, value));
    case Form::kReal:
      return std::isfinite(real_at(t, value)) ? fmt::format("{}", real_at(t, value)) : "nan";
    case Form::kWord:
      return std::string(word_at(t, value));
    default:
      return std::string(text_at(t, value));
  }
}

bool read_scalar(const Type& t, const Field* rule, std::string_view text, void* out) {
  if (t.form == Form::kText || t.form == Form::kWord) return put(t, text, out, rule);
  if (t.form == Form::kTruth) {
    if (text != "true" && text != "false") return false;
    return store(text == "true", out);
  }
  if (t.form == Form::kReal && text == "nan" && (rule == nullptr || !rule->known))
    return put_nan(t, out), true;
  if (t.form == Form::kReal) {
    const auto number = finite_number(text);
    return number && put(t, *number, out, rule);
  }
  if (const auto number = whole_number<std::int64_t>(text)) return put(t, *number, out, rule);
  const auto number = whole_number<std::uint64_t>(text);
  return number && put(t, *number, out, rule);
}

std::vector<std::string> allowed_texts(const Type& t, const Field* rule) {
  std::vector<std::string> out;
  for (const Word& w : t.words) out.emplace_back(w.text);
  if (t.form == Form::kOneOf)
    for (const Type* a : t.alternatives) out.emplace_back(a->name);
  if (t.form == Form::kText && rule != nullptr && rule->allowed != nullptr)
    for (const std::string_view text : rule->allowed()) out.emplace_back(text);
  return out;
}

std::string expected(const Type& t, const Field* rule) {
  if (const auto texts = allowed_texts(t, rule); !texts.empty() && t.form != Form::kOneOf)
    return fmt::format("one of {}", fmt::join(texts, ", "));
  switch (t.form) {
    case Form::kTruth:
      return "true or false";
    case Form::kInteger:
      return "integer" + bounds_of(t, rule);
    case Form::kReal:
      return "number" + bounds_of(t, rule);
    case Form::kText:
      return rule == nullptr || rule->longest_text > (std::size_t{1} << 40)
                 ? "text"
                 : fmt::format("text of at most {} bytes", rule->longest_text);
    case Form::kOptional:
      return expected(*t.item, rule);
    case Form::kList:
      return "list";
    case Form::kEither: {
      std::vector<std::string> each;
      for (const Type* a : t.alternatives) each.push_back(expected(*a, rule));
      return fmt::format("{}", fmt::join(each, " or "));
    }
    case Form::kRecord:
      return t.positional ? fmt::format("list of {} values", t.field_count) : "object";
    default:
      return "object";
  }
}

}  // namespace ridge::record
