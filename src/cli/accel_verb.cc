#include "cli/accel_verb.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "accelerator/estimate.h"
#include "accelerator/scalesim_files.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/model_file.h"
#include "cli/sizes.h"
#include "export/accelerator_text.h"

namespace ridge::cli {
namespace {

using accelerator::Layer;
using accelerator::Lowered;

constexpr std::int64_t kLargestFile = std::int64_t{64} << 20;

void append(Lowered& network, std::string name, accelerator::Gemm gemm) {
  Layer layer;
  layer.name = std::move(name);
  layer.macs = gemm.macs();
  layer.gemms = {gemm};
  network.macs += layer.macs;
  network.layers.push_back(std::move(layer));
}

Result<Lowered> from_topology(const std::string& path) {
  const std::string text = TRY(read_file(path, kLargestFile));
  auto layers = accelerator::read_topology(text);
  if (!layers.ok()) return std::move(layers).error().in_file(path);
  Lowered out;
  for (accelerator::TopologyLayer& l : *layers) append(out, std::move(l.name), l.gemm);
  return out;
}

Result<Lowered> from_model(const AccelOptions& options, Console& console) {
  const analysis::Bindings point =
      TRY(single_point(TRY(parse_sizes(options.binds, options.shapes))));
  const OpenedModel opened = TRY(open_model(options.model));
  const analysis::Resolved resolved = TRY(analysis::resolve(opened.model, point, opened.defaults));
  for (const std::string& note : resolved.notes()) warn(console, options.model, note);
  return accelerator::lower(resolved, {.layers = accelerator::Layers::kProducts});
}

Result<Lowered> network(const AccelOptions& options, Console& console) {
  const int given = !options.model.empty() + !options.gemms.empty() + !options.topology.empty();
  if (given != 1)
    return usage_error("RIDGE-CLI-0140", given == 0
                                             ? "nothing to estimate"
                                             : "a model, --gemm and --topology do not go together")
        .hint("give one of: a model, --gemm M,N,K, --topology net.csv");
  if (!options.topology.empty()) return from_topology(options.topology);
  if (!options.model.empty()) return from_model(options, console);
  Lowered out;
  for (const std::string& text : options.gemms)
    append(out, text, TRY(accelerator::parse_gemm(text)));
  return out;
}

Result<accelerator::ScalesimMachine> machine(const AccelOptions& options) {
  if (options.config.empty())
    return usage_error("RIDGE-CLI-0141", "no machine is described")
        .hint("--config scale.cfg takes a SCALE-Sim configuration");
  const std::string text = TRY(read_file(options.config, kLargestFile));
  auto read = accelerator::read_scalesim_config(text);
  if (!read.ok()) return std::move(read).error().in_file(options.config);
  for (const accelerator::Dataflow d : accelerator::kDataflows)
    if (options.dataflow == name(d)) read->dataflow = d;
  return *read;
}

Result<int> run_accel(const AccelOptions& options, Console& console) {
  const accelerator::ScalesimMachine described = TRY(machine(options));
  const Lowered net = TRY(network(options, console));
  const accelerator::Estimate found = accelerator::estimate(net.layers, described);
  const std::string subject = !options.model.empty()      ? options.model
                              : !options.topology.empty() ? options.topology
                              : options.gemms.size() == 1
                                  ? options.gemms[0]
                                  : counted(std::ssize(options.gemms), "product");
  Output output = TRY(Output::open(options.output, console));
  const exports::AcceleratorView view{subject, accelerator::Convention::kScalesim, described, net,
                                      found};
  if (options.format == "json")
    exports::write_accelerator_json(view, output.sink());
  else if (options.format == "csv")
    exports::write_accelerator_csv(view, output.sink());
  else if (options.format == "md")
    exports::write_accelerator_markdown(view, options.top, output.sink());
  else
    exports::write_accelerator_text(view, options.top, output.sink());
  TRY(output.close());
  return kDone;
}

}  // namespace

int accel(const AccelOptions& options, Console& console) {
  const Result<int> status = run_accel(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_accel(CLI::App& app) {
  auto options = std::make_shared<AccelOptions>();
  app.add_option("MODEL", options->model, "an ONNX file, or zoo:NAME");
  app.add_option("--gemm", options->gemms,
                 "a product in place of a model: M,N,K or M,N,K,count; repeatable")
      ->allow_extra_args(false);
  app.add_option("--topology", options->topology, "SCALE-Sim's network in place of a model: a CSV");
  app.add_option("--config", options->config, "SCALE-Sim's machine: a .cfg");
  app.add_option("--dataflow", options->dataflow, "os, ws or is in place of the machine's")
      ->check(CLI::IsMember({"os", "ws", "is"}));
  app.add_option("--convention", options->convention, "whose rules: scalesim")
      ->check(CLI::IsMember({"scalesim"}));
  app.add_option("--bind", options->binds, "free sizes by name: batch=8,sequence=128")
      ->allow_extra_args(false);
  app.add_option("--shape", options->shapes, "a whole input: input=1x3x224x224; repeatable")
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "table, json, csv or md")
      ->check(CLI::IsMember({"table", "json", "csv", "md"}));
  app.add_option("--top", options->top,
                 "layers in tables, most cycles first; 0: all, in order (20)");
  app.add_option("--output", options->output, "write the document to this file");
  return [options](Console& console) { return accel(*options, console); };
}

}  // namespace ridge::cli
