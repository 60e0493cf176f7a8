// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/zoo_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "analysis/resolved.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/verbs/zoo_list.h"
#include "export/table.h"
#include "onnx/writer.h"
#include "session/model_source.h"
#include "zoo/zoo.h"

namespace ridge::cli {
namespace {

using analysis::Resolved;
using ops::Dim;

/// Maximum size of weights inside the file, with a margin to protobuf's limit of 2 GiB.
constexpr std::int64_t kInlineLimit = std::int64_t{3} << 29;

ZooNetwork network_of(const zoo::Entry& entry, const Resolved& resolved) {
  const graph::Model& model = resolved.model();
  const analysis::Totals& totals = resolved.totals();
  const auto count = [](Dim d) { return d.known() ? std::optional(d.value()) : std::nullopt; };
  ZooNetwork out{.name = std::string(entry.name),
                 .family = std::string(entry.family),
                 .description = std::string(entry.description),
                 .paper = std::string(entry.paper),
                 .sizes = {},
                 .inputs = {},
                 .nodes = totals.nodes,
                 .params = totals.params,
                 .macs = count(totals.macs)};
  for (const zoo::DefaultSize& s : entry.sizes) out.sizes.emplace_back(s.name, s.value);
  for (const graph::ValueId v : model.main().inputs) {
    const ops::Type& type = resolved.type(v);
    ZooInput& input = out.inputs.emplace_back();
    input.name = model.value(v).name;
    input.dtype = onnx::name(type.dtype);
    for (const Dim d : type.shape.span()) input.shape.push_back(count(d));
  }
  return out;
}

Result<ZooList> list_networks() {
  ZooList out;
  for (const zoo::Entry& entry : zoo::entries()) {
    const session::OpenedModel opened = TRY(session::open_model("zoo:" + std::string(entry.name)));
    out.networks.push_back(
        network_of(entry, TRY(analysis::resolve(opened.model, {}, opened.defaults))));
  }
  return out;
}

std::string sizes_text(const ZooNetwork& network) {
  std::string text;
  for (const auto& [name, value] : network.sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

/// By family, then by MACs. `exact`: numbers for programs instead of people.
exports::Table networks_table(ZooList list, bool exact) {
  using exports::Align;
  exports::Table table({{"family"},
                        {"network"},
                        {"sizes"},
                        {"parameters", Align::kRight},
                        {"MACs", Align::kRight},
                        {"what it is", Align::kLeft, exports::kWhole},
                        {"source", Align::kLeft, 48}});
  std::ranges::sort(list.networks, {}, [](const ZooNetwork& n) {
    return std::tuple(n.family, n.macs.value_or(0), n.name);
  });
  const auto number = [&](std::int64_t n) {
    return exact ? std::to_string(n) : si(static_cast<double>(n));
  };
  for (const ZooNetwork& n : list.networks)
    table.add({n.family, n.name, sizes_text(n), number(n.params), n.macs ? number(*n.macs) : "?",
               n.description, n.paper});
  return table;
}

constexpr Document<const ZooList&> kZooDocument = {
    .table = [](auto& list, Sink& sink) { sink.write(networks_table(list, false).text()); },
    .described = [](auto& list, auto& out) { out.write(list); },
    .csv = [](auto& list, Sink& sink) { sink.write(networks_table(list, true).csv()); },
    .md = [](auto& list, Sink& sink) { sink.write(networks_table(list, false).markdown()); }};

Result<int> list_models(const ZooOptions& options, Console& console) {
  const ZooList list = TRY(list_networks());
  Output output = TRY(Output::open(options.output, console));
  kZooDocument.write(options.format, list, output.sink());
  TRY(output.close());
  return kDone;
}

Result<int> write_model(const ZooOptions& options) {
  if (options.network.empty()) {
    return usage_error("RIDGE-CLI-0040", "ridge zoo write requires the name of a network")
        .hint("ridge zoo list shows all; for example: ridge zoo write resnet50 -o resnet50.onnx");
  }
  const onnx::Document document = TRY(zoo::make(options.network));
  std::int64_t bytes = 0;
  for (const onnx::Tensor& t : document.model.graph.initializers)
    bytes += onnx::storage_bytes(t.type, t.elements).value_or(0);
  const std::string path = options.output.empty() ? options.network + ".onnx" : options.output;
  onnx::WriteOptions how;
  if (bytes > kInlineLimit) {
    how.weights = onnx::Weights::kExternal;
    how.location = path.substr(path.rfind('/') + 1) + ".data";
  }
  TRY(onnx::write_file(document, path, how));
  return kDone;
}

}  // namespace

int zoo(const ZooOptions& options, Console& console) {
  const Result<int> status =
      options.action == "write" ? write_model(options) : list_models(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_zoo(Flags& flags) {
  auto options = std::make_shared<ZooOptions>();
  flags.add("ACTION", options->action, "list, or write").required().one_of({"list", "write"});
  flags.add("NETWORK", options->network, "network to write");
  add_document_options(flags, options->format, options->output, kZooDocument.formats(),
                       "write to this file (write: NETWORK.onnx by default)");
  return [options](Console& console) { return zoo(*options, console); };
}

}  // namespace ridge::cli
