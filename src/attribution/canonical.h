// The copy of a model that a runtime sees: same computation, names that can be found again, every
// size static, no weights inside.
//
//   Canonical copy = TRY(canonicalise(resolved));
//   runtime.load(copy.bytes, copy.weights); // elements come from the user's file or from a seed,
//   by name
//
// What it changes, and why (each was needed to follow a runtime's rewrites):
//   - names as names.h says: real models have empty and repeated names, at which runtimes fail or
//   lose the track;
//   - input shapes as bound, no value_info, graphs in topological order;
//   - function calls replaced by their bodies, Constant nodes by initialisers; large constants of
//     bodies in the main graph;
//   - a Dropout that does nothing becomes an Identity;
//   - a weight given as ConstantOfShape becomes a seeded initialiser of its own (weight_recipe.h),
//   unless `as_is`.
//
// Ownership: keeps the original's document alive, whose weights it refers to. Thread rule:
// immutable. Cost: O(nodes + values), no weights are touched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "onnx/document.h"

namespace ridge::attribution {

struct CanonicalOptions {
  enum class Constants : std::uint8_t { kSeeded, kAsIs };
  Constants constants = Constants::kSeeded;  ///< what becomes of weights given as ConstantOfShape
  /// Whether bound sizes are written into the inputs. A runtime's own shape inference may refuse
  /// some models then that it takes with free sizes; as declared, it also runs the shape arithmetic
  /// that it would have folded.
  enum class Sizes : std::uint8_t { kStatic, kAsDeclared };
  Sizes sizes = Sizes::kStatic;
  std::uint64_t seed = 1;
};

/// An input or output of the copy.
struct Port {
  std::string_view name;  ///< in the copy
  std::string_view original_name;
  graph::ValueId value = 0;  ///< of the original model
};

/// Elements that the runtime must be given: initialisers that are not inside the bytes, in their
/// order.
struct WeightSource {
  std::string_view name;  ///< of the initialiser
  /// as it lies in `document`; locate, load or generate it from there (onnx/weights.h)
  const onnx::Tensor* tensor = nullptr;
};

struct Canonical {
  std::shared_ptr<const onnx::Document> document;
  std::string bytes;  ///< the same as ONNX, weights detached (onnx/writer.h)
  std::vector<Port> inputs, outputs;
  std::vector<WeightSource> weights;
  std::vector<std::string_view>
      value_name;              ///< by ValueId: the tensor in the copy; empty where it has none
  std::vector<bool> identity;  ///< by NodeId: a Dropout that the copy has as Identity
  std::vector<bool>
      seeded;  ///< by NodeId: a ConstantOfShape that the copy has as a seeded initialiser
  std::shared_ptr<const onnx::Document> original;
};

/// Errors: those of onnx::write_bytes.
Result<Canonical> canonicalise(const analysis::Resolved& resolved,
                               const CanonicalOptions& options = {});

}  // namespace ridge::attribution
