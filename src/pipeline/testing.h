// SPDX-License-Identifier: Apache-2.0
// Cases that Python packages computed: a script writes them, tests compare with them.
//
//   const OracleCases oracle = oracle_cases("pillow 7");
//   if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
//   ASSERT_EQ(oracle.failure, "");
//   for (const OracleCase& c : oracle.cases) ...;
//
// The file of cases repeats: a line of words, '|' and the lengths in bytes of the blobs that follow
// it. The packages are in the environment that scripts/fetch_oracles.sh makes, or in RIDGE_ORACLES.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

struct OracleCase {
  std::vector<std::string> words;
  std::vector<std::string> blobs;

  int number(std::size_t word) const { return std::stoi(words.at(word)); }
  Image image(std::size_t blob, int width, int height, int channels) const {
    return {width, height, channels, {blobs.at(blob).begin(), blobs.at(blob).end()}};
  }
  std::vector<float> floats(std::size_t blob) const {
    std::vector<float> values(blobs.at(blob).size() / sizeof(float));
    std::memcpy(values.data(), blobs[blob].data(), values.size() * sizeof(float));
    return values;
  }
};

struct OracleCases {
  std::vector<OracleCase> cases;
  std::string missing;  ///< reason to skip the test
  std::string failure;  ///< end of the script's messages
};

inline std::string oracle_python() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string folder = variable("RIDGE_ORACLES"); !folder.empty())
    return folder + "/bin/python";
  std::string cache = variable("XDG_CACHE_HOME");
  if (cache.empty()) cache = variable("HOME") + "/.cache";
  return cache + "/ridge/oracles/current/bin/python";
}

inline std::vector<OracleCase> parse_cases(const std::string& file) {
  std::vector<OracleCase> cases;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = file.find('\n', at);
    std::istringstream line(file.substr(at, end - at));
    at = end + 1;
    OracleCase next;
    std::string word;
    while (line >> word && word != "|") next.words.push_back(word);
    for (std::size_t length = 0; line >> length; at += length)
      next.blobs.push_back(file.substr(at, length));
    cases.push_back(std::move(next));
  }
  return cases;
}

/// Runs src/pipeline/oracle.py with `arguments`.
inline OracleCases oracle_cases(const std::string& arguments) {
  OracleCases out;
  const std::string python = oracle_python();
  if (!std::filesystem::exists(python)) {
    out.missing = "the packages of scripts/fetch_oracles.sh are missing: " + python;
    return out;
  }
  const char* source = std::getenv("RIDGE_SOURCE");
  const auto folder = TemporaryFolder::make(std::filesystem::temp_directory_path().string());
  if (!folder.ok()) {
    out.failure = folder.error().text();
    return out;
  }
  const std::string file = folder->path() + "/cases", log = folder->path() + "/log";
  const std::string command =
      fmt::format("'{}' '{}/src/pipeline/oracle.py' '{}' {} >'{}' 2>&1", python,
                  source == nullptr ? "." : source, file, arguments, log);
  if (std::system(command.c_str()) != 0) {
    const auto text = read_file(log, 1 << 20);
    out.failure = "the script failed: " + (text.ok() ? *text : std::string());
    return out;
  }
  const auto bytes = read_file(file, std::int64_t{1} << 30);
  if (bytes.ok()) out.cases = parse_cases(*bytes);
  if (out.cases.empty()) out.failure = "the script wrote no cases";
  return out;
}

/// Elements compared and differing, and the largest difference, over many cases.
struct Differences {
  std::int64_t compared = 0, differing = 0;
  int largest = 0;

  void add(const Image& ours, const Image& theirs) {
    for (std::size_t i = 0; i < ours.data.size() && i < theirs.data.size(); ++i) {
      const int difference = std::abs(int{ours.data[i]} - int{theirs.data[i]});
      ++compared;
      if (difference > 0) ++differing;
      largest = difference > largest ? difference : largest;
    }
  }
};

/// Photographs to compare beside generated images, separated by blanks: RIDGE_PHOTOS.
inline std::string photos() {
  const char* paths = std::getenv("RIDGE_PHOTOS");
  return paths == nullptr ? "" : paths;
}

/// Adds a measured figure to the XML report of the tests; prints it where photographs are compared.
inline void record(const std::string& name, const std::string& figure) {
  ::testing::Test::RecordProperty(name, figure);
  if (!photos().empty()) fmt::print(stderr, "{}: {}\n", name, figure);
}

inline void record(const std::string& name, const Differences& differences) {
  record(name, fmt::format("{} values, {} differ by at most {}", differences.compared,
                           differences.differing, differences.largest));
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace ridge::pipeline
