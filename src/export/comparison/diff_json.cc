#include "export/comparison/diff_json.h"

#include <string>

#include "base/checked.h"
#include "base/json_writer.h"
#include "compare/module_diff.h"

namespace ridge::exports {
namespace {

using compare::Change;
using compare::Diff;
using compare::Figures;

class DiffWriter {
 public:
  DiffWriter(const DiffSides& sides, Sink& sink) : sides_(sides), json_(sink) {}

  void write(const Diff& d, DiffRows rows) {
    json_.begin_object().key("schema").value("ridge.diff/1").line();
    side("a", sides_.a);
    side("b", sides_.b);
    if (sides_.fuse != "none") json_.line().key("fuse").value(sides_.fuse);
    json_.line().key("counts").begin_object();
    for (std::size_t i = 0; i < compare::kChanges; ++i)
      json_.key(name(static_cast<Change>(i))).value(d.counts[i]);
    json_.end_object().line().key("totals").begin_object();
    for (const compare::TotalDiff& t : d.totals) total(t);
    json_.end_object().line().key("nodes").begin_array();
    for (const compare::NodeDiff& n : d.nodes)
      if (rows == DiffRows::kAll || n.change != Change::kSame) node(n);
    json_.line().end_array().line().key("modules").begin_array();
    for (const compare::ModuleDiff& m : d.modules) module(d, m);
    json_.line().end_array().end_object().line();
  }

 private:
  void side(std::string_view key, const analysis::Resolved& r) {
    json_.line().key(key).begin_object().key("path").value(r.model().document().path);
    json_.key("graph_hash").value(graph::structure_hash(r.model()));
    analysis::write_bindings(json_.key("bindings"), r.bindings());
    json_.end_object();
  }

  void total(const compare::TotalDiff& t) {
    json_.key(t.name).begin_object().key("a").value(t.a).key("b").value(t.b).key("difference");
    json_.value(t.a && t.b ? checked_sub(*t.b, *t.a) : std::nullopt);
    json_.key("at_least").value(t.at_least());
    if (t.a_at_least) json_.key("a_at_least").value(t.a_at_least);
    if (t.b_at_least) json_.key("b_at_least").value(t.b_at_least);
    json_.end_object();
  }

  void node_side(std::string_view key, const analysis::Resolved& r, graph::NodeId n) {
    json_.key(key);
    if (n == graph::kNone) {
      json_.null();
      return;
    }
    const graph::Node& node = r.model().node(n);
    json_.begin_object().key("index").value(n).key("name").value(node.name);
    json_.key("module").value(r.model().modules()[node.module].path);
    figures(compare::work_of(r, n));
    json_.end_object();
  }

  void node(const compare::NodeDiff& n) {
    const graph::Node node = node_of(n, sides_);
    json_.line().begin_object().key("change").value(name(n.change));
    json_.key("op_type").value(node.op_type).key("domain").value(node.domain);
    node_side("a", sides_.a, n.a);
    node_side("b", sides_.b, n.b);
    json_.key("what").begin_array();
    for (const std::string& text : n.what) json_.value(text);
    json_.end_array().key("difference").begin_object();
    figures(compare::change_of(n, sides_.a, sides_.b));
    json_.end_object().end_object();
  }

  void module(const Diff& d, const compare::ModuleDiff& m) {
    const compare::ModuleWork work = module_work(d, m, sides_.a, sides_.b);
    json_.line().begin_object().key("path").value(m.path).key("depth").value(m.depth);
    json_.key("a").begin_object().key("nodes").value(work.nodes_a);
    figures(work.work_a);
    json_.end_object().key("b").begin_object().key("nodes").value(work.nodes_b);
    figures(work.work_b);
    json_.end_object().end_object();
  }

  void figures(const Figures& work) {
    for (std::size_t i = 0; i < compare::kFigures; ++i)
      json_.key(compare::kFigureNames[i]).value(at(work, static_cast<compare::Figure>(i)));
  }

  const DiffSides& sides_;
  JsonWriter json_;
};

}  // namespace

void write_diff_json(const Diff& diff, const DiffSides& sides, DiffRows rows, Sink& sink) {
  DiffWriter(sides, sink).write(diff, rows);
  sink.write("\n");
}

}  // namespace ridge::exports
