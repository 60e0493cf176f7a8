// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/sql.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

namespace ridge::store::postgres {
namespace {

TEST(Sql, DiffersInAFewPhrases) {
  EXPECT_EQ(for_postgres("CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, x REAL)"),
            "CREATE TABLE t(id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n BIGINT, "
            "x DOUBLE PRECISION)");
  EXPECT_EQ(for_postgres("PRIMARY KEY(a, b)) WITHOUT ROWID;\n"), "PRIMARY KEY(a, b));\n");
  EXPECT_EQ(for_postgres("FROM member AS m INDEXED BY home_of_node ON m.run = 1"),
            "FROM member AS m ON m.run = 1");
  EXPECT_EQ(for_postgres("FROM member AS m INDEXED BY last"), "FROM member AS m");
  EXPECT_EQ(for_postgres("strftime('%Y-%m-%dT%H:%M:%SZ', t.at, 'unixepoch')"),
            "to_char(to_timestamp(t.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')");
  EXPECT_EQ(for_postgres("a;\nCREATE INDEX wide_run ON run(path, machine);\nb"), "a;\n;\nb");
  EXPECT_EQ(for_postgres("CREATE INDEX wide_run ON run(path)"), "");
  EXPECT_EQ(for_postgres(""), "");
}

TEST(Sql, ItsParametersHaveNumbers) {
  EXPECT_EQ(with_numbers("a = ? AND b IN (?, ?)"), "a = $1 AND b IN ($2, $3)");
}

TEST(Sql, TextsOfAnyBytesComeBack) {
  std::mt19937 random(1);
  const std::string kMarked = stored_text(std::string("\0", 1));
  for (int i = 0; i < 5000; ++i) {
    std::string text = i % 3 == 0 ? kMarked : "";
    for (std::uint64_t n = random() % 12; n > 0; --n) text += static_cast<char>(random());
    const std::string stored = stored_text(text);
    EXPECT_EQ(text_of_stored(stored), text);
    EXPECT_EQ(valid_utf8(stored), stored);
    EXPECT_EQ(stored.find('\0'), std::string::npos);
  }
  for (const std::string text : {"conv1/Conv", "größe 層", "100 %41", "tab\tline\n", ""})
    EXPECT_EQ(stored_text(text), text);
}

}  // namespace
}  // namespace ridge::store::postgres
