// SPDX-License-Identifier: Apache-2.0
// Reads Apache TVM's loop nests from its JSON; does not need the TVM library.
//
//   TirModule m = TRY(read_tir(text));
//   for (const TirFunction& f : m.functions) { m.nest.root = f.root; TRY(count(m.nest, hooks)); }
//
// The text is the output of tvm.ir.save_json for a module of PrimFuncs before scheduling: a list of
// nodes that refer to earlier ones by index. Node types differ between versions of TVM, so only the
// version below is accepted. A node of an unknown type is an error only where a loop nest uses it,
// and so is a size that is not a number.
//
// All functions share one Nest and have their roots in it. A block implements the node given by its
// annotation "onnx.node", a number.
// Thread rule: pure function. Cost: linear in the text, about 100 bytes per node, no recursion.
// Errors (input class): any deviation from the above, with the index of the node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/nests/loop_nest.h"
#include "base/result.h"

namespace ridge::accelerator {

inline constexpr std::string_view kTvmVersion = "0.27.0.post1";
inline constexpr std::string_view kTvmFfiVersion = "0.1.14.post1";
/// Limit in bytes; the largest network tried has 4 MB.
inline constexpr std::int64_t kLongestTir = std::int64_t{128} << 20;

struct TirFunction {
  std::string name;
  std::vector<BufferId> parameters;  ///< inputs, then outputs
  StmtId root = kNothing;
};

struct TirModule {
  Nest nest;
  std::vector<TirFunction> functions;

  /// Returns nullptr if there is no function of that name.
  const TirFunction* find(std::string_view name) const;
};

Result<TirModule> read_tir(std::string_view text);

}  // namespace ridge::accelerator
