// SPDX-License-Identifier: Apache-2.0
#include "record/binary.h"

#include <algorithm>
#include <cstring>

#include "record/scalar.h"

namespace ridge::record {
namespace {

std::string& text_in(const Type& t, void* value) {
  return t.form == Form::kJson ? static_cast<Json*>(value)->text
                               : *static_cast<std::string*>(value);
}

void put_count(std::size_t n, std::string& out) {
  const std::uint64_t count = n;
  out.append(reinterpret_cast<const char*>(&count), sizeof count);
}

/// The fewest bytes of a value: what a stated count of items takes at least.
std::size_t min_bytes(const Type& t) {
  switch (t.form) {
    case Form::kTruth:
    case Form::kOptional:
    case Form::kOneOf:
    case Form::kEither:
      return 1;
    case Form::kInteger:
    case Form::kReal:
    case Form::kWord:
      return t.size;
    case Form::kList:
      return t.resize == nullptr ? t.size / t.item->size * min_bytes(*t.item) : 8;
    case Form::kRecord: {
      std::size_t sum = 0;
      for (const Field& f : t.fields())
        if (!f.computed()) sum += min_bytes(*f.type);
      return sum;
    }
    default:
      return 8;
  }
}

class Taker {
 public:
  explicit Taker(std::string_view bytes) : left_(bytes) {}

  std::string_view left() const { return left_; }

  bool value(const Type& t, void* out) {
    switch (t.form) {
      case Form::kTruth: {
        std::uint8_t byte = 0;
        if (!copy(&byte, 1) || byte > 1) return false;
        *static_cast<bool*>(out) = byte == 1;
        return true;
      }
      case Form::kInteger:
      case Form::kReal:
        return copy(out, t.size);
      case Form::kWord:
        return copy(out, t.size) && has_word(t, out);
      case Form::kText:
      case Form::kJson: {
        std::size_t n = 0;
        if (!count(n, 1)) return false;
        text_in(t, out).assign(left_.substr(0, n));
        left_.remove_prefix(n);
        return true;
      }
      case Form::kOptional:
      case Form::kOneOf:
      case Form::kEither:
        return choice(t, out);
      case Form::kList:
        return list(t, out);
      case Form::kMap:
        return map(t, out);
      case Form::kRecord:
        return record(t, out);
    }
    return false;
  }

 private:
  bool copy(void* out, std::size_t size) {
    if (size > left_.size()) return false;
    if (size > 0) std::memcpy(out, left_.data(), size);
    left_.remove_prefix(size);
    return true;
  }

  /// A count of items of so many bytes at least.
  bool count(std::size_t& n, std::size_t each) {
    std::uint64_t stated = 0;
    if (!copy(&stated, sizeof stated) || stated > left_.size() / std::max<std::size_t>(each, 1))
      return false;
    n = static_cast<std::size_t>(stated);
    return true;
  }

  static bool has_word(const Type& t, const void* value) {
    const std::int64_t number = integer_at(t, value);
    return std::ranges::any_of(t.words, [&](const Word& w) { return w.value == number; });
  }

  bool choice(const Type& t, void* out) {
    const bool optional = t.form == Form::kOptional;
    std::uint8_t which = 0;
    if (!copy(&which, 1) || which >= (optional ? 2 : t.alternatives.size())) return false;
    t.resize(out, which);
    if (optional) return which == 0 || value(*t.item, t.at(out, 0));
    return value(*t.alternatives[which], t.at(out, 0));
  }

  bool list(const Type& t, void* out) {
    std::size_t n = t.count(out);
    if (t.resize != nullptr) {
      if (!count(n, min_bytes(*t.item))) return false;
      t.resize(out, t.one_by_one ? 0 : n);
    }
    if (n == 0) return true;
    if (t.one_by_one) return rows(t, n, out);
    if (is_number(*t.item)) return copy(t.at(out, 0), n * t.item->size);
    auto* at = static_cast<char*>(t.at(out, 0));
    for (std::size_t i = 0; i < n; ++i, at += t.item->size)
      if (!value(*t.item, at)) return false;
    return true;
  }

  bool rows(const Type& t, std::size_t n, void* out) {
    for (std::size_t i = 0; i < n; ++i) {
      t.resize(out, i + 1);
      if (!value(*t.item, t.at(out, i))) return false;
    }
    return true;
  }

  bool map(const Type& t, void* out) {
    t.clear(out);
    std::size_t n = 0;
    if (!count(n, 8 + min_bytes(*t.item))) return false;
    std::string key;
    for (std::size_t i = 0; i < n; ++i) {
      if (!value(kType<std::string>, &key)) return false;
      void* item = t.insert(out, key);
      if (item == nullptr || !value(*t.item, item)) return false;
    }
    return true;
  }

  bool record(const Type& t, void* out) {
    for (const Field& f : t.fields()) {
      if (f.computed()) continue;
      bool taken = false;
      const auto set = f.write(out, [&](void* member) { return taken = value(*f.type, member); });
      if (!taken || !set.ok()) return false;
    }
    return true;
  }

  std::string_view left_;
};

}  // namespace

void put_binary(const Type& t, const void* v, std::string& out) {
  switch (t.form) {
    case Form::kTruth:
    case Form::kInteger:
    case Form::kReal:
    case Form::kWord:
      out.append(static_cast<const char*>(v), t.size);
      return;
    case Form::kText:
    case Form::kJson: {
      const std::string& text = text_in(t, const_cast<void*>(v));
      put_count(text.size(), out);
      out += text;
      return;
    }
    case Form::kOptional:
    case Form::kOneOf:
    case Form::kEither: {
      const std::size_t which = t.count(v);
      out += static_cast<char>(which);
      if (t.form != Form::kOptional)
        put_binary(*t.alternatives[which], t.at_const(v, 0), out);
      else if (which == 1)
        put_binary(*t.item, t.at_const(v, 0), out);
      return;
    }
    case Form::kList: {
      const std::size_t n = t.count(v);
      if (t.resize != nullptr) put_count(n, out);
      if (n > 0 && is_number(*t.item) && !t.one_by_one)
        out.append(static_cast<const char*>(t.at_const(v, 0)), n * t.item->size);
      else
        t.items(v, [&](const void* item) { put_binary(*t.item, item, out); });
      return;
    }
    case Form::kMap:
      put_count(t.count(v), out);
      t.keys(v, [&](std::string_view key, const void* item) {
        put_count(key.size(), out);
        out += key;
        put_binary(*t.item, item, out);
      });
      return;
    case Form::kRecord:
      for (const Field& f : t.fields())
        if (!f.computed()) f.read(v, [&](const void* member) { put_binary(*f.type, member, out); });
      return;
  }
}

bool take_binary(const Type& type, std::string_view& bytes, void* out) {
  Taker taker(bytes);
  if (!taker.value(type, out)) return false;
  bytes = taker.left();
  return true;
}

}  // namespace ridge::record
