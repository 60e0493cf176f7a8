// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/analyze/verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "analysis/convention.h"
#include "cli/flags/document_options.h"
#include "cli/flags/input_flag.h"
#include "cli/flags/sizes.h"
#include "cli/verbs/analyze/sweep.h"
#include "export/analysis/json.h"
#include "export/analysis/symbolic_text.h"
#include "export/analysis/table.h"
#include "measure/known_sizes.h"
#include "session/model_source.h"

namespace ridge::cli {
namespace {

using analysis::Resolved;
using exports::AnalysisPage;
using exports::AnalysisTables;

AnalysisTables tables_named(std::string_view by) {
  if (by == "operator" || by == "op") return AnalysisTables::kOperators;
  if (by == "node") return AnalysisTables::kNodes;
  return by == "module" ? AnalysisTables::kModules : AnalysisTables::kAll;
}

std::vector<std::string> convention_names() {
  std::vector<std::string> names;
  for (const analysis::Convention& c : analysis::conventions()) names.emplace_back(c.name);
  return names;
}

void write_counts_text(const Resolved& resolved, const AnalysisPage& page,
                       const AnalyzeOptions& options, Sink& sink) {
  if (options.symbolic)
    return exports::write_symbolic_totals(resolved, exports::SymbolicForm::kText, sink);
  exports::write_analysis_text(resolved, page, sink);
}

void write_counts_markdown(const Resolved& resolved, const AnalysisPage& page,
                           const AnalyzeOptions& options, Sink& sink) {
  if (options.symbolic)
    return exports::write_symbolic_totals(resolved, exports::SymbolicForm::kMarkdown, sink);
  exports::write_analysis_markdown(resolved, page, sink);
}

constexpr Document<const Resolved&, const AnalysisPage&, const AnalyzeOptions&> kAnalysisDocument =
    {.table = write_counts_text,
     .described =
         [](auto& resolved, auto& page, auto& o, auto& out) {
           exports::write_analysis_document(resolved,
                                            {o.top, o.depth, page.convention, page.traffic}, out);
         },
     .csv =
         [](auto& resolved, auto& page, auto& o, Sink& sink) {
           exports::write_analysis_csv(
               resolved, {page.tables, o.top, o.depth, page.convention, page.traffic}, sink);
         },
     .md = write_counts_markdown};
static_assert(kAnalysisDocument.formats() == kUsualFormats);

/// Usage error (RIDGE-CLI-0105) for flags that exclude each other.
Result<void> check_combination(const AnalyzeOptions& options, bool sweep) {
  const auto exclude = [](bool both, const char* one, const char* other) -> Result<void> {
    if (!both) return {};
    return usage_error("RIDGE-CLI-0105", fmt::format("{} cannot be combined with {}", one, other))
        .hint("run ridge analyze once with each");
  };
  const bool page = options.format == "table" || options.format == "md";
  TRY(exclude(options.symbolic && sweep, "--symbolic", "several values of a size"));
  TRY(exclude(options.symbolic && options.traffic.requested(), "--symbolic",
              "--traffic, --cache or --fuse"));
  TRY(exclude(options.symbolic && page && options.by != "all", "--symbolic", "--by"));
  TRY(exclude(options.symbolic && page && !options.convention.empty(), "--symbolic",
              "--convention"));
  return exclude(sweep && page && options.by != "all", "--by", "several values of a size");
}

Result<int> run_analyze(const AnalyzeOptions& options, Console& console) {
  const SizeFlags flags = TRY(parse_sizes(options.binds, options.shapes));
  TRY(check_combination(options, flags.sweep()));
  const std::optional<TrafficRequest> request = TRY(traffic_request(options.traffic));
  if (flags.sweep()) return analyze_sweep(options, flags, request, console);

  analysis::Bindings point = TRY(single_point(flags));
  if (options.symbolic) point.free = analysis::FreeSizes::kSymbolic;
  const auto inputs = TRY(input_sources(options.inputs));
  const session::OpenedModel opened =
      TRY(session::open_model(options.model, session::kForCounting));
  point = TRY(measure::with_arrays(*opened.model, std::move(point), inputs));
  const Resolved resolved = TRY(analysis::resolve(opened.model, point, opened.defaults));
  std::optional<analysis::Traffic> traffic;
  std::optional<exports::TrafficView> view;
  if (request) {
    traffic = TRY(analysis::traffic(resolved, request->model));
    view.emplace(exports::TrafficView{*traffic, request->cache_from});
  }
  Output output = TRY(Output::open(options.output, console));
  for (const std::string& note : resolved.notes()) warn(console, options.model, note);
  const auto count = convention_count(options.convention, resolved);
  AnalysisPage page{.tables = tables_named(options.by),
                    .depth = options.depth,
                    .convention = count ? &*count : nullptr,
                    .traffic = view ? &*view : nullptr};
  page.top = options.top.value_or(page.top);
  kAnalysisDocument.write(options.format, resolved, page, options, output.sink());
  TRY(output.close());
  return options.strict && resolved.totals().unknown > 0 ? kCheckFailed : kDone;
}

}  // namespace

int analyze(const AnalyzeOptions& options, Console& console) {
  const Result<int> status = run_analyze(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_analyze(Flags& flags) {
  auto options = std::make_shared<AnalyzeOptions>();
  flags.add("MODEL", options->model, "an ONNX file, or zoo:NAME").required();
  add_size_flags(
      flags, options->binds, options->shapes,
      "free sizes by name: batch=8,sequence=128; several values give a row each: batch=1,2,4; in "
      "step: height@width=224,256");
  add_input_flag(flags, options->inputs);
  add_document_options(flags, options->format, options->output, kAnalysisDocument.formats());
  flags.add("--by", options->by, "which tables: all, node, module or op (operator)")
      .one_of({"all", "node", "module", "op", "operator"});
  flags.add("--top", options->top,
            "number of nodes, most MACs first (10 in tables, all in json and csv)");
  flags.add("--depth", options->depth, "levels of the module tree (as many as fit a screen)");
  flags
      .add("--convention", options->convention,
           fmt::format("also print the count of another tool: {}",
                       fmt::join(convention_names(), ", ")))
      .one_of(convention_names());
  add_traffic_flags(flags, options->traffic);
  flags.add("--symbolic", options->symbolic, "print totals as polynomials of the unbound sizes");
  flags.add("--strict", options->strict, "exit with 1 if the work of a node is unknown");
  return [options](Console& console) { return analyze(*options, console); };
}

}  // namespace ridge::cli
