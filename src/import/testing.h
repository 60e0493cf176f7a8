// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the tests of importers: temporary files and a small model.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "graph/sketch.h"
#include "import/import.h"

namespace ridge::imports {

inline analysis::Resolved resolve(std::string_view sketch) {
  auto model = std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document(sketch)).value());
  return analysis::resolve(model, {}).value();
}

inline constexpr std::string_view kModel = R"(graph main
  input x[1,3,8,8]
  constant w[4,3,1,1] v[4,4,1,1] k[1]
  conv1: Conv(x, w) -> c1
  relu1: Relu(c1) -> r1
  conv2: Conv(r1, v) -> c2
  add: Add(c2, r1) -> s
  fold: Add(k, k) -> k2
  scale: Mul(s, k2) -> y
  output y
)";

/// Temporary file, deleted at the end of the test.
class Written {
 public:
  explicit Written(std::string_view content)
      : path_(::testing::TempDir() + "imported_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Returns the model of `resolved` (which must outlive it) at its sizes; nullopt for nullptr.
inline std::optional<ImportModel> model_of(const analysis::Resolved* resolved) {
  if (resolved == nullptr) return std::nullopt;
  return ImportModel{std::shared_ptr<const graph::Model>(std::shared_ptr<const graph::Model>(),
                                                         &resolved->model()),
                     {.sizes = resolved->bindings()}};
}

inline profile::Profile imported(std::string_view content, const analysis::Resolved* resolved) {
  const Written file(content);
  return import_file(file.path(), {.model = model_of(resolved)}).value().profile;
}

/// Formats members as "0e 1p": node ids with the first letter of their role.
inline std::string members(const profile::Layer& layer) {
  std::string out;
  for (const profile::Member& m : layer.members)
    out += (out.empty() ? "" : " ") + std::to_string(m.node) +
           (m.role == profile::Role::kExecutes ? "e"
            : m.role == profile::Role::kPart   ? "p"
                                               : "a");
  return out;
}

inline bool says(const profile::Profile& p, std::string_view text) {
  for (const std::string& note : p.notes)
    if (note.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace ridge::imports
