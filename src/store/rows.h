// SPDX-License-Identifier: Apache-2.0
// Writer and reader of the rows of one table, by the description of the row (record/columns.h).
//
//   auto roofs = TRY(RowWriter<machine::Roof>::make(db, "roof", {"run", "position"}));
//   TRY(roofs.add({run, 0}, roof));
//   TRY(roofs.done());
//
//   RowReader<machine::Roof> rows = TRY(RowReader<machine::Roof>::make(db, "roof", {"position"},
//                                                                     "run", run));
//   while (TRY(rows.next())) use(rows.key(0), rows.row());
//
// A value that its member cannot represent (another type, a number out of range, a word that is
// none) is the error of a damaged store that names table and column. Thread rule: as for Database.
#pragma once

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/columns.h"
#include "store/database.h"
#include "store/describe.h"
#include "store/list_rows.h"

namespace ridge::store {

/// Binds the values of a row to the parameters of a statement.
class BoundRow final : public record::RowSink {
 public:
  /// `at`: the parameter before the first.
  BoundRow(Statement& statement, int at) : statement_(statement), at_(at) {}

  void integer(std::int64_t value) override { statement_.bind(++at_, value); }
  void real(double value) override { statement_.bind(++at_, value); }
  void text(std::string_view value) override { statement_.bind(++at_, value); }
  void null() override { statement_.bind_null(++at_); }

 private:
  Statement& statement_;
  int at_;
};

/// The row that a statement is at.
class StatementRow final : public record::RowSource {
 public:
  explicit StatementRow(const Statement& statement) : statement_(statement) {}

  bool null(int column) const override { return statement_.is_null(column); }
  std::optional<std::int64_t> integer(int column) const override {
    return statement_.integer(column);
  }
  std::optional<double> real(int column) const override { return statement_.real(column); }
  std::optional<std::string_view> text(int column) const override {
    if (!statement_.is_text(column)) return std::nullopt;
    return statement_.text(column);
  }

 private:
  const Statement& statement_;
};

/// "run, position, name": the columns `keys` and the columns of the types.
std::vector<std::string> column_list(std::initializer_list<std::string_view> keys,
                                     std::initializer_list<const record::Type*> types);
/// INSERT of these columns that returns the id of the new row, and none where it has a value that
/// must be there once and is there.
Result<Statement> insert_into(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              std::initializer_list<const record::Type*> types);
/// Writer of many such rows, without ids.
Result<std::unique_ptr<RowLoader>> load_into(const Database& db, std::string_view table,
                                             std::initializer_list<std::string_view> keys,
                                             const record::Type& type);
/// Executes an INSERT of insert_into().
Result<std::optional<std::int64_t>> insert(Statement& statement);
/// SELECT of the columns `keys` and the columns of a type, in the order of the keys.
Result<Statement> select_from(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              const record::Type& type, std::string_view condition);
/// Reads the row that a statement is at into `row`, from the column `first` on.
Result<void> take_row(const Database& db, std::string_view table, const Statement& statement,
                      int first, const record::Type& type, void* row);

/// Rows may be missing from the table until done().
template <typename Row>
class RowWriter {
 public:
  static Result<RowWriter> make(const Database& db, std::string_view table,
                                std::initializer_list<std::string_view> keys) {
    return RowWriter(TRY(load_into(db, table, keys, record::kType<Row>)));
  }

  Result<void> add(std::initializer_list<std::int64_t> keys, const Row& row) {
    for (const std::int64_t key : keys) loader_->integer(key);
    record::write_row(record::kType<Row>, &row, *loader_);
    return loader_->end_row();
  }
  Result<void> done() { return loader_->done(); }

 private:
  explicit RowWriter(std::unique_ptr<RowLoader> loader) : loader_(std::move(loader)) {}
  std::unique_ptr<RowLoader> loader_;
};

template <typename Row>
class RowReader {
 public:
  /// Reads the rows whose `owner` column is `id`, in the order of their keys.
  static Result<RowReader> make(const Database& db, std::string_view table,
                                std::initializer_list<std::string_view> keys,
                                std::string_view owner, std::int64_t id) {
    RowReader reader = TRY(where(db, table, keys, std::string(owner) + " = ?"));
    reader.statement_.bind(1, id);
    return reader;
  }

