// SPDX-License-Identifier: Apache-2.0
// Servers that are no stores, refuse, or go away, and the error message for each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/postgres/testing.h"
#include "store/store.h"
#include "store/suite_testing.h"
#include "store/testing.h"

namespace ridge::store {
namespace {

using postgres::TestServer;

class BadServer : public testing::Test {
 protected:
  void SetUp() override {
    if (server() == nullptr) GTEST_SKIP() << "no PostgreSQL server: apt install postgresql";
  }
  static TestServer* server() { return TestServer::get(); }

  /// Error text, with URI in place of it.
  static std::string refusal(const std::string& uri, Access access = Access::kRead) {
    const auto store = Store::open(uri, access, Nanos{0});
    if (store.ok()) return "opened";
    std::string text = store.error().text();
    for (std::size_t at; (at = text.find(uri)) != std::string::npos;)
      text.replace(at, uri.size(), "URI");
    return text;
  }
};

TEST(BadUri, HasAPasswordThatNoMessageRepeats) {
  for (const std::string uri :
       {"postgresql://me:s3cret@host/db", "postgresql://host/db?password=s3cret",
        "postgres://me:s3cret@[broken", "postgresql:///db?sslpassword=s3cret",
        "postgresql:///db?pass%77ord=s3cret"}) {
    const auto store = Store::open(uri, Access::kCreate, Nanos{0});
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().text(),
              "error: the URI of the store has a password\n"
              "  hint: others see command lines: put the password into ~/.pgpass (mode 0600), a "
              "line host:port:database:user:password, or a service into ~/.pg_service.conf\n"
              "  [RIDGE-STORE-0020]\n")
        << uri;
  }
}

TEST(BadUri, IsNone) {
  const auto store = Store::open("postgresql:///db?pass_word=7", Access::kRead, Nanos{0});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().text(),
            "error: postgresql:///db?pass_word=7: this is not the URI of a PostgreSQL server\n"
            "  invalid URI query parameter: \"pass_word\"\n"
            "  hint: postgresql://?service=lab, or postgresql://user@host:5432/database\n"
            "  [RIDGE-STORE-0021]\n");
}

TEST(BadUri, NamesNoService) {
  const auto store = Store::open("postgresql://?service=no_such_lab", Access::kRead, Nanos{0});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().text(),
            "error: postgresql://?service=no_such_lab: the server cannot be reached\n"
            "  definition of service \"no_such_lab\" not found\n"
            "  hint: services are in ~/.pg_service.conf; psql with the same URI tries the same\n"
            "  [RIDGE-STORE-0016]\n");
}

TEST(BadUri, NamesNoServer) {
  EXPECT_EQ(
      Store::open("postgresql:///db?host=/no/such/folder", Access::kRead, Nanos{0}).error().text(),
      "error: postgresql:///db?host=/no/such/folder: the server cannot be reached\n"
      "  connection to server on socket \"/no/such/folder/.s.PGSQL.5432\" failed: No such "
      "file or directory\n"
      "  hint: services are in ~/.pg_service.conf; psql with the same URI tries the same\n"
      "  [RIDGE-STORE-0016]\n");
}

TEST_F(BadServer, RefusesTheLogin) {
  server()->run("CREATE ROLE secret LOGIN PASSWORD 'right'");
  const Folder folder;
  const std::string file = folder.file("pgpass");
  const std::string uri = server()->uri("public", "&user=secret&passfile=" + file);
  EXPECT_NE(refusal(uri).find("no password supplied\n"
                              "  hint: a password belongs into ~/.pgpass (mode 0600), a line "
                              "host:port:database:user:password; psql with the same URI tries the "
                              "same\n  [RIDGE-STORE-0015]\n"),
            std::string::npos)
      << refusal(uri);
  std::ofstream(file) << "*:*:*:secret:wr0ng\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  const std::string wrong = refusal(uri);
  EXPECT_NE(wrong.find("password authentication failed for user \"secret\""), std::string::npos)
      << wrong;
  EXPECT_EQ(wrong.find("wr0ng"), std::string::npos);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  std::ofstream(file) << "*:*:*:secret:right\n";
  server()->run("CREATE SCHEMA of_secret AUTHORIZATION secret");
  const std::string own = server()->uri("of_secret", "&user=secret&passfile=" + file);
  EXPECT_TRUE(opened(own).append(filled_profile(1)).ok());
}

