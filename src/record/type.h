// SPDX-License-Identifier: Apache-2.0
// Descriptors: what adapters (JSON, binary, SQL, ...) know of a type whose data leaves the process.
// Made at compile time from Describe<T> (describe.h); adapters are ordinary functions over them,
// compiled once, and see values as void*.
//
//   const Type& t = kType<Scenario>;
//   for (const Field& f : t.fields())
//     f.read(&scenario, [&](const void* value) { use(f.name, *f.type, value); });
//
// Thread rule: constants. Cost: one call through a pointer for each access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.h"
#include "base/words.h"

namespace ridge {

class JsonWriter;

namespace record {

enum class Form : std::uint8_t {
  kTruth,
  kInteger,   ///< signed or not, `size` bytes; base/units.h too
  kReal,      ///< float or double; what is not finite is absent: null
  kText,      ///< std::string, or a borrowed std::string_view
  kJson,      ///< Json: a document of another maker, kept as text
  kWord,      ///< an enumeration with Words
  kOptional,  ///< count() is 0 or 1
  kList,      ///< std::vector, std::array or std::span, contiguous; or Stream
  kMap,       ///< std::map from text, or std::vector of pairs with text first
  kRecord,    ///< a struct with a Describe
  kOneOf,     ///< std::variant of records; count() is the index
  kEither,    ///< std::variant of scalars, told apart by their JSON type; count() is the index
};

/// A value that is JSON already, in one piece: written as it is, "" as null.
struct Json {
  std::string text;
  bool operator==(const Json&) const = default;
};

struct Field;

struct Type {
  using EachKey = void (*)(void* context, std::string_view key, const void* value);
  using EachItem = void (*)(void* context, const void* item);

  Form form = Form::kTruth;
  bool is_signed = false;
  bool in_order = false;        ///< a map that keeps its order, and would keep a name twice
  bool fixed = false;           ///< a std::array
  bool borrowed = false;        ///< holds a view: written, never read
  bool one_by_one = false;      ///< a list whose items share one place in memory (rows.h)
  bool group = false;           ///< fields of the record that holds it
  bool positional = false;      ///< a record written as a list of its fields: an interval
  std::uint32_t size = 0;       ///< bytes in memory
  std::string_view name;        ///< name of a record
  std::string_view schema;      ///< name of a document: "ridge.evaluation/1"
  std::string_view text;        ///< one sentence about a record, or ""
  const Type* item = nullptr;   ///< type in an optional, a list or a map
  std::span<const Word> words;  ///< values of an enumeration
  std::span<const Type* const> alternatives;  ///< types of a variant

  // Of an optional: 0 or 1 values. Of a list: its items. Of a variant: `count` is the index, and
  // `at` is the present alternative. `resize` is null for a std::array and a view.
  std::size_t (*count)(const void* value) = nullptr;
  void* (*at)(void* value, std::size_t index) = nullptr;
  void (*resize)(void* value, std::size_t count) = nullptr;
  void (*each_key)(const void* map, void* context, EachKey visit) = nullptr;
  /// Makes the items of a Stream, which has neither `count` nor `at`.
  void (*each_streamed)(const void* list, void* context, EachItem visit) = nullptr;
  /// A new value of a map; nullptr if the key is there already.
  void* (*insert)(void* map, std::string_view key) = nullptr;
  void (*clear)(void* map) = nullptr;
  /// Describe<T>::check, asked of a record that was read.
  Result<void> (*check)(const void* record) = nullptr;
  /// Describe<T>::write, which writes the record as JSON in place of the general writer.
  void (*write)(JsonWriter& json, const void* record) = nullptr;
  /// Name of the column of a part of a field of this type; null: FIELD_PART (columns.h).
  std::string (*column_name)(std::string_view field, std::string_view part) = nullptr;
  /// Calls `use` with a new record of default values.
  void (*with_new)(void* context, void (*use)(void* context, void* record)) = nullptr;

  const Field* field_list = nullptr;
  std::size_t field_count = 0;
  std::span<const Field> fields() const;

