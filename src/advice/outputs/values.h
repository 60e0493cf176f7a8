// SPDX-License-Identifier: Apache-2.0
// The outputs of a model, by running it in the runtime's child process without profiling.
//
//   OutputReader reader = TRY(OutputReader::load(column));
//   const OutputValues values = TRY(reader.run(7));     // inputs of seed 7
//   values.at("logits")
//
// Ownership: refers to the resolved model of the column. Thread rule: one thread. Errors: as
// measure::prepare, and the runtime's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "advice/outputs/input_kinds.h"
#include "base/result.h"
#include "measure/material.h"
#include "measure/request.h"

namespace ridge::advice {

/// The elements of float32 outputs by their names in the model.
using OutputValues = std::map<std::string, std::vector<float>, std::less<>>;

class OutputReader {
 public:
  static Result<OutputReader> load(const measure::Column& column);

  /// Runs once, with seeded elements in inputs for which the request has no file.
  Result<OutputValues> run(std::uint64_t seed);

  /// Runs once, with inputs of the shapes of `at`, which resolves the same model. Returns outputs
  /// of any type, with their names in the model. `files`: takes the request's, where it has any.
  Result<runtime::Outputs> outputs(const analysis::Resolved& at, InputKind kind, std::uint64_t seed,
                                   bool files);

  /// False after the end of the runtime's process.
  bool alive() const { return started_.runtime.resident().has_value(); }

 private:
  OutputReader(const measure::Column& column, measure::Material material, measure::Started started)
      : resolved_(column.resolved),
        files_(column.request.inputs),
        material_(std::move(material)),
        started_(std::move(started)) {}

  const analysis::Resolved* resolved_;
  std::map<std::string, std::string> files_;
  measure::Material material_;
  measure::Started started_;
};

}  // namespace ridge::advice
