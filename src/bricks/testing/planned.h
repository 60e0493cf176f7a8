// SPDX-License-Identifier: Apache-2.0
// Bricks of a network of the zoo, planned in a runtime, for tests that run them.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "attribution/testing.h"
#include "bricks/planner.h"
#include "measure/testing/one_run.h"
#include "onnx/reader.h"
#include "onnx/writer.h"
#include "zoo/source.h"

namespace ridge::bricks::testing {

using attribution::testing::must;

inline analysis::Resolved resolved(std::shared_ptr<const onnx::Document> document,
                                   const std::map<std::string, std::int64_t>& defaults = {}) {
  return must(analysis::resolve(
      std::make_shared<const graph::Model>(must(graph::Model::build(std::move(document)))), {},
      defaults));
}

/// Bricks of a network of the zoo with their models.
struct Planned {
  Plan plan;
  std::map<std::string, analysis::Resolved> models;  ///< by file
};
inline Planned planned(const std::string& network, const char* runtime = "ort") {
  Planned out;
  Loader loader(measure::testing::options(runtime));
  std::map<std::string, std::string> bytes;
  Planner planner(loader, {.layers = 1}, {},
                  [&](const onnx::Document& model, const std::string& file) -> Result<FileDigest> {
                    bytes[file] = TRY(onnx::write_bytes(model));
                    return FileDigest{};
                  });
  const std::string name = "zoo:" + network;
  const Network whole =
      must(loader.load(resolved(must(zoo::open_model(name)), zoo::default_sizes(name))));
  if (const Result<void> added = planner.add({.name = network}, whole); !added.ok())
    throw std::runtime_error(added.error().text());
  out.plan = planner.plan();
  for (const auto& [file, text] : bytes)
    out.models.emplace(
        file, resolved(std::make_shared<onnx::Document>(must(onnx::read_bytes(text, file)))));
  return out;
}

}  // namespace ridge::bricks::testing
