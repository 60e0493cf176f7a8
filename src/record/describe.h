// SPDX-License-Identifier: Apache-2.0
// Describes a plain-data type once: for each field its name (with the unit), its member, and one
// sentence. JSON both ways, binary, SQL, text, TOML, CSV, JSON Schema and its page follow from it.
//
//   struct Batching { std::uint32_t most = 1; Nanos wait{0}; std::vector<std::uint32_t> sizes; };
//
//   template <>                                            // in namespace ridge, beside the type
//   struct record::Describe<scenario::Batching> {
//     using T = scenario::Batching;
//     static constexpr std::string_view name = "batching";
//     static constexpr std::array fields{
//         field<&T::most>("max", "queries in a batch at most", between(1, 1024)),
//         field<&T::wait>("wait_ns", "time that the first query waits for others"),
//         field<&T::sizes>("sizes", "sizes of batches that can be run", or_default())};
//   };
//
// A member may be: bool, an integer, float, double, std::string, Json, an enumeration with Words
// (one without is its number, for messages alone), a Quantity, std::optional, std::vector and
// std::array (lists), std::map from text and std::vector of pairs with text first (maps), another
// described struct, std::variant of such (told apart by the key "kind", which is the name of the
// alternative) or of scalars (told apart by their JSON type). In a type that is only written also
// what it borrows: std::string_view, std::span (a list) and Stream (stream.h). Not: a type that
// contains itself, members of a second base class.
//
//   field<&T::a, &A::b>(...)           member b of member a
//   field<&T::share, Percent>(...)     through a codec: struct Percent {
//                                        static double out(const double& share);
//                                        static double in(double percent); };  // or Result<double>
//   field<Percent, &T::a, &A::share>(...)   the same of a member of a member
//   computed<&rate>(...)               written, never read; double rate(const T&)
//   computed<&rate, &set_rate>(...)    read by Result<void> set_rate(T&, double), or void
//   inlined<&T::sub>()                 the fields of `sub` stand in the parent
//   group<T, kSetup>("setup", ...)     an object of its own around fields of the same T:
//                                        static constexpr std::array kSetup{field<&T::load>(...)};
//   listed_group<T, kEnds>(...)        the same as a list of their values
//
// Members that only cross a pipe (binary.h) need no names:
//
//   static constexpr auto fields = members<&T::most, &T::wait>();
//   static constexpr std::array fields{member<&T::most>(), member<&T::share, Percent>()};
//
// Optional members of a Describe: `name` is needed for alternatives of a variant; `text` is one
// sentence; `schema` = "ridge.name/1" makes it a document, which begins with that key;
// `positional` = true writes it as a list of its fields; check() is asked after reading: static
// Result<void> check(const T&). static void write(JsonWriter&, const T&) replaces the general
// writer: for rows of large tables (json_table.h). column_name() names columns: columns.h.
//
// Conventions: absent and not finite are null; an interval is [low, high]; the unit is in the name.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.h"
#include "record/type.h"

