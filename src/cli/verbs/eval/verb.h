// SPDX-License-Identifier: Apache-2.0
// ridge eval: a model under load, with latencies from the due time of each query.
#pragma once

#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"
#include "cli/verbs/eval/request.h"

namespace ridge::cli {

int eval(const EvalOptions& options, Console& console);

inline constexpr std::string_view kEvalExamples =
    "ridge eval model.onnx                                     # one query after the other\n"
    "ridge eval model.onnx --scenario server --qps 12 --bound p99=300ms  # Poisson arrivals\n"
    "ridge eval model.onnx --scenario offline --workers 2 --runtimes ort,openvino  # throughput\n"
    "ridge eval model.onnx --scenario closed-loop --workers 4    # four clients, each waits for "
    "its "
    "answer\n"
    "ridge eval model.onnx --scenario server --qps 200 --batching max=8,wait=2ms --warmup 2s\n"
    "ridge eval model.onnx --scenario closed-loop --mix other.onnx=0.3  # two models share "
    "workers\n"
    "ridge eval model.onnx --scenario server --find-peak --bound p99=15ms --budget 2m\n"
    "ridge eval model.onnx --scenario server --qps 12 --report load.html --trace load.json\n"
    "ridge eval digits.onnx --scenario accuracy --data images.npy --labels labels.txt --steps "
    "'normalize(divide=255) layout(nchw)'\n"
    "ridge eval model.onnx --store runs.db                     # stored evaluations are skipped\n"
    "ridge eval model.onnx --runtimes ort,openvino --dry-run   # lists the points with their keys\n"
    "ridge eval model.onnx --lock run.lock                     # writes what it depends on\n"
    "ridge eval --lock run.lock                                # repeats it, or says what "
    "differs\n"
    "ridge eval net.onnx --scenario server --qps 12 --mlperf-logs out --audit test01  # LoadGen's "
    "rules\n";

Run setup_eval(Flags& flags);

}  // namespace ridge::cli
