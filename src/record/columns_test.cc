// SPDX-License-Identifier: Apache-2.0
#include "record/columns.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>

#include "base/sink.h"
#include "record/csv.h"
#include "record/json_write.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

TEST(Columns, NestedRecordsAreFlattened) {
  EXPECT_EQ(column_names(kType<Layer>),
            "name, color, time_ns_median, time_ns_ci95_low, time_ns_ci95_high, percent, parent");
  EXPECT_EQ(column_names(kType<Origin>), "host_name, tool");
}

TEST(Columns, HaveTheTypesOfBothDialects) {
  const Table table{.table = "layer",
                    .type = kType<Layer>,
                    .before = "run INTEGER NOT NULL",
                    .after = "PRIMARY KEY(run)"};
  EXPECT_EQ(sql_create(table), R"(CREATE TABLE layer(
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT NOT NULL CHECK(color IN ('red', 'green', 'dark-blue')),
  time_ns_median REAL,
  time_ns_ci95_low REAL,
  time_ns_ci95_high REAL,
  percent REAL,
  parent INTEGER,
  PRIMARY KEY(run)))");
  EXPECT_EQ(sql_add({.table = "made", .type = kType<Made>, .before = {}, .after = {}}, 2),
            std::vector<std::string>{"ALTER TABLE made ADD COLUMN added INTEGER"});
}

TEST(Columns, AreNotCheckedByTheDatabaseWhereNobodyAsks) {
  const Table table{
      .table = "layer", .type = kType<Layer>, .before = {}, .after = {}, .checks = false};
  EXPECT_EQ(sql_create(table).find("CHECK"), std::string::npos);
}

/// A database in memory as the oracle of the statements.
class Sqlite final : public RowSink, public RowSource {
 public:
  Sqlite() { sqlite3_open(":memory:", &database_); }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;
  ~Sqlite() override {
    sqlite3_finalize(statement_);
    sqlite3_close(database_);
  }

  std::string run(const std::string& sql) {
    char* error = nullptr;
    sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &error);
    std::string out = error == nullptr ? "" : error;
    sqlite3_free(error);
    return out;
  }
  void prepare(const std::string& sql) {
    sqlite3_finalize(statement_);
    at_ = 0;
    ASSERT_EQ(sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement_, nullptr), SQLITE_OK)
        << sql;
  }
  int step() { return sqlite3_step(statement_); }

  void integer(std::int64_t value) override { sqlite3_bind_int64(statement_, ++at_, value); }
  void real(double value) override { sqlite3_bind_double(statement_, ++at_, value); }
  void text(std::string_view value) override {
    sqlite3_bind_text(statement_, ++at_, value.data(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
  }
  void null() override { sqlite3_bind_null(statement_, ++at_); }

  bool null(int column) const override { return type(column) == SQLITE_NULL; }
  std::optional<std::int64_t> integer(int column) const override {
    if (type(column) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_int64(statement_, column);
  }
  std::optional<double> real(int column) const override {
    if (type(column) != SQLITE_FLOAT && type(column) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_double(statement_, column);
  }
  std::optional<std::string_view> text(int column) const override {
    if (type(column) != SQLITE_TEXT) return std::nullopt;
    return reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  }

 private:
  int type(int column) const { return sqlite3_column_type(statement_, column); }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  int at_ = 0;
};

std::string inserted(const Type& type) {
  std::string places = "?";
  for (std::size_t i = 1; i < columns(type).size(); ++i) places += ", ?";
  return "INSERT INTO made(" + column_names(type) + ") VALUES(" + places + ")";
}

TEST(Columns, RowsPassThroughSqlite) {
  for (const Made& made : {example(), Made{.wait = Nanos{4}}}) {
    Sqlite db;
    const Table table{.table = "made", .type = kType<Made>, .before = {}, .after = {}};
    ASSERT_EQ(db.run(sql_create(table)), "");
    db.prepare(inserted(kType<Made>));
    write_row(kType<Made>, &made, db);
    ASSERT_EQ(db.step(), SQLITE_DONE);
    db.prepare("SELECT " + column_names(kType<Made>) + " FROM made");
    ASSERT_EQ(db.step(), SQLITE_ROW);
    Made read;
    const Result<void> done = read_row(kType<Made>, db, 0, &read);
    ASSERT_TRUE(done.ok()) << done.error().text();
    EXPECT_EQ(json_text(kType<Made>, &read), json_text(kType<Made>, &made));
  }
}

TEST(Columns, RefuseRowsOfAnotherType) {
  Sqlite db;
  db.prepare("SELECT 'conv', 'red', 1.5, NULL, 'x', 1, NULL");
  ASSERT_EQ(db.step(), SQLITE_ROW);
  Layer layer;
  EXPECT_EQ(read_row(kType<Layer>, db, 0, &layer).error().text(),
            "error: column time_ns_ci95_high: number expected\n  [RIDGE-REC-0008]\n");
  db.prepare("SELECT 'conv', 'pink', 1.5, NULL, NULL, 1, NULL");
  ASSERT_EQ(db.step(), SQLITE_ROW);
  EXPECT_EQ(read_row(kType<Layer>, db, 0, &layer).error().text(),
            "error: column color: one of red, green, dark-blue expected\n  [RIDGE-REC-0008]\n");
}

TEST(Csv, HasTheSameColumns) {
  StringSink sink;
  write_csv(example().layers, sink);
  EXPECT_EQ(sink.text(),
            "name,color,time_ns_median,time_ns_ci95_low,time_ns_ci95_high,percent,parent\n"
            "conv,green,12.5,11,14,25,\n"
            "relu,red,,,,50,0\n");
  StringSink quoted;
  const Made made = example();
  write_csv_line(kType<Made>, &made, quoted);
  EXPECT_EQ(quoted.text().substr(0, 40), "1,-40000,18446744073709551615,8,0.25,1.5");
}

}  // namespace
}  // namespace ridge::record