namespace ridge::record {

template <typename T>
struct Describe;

template <typename T>
concept Described = requires { Describe<T>::fields; };

namespace detail {

template <typename T>
constexpr Type type_of();

}  // namespace detail

/// The descriptor of a type.
template <typename T>
inline constexpr Type kType = detail::type_of<T>();

namespace detail {

template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}
template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

template <typename V>
constexpr void fill(Type& t, const std::optional<V>*) {
  using T = std::optional<V>;
  t.form = Form::kOptional;
  t.borrowed = kType<V>.borrowed;
  t.item = &kType<V>;
  t.count = [](const void* v) { return std::size_t{as<T>(v).has_value() ? 1U : 0U}; };
  t.at = [](void* v, std::size_t) -> void* { return &*as<T>(v); };
  t.resize = [](void* v, std::size_t n) {
    as<T>(v).reset();
    if (n > 0) as<T>(v).emplace();
  };
}

template <typename V>
constexpr void fill(Type& t, const std::vector<V>*) {
  static_assert(!std::same_as<V, bool>, "bits have no addresses: use std::uint8_t");
  using T = std::vector<V>;
  t.form = Form::kList;
  t.borrowed = kType<V>.borrowed;
  t.item = &kType<V>;
  t.count = [](const void* v) { return as<T>(v).size(); };
  t.at = [](void* v, std::size_t i) -> void* { return as<T>(v).data() + i; };
  t.resize = [](void* v, std::size_t n) { as<T>(v).resize(n); };
}

template <typename V, std::size_t n>
constexpr void fill(Type& t, const std::array<V, n>*) {
  using T = std::array<V, n>;
  t.form = Form::kList;
  t.fixed = true;
  t.borrowed = kType<V>.borrowed;
  t.item = &kType<V>;
  t.count = [](const void*) { return n; };
  t.at = [](void* v, std::size_t i) -> void* { return as<T>(v).data() + i; };
}

template <typename V>
constexpr void fill(Type& t, const std::span<const V>*) {
  using T = std::span<const V>;
  t.form = Form::kList;
  t.borrowed = true;
  t.item = &kType<V>;
  t.count = [](const void* v) { return as<T>(v).size(); };
  t.at = [](void* v, std::size_t i) -> void* { return const_cast<V*>(as<T>(v).data() + i); };
}

template <typename T>
  requires requires { typename T::StreamItem; }
constexpr void fill(Type& t, const T*) {
  t.form = Form::kList;
  t.borrowed = true;
  t.item = &kType<typename T::StreamItem>;
  t.each_streamed = [](const void* v, void* context, Type::EachItem visit) {
    as<T>(v).each([&](const typename T::StreamItem& item) { visit(context, &item); });
  };
}

template <typename T, typename V>
constexpr void fill_map(Type& t) {
  t.form = Form::kMap;
  t.borrowed = kType<V>.borrowed;
  t.item = &kType<V>;
  t.count = [](const void* v) { return as<T>(v).size(); };
  t.each_key = [](const void* v, void* context, Type::EachKey visit) {
    for (const auto& [key, value] : as<T>(v)) visit(context, key, &value);
  };
  t.clear = [](void* v) { as<T>(v).clear(); };
}

template <typename V>
constexpr void fill(Type& t, const std::map<std::string, V>*) {
  using T = std::map<std::string, V>;
  fill_map<T, V>(t);
  t.insert = [](void* v, std::string_view key) -> void* {
    const auto [at, made] = as<T>(v).try_emplace(std::string(key));
    return made ? &at->second : nullptr;
  };
}

template <typename V>
constexpr void fill(Type& t, const std::vector<std::pair<std::string, V>>*) {
  using T = std::vector<std::pair<std::string, V>>;
  fill_map<T, V>(t);
  t.in_order = true;
  t.insert = [](void* v, std::string_view key) -> void* {
    return &as<T>(v).emplace_back(std::string(key), V{}).second;
  };
}

template <typename... As>
constexpr std::array<const Type*, sizeof...(As)> kAlternatives{&kType<As>...};

template <typename Variant, std::size_t... is>
void choose(Variant& v, std::size_t wanted, std::index_sequence<is...>) {
  ((wanted == is && v.index() != is ? static_cast<void>(v.template emplace<is>()) : void()), ...);
}

template <typename A>
concept Scalar =
    !Described<A> && (std::is_arithmetic_v<A> || Worded<A> || std::same_as<A, std::string> ||
                      std::same_as<A, std::string_view>);

template <typename... As>
constexpr void fill(Type& t, const std::variant<As...>*) {
  static_assert((Described<As> && ...) || (Scalar<As> && ...), "all records or all scalars");
  using T = std::variant<As...>;
  t.form = (Described<As> && ...) ? Form::kOneOf : Form::kEither;
  t.borrowed = (kType<As>.borrowed || ...);
  t.alternatives = kAlternatives<As...>;
  t.count = [](const void* v) { return as<T>(v).index(); };
  t.at = [](void* v, std::size_t) -> void* {
    return std::visit([](auto& a) -> void* { return &a; }, as<T>(v));
  };
  t.resize = [](void* v, std::size_t i) { choose(as<T>(v), i, std::index_sequence_for<As...>()); };
}

template <typename Tag>
constexpr void fill(Type& t, const Quantity<Tag>*) {
  static_assert(std::is_standard_layout_v<Quantity<Tag>>, "its address is that of the count");
  t.form = Form::kInteger;
  t.is_signed = true;
}

constexpr void fill(Type& t, const std::string*) { t.form = Form::kText; }
constexpr void fill(Type& t, const std::string_view*) {
  static_assert(sizeof(std::string_view) != sizeof(std::string), "told apart by their sizes");
  t.form = Form::kText;
  t.borrowed = true;
}
constexpr void fill(Type& t, const Json*) { t.form = Form::kJson; }
constexpr void fill(Type& t, const bool*) { t.form = Form::kTruth; }

template <std::integral T>
constexpr void fill(Type& t, const T*) {
  t.form = Form::kInteger;
  t.is_signed = std::is_signed_v<T>;
}

template <std::floating_point T>
constexpr void fill(Type& t, const T*) {
  t.form = Form::kReal;
}

template <typename T>
  requires(std::is_enum_v<T> && !Worded<T>)
constexpr void fill(Type& t, const T*) {
  t.form = Form::kInteger;
  t.is_signed = std::is_signed_v<std::underlying_type_t<T>>;
}

template <Worded T>
constexpr void fill(Type& t, const T*) {
  t.form = Form::kWord;
  t.is_signed = std::is_signed_v<std::underlying_type_t<T>>;
  t.words = Words<T>::list;
}

template <typename T, auto& kFields>
constexpr void set_fields(Type& t) {
  t.form = Form::kRecord;
  t.field_list = kFields.data();
  t.field_count = kFields.size();
  for (const Field& f : kFields) t.borrowed = t.borrowed || f.type->borrowed;
  t.with_new = [](void* context, void (*use)(void*, void*)) {
    T made{};
    use(context, &made);
  };
}

template <typename T, auto& kFields, bool kListed>
constexpr Type group_of() {
  Type t;
  t.size = sizeof(T);
  t.positional = kListed;
  t.group = true;
  set_fields<T, kFields>(t);
  return t;
}

template <typename T, auto& kFields, bool kListed>
inline constexpr Type kGroup = group_of<T, kFields, kListed>();

template <Described T>
constexpr void fill(Type& t, const T*) {
  using D = Describe<T>;
  set_fields<T, D::fields>(t);
  if constexpr (requires { D::name; }) t.name = D::name;
  if constexpr (requires { D::text; }) t.text = D::text;
  if constexpr (requires { D::schema; }) t.schema = D::schema;
  if constexpr (requires { D::positional; }) t.positional = D::positional;
  if constexpr (requires(JsonWriter& json, const T& v) { D::write(json, v); })
    t.write = [](JsonWriter& json, const void* v) { D::write(json, as<T>(v)); };
  if constexpr (requires { D::column_name; }) t.column_name = D::column_name;
  if constexpr (requires(const T& v) { D::check(v); })
    t.check = [](const void* v) -> Result<void> { return D::check(as<T>(v)); };
}

template <typename T>
constexpr Type type_of() {
  Type t;
  t.size = sizeof(T);
  fill(t, static_cast<const T*>(nullptr));
  return t;
}

template <typename M>
struct MemberOf;
template <typename T, typename M>
struct MemberOf<M T::*> {
  using Owner = T;
  using Value = M;
};

template <auto kFirst, auto...>
struct OwnerOf {
  using type = typename MemberOf<decltype(kFirst)>::Owner;
};

/// Hands a refusal on; a plain value is never refused.
template <typename V>
Result<V> refusable(Result<V> value) {
  return value;
}
template <typename V>
Result<V> refusable(V value) {
  return Result<V>(std::move(value));
}

/// Values of functions that return views are kept as text.
template <typename V>
using Kept = std::conditional_t<std::is_convertible_v<V, std::string_view>, std::string,
                                std::remove_cvref_t<V>>;

template <typename>
struct Signature;
template <typename R, typename T>
struct Signature<R (*)(const T&)> {
  using Owner = T;
  using Value = Kept<R>;
};

template <typename... Options>
constexpr Field made(Field f, std::string_view name, std::string_view text, Options... options) {
  f.name = name;
  f.text = text;
  (options(f), ...);
  f.plain = f.member != nullptr && f.applies == nullptr && f.stands == nullptr && !f.zero_is_null &&
            !f.omitted && !f.omit_empty && f.in_documents() && f.type->form != Form::kJson;
  return f;
}

}  // namespace detail

