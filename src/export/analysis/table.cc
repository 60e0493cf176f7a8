// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/table.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "analysis/counts.h"
#include "analysis/summary.h"
#include "base/numeral.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/analysis/module_table.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using analysis::Group;
using analysis::NodeCounts;
using analysis::Resolved;
using analysis::Totals;

/// Output of titles and tables, as text for a terminal or as Markdown.
class Page {
 public:
  enum class Form : std::uint8_t { kText, kMarkdown };
  Page(Form form, Sink& sink) : form_(form), sink_(sink) {}

  void title(std::string_view text) {
    sink_.write(form_ == Form::kText ? printable(text) + "\n" : "# " + escaped(text) + "\n");
  }
  void heading(std::string_view text) {
    sink_.write(fmt::format(fmt::runtime(form_ == Form::kText ? "\n{}\n" : "\n## {}\n\n"), text));
  }
  void line(std::string_view text) {
    sink_.write(form_ == Form::kText ? "  " + printable(text) + "\n" : "- " + escaped(text) + "\n");
  }
  TreeForm form() const { return form_ == Form::kText ? TreeForm::kText : TreeForm::kMarkdown; }
  void gap() { sink_.write("\n"); }
  void table(const Table& table) {
    sink_.write(form_ == Form::kText ? table.text() : table.markdown());
  }

 private:
  /// Escapes Markdown's special characters.
  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
      if (c == '<')
        out += "&lt;";
      else if (std::string_view("\\`*_[]|#").find(c) != std::string_view::npos)
        out.append({'\\', c});
      else
        out += c;
    }
    return out;
  }

  Form form_;
  Sink& sink_;
};

std::string value_text(const Resolved& r, graph::ValueId v) {
  return fmt::format("{} {}", r.model().value(v).name, type_text(r.type(v), r.dims()));
}

void write_head(const Resolved& r, Page& page) {
  const graph::Model& model = r.model();
  const onnx::Model& file = model.document().model;
  page.title(model.document().path);
  std::string about;
  for (const onnx::OperatorSet& o : file.opsets)
    about += fmt::format("{}opset {}{}{}", about.empty() ? "" : ", ", o.domain,
                         o.domain.empty() ? "" : " ", o.version);
  page.line(fmt::format("{}{}{}, IR {}, {}, {}",
                        file.producer_name.empty() ? "producer not named" : file.producer_name,
                        file.producer_version.empty() ? "" : " ", file.producer_version,
                        file.ir_version, about, counted(std::ssize(model.nodes()), "node")));
  for (const graph::ValueId v : model.main().inputs)
    if (model.value(v).tensor == nullptr && model.value(v).sparse == nullptr)
      page.line("input " + value_text(r, v));
  for (const graph::ValueId v : model.main().outputs) page.line("output " + value_text(r, v));
  std::string sizes;
  for (const auto& [name, binding] : r.bindings())
    sizes += fmt::format("{}{} = {}{}", sizes.empty() ? "" : ", ", name, binding.value,
                         binding.assumed ? " (assumed)" : "");
  if (!sizes.empty()) page.line("sizes " + sizes);
  std::string values;
  for (const auto& [input, source] : r.given_values())
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", input, source);
  if (!values.empty()) page.line("values " + values);
}

/// Adds the total as the other tool prints it; unscaled where its rounding would print 0.
void add_convention(const Resolved& r, const analysis::ConventionCount& count, Table& table) {
  const analysis::Convention& c = *count.convention;
  std::string title = convention_title(count), note(c.note);
  std::string value = sum_text(r, count.total, !count.complete);
  if (!count.complete) note += "; some nodes are not known";
  if (c.scale > 1 && count.total.known()) {
    const double scaled = static_cast<double>(count.total.value()) / static_cast<double>(c.scale);
    if (scaled >= std::pow(10, -c.digits)) {
      title = fmt::format("{} {}", c.name, c.label);
      value = fmt::format("{}{:.{}f}", count.complete ? "" : ">= ", scaled, c.digits);
    }
  }
  table.add({std::move(title), std::move(value), std::move(note)});
}

