// SPDX-License-Identifier: Apache-2.0
#include "export/formats/formats.h"

#include <algorithm>
#include <array>

#include "export/formats/chrome_trace.h"
#include "export/formats/google_benchmark.h"
#include "export/formats/otlp_trace.h"
#include "export/formats/perfetto_trace.h"
#include "export/formats/pprof_profile.h"
#include "export/formats/stacks.h"
#include "export/profile/rows.h"
#include "export/profile/table.h"

namespace ridge::exports {
namespace {

template <void (*kWrite)(const profile::Profile&, Sink&)>
Result<void> of_profile(const ExportRequest& request, Sink& sink) {
  kWrite(request.profile, sink);
  return {};
}

template <std::string (*kText)(const profile::Profile&)>
Result<void> text_of_profile(const ExportRequest& request, Sink& sink) {
  sink.write(kText(request.profile));
  return {};
}

Result<void> node_data(const ExportRequest& request, Sink& sink) {
  write_node_data(request.profile, *request.model, request.metric, sink);
  return {};
}

Result<void> annotated_model(const ExportRequest& request, Sink& sink) {
  return write_annotated_model(request.profile, *request.model, request.lies, sink);
}

constexpr auto kNo = NeedsModel::kNo, kYes = NeedsModel::kYes;

/// Formats, sorted by name.
constexpr std::array kFormats = {
    Format{"chrome", ".json", "spans", "chrome://tracing, ui.perfetto.dev, TensorBoard", kNo,
           of_profile<write_chrome_trace>},
    Format{"collapsed", ".folded", "layer times as stacks", "flamegraph.pl, speedscope, inferno",
           kNo, text_of_profile<collapsed_stacks>},
    Format{"csv", ".csv", "layers as rows", "spreadsheets, pandas, DuckDB", kNo,
           text_of_profile<profile_csv>},
    Format{"google-benchmark", ".json", "repetitions of the model and of each layer",
           "google-benchmark's compare.py, CI dashboards", kNo, of_profile<write_google_benchmark>},
    Format{"jsonl", ".jsonl", "layers as lines", "DuckDB, jq, pandas", kNo,
           of_profile<write_layer_lines>},
    Format{"model-explorer", ".json", "a metric per node", "Model Explorer", kYes, node_data},
    Format{"netron", ".onnx", "the model with notes on its nodes", "Netron", kYes, annotated_model,
           true},
    Format{"otlp", ".jsonl", "spans", "OpenTelemetry collector (otlpjsonfile), Jaeger", kNo,
           of_profile<write_otlp_lines>},
    Format{"perfetto", ".pftrace", "spans", "ui.perfetto.dev, trace_processor", kNo,
           of_profile<write_perfetto_trace>, true},
    Format{"pprof", ".pb.gz", "layer times, flops and bytes as stacks",
           "pprof, speedscope, ui.perfetto.dev, Pyroscope", kNo, of_profile<write_pprof>, true},
    Format{"spans-csv", ".csv", "spans as rows", "spreadsheets, pandas, DuckDB", kNo,
           of_profile<write_span_rows>},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  const auto at = std::find_if(kFormats.begin(), kFormats.end(),
                               [&](const Format& f) { return f.name == name; });
  return at == kFormats.end() ? nullptr : &*at;
}

const Format* format_of_file(std::string_view path) {
  const Format* found = nullptr;
  for (const Format& f : kFormats) {
    if (!path.ends_with(f.ending)) continue;
    if (found != nullptr) return nullptr;
    found = &f;
  }
  return found;
}

}  // namespace ridge::exports