  const void* at_const(const void* value, std::size_t index) const {
    return at(const_cast<void*>(value), index);  // `at` changes nothing itself
  }
  /// visit(const void* item)
  template <typename Visit>
  void stream(const void* list, Visit visit) const {
    each_streamed(list, &visit,
                  [](void* context, const void* value) { (*static_cast<Visit*>(context))(value); });
  }
  /// visit(const void* item)
  template <typename Visit>
  void items(const void* list, Visit visit) const;
  /// visit(std::string_view key, const void* value)
  template <typename Visit>
  void keys(const void* map, Visit visit) const {
    each_key(map, &visit, [](void* context, std::string_view key, const void* value) {
      (*static_cast<Visit*>(context))(key, value);
    });
  }
};

/// How a value is given where its owner has no member for it: through a temporary.
using UseValue = void (*)(void* context, const void* value);
using FillValue = bool (*)(void* context, void* value);

struct Field {
  std::string_view name;  ///< with the unit
  std::string_view text;  ///< one sentence for people
  const Type* type = nullptr;

  void* (*member)(void* owner) = nullptr;  ///< null: through get and set
  void (*get)(const void* owner, void* context, UseValue use) = nullptr;
  /// Null for computed fields, which are never read.
  Result<void> (*set)(void* owner, void* context, FillValue fill) = nullptr;

  bool (*applies)(const void* owner) = nullptr;              ///< false: null, nothing in text
  bool (*stands)(const void* owner) = nullptr;               ///< false: left out
  std::span<const std::string_view> (*allowed)() = nullptr;  ///< the texts that it may be

  double least = -std::numeric_limits<double>::infinity();  ///< bound of each number in it
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  ///< `least` itself is not allowed
  std::size_t min_items = 0;
  std::size_t max_items = std::numeric_limits<std::size_t>::max();
  std::size_t longest_text = std::numeric_limits<std::size_t>::max();  ///< bytes

  int since = 1;                 ///< revision of the record that added it
  bool required = false;         ///< a file for people must have it
  bool or_default = false;       ///< a document may lack it
  bool omitted = false;          ///< not written while it has its default value
  bool omit_empty = false;       ///< not written while absent, "" or an empty list
  bool zero_is_null = false;     ///< 0, "" and empty lists are null
  bool known = false;            ///< a real that is never absent
  bool no_column = false;        ///< not in rows
  bool column_only = false;      ///< in rows alone
  bool has_column_name = false;  ///< `column` is its name in rows
  bool inlined = false;          ///< its members stand in the parent
  bool untagged = false;         ///< a variant without the key "kind": written, never read
  bool command_line_only = false;
  bool plain = false;       ///< a member that documents have as it is: set by field()
  bool on_line = false;     ///< JSON: a line break before the key
  bool item_lines = false;  ///< JSON: a line break before each item and the end
  std::string_view column;
  std::string_view unasked;  ///< name without a unit, for a hint: "clock" for "clock_mhz"

  bool computed() const { return member == nullptr && set == nullptr; }
  constexpr bool in_documents() const { return !command_line_only && !column_only; }
  /// Documents may lack it although their record has it.
  bool sometimes() const { return omitted || omit_empty || stands != nullptr; }
  /// A written field may be null.
  bool nullable() const {
    return applies != nullptr || zero_is_null || type->form == Form::kOptional ||
           (type->form == Form::kReal && !known) || type->form == Form::kJson;
  }
  bool bounded() const {
    return least > -std::numeric_limits<double>::infinity() ||
           most < std::numeric_limits<double>::infinity();
  }

  /// use(const void* value)
  template <typename Use>
  void read(const void* owner, Use use) const {
    if (member != nullptr) return use(static_cast<const void*>(member(const_cast<void*>(owner))));
    get(owner, &use,
        [](void* context, const void* value) { (*static_cast<Use*>(context))(value); });
  }
  /// bool fill(void* value), false if nothing was read; the error is that of a setter.
  template <typename Fill>
  Result<void> write(void* owner, Fill fill) const {
    if (member != nullptr) return static_cast<void>(fill(member(owner))), Result<void>();
    return set(owner, &fill,
               [](void* context, void* value) { return (*static_cast<Fill*>(context))(value); });
  }
};

inline std::span<const Field> Type::fields() const { return {field_list, field_count}; }

template <typename Visit>
void Type::items(const void* list, Visit visit) const {
  const std::size_t n = count(list);
  if (one_by_one) {
    for (std::size_t i = 0; i < n; ++i) visit(at_const(list, i));
    return;
  }
  const auto* item_at = n == 0 ? nullptr : static_cast<const char*>(at_const(list, 0));
  for (std::size_t i = 0; i < n; ++i, item_at += item->size)
    visit(static_cast<const void*>(item_at));
}

/// The type of a value where there is one.
inline const Type& present(const Type& t) { return t.form == Form::kOptional ? *t.item : t; }

}  // namespace record
}  // namespace ridge
