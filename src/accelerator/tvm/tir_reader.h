// Reads the loop nests of Apache TVM from its JSON; no library of TVM is needed.
//
//   TirModule m = TRY(read_tir(text));
//   for (const TirFunction& f : m.functions) { m.nest.root = f.root; TRY(count(m.nest, hooks)); }
//
// The text is what tvm.ir.save_json makes of a module of PrimFuncs before they are scheduled: a
// list of nodes that refer to earlier ones by index. Node types have changed between versions of
// TVM, so the one version that this was written against is taken and no other. A node of an unknown
// type is an error as soon as a loop nest uses it, and so is a size that is no number.
//
// All functions share one Nest, each has its root in it; a block works for the node that its
// annotation "onnx.node" names, a number.
// Thread rule: pure function. Cost: linear in the text, about 100 bytes per node and no recursion.
// Errors (input class): anything that is not as above, with the index of the node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/nests/loop_nest.h"
#include "base/result.h"

namespace ridge::accelerator {

inline constexpr std::string_view kTvmVersion = "0.27.0.post1";
inline constexpr std::string_view kTvmFfiVersion = "0.1.14.post1";
/// The largest network tried has 4 MB.
inline constexpr std::int64_t kLongestTir = std::int64_t{128} << 20;

struct TirFunction {
  std::string name;
  std::vector<BufferId> parameters;  ///< what it reads, then what it writes
  StmtId root = kNothing;
};

struct TirModule {
  Nest nest;
  std::vector<TirFunction> functions;

  /// nullptr: there is none of that name.
  const TirFunction* find(std::string_view name) const;
};

Result<TirModule> read_tir(std::string_view text);

}  // namespace ridge::accelerator
