#include "cli/explain_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/number.h"
#include "base/suggest.h"
#include "cli/model_file.h"
#include "cli/sizes.h"
#include "export/layer_text.h"
#include "export/node_text.h"
#include "export/operator_text.h"
#include "ops/describe.h"

namespace ridge::cli {
namespace {

std::optional<graph::NodeId> index_of(std::string_view text, const graph::Model& model) {
  if (text.starts_with('#')) text.remove_prefix(1);
  const auto id = whole_number<graph::NodeId>(text);
  return id && *id < model.nodes().size() ? id : std::nullopt;
}

/// By name, else by a tensor it makes.
std::vector<graph::NodeId> named(std::string_view name, const graph::Model& model) {
  std::vector<graph::NodeId> found;
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n)
    if (model.node(n).name == name) found.push_back(n);
  if (!found.empty()) return found;
  for (const graph::Value& v : model.values())
    if (v.name == name && v.producer != graph::kNone) found.push_back(v.producer);
  return found;
}

Result<graph::NodeId> find_node(const std::string& text, const graph::Model& model) {
  const std::vector<graph::NodeId> found =
      text.empty() ? std::vector<graph::NodeId>() : named(text, model);
  if (found.size() == 1) return found[0];
  if (found.size() > 1)
    return usage_error("RIDGE-CLI-0202",
                       fmt::format("{} nodes are called '{}'", found.size(), text))
        .hint(fmt::format(
            "give the index of one: {}",
            fmt::join(std::span(found).first(std::min<std::size_t>(found.size(), 8)), ", ")));
  if (const auto id = index_of(text, model)) return *id;
  std::vector<std::string> names;
  for (const graph::Node& n : model.nodes()) names.emplace_back(n.name);
  const std::vector<std::string> near = near_names(text, names);
  return usage_error("RIDGE-CLI-0201", fmt::format("the model has no node '{}'", text))
      .hint(near.empty() ? "ridge analyze MODEL --by node lists nodes with their index"
                         : fmt::format("did you mean '{}'?", near[0]));
}

/// "Conv", "ai.onnx.Conv", "com.microsoft.Attention".
std::vector<const ops::Operator*> operator_named(std::string_view text) {
  std::vector<const ops::Operator*> rows = ops::versions("", text);
  const std::size_t dot = text.rfind('.');
  if (!rows.empty() || dot == std::string_view::npos) return rows;
  const std::string_view domain = text.substr(0, dot);
  return ops::versions(domain == "ai.onnx" ? "" : domain, text.substr(dot + 1));
}

/// Names near to one that is none; a name of another domain first.
std::string operator_hint(const std::string& text) {
  std::vector<std::string> names;
  for (const ops::Operator* row : ops::all()) {
    const std::string full = row->domain.empty()
                                 ? std::string(row->name)
                                 : std::string(row->domain) + "." + std::string(row->name);
    if (row->name == text) return fmt::format("did you mean '{}'?", full);
    if (names.empty() || names.back() != full) names.push_back(full);
  }
  const std::vector<std::string> near = near_names(text, names);
  return near.empty()
             ? "ridge operators lists them; of a model, name a node: ridge explain MODEL NODE"
             : fmt::format("did you mean '{}'?", near[0]);
}

Result<void> explain_operator(const std::string& text, Console& console) {
  const std::vector<const ops::Operator*> rows = operator_named(text);
  if (rows.empty())
    return usage_error("RIDGE-CLI-0203", fmt::format("there is no operator '{}'", text))
        .hint(operator_hint(text));
  exports::write_operator_text(rows, console.out);
  return {};
}

Result<void> run_explain(const ExplainOptions& options, Console& console) {
  if (options.node.empty()) return explain_operator(options.model, console);
  const SizeFlags flags = TRY(parse_sizes(options.measuring.binds, options.measuring.shapes));
  const analysis::Bindings point = TRY(single_point(flags));
  const OpenedModel opened = TRY(open_model(options.model));
  const graph::NodeId node = TRY(find_node(options.node, *opened.model));
  const analysis::Resolved resolved = TRY(analysis::resolve(opened.model, point, opened.defaults));
  if (!options.measure)  // measuring says them too
    for (const std::string& note : resolved.notes()) warn(console, options.model, note);
  exports::write_node_text(resolved, node, console.out);
  if (!options.measure) return {};
  const MeasuredPoints measured = TRY(measure_points(options.model, options.measuring, console));
  exports::write_layer_text(measured.sweep.profiles.front(), node, console.out);
  return {};
}

}  // namespace

int explain(const ExplainOptions& options, Console& console) {
  const Result<void> done = run_explain(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("MODEL", options->model, "an ONNX file, or zoo:NAME; alone: an operator's name")
      ->required();
  app.add_option("NODE", options->node, "a node's index, its name, or a tensor that it makes");
  // One node needs no more than a look.
  options->measuring.processes = 1;
  options->measuring.budget_s = 1;
  add_measuring_options(app, options->measuring);
  app.add_flag_callback(
      "--no-measure", [options] { options->measure = false; },
      "only what follows from the model, without running it");
  return [options](Console& console) { return explain(*options, console); };
}

}  // namespace ridge::cli
