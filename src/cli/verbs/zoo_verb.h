// SPDX-License-Identifier: Apache-2.0
// ridge zoo: lists the built-in networks, or writes one as an ONNX file.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ZooOptions {
  std::string action = "list";   ///< list or write
  std::string network;           ///< write: name of the network
  std::string output;            ///< empty: NETWORK.onnx (write), standard output (list)
  std::string format = "table";  ///< list: table, json, csv or md
};

/// list prints each network with its default sizes, parameters and MACs at those sizes. write
/// writes a file that contains the weights, or stores them in FILE.data beside it if they exceed
/// 1.5 GiB (protobuf's limit is 2 GiB). Prints errors; returns the exit status.
int zoo(const ZooOptions& options, Console& console);

inline constexpr std::string_view kZooExamples =
    "ridge zoo list                               # the networks, with sizes, parameters and MACs\n"
    "ridge zoo write resnet50 -o resnet50.onnx    # write a network to a file\n"
    "ridge analyze zoo:gpt2 --bind sequence=1024  # zoo:NAME works wherever a model is expected\n";

Run setup_zoo(Flags& flags);

}  // namespace ridge::cli
