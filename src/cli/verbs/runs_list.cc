// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/runs_list.h"

#include <fmt/format.h>

#include <cmath>

#include "base/date_text.h"
#include "base/text.h"
#include "cli/verbs/describe_runs.h"
#include "cli/verbs/eval/evaluations_list.h"
#include "cli/verbs/generate/generations_list.h"
#include "cli/verbs/point_table.h"
#include "export/table.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;
using store::RunRow;

std::string short_version(const std::string& version) {
  return version.substr(0, version.find('-'));
}

Table runs_text_table(const StoreContent& content) {
  Table t({{"run", Align::kRight},
           {"stored (UTC)"},
           {"model", Align::kLeft, 40},
           {"sizes", Align::kLeft, 32},
           {"runtime", Align::kLeft, 32},
           {"threads", Align::kRight},
           {"latency", Align::kRight},
           {"95 % interval", Align::kRight},
           {"layers", Align::kRight},
           {"host", Align::kLeft, 40}});
  for (const RunRow& r : content.runs)
    t.add({std::to_string(r.id), date_text(r.recorded_s), r.path, r.sizes,
           fmt::format("{} {}", r.runtime, short_version(r.runtime_version)), r.threads,
           std::isnan(r.latency_ns.value) ? "-" : duration(r.latency_ns.value),
           std::isnan(r.latency_ns.value) ? "-" : interval_text(r.latency_ns),
           std::to_string(r.layers), r.machine});
  return t;
}

Table csv_table(const StoreContent& content) {
  Table t({{"run"},
           {"recorded_s"},
           {"kind"},
           {"model"},
           {"graph_hash"},
           {"sizes"},
           {"runtime"},
           {"runtime_version"},
           {"threads"},
           {"batch"},
           {"median_ns"},
           {"low_ns"},
           {"high_ns"},
           {"items_per_s"},
           {"layers"},
           {"machine"},
           {"ridge"}});
  for (const RunRow& r : content.runs)
    t.add({std::to_string(r.id), std::to_string(r.recorded_s), r.kind, r.path, r.graph_hash,
           r.sizes, r.runtime, r.runtime_version, r.threads, std::to_string(r.batch),
           plain_number(r.latency_ns.value), plain_number(r.latency_ns.low()),
           plain_number(r.latency_ns.high()), plain_number(r.items_per_s), std::to_string(r.layers),
           r.machine, r.ridge_version});
  return t;
}

/// Facts that all runs share, followed by the table without their columns.
std::string runs_text(const StoreContent& content, TableForm form) {
  Table table = runs_text_table(content);
  const std::string shared =
      table.take_shared({"model", "sizes", "runtime", "threads", "layers", "host"});
  return (shared.empty() ? "" : "all runs: " + shared + "\n\n") +
         (form == TableForm::kMarkdown ? table.markdown() : table.text());
}

/// Tables of what is no run, those that have rows.
std::vector<Table> other_tables(const StoreContent& content) {
  std::vector<Table> out;
  if (!content.evaluations.empty()) out.push_back(evaluations_table(content.evaluations));
  if (!content.generations.empty()) out.push_back(generations_table(content.generations));
  return out;
}

void write_run_list_markdown(const StoreContent& content, Sink& sink) {
  const std::vector<Table> others = other_tables(content);
  bool first = content.runs.empty() && !others.empty();
  if (!first) sink.write(runs_text(content, TableForm::kMarkdown));
  for (const Table& table : others) {
    sink.write((first ? "" : "\n") + table.markdown());
    first = false;
  }
}

void write_run_list_text(const StoreContent& content, Sink& sink) {
  const std::vector<Table> others = other_tables(content);
  if (content.runs.empty() && others.empty()) sink.write("no runs\n");
  if (!content.runs.empty()) sink.write(runs_text(content, TableForm::kText));
  bool first = content.runs.empty();
  for (const Table& table : others) {
    sink.write((first ? "" : "\n") + table.text());
    first = false;
  }
  if (content.failures.empty()) return;
  Table t({{"failed (UTC)"},
           {"model", Align::kLeft, 40},
           {"point", Align::kLeft, 32},
           {"runtime"},
           {"error", Align::kLeft, exports::kWhole}});
  for (const store::Failure& f : content.failures)
    t.add({date_text(f.recorded_s), f.path, f.label, f.runtime, f.error});
  sink.write("\n" + t.text());
}

}  // namespace

std::string interval_text(const stats::Estimate& e) {
  if (!e.interval) return "?";
  return fmt::format("[{}, {}]", duration(e.low()), duration(e.high()));
}

std::string plain_number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

constexpr Document<const StoreContent&> kRunListDocument = {
    .table = write_run_list_text,
    .described = [](auto& content, auto& out) { out.write(content); },
    .csv = [](auto& content, Sink& sink) { sink.write(csv_table(content).csv()); },
    .md = write_run_list_markdown};
static_assert(kRunListDocument.formats() == kUsualFormats);

}  // namespace ridge::cli
