// ridge zoo: the networks that come with the program, listed or written as ONNX files.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ZooOptions {
  std::string action = "list";  ///< list or write
  std::string network;          ///< write: which
  std::string output;  ///< write: the file; empty: NETWORK.onnx. list: empty: standard output
  std::string format = "table";  ///< list: table, json, csv or md
};

/// list prints each network with its default sizes, parameters and MACs at those sizes; write makes
/// a file with the weights inside, or beside it in FILE.data where they pass 1.5 GiB (readers of
/// protobuf stop at 2). Prints errors; returns the exit status.
int zoo(const ZooOptions& options, Console& console);

inline constexpr std::string_view kZooExamples =
    "ridge zoo list                               # what there is, with sizes, parameters and "
    "MACs\n"
    "ridge zoo write resnet50 -o resnet50.onnx    # as a file, for other tools\n"
    "ridge analyze zoo:gpt2 --bind sequence=1024  # zoo:NAME stands wherever a model does\n";

Run setup_zoo(CLI::App& app);

}  // namespace ridge::cli
