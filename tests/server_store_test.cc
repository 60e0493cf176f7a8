// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL server where verbs take a run database, and the same from a file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "store/postgres/testing.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using store::postgres::TestServer;

/// Replaces each `from` by `to`.
std::string with_server(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

class ServerStore : public testing::Test {
 protected:
  void SetUp() override {
    if (TestServer::get() == nullptr)
      GTEST_SKIP() << "no PostgreSQL server: apt install postgresql";
    uri_ = TestServer::get()->new_schema();
  }

  /// Runs a script with STORE for the server, then for a file; both must print the same, with STORE
  /// for the name. Returns what was printed.
  std::string of_both(const Workplace& place, const std::string& script) const {
    const Outcome server = place.run(fmt::format("STORE='{}'\n{}", uri_, script));
    const Outcome file = place.run("STORE=file.db\n" + script);
    EXPECT_EQ(server.status, file.status) << server.err << file.err;
    const std::string said =
        with_server(server.out, uri_, "STORE") + with_server(server.err, uri_, "STORE");
    EXPECT_EQ(said, with_server(file.out, "file.db", "STORE") +
                        with_server(file.err, "file.db", "STORE"));
    return said;
  }

  std::string uri_;
};

TEST_F(ServerStore, IsReadAndWrittenByEveryVerbAsAFileIs) {
  const Workplace place;
  of_both(place, "ridge runs add \"$STORE\" run.json another.json batch8.json");
  const std::string listed =
      of_both(place, "ridge runs list \"$STORE\" | sed 's/20..-..-.. ..:../DATE/'");
  EXPECT_TRUE(has(listed, "before.onnx")) << listed;
  of_both(place, "ridge runs show \"$STORE\":2");
  of_both(place, "ridge runs show \"$STORE\" last --format json");
  of_both(place, "ridge runs show \"$STORE\":9 || [ $? -eq 3 ]");
  of_both(place, "ridge compare \"$STORE\":1 \"$STORE\":2 || [ $? -eq 1 ]");
  of_both(place, "ridge trace \"$STORE\":1 --format json | wc -l");
  of_both(place, "ridge runs export \"$STORE\" --out out; cut -d, -f1,4- out/*.csv; rm -r out");
  of_both(place, "ridge runs delete \"$STORE\" 2; ridge runs show \"$STORE\":2 || [ $? -eq 3 ]");
}

TEST_F(ServerStore, IsMergedWithFilesBothWays) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(R"(
STORE='{}'
ridge runs add one.db run.json another.json
ridge runs merge "$STORE" one.db
ridge runs merge "$STORE" one.db
ridge runs merge two.db "$STORE"
for run in 1 2; do
  ridge runs show one.db:$run --format json >first.json
  ridge runs show two.db:$run --format json >second.json
  cmp first.json second.json
done)",
                                          uri_));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out + o.err, "2 runs added")) << o.out << o.err;
  EXPECT_TRUE(has(o.out + o.err, "0 runs added, 2 already stored")) << o.out << o.err;
}

TEST_F(ServerStore, IsTheStoreOfPython) {
  const std::filesystem::path python = python_of_clients();
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "scripts/fetch_python_clients.sh has not run";
  const Workplace place;
  const Outcome o =
      place.run(fmt::format(R"(
export PYTHONPATH='{}/python' RIDGE_PROGRAM='{}' PYTHONDONTWRITEBYTECODE=1
'{}' -c '
import ridgeline, sys
store = ridgeline.Store(sys.argv[1])
store.add("run.json", "another.json")
print(len(store.runs().runs), store[2].model.path)
' '{}')",
                            source_tree().string(), program().string(), python.string(), uri_));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("2 ")) << o.out;
}

TEST_F(ServerStore, OfBenchSkipsWhatIsStored) {
  const Workplace place;
  const std::string bench =
      fmt::format("ridge bench plain.onnx --processes 1 --budget 300ms --store '{}'", uri_);
  const Outcome planned = place.run(bench + " --dry-run");
  EXPECT_EQ(planned.status, 0) << planned.err;
  const Outcome first = place.run(bench);
  EXPECT_EQ(first.status, 0) << first.err;
  const Outcome again = place.run(bench);
  EXPECT_TRUE(has(again.err, "1 of them already in postgresql://")) << again.err;
}

TEST(WithoutServer, LibpqIsAskedForWhereAServerIsNamed) {
  const Workplace place;
  const Outcome o = place.run(
      "mkdir lib; echo broken >lib/libpq.so.5; export LD_LIBRARY_PATH=$PWD/lib\n"
      "ridge runs add file.db run.json\n"
      "ridge runs list 'postgresql://?service=lab'");
  EXPECT_EQ(o.status, 4);
  EXPECT_TRUE(has(o.err, "error: PostgreSQL's client library libpq is not here\n")) << o.err;
  EXPECT_TRUE(has(o.err, "libpq.so.5: file too short\n")) << o.err;
  EXPECT_TRUE(has(o.err, "apt install libpq5")) << o.err;
}

}  // namespace
}  // namespace ridge::tests
