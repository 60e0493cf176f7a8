// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "cli/document.h"
#include "cli/flags/document_options.h"
#include "cli/verbs/share/replay_flags.h"
#include "cli/verbs/share/replay_tables.h"
#include "cli/verbs/share/verb.h"
#include "record/csv.h"
#include "report/sharing/page.h"
#include "sharing/record/describe_replay.h"

namespace ridge::cli {
namespace {

void write_replay_text(const sharing::Replay& replay, Sink& sink) {
  exports::Table table = table_of(replay);
  const std::string shared =
      table.take_shared({"trace", "clients", "models", "memory", "policy", "requests", "joined",
                         "unadmitted", "evictions", "expirations", "all miss"});
  sink.write(heading_of(replay) + (shared.empty() ? "" : "; " + shared) + "\n\n" + table.text());
}

void write_replay_markdown(const sharing::Replay& replay, Sink& sink) {
  sink.write(heading_of(replay) + "\n\n" + table_of(replay).markdown());
}

constexpr Document<const sharing::Replay&> kReplayDocument = {
    .table = write_replay_text,
    .described = [](auto& replay, auto& out) { out.write(replay); },
    .csv = [](auto& replay, Sink& sink) { record::write_csv(replay.rows, sink); },
    .md = write_replay_markdown};
static_assert(kReplayDocument.formats() == kUsualFormats);

Result<int> share_replay(const ShareReplayOptions& options, Console& console) {
  const sharing::ReplayPlan plan = TRY(replay_plan(options));
  Output output = TRY(Output::open(options.output, console));
  const sharing::Replay replay = TRY(sharing::play(plan));
  kReplayDocument.write(options.format, replay, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::replay_page(replay), console));
  return writing.status(kDone);
}

/// Flags of what is drawn in place of a recorded trace.
void add_drawing_flags(Flags& flags, ShareReplayOptions& o) {
  flags
      .add("--generate", o.generate,
           "draw requests in place of a trace: uniform, zipf:S, pareto:A, exponential:M, "
           "weibull:K, poisson:M over the models; several: zipf,uniform")
      .shown_as("KIND,...");
  flags.add("--model-count", o.models, "of what is drawn: models (50)").positive();
  flags.add("--requests", o.requests, "of what is drawn: requests (100000)").positive();
  flags
      .add("--arrivals", o.arrivals,
           "of what is drawn: poisson (default), constant, gamma:SHAPE, bursts:FACTOR or days")
      .shown_as("KIND");
  flags.add("--rate", o.rate, "of what is drawn: requests per second (10)").positive();
  flags.add("--seed", o.seed, "of what is drawn (1)");
}

/// Flags of the levels and of what fills them.
void add_level_flags(Flags& flags, ShareReplayOptions& o) {
  flags
      .add("--policies", o.policies,
           "what leaves memory: never, fifo, lru, lfu, eager, ttl:TIME, histogram, "
           "histogram:prewarm, gdsf (lru,gdsf)")
      .shown_as("KIND,...");
  flags.add("--memory", o.memory, "budgets of the memory level: 1G,4G (1G)").shown_as("BYTES,...");
  flags.add("--disk", o.disk, "budget of prepared files on disk (no bound)").shown_as("BYTES");
  flags
      .add("--costs", o.costs,
           "TOML file with a [[model]] of name, bytes and load times each; a trace with more "
           "models goes round them (five networks, built in)")
      .shown_as("FILE");
  flags
      .add("--admission", o.admission,
           "models that are shared: all, or rho: those that are worth what sharing costs")
      .one_of(words<sharing::Admission>());
}

}  // namespace

Run setup_share_replay(Flags& flags) {
  auto o = std::make_shared<ShareReplayOptions>();
  flags.add("TRACE", o->traces,
            "files of a trace of Azure Functions, 2019 (days in their order) or 2021");
  add_drawing_flags(flags, *o);
  flags
      .add("--clients", o->clients,
           "clients that take the requests in their order, each the next one when its last one "
           "has run: 1,2,4; without, requests come at the times of the trace")
      .shown_as("N,...");
  flags
      .add("--share", o->share,
           "share of the models that requests are for; of a trace, of its functions (100%)")
      .shown_as("PERCENT,...");
  add_level_flags(flags, *o);
  add_document_options(flags, o->format, o->output, kReplayDocument.formats());
  add_report_option(flags, o->report);
  return [o](Console& console) {
    const Result<int> status = share_replay(*o, console);
    return status.ok() ? *status : report(console, status.error());
  };
}

}  // namespace ridge::cli
