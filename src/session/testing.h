// SPDX-License-Identifier: Apache-2.0
// Models in files and an environment without a console, for tests of measurements.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "graph/sketch.h"
#include "machine/host.h"
#include "onnx/writer.h"
#include "session/environment.h"
#include "session/measure_spec.h"

namespace ridge::session::testing {

/// Fails the test for every failure that is reported.
class Silent : public Notices {
 public:
  void warn(std::string_view, std::string_view) override {}
  void failed(const Error& error) override { ADD_FAILURE() << error.text(); }
  void status(std::string_view) override {}
};

/// The cache of the program, so that roofs are not measured for every test.
inline std::string cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache != nullptr) return std::string(cache) + "/ridge";
  return home == nullptr ? "" : std::string(home) + "/.cache/ridge";
}

/// A sketched model in a file, ready to be measured briefly.
struct ModelFile {
  std::string path;
  MeasureSpec spec;
  Silent notices;
  Environment environment{
      .host = machine::this_host(), .notices = notices, .cache_folder = cache_folder()};

  explicit ModelFile(std::string_view text, const std::string& name)
      : path(::testing::TempDir() + "ridge-advice-" + name + ".onnx") {
    const Result<void> written = onnx::write_file(*graph::Sketch::document(text), path);
    if (!written.ok()) throw std::runtime_error(written.error().text());
    spec.processes = 2;
    spec.budget.seconds = 0.2;
  }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;
  ~ModelFile() { std::filesystem::remove(path); }
};

}  // namespace ridge::session::testing