void write_totals(const Resolved& r, const AnalysisPage& options, Page& page) {
  const Totals& t = r.totals();
  Table table({{"total"}, {"", Align::kRight}, {"", Align::kLeft, kWhole}});
  const auto row = [&](const char* what, ops::Dim sum, std::string_view unit, Totals::Figure figure,
                       std::string note) {
    const bool incomplete = t.incomplete.test(figure);
    if (incomplete) note += "; some nodes are not known";
    table.add({what, sum_text(r, sum, incomplete, unit), std::move(note)});
  };
  row("MACs", t.macs, "", Totals::kMacs,
      "multiply-accumulates of convolutions and matrix products");
  row("flops", t.flops, "", Totals::kFlops, "other additions, multiplications, comparisons");
  row("special", t.special, "", Totals::kSpecial, "divisions, roots, exponentials and the like");
  row("integer", t.int_ops, "", Totals::kIntOps, "these operations on integers");
  if (options.convention != nullptr) add_convention(r, *options.convention, table);
  table.add({"parameters", readable(r, ops::Dim(t.params)),
             readable(r, ops::Dim(t.weight_bytes), "B") + " as stored"});
  if (r.has_experts())
    table.add({"active", readable(r, ops::Dim(t.active_params)),
               "parameters that one token uses: of the experts those that it is routed to"});
  row("read", t.bytes_read, "B", Totals::kBytesRead, "without fusion");
  row("written", t.bytes_written, "B", Totals::kBytesWritten, "without fusion");
  row("activations", t.peak_activation_bytes, "B", Totals::kPeakActivationBytes,
      "peak of live tensors, in file order");
  if (options.traffic != nullptr)
    for (std::vector<std::string>& cells : traffic_rows(*options.traffic))
      table.add(std::move(cells));
  if (const auto intensity = analysis::intensity(t))
    table.add({"intensity", significant(*intensity, 3), "FLOP/B, a multiply-accumulate as 2"});
  page.gap();
  page.table(table);
  const double nodes = static_cast<double>(std::max<std::int64_t>(1, t.nodes));
  page.gap();
  page.line(fmt::format("{} counted, {} without work by definition, {} unknown ({:.1f} %)",
                        counted(t.counted, "node"), t.zero, t.unknown,
                        100.0 * static_cast<double>(t.unknown) / nodes));
}

bool lacks_bytes(const Group& g) {
  return g.incomplete.test(Totals::kBytesRead) || g.incomplete.test(Totals::kBytesWritten);
}

void write_operators(const Resolved& r, const analysis::ConventionCount* convention, Page& page) {
  std::vector<Column> columns = {
      {"operator", Align::kLeft, 40}, {"nodes", Align::kRight}, {"MACs", Align::kRight},
      {"share", Align::kRight},       {"flops", Align::kRight}, {"special", Align::kRight},
      {"params", Align::kRight},      {"bytes", Align::kRight}, {"unknown", Align::kRight}};
  std::map<std::string, ops::Dim> sums;
  if (convention != nullptr) {
    columns.push_back({convention_title(*convention), Align::kRight});
    sums = analysis::by_operator(*convention, r);
  }
  Table table(std::move(columns));
  const bool all_macs = !r.totals().incomplete.test(Totals::kMacs);
  for (const Group& g : analysis::by_operator(r)) {
    const auto sum = [&](std::int64_t figure, Totals::Figure which) {
      return sum_or_dash(r, ops::Dim(figure), g.incomplete.test(which));
    };
    table.add({g.key, fmt::format("{}", g.nodes), sum(g.macs, Totals::kMacs),
               all_macs ? share(ops::Dim(g.macs), r.totals().macs) : "?",
               sum(g.flops, Totals::kFlops), sum(g.special, Totals::kSpecial),
               readable_or_dash(g.params), sum_or_dash(r, ops::Dim(g.bytes), lacks_bytes(g)),
               readable_or_dash(g.unknown), convention != nullptr ? readable(r, sums[g.key]) : ""});
  }
  page.table(table);
}

void write_top(const Resolved& r, const AnalysisPage& options, Page& page) {
  const analysis::ConventionCount* convention = options.convention;
  std::vector<Column> columns = {
      {"node", Align::kRight},      {"name", Align::kLeft, 44}, {"operator", Align::kLeft, 24},
      {"output", Align::kLeft, 28}, {"MACs", Align::kRight},    {"share", Align::kRight},
      {"flops", Align::kRight},     {"bytes", Align::kRight},   {"FLOP/B", Align::kRight}};
  if (convention != nullptr) columns.push_back({convention_title(*convention), Align::kRight});
  for (const char* title : {"expected", "at most"})
    if (options.traffic != nullptr) columns.push_back({title, Align::kRight});
  Table table(std::move(columns));
  for (const graph::NodeId n : analysis::top_nodes(r, options.top)) {
    const graph::Node& node = r.model().node(n);
    const NodeCounts& c = r.counts(n);
    const bool has_output = !node.outputs.empty() && node.outputs[0] != graph::kNone;
    const auto intensity = analysis::intensity(c);
    std::vector<std::string> cells = {
        fmt::format("{}", n),
        std::string(node.name),
        analysis::operator_name(node),
        has_output ? dims_text(r.type(node.outputs[0]).shape, r.dims()) : "",
        readable(r, c.macs),
        c.macs.unknown() || r.totals().incomplete.test(Totals::kMacs)
            ? "?"
            : share(c.macs, r.totals().macs),
        readable(r, c.flops),
        readable(r, r.dims().add(c.bytes_read, c.bytes_written)),
        intensity ? significant(*intensity, 3) : "-"};
    if (convention != nullptr) cells.push_back(readable(r, convention->nodes[n]));
    if (options.traffic != nullptr) {
      cells.push_back(readable(r, options.traffic->traffic.expected[n]));
      cells.push_back(readable(r, options.traffic->traffic.most[n]));
    }
    table.add(std::move(cells));
  }
  page.table(table);
}

