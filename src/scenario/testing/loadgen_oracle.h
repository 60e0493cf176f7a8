// SPDX-License-Identifier: Apache-2.0
// LoadGen itself as an oracle: the Python package mlcommons-loadgen, run by loadgen_oracle.py.
//
//   SKIP_WITHOUT_LOADGEN();
//   const LoadgenAnswers answers(R"([{"settings": {...}, "total": 9, "performance": 9}])");
//   answers.rows(0, "queries");
//
// The environment variable RIDGE_ORACLES names a virtual environment with the package; else that
// which scripts/fetch_oracles.sh makes is used. Thread rule: one thread.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::scenario::testing {

inline std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

inline std::string oracle_python() {
  const std::string cache = environment("XDG_CACHE_HOME", environment("HOME", "") + "/.cache");
  return environment("RIDGE_ORACLES", cache + "/ridge/oracles/current") + "/bin/python";
}

/// True if the package is there, in the version that is copied.
inline bool has_loadgen() {
  const std::string script =
      "from importlib.metadata import version; assert version('mlcommons-loadgen') == '6.0.17'";
  return file_exists(oracle_python()) && std::getenv("RIDGE_SOURCE") != nullptr &&
         std::system(fmt::format("{} -c \"{}\" 2>/dev/null", oracle_python(), script).c_str()) == 0;
}

#define SKIP_WITHOUT_LOADGEN()             \
  if (!testing::has_loadgen())             \
  GTEST_SKIP() << testing::oracle_python() \
               << " has no mlcommons-loadgen 6.0.17, or RIDGE_SOURCE is not set"

class LoadgenAnswers {
 public:
  explicit LoadgenAnswers(const std::string& cases)
      : folder_(TemporaryFolder::make(::testing::TempDir()).value()) {
    const std::string input = folder_.path() + "/cases.json";
    EXPECT_TRUE(write_file(input, cases).ok());
    const std::string command =
        fmt::format("cd {0} && {1} {2}/src/scenario/loadgen_oracle.py {3} {0} > /dev/null",
                    folder_.path(), oracle_python(), std::getenv("RIDGE_SOURCE"), input);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }

  std::string text(std::size_t which, const std::string& name) const {
    const auto content = read_file(fmt::format("{}/{}.{}", folder_.path(), which, name), 1 << 28);
    EXPECT_TRUE(content.ok());
    return content.ok() ? *content : std::string();
  }

  /// Numbers, a row per line.
  std::vector<std::vector<std::int64_t>> rows(std::size_t which, const std::string& name) const {
    std::vector<std::vector<std::int64_t>> out;
    std::istringstream in(text(which, name));
    for (std::string line; std::getline(in, line);) {
      std::istringstream numbers(line);
      std::vector<std::int64_t>& row = out.emplace_back();
      for (std::int64_t number = 0; numbers >> number;) row.push_back(number);
    }
    return out;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace ridge::scenario::testing
