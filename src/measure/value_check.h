// SPDX-License-Identifier: Apache-2.0
// Check run of an attribution: runs the model and the graph that the runtime made of it, and
// compares the tensors that names do not decide with the model's tensors
// (attribution/value_match.h).
//
//   const ValueCheck check = TRY(check_values({resolved, request, material, optimized, by_name}));
//   ... attribution::attribute(resolved, copy, optimized, reference, check.trials) ...
//   notes += value_notes(check, by_name, by_value, resolved);
//
// Both graphs run without optimization, with the tensors as outputs, on two sets of inputs of
// different seeds. That needs a runtime that dumps its optimized graph with weights; of one that
// lists its layers (OpenVINO) nothing can be compared, because further outputs would change what it
// fuses. Thread rule: one thread. Cost: for each run of the plan (value_plan.h) two processes that
// load the model, and two runs of each. Errors: the runtime's.
#pragma once

#include <string>
#include <vector>

#include "attribution/attributor.h"
#include "attribution/optimized.h"
#include "attribution/value_match.h"
#include "measure/material.h"
#include "measure/request.h"

namespace ridge::measure {

struct CheckedGraph {
  const analysis::Resolved& resolved;
  const Request& request;
  const Material& material;
  const attribution::OptimizedGraph& optimized;  ///< with the sizes of its tensors
  const attribution::Attribution& by_name;
};

struct ValueCheck {
  std::vector<attribution::ValueTrial> trials;
  std::size_t runs = 0;      ///< number of batches of the plan
  std::size_t inputs = 0;    ///< sets of inputs
  std::size_t left_out = 0;  ///< tensors that the limits leave out
  std::string reason;        ///< why nothing was compared; "" if something was
};

Result<ValueCheck> check_values(const CheckedGraph& graph);

/// Results of the check, and the nodes that it moved to other layers.
std::vector<std::string> value_notes(const ValueCheck& check,
                                     const attribution::Attribution& by_name,
                                     const attribution::CheckedAttribution& by_value,
                                     const analysis::Resolved& resolved);

}  // namespace ridge::measure
