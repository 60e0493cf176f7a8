// SPDX-License-Identifier: Apache-2.0
// Canonical copy of a model for a runtime: same computation, names that can be traced, static
// sizes, no embedded weights.
//
//   Canonical copy = TRY(canonicalise(resolved));
//   runtime.load(copy.bytes, copy.weights); // elements come from the user's file or from a seed
//
// Changes, each needed to trace the rewrites of a runtime:
// - new names (names.h): real models have empty and duplicate names, on which runtimes fail or
//   which cannot be traced;
// - input shapes as bound, no value_info, graphs in topological order;
// - function calls replaced by their bodies, Constant nodes by initializers; detached constants of
//   bodies moved to the main graph;
// - a Dropout without effect becomes an Identity;
// - a weight given as ConstantOfShape becomes a seeded initializer (weight_recipe.h), unless the
//   option is kAsIs.
//
// Ownership: keeps the original's document alive, since it refers to its weights. Thread rule:
// immutable. Cost: O(nodes + values); weights are not read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/port.h"
#include "base/result.h"
#include "onnx/document.h"

namespace ridge::attribution {

struct CanonicalOptions {
  enum class Constants : std::uint8_t { kSeeded, kAsIs };
  Constants constants = Constants::kSeeded;  ///< treatment of weights given as ConstantOfShape
  /// Shapes of the inputs: with bound sizes, or as declared. A runtime's own shape inference may
  /// reject some models with bound sizes that it accepts with free ones; with declared shapes the
  /// runtime also executes the shape arithmetic that it would otherwise fold.
  enum class Sizes : std::uint8_t { kStatic, kAsDeclared };
  Sizes sizes = Sizes::kStatic;
  std::uint64_t seed = 1;
};

/// Source of an initializer that is not embedded in the bytes; the runtime must be given its
/// elements.
struct WeightSource {
  std::string_view name;  ///< name of the initializer
  /// Tensor in `document`; locate, load or generate its elements from there (onnx/weights.h).
  const onnx::Tensor* tensor = nullptr;
};

struct Canonical {
  std::shared_ptr<const onnx::Document> document;
  std::string bytes;  ///< `document` as ONNX, weights detached (onnx/writer.h)
  std::vector<Port> inputs, outputs;
  std::vector<WeightSource> weights;
  /// By ValueId: name of the tensor in the copy; empty if it has none.
  std::vector<std::string_view> value_name;
  std::vector<bool> identity;  ///< by NodeId: true for a Dropout that is an Identity in the copy
  /// By NodeId: true for a ConstantOfShape that is a seeded initializer in the copy.
  std::vector<bool> seeded;
  std::shared_ptr<const onnx::Document> original;
};

/// Creates the canonical copy. Errors: as onnx::write_bytes.
Result<Canonical> canonicalise(const analysis::Resolved& resolved,
                               const CanonicalOptions& options = {});

}  // namespace ridge::attribution