TEST_F(BadServer, HasNoSchemaOrOneOfOthers) {
  EXPECT_EQ(refusal(server()->uri("no_such_schema")),
            "error: URI: the database has no schema for a store\n"
            "  search_path names none that is there\n"
            "  hint: CREATE SCHEMA ridge; then name it: "
            "postgresql://...?options=-csearch_path%3Dridge\n"
            "  [RIDGE-STORE-0019]\n");
  server()->run("CREATE SCHEMA others; CREATE TABLE others.run(a int)");
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate})
    EXPECT_EQ(refusal(server()->uri("others"), access),
              "error: URI: this schema is not a run database\n"
              "  it has 1 tables and views of other programs\n"
              "  hint: give ridge a schema of its own: CREATE SCHEMA ridge; then "
              "postgresql://...?options=-csearch_path%3Dridge\n"
              "  [RIDGE-STORE-0002]\n");
}

TEST_F(BadServer, HasNoRunsYet) {
  const std::string uri = server()->new_schema();
  EXPECT_EQ(refusal(uri),
            "error: URI: the store is empty\n"
            "  the program that created it could not write its tables\n"
            "  hint: nothing was stored in it: store a run, which makes them, or delete the file\n"
            "  [RIDGE-STORE-0012]\n");
  EXPECT_FALSE(Store::open_if_made(uri).value().has_value());
}

TEST_F(BadServer, HasANewerStoreOrOtherTables) {
  const std::string uri = server()->new_schema();
  opened(uri);
  run_sql(uri, "UPDATE ridge_store SET version = 99");
  EXPECT_EQ(refusal(uri),
            "error: URI: the store has version 99, this ridge supports up to 1\n"
            "  hint: a newer ridge wrote it; use that one\n"
            "  [RIDGE-STORE-0005]\n");
  run_sql(uri, "UPDATE ridge_store SET version = 1; ALTER TABLE run DROP COLUMN point CASCADE");
  EXPECT_EQ(refusal(uri),
            "error: URI: the store is damaged\n"
            "  its tables do not match its version\n"
            "  hint: restore its schema from a backup (pg_restore)\n"
            "  [RIDGE-STORE-0004]\n");
}

TEST_F(BadServer, LetsARoleReadAlone) {
  const std::string uri = server()->new_schema();
  const std::string schema = uri.substr(uri.rfind("%3D") + 3);
  ASSERT_TRUE(opened(uri).append(filled_profile(1)).ok());
  server()->run(
      fmt::format("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA {} TO reader; "
                  "GRANT SELECT ON ALL TABLES IN SCHEMA {} TO reader",
                  schema, schema));
  const std::string as_reader = uri + "&user=reader";
  const Store store = opened(as_reader, Access::kRead);
  EXPECT_EQ(text_of(store.read(1).value()), text_of(filled_profile(1)));
  auto writer = Store::open(as_reader, Access::kWrite);
  ASSERT_TRUE(writer.ok()) << writer.error().text();
  const auto kept = writer->append(filled_profile(2));
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().code(), "RIDGE-STORE-0018");
  EXPECT_EQ(kept.error().hint(),
            "to write, it needs USAGE and CREATE of the schema, and its tables");
  EXPECT_EQ(store.list()->size(), 1U);
}

using BadServerSlow = BadServer;

TEST_F(BadServerSlow, GoesAwayAndComesBackWhileRunsAreAppended) {
  const std::string uri = server()->new_schema();
  Store store = opened(uri);
  ASSERT_TRUE(store.append(filled_profile(1)).ok());
  server()->kill();
  std::optional<Error> failure;
  std::thread appending([&] {
    const auto kept = store.append(filled_profile(2));
    if (!kept.ok()) failure = kept.error();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  server()->start();
  appending.join();
  ASSERT_FALSE(failure) << failure->text();
  const auto listed = store.list();
  ASSERT_TRUE(listed.ok()) << listed.error().text();
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ(text_of(store.read(listed->back().id).value()), text_of(filled_profile(2)));
}

TEST_F(BadServerSlow, IsGoneForGood) {
  const std::string uri = server()->new_schema();
  auto store = Store::open(uri, Access::kCreate, Nanos{200'000'000});
  ASSERT_TRUE(store.ok());
  server()->kill();
  const auto kept = store->append(filled_profile(1));
  EXPECT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().code(), "RIDGE-STORE-0016");
  EXPECT_EQ(store->list().error().code(), "RIDGE-STORE-0017");
  server()->start();
}

}  // namespace
}  // namespace ridge::store
