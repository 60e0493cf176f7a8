// SPDX-License-Identifier: Apache-2.0
// Lists that a type keeps in another form than it is written: the rows of a table in columns, spans
// whose texts are kept apart. Each row is made when it is written and taken when it was read, in
// one row that is used again, so that a list of a million rows takes the memory of one.
//
//   std::size_t spans(const Timeline& t);                            // how many there are
//   void span_at(const Timeline& t, std::size_t i, SpanRow& out);    // `out` is the row before
//   Result<void> add_span(Timeline& t, std::size_t i, SpanRow& row);
//   rows<SpanRow, &spans, &span_at, &add_span>("spans", "what ran", item_lines())
//
// Use it for a list that is written and read back, but that its owner keeps in another form; a list
// that is only written is a Stream (stream.h). The owner must have no rows when it is read into.
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <optional>

#include "record/describe.h"

namespace ridge::record {

namespace detail {

/// The rows of one owner, which is written (`from`) or read (`to`).
template <typename Owner, typename Row>
struct Rows {
  using Count = std::size_t (*)(const Owner&);
  using At = void (*)(const Owner&, std::size_t, Row&);
  using Add = Result<void> (*)(Owner&, std::size_t, Row&);

  const Owner* from = nullptr;
  Owner* to = nullptr;
  Count number = nullptr;
  At at = nullptr;
  Add add = nullptr;
  Row row{};
  std::size_t read = 0;  ///< the last of them is still in `row`
  std::optional<Error> refused;

  std::size_t count() const { return to == nullptr ? number(*from) : read; }
  void* item(std::size_t i) {
    if (to == nullptr) at(*from, i, row);
    return &row;
  }
  void take() {
    if (read == 0 || refused) return;
    Result<void> taken = add(*to, read - 1, row);
    if (!taken.ok()) refused = std::move(taken).error();
  }
  void next(std::size_t count) {
    if (count == 0) return;
    take();
    row = Row{};
    read = count;
  }
};

template <typename Owner, typename Row>
constexpr void fill(Type& t, const Rows<Owner, Row>*) {
  using T = Rows<Owner, Row>;
  t.form = Form::kList;
  t.one_by_one = true;
  t.item = &kType<Row>;
  t.count = [](const void* v) { return as<T>(v).count(); };
  t.at = [](void* v, std::size_t i) { return as<T>(v).item(i); };
  t.resize = [](void* v, std::size_t n) { as<T>(v).next(n); };
}

template <typename>
struct OwnerOfRows;
template <typename Owner>
struct OwnerOfRows<std::size_t (*)(const Owner&)> {
  using type = Owner;
};

}  // namespace detail

template <typename Row, auto kCount, auto kAt, auto kAdd, typename... Options>
constexpr Field rows(std::string_view name, std::string_view text, Options... options) {
  using Owner = typename detail::OwnerOfRows<decltype(kCount)>::type;
  using List = detail::Rows<Owner, Row>;
  Field f;
  f.type = &kType<List>;
  f.get = [](const void* owner, void* context, UseValue use) {
    List list{.from = &detail::as<Owner>(owner), .number = kCount, .at = kAt};
    use(context, &list);
  };
  f.set = [](void* owner, void* context, FillValue fill) -> Result<void> {
    List list{.to = &detail::as<Owner>(owner), .add = kAdd};
    if (!fill(context, &list)) return {};
    list.take();
    if (list.refused) return std::move(*list.refused);
    return {};
  };
  return detail::made(f, name, text, options...);
}

}  // namespace ridge::record
