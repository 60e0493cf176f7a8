// SPDX-License-Identifier: Apache-2.0
// Described values as rows of a table: SQL, CSV.
//
//   const Table table{.table = "layer", .type = kType<Layer>, .before = "run INTEGER NOT NULL",
//                     .after = "PRIMARY KEY(run)"};
//   sql_create(table)                                       // CREATE TABLE layer(...), for SQLite
//   write_row(kType<Layer>, &layer, sink);                  // values in the order of columns(t)
//   TRY(read_row(kType<Layer>, source, first, &layer));
//
// The rule: a record has the columns of its fields. A field that is itself a record (present or
// optional) has the columns of that, each named FIELD_INNER: "time_ns" {median, ci95: [low, high]}
// becomes time_ns_median, time_ns_ci95_low, time_ns_ci95_high; inlined fields keep their names.
// column("name") gives a field another name, and a type may name the parts of its fields:
//
//   static std::string column_name(std::string_view field, std::string_view part)  // in Describe
//
// Lists, maps, variants and Json are one column of JSON text. Truths are 0 and 1, words are text,
// unsigned 64-bit integers the signed ones of the same bits. NULL is: no value of an optional (of
// an optional record: in all of its columns), NaN, what is null or left out in JSON. Computed
// fields that are never read have no column, nor have those with no_column() or of the command line
// alone.
//
// A row that does not fit its type (another program wrote it) is refused: input class,
// RIDGE-REC-0008, with the name of the column. Thread rule: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/describe.h"

namespace ridge::record {

struct Column {
  enum class Kind : std::uint8_t { kInteger, kReal, kText };

  std::string name;
  Kind kind = Kind::kText;
  bool null = false;           ///< may be NULL
  bool truth = false;          ///< 0 or 1
  const Type* type = nullptr;  ///< type of the value, behind an optional
  const Field* field = nullptr;
};

std::vector<Column> columns(const Type& type);

/// Takes the values of a row in their order.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void integer(std::int64_t value) = 0;
  /// Beyond 2^63 - 1.
  virtual void large(std::uint64_t value) { integer(static_cast<std::int64_t>(value)); }
  virtual void real(double value) = 0;
  virtual void text(std::string_view value) = 0;  ///< valid during the call
  virtual void null() = 0;
};

void write_row(const Type& type, const void* record, RowSink& sink);

/// A row that was read. Columns count from 0; a value of another type is nullopt.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual bool null(int column) const = 0;
  virtual std::optional<std::int64_t> integer(int column) const = 0;
  virtual std::optional<double> real(int column) const = 0;
  virtual std::optional<std::string_view> text(int column) const = 0;
};

/// Reads from the column `first` on into a record that has its defaults.
Result<void> read_row(const Type& type, const RowSource& row, int first, void* record);

struct Table {
  std::string_view table;
  const Type& type;
  std::string_view before;  ///< columns of keys, which the caller writes itself
  std::string_view after;   ///< constraints of the table
  /// The database checks words and truths: some 100 ns a row for each, and so does a reader.
  bool checks = true;
};

/// CREATE TABLE as SQLite takes it, without the semicolon. The types are INTEGER, REAL and TEXT.
std::string sql_create(const Table& table);
/// The definitions of the columns alone, without checks.
std::string sql_columns(const Type& type);
/// ALTER TABLE ... ADD COLUMN, one for each column since that revision.
std::vector<std::string> sql_add(const Table& table, int revision);
/// "macs, flops, bytes": for SELECT and INSERT.
std::string column_names(const Type& type);

}  // namespace ridge::record
