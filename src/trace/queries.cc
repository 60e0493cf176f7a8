// SPDX-License-Identifier: Apache-2.0
#include "trace/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "base/text.h"
#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

constexpr std::array kQueries = {
    Query{"A1", "model information",
          "latency and throughput of each run, and the batch that more of does not pay",
          Needs::kModel, 0, nullptr, model_information},
    Query{"A2", "layer information", "what each layer is, and its time", Needs::kLayers, 1,
          layer_information, nullptr},
    Query{"A3", "layer latency in order", "where in the run the time goes", Needs::kLayers, 1,
          layer_latency, nullptr},
    Query{"A4", "layer memory", "what each layer writes and allocates", Needs::kLayers, 1,
          layer_memory, nullptr},
    Query{"A5", "layer types", "how many layers of each type there are", Needs::kLayers, 1,
          layer_types, nullptr},
    Query{"A6", "latency by layer type", "which types of layer take the time", Needs::kLayers, 1,
          latency_by_type, nullptr},
    Query{"A7", "memory by layer type", "which types of layer write most", Needs::kLayers, 1,
          memory_by_type, nullptr},
    Query{"A8", "kernel information", "each kernel of each layer, with its counters",
          Needs::kKernels, 1, kernel_information, nullptr},
    Query{"A9", "kernel roofline", "intensity, rate and bound of each kernel", Needs::kKernels, 1,
          kernel_roofline, nullptr},
    Query{"A10", "kernels by name", "which kernels take the time, however often they run",
          Needs::kKernels, 1, kernels_by_name, nullptr},
    Query{"A11", "kernels by layer", "how many kernels each layer runs, and their time",
          Needs::kKernels, 1, kernels_by_layer, nullptr},
    Query{"A12", "counters by layer", "operations, memory traffic and occupancy of each layer",
          Needs::kLayers, 1, counters_by_layer, nullptr},
    Query{"A13", "device and other time by layer", "how much of each layer is not its kernels",
          Needs::kLayers, 1, device_time_by_layer, nullptr},
    Query{"A14", "layer roofline", "intensity, rate and bound of each layer", Needs::kLayers, 1,
          layer_roofline, nullptr},
    Query{"A15", "kernels by model", "all kernels of a run together", Needs::kKernels, 1,
          kernels_by_model, nullptr},
    Query{"counters", "counters of the run",
          "what the processor and the system counted, and what they could not", Needs::kCounters, 1,
          counters, nullptr},
    Query{"diff", "differences of two runs", "what came, went, or takes another time, by name",
          Needs::kModel, 2, nullptr, run_differences},
    Query{"idle", "causes of idle time", "why devices, queues and threads wait", Needs::kSpans, 1,
          idle_time, nullptr},
    Query{"levels", "cost of the levels", "what recording each level adds to a run", Needs::kCosts,
          1, level_costs, nullptr},
    Query{"threads", "balance of threads",
          "processor time, waiting and turns of each thread of the runtime", Needs::kThreads, 1,
          thread_balance, nullptr},
};

bool has(const View& run, Needs needs) {
  const auto spans = [&](profile::Level level) {
    return run.spans_of[static_cast<std::size_t>(level)] > 0;
  };
  switch (needs) {
    case Needs::kModel:
      return run.latency_ns.has_value() || !run.layers.empty();
    case Needs::kLayers:
      return !run.layers.empty();
    case Needs::kKernels:
      return !run.kernels.empty();
    case Needs::kSpans:
      return spans(profile::Level::kKernel) || spans(profile::Level::kLibrary) ||
             spans(profile::Level::kLayer);
    case Needs::kCosts:
      return run.profile->profiling.event_cost.has_value();
    case Needs::kThreads:
      return !run.profile->levels.threads.empty();
    case Needs::kCounters:
      return !run.profile->levels.counters.empty();
  }
  return false;
}

/// Tables of single runs, concatenated with the columns of RunColumns in front.
Table side_by_side(std::span<const View> runs, Table (*of_run)(const View& run)) {
  Table whole;
  const RunColumns names(runs, whole);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Table part = of_run(runs[i]);
    if (i == 0) whole.columns.insert(whole.columns.end(), part.columns.begin(), part.columns.end());
    for (Row& row : part.rows) {
      Row& added = whole.row();
      names.set(added, i);
      std::ranges::move(row.cells(),
                        added.cells().begin() + static_cast<std::ptrdiff_t>(names.size()));
    }
    for (std::string& note : part.notes)
      if (std::find(whole.notes.begin(), whole.notes.end(), note) == whole.notes.end())
        whole.notes.push_back(std::move(note));
  }
  return whole;
}

Result<void> check(const Query& query, std::span<const View> runs) {
  if (query.runs == 2 && runs.size() != 2)
    return usage_error("RIDGE-TRACE-0003",
                       fmt::format("'{}' compares two runs, but there {} {}", query.name,
                                   runs.size() == 1 ? "is" : "are", runs.size()))
        .hint("ridge trace diff A.json B.json");
  for (const View& run : runs)
    if (!has(run, query.needs))
      return input_error("RIDGE-TRACE-0002", fmt::format("{} ({}) needs {}", query.name,
                                                         query.title, text_of(query.needs)))
          .evidence("this run has " + run.levels_text())
          .hint("'ridge trace list' shows what each query needs");
  return {};
}

}  // namespace

std::span<const Query> queries() { return kQueries; }

Result<const Query*> find_query(std::string_view name) {
  for (const Query& q : kQueries)
    if (q.name == name) return &q;
  std::vector<std::string> names;
  for (const Query& q : kQueries) names.emplace_back(q.name);
  const std::vector<std::string> near = near_names(name, names);
  return usage_error("RIDGE-TRACE-0001", fmt::format("unknown query '{}'", printable(name)))
      .hint(near.empty()
                ? "'ridge trace list' lists them"
                : fmt::format("did you mean '{}'? 'ridge trace list' lists them", near[0]));
}

std::string_view text_of(Needs needs) {
  switch (needs) {
    case Needs::kModel:
      return "a latency, or spans of level model that last";
    case Needs::kLayers:
      return "layers, or spans of level layer";
    case Needs::kKernels:
      return "kernels that layers name, or spans of level kernel or library";
    case Needs::kSpans:
      return "recorded spans of level kernel, library or layer";
    case Needs::kCosts:
      return "runs measured with and without each level";
    case Needs::kThreads:
      return "level thread (ridge profile --level thread)";
    case Needs::kCounters:
      return "level counter (ridge profile --level counter)";
  }
  return "?";
}

Result<Table> run_query(std::string_view name, std::span<const View> runs) {
  const Query& query = *TRY(find_query(name));
  TRY(check(query, runs));
  Table out;
  if (query.of_runs != nullptr) {
    out = query.of_runs(runs);
  } else if (runs.size() == 1) {
    out = query.of_run(runs[0]);
  } else {
    out = side_by_side(runs, query.of_run);
  }
  out.query = query.name;
  out.title = query.title;
  return out;
}

}  // namespace ridge::trace