template <auto... kPath, typename... Options>
  requires(std::is_member_object_pointer_v<decltype(kPath)> && ...)
constexpr Field field(std::string_view name, std::string_view text, Options... options) {
  using Owner = typename detail::OwnerOf<kPath...>::type;
  using Value = std::remove_reference_t<decltype((std::declval<Owner&>().*....*kPath))>;
  Field f;
  f.type = &kType<Value>;
  f.member = [](void* owner) -> void* { return &(detail::as<Owner>(owner).*....*kPath); };
  return detail::made(f, name, text, options...);
}

template <typename Codec, auto... kPath, typename... Options>
  requires(std::is_member_object_pointer_v<decltype(kPath)> && ...)
constexpr Field field(std::string_view name, std::string_view text, Options... options) {
  using Owner = typename detail::OwnerOf<kPath...>::type;
  using Value = std::remove_reference_t<decltype((std::declval<Owner&>().*....*kPath))>;
  using Wire = detail::Kept<decltype(Codec::out(std::declval<const Value&>()))>;
  Field f;
  f.type = &kType<Wire>;
  f.get = [](const void* owner, void* context, UseValue use) {
    const Wire wire(Codec::out((detail::as<Owner>(owner).*....*kPath)));
    use(context, &wire);
  };
  f.set = [](void* owner, void* context, FillValue fill) -> Result<void> {
    Value& value = (detail::as<Owner>(owner).*....*kPath);
    Wire wire(Codec::out(value));
    if (!fill(context, &wire)) return {};
    value = TRY(detail::refusable<Value>(Codec::in(std::move(wire))));
    return {};
  };
  return detail::made(f, name, text, options...);
}

