// SPDX-License-Identifier: Apache-2.0
// ridge diff: differences in work between two models.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct DiffOptions {
  std::string a = {}, b = {};  ///< path, or zoo:NAME
  /// For both models; a model without that size or input ignores it.
  std::vector<std::string> binds = {}, shapes = {};
  /// For B alone; override the common ones of the same name.
  std::vector<std::string> binds_b = {}, shapes_b = {};
  std::string fuse = "none";                ///< none, epilogue or runtime
  std::string format = "table";             ///< table, json, csv or md
  std::size_t top = 20;                     ///< nodes in tables; 0: all
  std::optional<std::uint32_t> depth = {};  ///< levels of the module table; nullopt: what fits
  bool all = false;                         ///< json and csv: include unchanged nodes
  std::vector<std::string> fail_on = {};    ///< see compare/limit.h
  std::string output = {};                  ///< a file; empty: standard output
};

/// Prints the document, warnings and errors; returns the exit status.
int diff(const DiffOptions& options, Console& console);

inline constexpr std::string_view kDiffExamples =
    "ridge diff before.onnx after.onnx                          # totals, nodes, modules\n"
    "ridge diff before.onnx after.onnx --fail-on 'macs>5%'      # exit with 1 if MACs grew by "
    "more\n"
    "ridge diff zoo:resnet50 zoo:resnet50 --bind-b batch=8      # one model, two sizes\n"
    "ridge diff float.onnx qdq.onnx --fuse runtime              # bytes of fused operators\n"
    "ridge diff before.onnx after.onnx --format json --output diff.json\n";

Run setup_diff(Flags& flags);

}  // namespace ridge::cli