  /// Reads the rows that meet an SQL condition, whose only parameter is `text`, in the order of
  /// their keys.
  static Result<RowReader> make_where(const Database& db, std::string_view table,
                                      std::initializer_list<std::string_view> keys,
                                      std::string_view condition, std::string_view text) {
    RowReader reader = TRY(where(db, table, keys, condition));
    reader.statement_.bind(1, text);
    return reader;
  }

  /// Reads all rows of the table, in the order of their keys.
  static Result<RowReader> make_all(const Database& db, std::string_view table,
                                    std::initializer_list<std::string_view> keys) {
    return where(db, table, keys, "TRUE");
  }

  /// Advances to the next row, which key() and row() then return; false after the last one.
  Result<bool> next() {
    if (!TRY(statement_.step())) return false;
    for (int i = 0; i < keys_; ++i) {
      const auto key = statement_.integer(i);
      if (!key) return database_->damaged("table " + table_ + " has an invalid value in its key");
      key_[static_cast<std::size_t>(i)] = *key;
    }
    row_ = Row{};
    TRY(take_row(*database_, table_, statement_, keys_, record::kType<Row>, &row_));
    return true;
  }

  std::int64_t key(std::size_t i) const { return key_[i]; }
  Row& row() { return row_; }

 private:
  static Result<RowReader> where(const Database& db, std::string_view table,
                                 std::initializer_list<std::string_view> keys,
                                 std::string_view condition) {
    return RowReader(db, std::string(table),
                     TRY(select_from(db, table, keys, record::kType<Row>, condition)),
                     static_cast<int>(keys.size()));
  }

  RowReader(const Database& db, std::string table, Statement statement, int keys)
      : database_(&db), table_(std::move(table)), statement_(std::move(statement)), keys_(keys) {}

  const Database* database_;
  std::string table_;
  Statement statement_;
  int keys_;
  std::array<std::int64_t, 3> key_{};
  Row row_{};
};

/// Integer in the first column of the first row; nullopt where there is no row.
Result<std::optional<std::int64_t>> first_id(Statement statement);
/// Id of the row with this content, of a table whose rows are recognized by their column `content`.
Result<std::optional<std::int64_t>> id_of_content(const Database& db, std::string_view table,
                                                  const std::string& content);

/// Appends to such a table unless it has the content. `write` returns the id of the new row, or
/// nullopt where another program added the content meanwhile; then it has written nothing else that
/// must go.
template <typename Write>
Result<Appended> append_once(const Database& db, std::string_view table, const std::string& content,
                             Write write) {
  return in_transaction(db, Purpose::kAppend, [&]() -> Result<Appended> {
    if (const auto id = TRY(id_of_content(db, table, content))) return Appended{*id, false};
    const std::optional<std::int64_t> added = TRY(write());
    if (added) return Appended{*added, true};
    const auto id = TRY(id_of_content(db, table, content));
    if (!id) return db.damaged(fmt::format("table {}: a row was removed while it was read", table));
    return Appended{*id, false};
  });
}

/// The error of a damaged file if what was read of a row, with its other tables, has another digest
/// than what was stored. A digest that a step of the schema marked ("1:") lacks columns that came
/// later, and is not compared.
Result<void> check_content(const Database& db, std::string_view table, std::int64_t id,
                           const std::string& content);

/// Writes a row of such a table and returns its id; nullopt where the table has the content.
template <typename Row>
Result<std::optional<std::int64_t>> write_with_content(const Database& db, std::string_view table,
                                                       const std::string& content, const Row& row) {
  Statement s = TRY(insert_into(db, table, {"content"}, {&record::kType<Row>}));
  s.bind(1, std::string_view(content));
  BoundRow bound(s, 1);
  record::write_row(record::kType<Row>, &row, bound);
  return insert(s);
}

/// All rows of a table that belong to one owner, in order of position.
template <typename Row>
Result<std::vector<Row>> read_rows(const Database& db, std::string_view table,
                                   std::string_view owner, std::int64_t id) {
  auto reader = TRY(RowReader<Row>::make(db, table, {"position"}, owner, id));
  std::vector<Row> out;
  while (TRY(reader.next())) out.push_back(std::move(reader.row()));
  return out;
}

template <typename Row>
Result<void> write_rows(const Database& db, std::string_view table, std::string_view owner,
                        std::int64_t id, const std::vector<Row>& rows) {
  auto writer = TRY(RowWriter<Row>::make(db, table, {owner, "position"}));
  std::int64_t position = 0;
  for (const Row& row : rows) TRY(writer.add({id, position++}, row));
  return writer.done();
}

}  // namespace ridge::store
