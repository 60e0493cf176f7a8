#include "cli/verbs/bricks_verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/number.h"
#include "base/text.h"
#include "bricks/manifest.h"
#include "cli/flags/document_options.h"
#include "cli/flags/sizes.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "export/table.h"
#include "workbench/bricks_plan.h"

namespace ridge::cli {
namespace {

using bricks::Plan;
using exports::Align;
using workbench::PlannedBricks;

/// Largest number of layers that --granularity takes.
constexpr std::uint32_t kMostLayers = 1000;

/// Parses --granularity; usage error (RIDGE-CLI-0120) for anything else.
Result<bricks::Granularity> granularity_named(const std::string& text) {
  // Where a single layer runs other kernels alone, the planner makes it longer, so `auto` begins
  // with single layers: the most repeats.
  if (text == "layer" || text == "auto") return bricks::Granularity{.layers = 1};
  if (text == "block") return bricks::Granularity{.layers = 0};
  if (const auto n = whole_number<std::uint32_t>(text); n && *n >= 1 && *n <= kMostLayers)
    return bricks::Granularity{.layers = *n};
  return usage_error("RIDGE-CLI-0120", fmt::format("--granularity '{}' is invalid", text))
      .hint(
          fmt::format("write layer, block, auto, or a number of layers from 1 to {}", kMostLayers));
}

std::string shared_text(const PlannedBricks& done, const std::string& folder) {
  std::size_t occurrences = 0;
  for (const bricks::Brick& b : done.plan.bricks) occurrences += b.occurrences.size();
  std::string out;
  if (!done.planned.empty())
    out = fmt::format("{}: {} of {} for {} in {}; planned in {}, {} loaded to check kernels\n",
                      printable(folder), counted(std::ssize(done.plan.bricks), "brick"),
                      done.plan.runtime, counted(static_cast<std::int64_t>(occurrences), "piece"),
                      counted(std::ssize(done.plan.models), "model"), duration(done.seconds * 1e9),
                      counted(std::int64_t{done.checked}, "candidate"));
  for (const std::string& model : done.failed)
    out += fmt::format("not planned: {}\n", printable(model));
  return out;
}

/// MACs and nodes of a model that no brick stands for.
struct Left {
  std::int64_t nodes = 0, macs = 0;
};
Left left_of(const Plan& plan, const bricks::PlannedModel& model) {
  Left left{.nodes = 0, .macs = model.macs};
  for (const bricks::Brick& b : plan.bricks)
    for (const bricks::Occurrence& o : b.occurrences)
      if (o.model == model.name) left.macs -= b.macs;
  for (const bricks::LeftOver& l : plan.left_over)
    if (l.model == model.name) left.nodes += std::ssize(l.nodes);
  return left;
}

exports::Table table_of(const PlannedBricks& done, bool exact) {
  exports::Table table({{"model"},
                        {"MACs", Align::kRight},
                        {"pieces", Align::kRight},
                        {"unique", Align::kRight},
                        {"new", Align::kRight},
                        {"nodes left over", Align::kRight},
                        {"their MACs", Align::kRight}});
  const auto number = [&](std::int64_t n) {
    return exact ? std::to_string(n) : si(static_cast<double>(n));
  };
  for (const bricks::PlannedModel& m : done.plan.models) {
    if (std::ranges::find(done.planned, m.name) == done.planned.end()) continue;
    const Left left = left_of(done.plan, m);
    table.add({m.name, number(m.macs), std::to_string(m.bricks), std::to_string(m.unique),
               std::to_string(m.added), std::to_string(left.nodes), number(left.macs)});
  }
  return table;
}

Result<int> plan(const BricksOptions& options, Console& console) {
  if (options.folder.empty())
    return usage_error("RIDGE-CLI-0121", "ridge bricks plan requires a folder for the bricks")
        .hint("name a new one: ridge bricks plan MODEL... --out suite");
  workbench::BricksRequest request{.models = {},
                                   .folder = options.folder,
                                   .granularity = TRY(granularity_named(options.granularity))};
  for (const std::string& model : options.models)
    request.models.push_back(
        {model, TRY(spec_of_one_model(options.measuring, model, options.models))});
  const ConsoleEnvironment environment(console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const PlannedBricks done = TRY(workbench::plan_bricks(request, *environment));
  if (options.format == "json") {
    bricks::write_manifest(done.plan, output.sink());
  } else if (const exports::Table table = table_of(done, options.format == "csv");
             options.format != "table" || !done.planned.empty()) {
    output.sink().write(options.format == "csv"  ? table.csv()
                        : options.format == "md" ? table.markdown()
                                                 : table.text());
  }
  TRY(output.close());
  console.err.write(shared_text(done, options.folder));
  if (Interruption::requested()) return kInterrupted;
  return done.failed.empty() ? kDone : kCheckFailed;
}

}  // namespace

int bricks(const BricksOptions& options, Console& console) {
  const Result<int> status = plan(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_bricks(Flags& flags) {
  auto o = std::make_shared<BricksOptions>();
  flags.add("ACTION", o->action, "plan: cut models into bricks and write them as ONNX files")
      .required()
      .one_of({"plan"});
  flags.add("MODEL", o->models, "ONNX files, or zoo:NAME").required();
  flags.add("--out", o->folder, "folder for the bricks: new, empty, or of an earlier plan")
      .shown_as("DIR");
  flags
      .add("--granularity", o->granularity,
           "layers of a piece to begin with: layer or auto (1), block (up to the next single "
           "tensor), or a number")
      .shown_as("SIZE");
  add_size_flags(flags, o->measuring.binds, o->measuring.shapes,
                 "free sizes by name: batch=8; of one of several models: MODEL:batch=8");
  flags.add("--runtime", o->measuring.runtimes, "runtime that runs the bricks: ort (ONNX Runtime)")
      .one_of({"ort"})
      .count(1, 1);
  flags.add("--threads", o->measuring.threads, "threads of the runtime (1)");
  flags.add("--runtime-library", o->measuring.runtime_library, "path of the runtime's library");
  add_document_options(flags, o->format, o->output, {"table", "json", "csv", "md"},
                       "write the document to this file");
  return [o](Console& console) { return bricks(*o, console); };
}

}  // namespace ridge::cli
