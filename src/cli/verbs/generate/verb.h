// SPDX-License-Identifier: Apache-2.0
// ridge generate: a decoder that generates tokens, with its cache handed from run to run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct GenerateOptions {
  std::string model, prefill;
  MeasuringOptions measuring;
  std::string prompt = "128";  ///< lengths, or the path of a trace
  std::string tokens;          ///< lengths; "": 64, or those of the trace
  std::string state;
  std::string cache;           ///< grow, shared; "": what model and runtime can
  std::uint32_t requests = 0;  ///< 0: as many as a trace has, else 3
  std::uint32_t clients = 1, batch = 1;
  double requests_per_s = 0;
  bool given_cache = false;
  std::string max_duration = "10m";
  std::string format = "table";  ///< table, json, csv, md
  std::string output, steps, store;
  std::vector<std::string> points;  ///< keys of those to generate; empty: all
  bool dry_run = false;             ///< only list the points
};

int generate(const GenerateOptions& options, Console& console);

inline constexpr std::string_view kGenerateExamples =
    "ridge generate zoo:llama_decode --prefill zoo:llama_prefill --prompt 128 --tokens 64\n"
    "ridge generate decoder.onnx --prompt uniform:64,256 --tokens lognormal:100,0.5 --requests 20\n"
    "ridge generate decoder.onnx --clients 4 --batch 2 --runtimes ort,openvino\n"
    "ridge generate decoder.onnx --prompt trace.csv --qps 0.5   # lengths from a file\n"
    "ridge generate decoder.onnx --state 'present.*=past.*'     # names of its cache\n"
    "ridge generate decoder.onnx --store runs.db                # a stored one is skipped\n"
    "ridge generate zoo:llama_decode --given-cache --prompt 1024 --tokens 32  # steps alone\n";

Run setup_generate(Flags& flags);

}  // namespace ridge::cli