void write_modules(const Resolved& r, const AnalysisPage& options, Page& page) {
  // The tree is shorter on a page with other tables.
  constexpr std::size_t kRowsOfAll = 24, kRowsAlone = 60;
  const bool alone = options.tables == AnalysisTables::kModules;
  const Table tree = module_tree(
      r, {.depth = options.depth, .rows = alone ? kRowsAlone : kRowsOfAll}, page.form());
  if (tree.empty() && !alone) return;
  page.heading("By module");
  if (tree.empty())
    page.line("neither the names nor the metadata of the nodes contain modules");
  else
    page.table(tree);
}

void write_page(const Resolved& r, const AnalysisPage& options, Page page) {
  using enum AnalysisTables;
  const auto wanted = [&](AnalysisTables which) {
    return options.tables == kAll || options.tables == which;
  };
  write_head(r, page);
  write_totals(r, options, page);
  if (wanted(kOperators)) {
    page.heading("By operator");
    write_operators(r, options.convention, page);
  }
  if (wanted(kNodes) && options.top > 0) {
    page.heading(fmt::format("Nodes with most MACs (top {})", options.top));
    write_top(r, options, page);
  }
  if (wanted(kModules)) write_modules(r, options, page);
}

void write_node_rows(const Resolved& r, const AnalysisCsv& options, Sink& sink) {
  std::vector<Column> columns = {
      {"index"},  {"parent"},     {"repeat"},        {"name"},      {"op_type"}, {"domain"},
      {"module"}, {"output"},     {"macs"},          {"flops"},     {"special"}, {"int_ops"},
      {"params"}, {"bytes_read"}, {"bytes_written"}, {"intensity"}, {"status"},  {"reason"}};
  if (options.convention != nullptr) columns.push_back({convention_title(*options.convention)});
  for (const char* title : {"bytes_expected", "bytes_max", "runs_with"})
    if (options.traffic != nullptr) columns.push_back({title});
  Table table(std::move(columns));
  const auto add = [&](graph::NodeId n) {
    const graph::Node& node = r.model().node(n);
    const NodeCounts& c = r.counts(n);
    const bool has_output = !node.outputs.empty() && node.outputs[0] != graph::kNone;
    const auto intensity = analysis::intensity(c);
    std::vector<std::string> cells = {
        fmt::format("{}", n),
        node.parent == graph::kNone ? "" : fmt::format("{}", node.parent),
        plain(r, r.repeat(n)),
        std::string(node.name),
        std::string(node.op_type),
        std::string(node.domain),
        std::string(r.model().modules()[node.module].path),
        has_output ? type_text(r.type(node.outputs[0]), r.dims()) : "",
        plain(r, c.macs),
        plain(r, c.flops),
        plain(r, c.special),
        plain(r, c.int_ops),
        fmt::format("{}", c.params),
        plain(r, c.bytes_read),
        plain(r, c.bytes_written),
        intensity ? fmt::format("{}", *intensity) : "",
        std::string(name(c.status)),
        std::string(c.reason)};
    if (options.convention != nullptr) cells.push_back(plain(r, options.convention->nodes[n]));
    if (options.traffic != nullptr) {
      cells.push_back(plain(r, options.traffic->traffic.expected[n]));
      cells.push_back(plain(r, options.traffic->traffic.most[n]));
      cells.push_back(fmt::format("{}", options.traffic->traffic.runs_with[n]));
    }
    table.add(std::move(cells));
  };
  if (options.top) {
    for (const graph::NodeId n : analysis::top_nodes(r, *options.top)) add(n);
  } else {
    for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n) add(n);
  }
  sink.write(table.csv());
}

void write_operator_rows(const Resolved& r, Sink& sink) {
  Table table({{"operator"},
               {"nodes"},
               {"macs"},
               {"flops"},
               {"special"},
               {"int_ops"},
               {"params"},
               {"bytes"},
               {"unknown"}});
  const auto text = [](std::int64_t n) { return fmt::format("{}", n); };
  for (const Group& g : analysis::by_operator(r)) {
    const auto sum = [&](std::int64_t figure, Totals::Figure which) {
      return g.incomplete.test(which) ? "" : text(figure);
    };
    table.add({g.key, text(g.nodes), sum(g.macs, Totals::kMacs), sum(g.flops, Totals::kFlops),
               sum(g.special, Totals::kSpecial), sum(g.int_ops, Totals::kIntOps), text(g.params),
               lacks_bytes(g) ? "" : text(g.bytes), text(g.unknown)});
  }
  sink.write(table.csv());
}

}  // namespace

void write_analysis_text(const Resolved& resolved, const AnalysisPage& page, Sink& sink) {
  write_page(resolved, page, Page(Page::Form::kText, sink));
}

void write_analysis_markdown(const Resolved& resolved, const AnalysisPage& page, Sink& sink) {
  write_page(resolved, page, Page(Page::Form::kMarkdown, sink));
}

void write_analysis_csv(const Resolved& r, const AnalysisCsv& options, Sink& sink) {
  if (options.table == AnalysisTables::kModules)
    sink.write(module_rows(r, options.depth).csv());
  else if (options.table == AnalysisTables::kOperators)
    write_operator_rows(r, sink);
  else
    write_node_rows(r, options, sink);
}

}  // namespace ridge::exports
