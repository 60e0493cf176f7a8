#include "cli/verbs/zoo_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "analysis/resolved.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
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

struct Row {
  const zoo::Entry* entry;
  Resolved resolved;
};

/// Sorts by family, then by MACs.
void sort_by_family(std::vector<Row>& rows) {
  const auto key = [](const Row& row) {
    const ops::Dim macs = row.resolved.totals().macs;
    return std::tuple(row.entry->family, macs.known() ? macs.value() : 0, row.entry->name);
  };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
}

Result<std::vector<Row>> resolve_all() {
  std::vector<Row> rows;
  for (const zoo::Entry& entry : zoo::entries()) {
    const session::OpenedModel opened = TRY(session::open_model("zoo:" + std::string(entry.name)));
    rows.push_back({&entry, TRY(analysis::resolve(opened.model, {}, opened.defaults))});
  }
  return rows;
}

std::string sizes_text(const zoo::Entry& entry) {
  std::string text;
  for (const zoo::DefaultSize& s : entry.sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", s.name, s.value);
  return text;
}

void write_models_json(const std::vector<Row>& rows, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.zoo/1").key("networks").begin_array();
  for (const Row& row : rows) {
    const graph::Model& model = row.resolved.model();
    const analysis::Totals& totals = row.resolved.totals();
    json.line().begin_object().key("name").value(row.entry->name);
    json.key("family").value(row.entry->family);
    json.key("description").value(row.entry->description).key("paper").value(row.entry->paper);
    json.key("sizes").begin_object();
    for (const zoo::DefaultSize& s : row.entry->sizes) json.name(s.name).value(s.value);
    json.end_object().key("inputs").begin_array();
    for (const graph::ValueId v : model.main().inputs) {
      const ops::Type& type = row.resolved.type(v);
      json.begin_object()
          .key("name")
          .value(model.value(v).name)
          .key("dtype")
          .value(onnx::name(type.dtype));
      json.key("shape").begin_array();
      for (const Dim d : type.shape.span())
        json.value(d.known() ? std::optional(d.value()) : std::nullopt);
      json.end_array().end_object();
    }
    json.end_array().key("nodes").value(totals.nodes).key("params").value(totals.params);
    json.key("macs").value(totals.macs.known() ? std::optional(totals.macs.value()) : std::nullopt);
    json.end_object();
  }
  json.line().end_array().end_object().line();
}

std::string models_text(const std::vector<Row>& rows, std::string_view format) {
  using exports::Align;
  exports::Table table({{"family"},
                        {"network"},
                        {"sizes"},
                        {"parameters", Align::kRight},
                        {"MACs", Align::kRight},
                        {"what it is", Align::kLeft, exports::kWhole},
                        {"source", Align::kLeft, 48}});
  for (const Row& row : rows) {
    const analysis::Totals& totals = row.resolved.totals();
    const bool exact = format == "csv";
    const auto number = [&](std::int64_t n) {
      return exact ? std::to_string(n) : si(static_cast<double>(n));
    };
    table.add({std::string(row.entry->family), std::string(row.entry->name), sizes_text(*row.entry),
               number(totals.params), totals.macs.known() ? number(totals.macs.value()) : "?",
               std::string(row.entry->description), std::string(row.entry->paper)});
  }
  if (format == "csv") return table.csv();
  return format == "md" ? table.markdown() : table.text();
}

Result<int> list_models(const ZooOptions& options, Console& console) {
  std::vector<Row> rows = TRY(resolve_all());
  if (options.format != "json") sort_by_family(rows);
  Output output = TRY(Output::open(options.output, console));
  if (options.format == "json")
    write_models_json(rows, output.sink());
  else
    output.sink().write(models_text(rows, options.format));
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
  add_document_options(flags, options->format, options->output, {"table", "json", "csv", "md"},
                       "write to this file (write: NETWORK.onnx by default)");
  return [options](Console& console) { return zoo(*options, console); };
}

}  // namespace ridge::cli
