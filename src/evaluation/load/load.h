// SPDX-License-Identifier: Apache-2.0
// Loads on a started model: issued by the runtime's process, read back as records.
//
//   LoadRunner runner(started, environment, "ort");
//   const scenario::Load load = TRY(runner.run(scenario));
//
// Ownership: borrows all of it. Thread rule: one thread. Errors: the runtime's before the load
// begins; later ones are in Load::failure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/material.h"
#include "runtime/load.h"
#include "scenario/evaluation.h"
#include "session/environment.h"

namespace ridge::evaluation {

class LoadRunner {
 public:
  LoadRunner(measure::Started& started, const session::Environment& environment,
             std::string runtime)
      : started_(started), environment_(environment), runtime_(std::move(runtime)) {}

  /// Sessions of the other models of a mix, in their order.
  void set_others(std::vector<runtime::SessionId> others) { others_ = std::move(others); }
  Result<scenario::Load> run(const scenario::Scenario& scenario);
  bool stopped() const { return environment_.stopped(); }
  /// Outputs kept in the last load (scenario::Scenario::kept).
  std::vector<runtime::KeptOutputs> take_kept() { return std::exchange(kept_, {}); }

 private:
  measure::Started& started_;
  const session::Environment& environment_;
  std::string runtime_;  // "ort"
  std::vector<runtime::SessionId> others_;
  std::vector<runtime::KeptOutputs> kept_;
};

}  // namespace ridge::evaluation
