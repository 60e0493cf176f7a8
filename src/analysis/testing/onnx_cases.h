// SPDX-License-Identifier: Apache-2.0
// Operator cases of the onnx package (scripts/fetch_onnx_cases.sh), for tests of this folder and
// those above it.
//
//   for (const OnnxCase& c : onnx_cases()) const Result<Resolved> r = resolve_case(c);
//
// The list is empty if they have not been fetched; tests then skip.
#pragma once

#include <string>
#include <vector>

#include "analysis/testing/packaged.h"

namespace ridge::analysis::testing {

struct OnnxCase {
  std::string name, shapes, outputs;
};

inline std::filesystem::path onnx_cases_folder() {
  if (const char* given = std::getenv("RIDGE_ONNX_CASES")) return given;
  return cache_folder() / "onnx-cases" / "1.23.2";
}

inline std::vector<OnnxCase> onnx_cases() {
  std::vector<OnnxCase> out;
  std::ifstream file(onnx_cases_folder() / "cases.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    OnnxCase& c = out.emplace_back();
    std::getline(fields, c.name, '\t');
    std::getline(fields, c.shapes, '\t');
    std::getline(fields, c.outputs, '\t');
  }
  return out;
}

inline Result<Resolved> resolve_case(const OnnxCase& c) {
  const std::string path = (onnx_cases_folder() / (c.name + ".onnx")).string();
  auto document = std::make_shared<const onnx::Document>(TRY(onnx::read_file(path)));
  // Format "x=2x3 y=4"; a scalar has nothing after the equals sign.
  Bindings bindings;
  std::istringstream words(c.shapes);
  for (std::string word; words >> word;) {
    const std::size_t sign = word.rfind('=');
    bindings.shapes[word.substr(0, sign)] = sizes_of(word.substr(sign + 1));
  }
  return resolve(std::make_shared<const graph::Model>(TRY(graph::Model::build(document))),
                 bindings);
}

}  // namespace ridge::analysis::testing
