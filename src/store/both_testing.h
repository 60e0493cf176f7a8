// SPDX-License-Identifier: Apache-2.0
// Tests that run on a file and on a server.
//
//   class StoreOnBoth : public OnBoth {};
//   INSTANTIATE_TEST_SUITE_P(Kinds, StoreOnBoth, kKinds, kind_name);
//   TEST_P(StoreOnBoth, ...) { Store store = opened(database("runs.db")); ... }
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "store/postgres/testing.h"
#include "store/testing.h"

namespace ridge::store {

enum class DatabaseKind { kFile, kServer };

inline const auto kKinds = testing::Values(DatabaseKind::kFile, DatabaseKind::kServer);
inline std::string kind_name(const testing::TestParamInfo<DatabaseKind>& kind) {
  return kind.param == DatabaseKind::kFile ? "File" : "Server";
}

class OnBoth : public testing::TestWithParam<DatabaseKind> {
 protected:
  void SetUp() override {
    if (GetParam() == DatabaseKind::kServer && postgres::TestServer::get() == nullptr)
      GTEST_SKIP() << "no PostgreSQL server: apt install postgresql";
  }
  /// Path or URI of a database of this test.
  std::string database(const std::string& name) {
    if (GetParam() == DatabaseKind::kFile) return folder_.file(name);
    std::string& uri = schemas_[name];
    if (uri.empty()) uri = postgres::TestServer::get()->new_schema();
    return uri;
  }

 private:
  Folder folder_;
  std::map<std::string, std::string> schemas_;
};

}  // namespace ridge::store
