// SPDX-License-Identifier: Apache-2.0
// Views of a run database: what other programs (sqlite3, pandas, Datasette, Grafana) read of it
// without knowledge of its tables. One list says for each column its name, type, unit, meaning and
// SQL; the views in the file, their page, `ridge runs export` and its test come of it.
//
//   for (const View& view : views()) sql += create_view(view);    // the schema (schema.cc)
//   page = views_page();                                          // docs/reference/views.md
//   const Transaction seen = TRY(store.snapshot());
//   for (const View& view : views()) TRY(store.write_csv(view, sink_of(view)));
//
// A view has no state: a row is there as long as its run is. ridge itself never reads a view of a
// file (store/database.h); it runs the same SQL from here. Thread rule: constants.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "record/columns.h"

namespace ridge::store {

struct ViewColumn {
  std::string_view name;  ///< with the unit
  record::Column::Kind kind;
  std::string_view unit;     ///< "ns"; "" for none
  std::string_view meaning;  ///< for people; says when it is null
  std::string_view sql;      ///< expression over the rows of View::from
};

/// Columns that several views share, or that one has.
using ViewColumns = std::span<const ViewColumn>;

struct View {
  std::string_view name;
  std::string_view meaning;   ///< sentence on a row
  ViewColumns shared, own;    ///< its columns, in this order
  std::string_view from;      ///< tables, joined
  std::string_view owner;     ///< table with a row for each run or evaluation
  std::string_view order_by;  ///< columns, the first of which is the owner's id
};

/// In the order in which they are listed.
std::span<const View> views();

/// CREATE VIEW with a comment for each column, and a semicolon.
std::string create_view(const View& view);
/// SELECT of the rows of one owner, whose id is the only parameter, in order.
std::string select_view(const View& view);
/// The columns of all views as Markdown.
std::string views_page();

/// visit(const ViewColumn&)
template <typename Visit>
void for_each_column(const View& view, Visit visit) {
  for (const ViewColumns columns : {view.shared, view.own})
    for (const ViewColumn& column : columns) visit(column);
}

}  // namespace ridge::store
