// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/report_verb.h"

#include <memory>

#include "cli/flags/document_options.h"
#include "cli/flags/run_filter_flags.h"
#include "lab/grid/describe.h"
#include "lab/grid/grid.h"
#include "lab/grid/page.h"
#include "lab/grid/text.h"

namespace ridge::cli {
namespace {

constexpr Document<const lab::Grid&> kGridDocument = {
    .table = [](auto& grid, Sink& sink) { sink.write(lab::grid_text(grid)); },
    .described = [](auto& grid, auto& out) { out.write(grid); },
    .csv = [](auto& grid, Sink& sink) { sink.write(lab::grid_csv(grid)); },
    .md = [](auto& grid, Sink& sink) { sink.write(lab::grid_markdown(grid)); },
    .html = [](auto& grid, Sink& sink) { sink.write(lab::grid_page(grid)); },
    .latex = [](auto& grid, Sink& sink) { sink.write(lab::grid_latex(grid)); }};

Result<lab::GridRequest> grid_request(const ReportOptions& options) {
  lab::GridRequest out;
  out.rows = TRY(lab::read_keys(options.rows, "--rows"));
  out.columns = TRY(lab::read_keys(options.columns, "--columns"));
  out.base = options.base;
  out.only = with_runtime_titles(options.only);
  if (!options.price_file.empty()) out.prices = TRY(lab::read_prices(options.price_file));
  for (const std::string& text : options.prices) out.prices.push_back(TRY(lab::read_price(text)));
  return out;
}

Result<void> run_report(const ReportOptions& options, Console& console) {
  const lab::GridRequest request = TRY(grid_request(options));
  const store::Store store = TRY(store::Store::open(options.store, store::Access::kRead));
  const lab::Grid grid = TRY(lab::read_grid(store, request));
  Output output = TRY(Output::open(options.output, console));
  kGridDocument.write(options.format, grid, output.sink());
  return output.close();
}

}  // namespace

int report_grid(const ReportOptions& options, Console& console) {
  const Result<void> done = run_report(options, console);
  return done.ok() ? static_cast<int>(kDone) : report(console, done.error());
}

Run setup_report(Flags& flags) {
  auto o = std::make_shared<ReportOptions>();
  flags.add("STORE", o->store, "the run database").required();
  flags
      .add("--rows", o->rows,
           "keys that make a row (model): model, host, runtime, version, precision, batch, "
           "threads, sizes, scenario; or several: model,batch")
      .shown_as("KEYS");
  flags.add("--columns", o->columns, "keys that make a column (host)").shown_as("KEYS");
  flags.add("--base", o->base, "speed-ups over the column of this name").shown_as("COLUMN");
  flags.add("--price", o->prices, "price of an hour of a host, for costs: b2=0.50; repeatable")
      .single()
      .shown_as("HOST=PER_HOUR");
  flags.add("--prices", o->price_file, "TOML file with a [[price]] of host and per_hour each")
      .shown_as("FILE");
  add_run_filter(flags, o->only);
  add_document_options(flags, o->format, o->output, kGridDocument.formats());
  return [o](Console& console) { return report_grid(*o, console); };
}

}  // namespace ridge::cli