template <auto kMember, typename Codec, typename... Options>
constexpr Field field(std::string_view name, std::string_view text, Options... options) {
  return field<Codec, kMember>(name, text, options...);
}

template <auto kGet, auto kSet, typename... Options>
  requires std::is_function_v<std::remove_pointer_t<decltype(kGet)>>
constexpr Field computed(std::string_view name, std::string_view text, Options... options) {
  using S = detail::Signature<decltype(kGet)>;
  Field f;
  f.type = &kType<typename S::Value>;
  f.get = [](const void* owner, void* context, UseValue use) {
    const typename S::Value value(kGet(detail::as<typename S::Owner>(owner)));
    use(context, &value);
  };
  if constexpr (!std::is_same_v<decltype(kSet), std::nullptr_t>)
    f.set = [](void* owner, void* context, FillValue fill) -> Result<void> {
      auto& whole = detail::as<typename S::Owner>(owner);
      typename S::Value value(kGet(whole));
      if (!fill(context, &value)) return {};
      if constexpr (std::is_void_v<decltype(kSet(whole, std::move(value)))>)
        return kSet(whole, std::move(value)), Result<void>();
      else
        return kSet(whole, std::move(value));
    };
  return detail::made(f, name, text, options...);
}

template <auto kGet, typename... Options>
constexpr Field computed(std::string_view name, std::string_view text, Options... options) {
  return computed<kGet, nullptr>(name, text, options...);
}

template <auto... kPath>
constexpr Field inlined() {
  Field f = field<kPath...>("", "");
  f.inlined = true;
  f.plain = false;
  return f;
}

template <typename T, auto& kFields, bool kListed = false, typename... Options>
constexpr Field group(std::string_view name, std::string_view text, Options... options) {
  Field f;
  f.type = &detail::kGroup<T, kFields, kListed>;
  f.member = [](void* owner) { return owner; };
  return detail::made(f, name, text, options...);
}

template <typename T, auto& kFields, typename... Options>
constexpr Field listed_group(std::string_view name, std::string_view text, Options... options) {
  return group<T, kFields, true>(name, text, options...);
}

