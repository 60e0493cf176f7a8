// SPDX-License-Identifier: Apache-2.0
// Oracles in Python: a script beside the tests, run live with the packages that
// scripts/fetch_oracles.sh brings.
//
//   const auto answer = run_oracle("coco_oracle.py", cases);
//   if (!answer) GTEST_SKIP() << kNoOracles;
//
// The script reads the text from the file of its first argument and writes its answer to the file
// of the second.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::accuracy::testing {

inline constexpr const char* kNoOracles = "scripts/fetch_oracles.sh brings the packages for this";

inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Python of the oracles' environment; the file may be missing.
inline std::string oracle_python() {
  std::string folder = environment("RIDGE_ORACLES");
  if (folder.empty()) {
    const std::string cache = environment("XDG_CACHE_HOME");
    folder = (cache.empty() ? environment("HOME") + "/.cache" : cache) + "/ridge/oracles/current";
  }
  return folder + "/bin/python";
}

/// The script's answer; nullopt without the environment, "" if the script failed.
inline std::optional<std::string> run_oracle(const std::string& script, const std::string& input) {
  if (!std::filesystem::exists(oracle_python())) return std::nullopt;
  const TemporaryFolder folder =
      TemporaryFolder::make(std::filesystem::temp_directory_path().string()).value();
  const std::string in = folder.path() + "/in", out = folder.path() + "/out";
  if (!write_file(in, input).ok()) return "";
  const std::string command = "'" + oracle_python() + "' '" + environment("RIDGE_SOURCE") +
                              "/src/accuracy/" + script + "' '" + in + "' '" + out + "'";
  if (std::system(command.c_str()) != 0) return "";
  auto answer = read_file(out, std::int64_t{1} << 28);
  return answer.ok() ? *answer : "";
}

}  // namespace ridge::accuracy::testing