/// A field without a name, for messages.
template <auto... kPath>
  requires(std::is_member_object_pointer_v<decltype(kPath)> && ...)
constexpr Field member() {
  return field<kPath...>("", "");
}
template <auto kMember, typename Codec>
constexpr Field member() {
  return field<kMember, Codec>("", "");
}
/// Fields without names of one struct.
template <auto... kMembers>
constexpr std::array<Field, sizeof...(kMembers)> members() {
  return {member<kMembers>()...};
}

// Options of a field.

/// Bounds of each number in the field, both allowed.
constexpr auto between(double least, double most) {
  return [=](Field& f) { f.least = least, f.most = most; };
}
constexpr auto at_least(double least) {
  return [=](Field& f) { f.least = least; };
}
/// Exclusive.
constexpr auto above(double least) {
  return [=](Field& f) { f.least = least, f.above = true; };
}
constexpr auto min_items(std::size_t n) {
  return [=](Field& f) { f.min_items = n; };
}
constexpr auto max_items(std::size_t n) {
  return [=](Field& f) { f.max_items = n; };
}
/// In bytes.
constexpr auto longest_text(std::size_t n) {
  return [=](Field& f) { f.longest_text = n; };
}
/// The texts that it may be: std::span<const std::string_view> names().
template <auto kNames>
constexpr auto one_of() {
  return [](Field& f) { f.allowed = kNames; };
}
/// Null where bool kApplies(const T&) is false; then a reader leaves the member as it is.
template <auto kApplies>
constexpr auto when() {
  return [](Field& f) {
    f.applies = [](const void* owner) -> bool {
      using Owner = typename detail::Signature<decltype(kApplies)>::Owner;
      return kApplies(detail::as<Owner>(owner));
    };
  };
}
/// Left out where bool kStands(const T&) is false; a reader leaves absent members as they are.
template <auto kStands>
constexpr auto only_when() {
  return [](Field& f) {
    f.stands = [](const void* owner) -> bool {
      using Owner = typename detail::Signature<decltype(kStands)>::Owner;
      return kStands(detail::as<Owner>(owner));
    };
  };
}
/// Reals that are always there: null is refused.
constexpr auto known() {
  return [](Field& f) { f.known = true; };
}
/// In documents, not in rows: a list that has a table of its own.
constexpr auto no_column() {
  return [](Field& f) { f.no_column = true; };
}
/// In rows, not in documents: what tells an absent value from an unknown one, say.
constexpr auto column_only() {
  return [](Field& f) { f.column_only = true; };
}
/// Its name in rows, in place of that in documents: for words of SQL. "" of a record or a group:
/// its columns have no prefix.
constexpr auto column(std::string_view name) {
  return [=](Field& f) { f.column = name, f.has_column_name = true; };
}
/// Later revisions add fields: documents of earlier ones lack them.
constexpr auto since(int revision) {
  return [=](Field& f) { f.since = revision; };
}
constexpr auto required() {
  return [](Field& f) { f.required = true; };
}
constexpr auto or_default() {
  return [](Field& f) { f.or_default = true; };
}
/// Not written while it has the value that a new record has.
constexpr auto omit_default() {
  return [](Field& f) { f.omitted = true; };
}
/// Left out while absent, "" or an empty list; a reader leaves absent members as they are.
constexpr auto omit_empty() {
  return [](Field& f) { f.omit_empty = true; };
}
constexpr auto zero_is_null() {
  return [](Field& f) { f.zero_is_null = true; };
}
/// Decides which code is loaded: in no file, neither read nor written.
constexpr auto command_line_only() {
  return [](Field& f) { f.command_line_only = true; };
}
/// A variant without the key "kind", in a type that is only written.
constexpr auto untagged() {
  return [](Field& f) { f.untagged = true; };
}
constexpr auto on_line() {
  return [](Field& f) { f.on_line = true; };
}
constexpr auto item_lines() {
  return [](Field& f) { f.item_lines = true; };
}
/// Its name without the unit, to recognize a forgotten one.
constexpr auto unasked(std::string_view name) {
  return [=](Field& f) { f.unasked = name; };
}

}  // namespace ridge::record
