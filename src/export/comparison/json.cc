#include "export/comparison/json.h"

#include "base/json_writer.h"
#include "compare/run_labels.h"
#include "profile/json.h"

namespace ridge::exports {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Parts;
using compare::Row;

class ComparisonWriter {
 public:
  ComparisonWriter(const Comparison& c, Sink& sink) : c_(c), json_(sink) {}

  void write() {
    json_.begin_object().key("schema").value("ridge.comparison/1").line();
    json_.key("threshold").value(c_.threshold).key("interleaved").value(c_.interleaved);
    json_.key("false_discovery_rate").value(compare::kFalseDiscoveryRate);
    json_.line().key("runs").begin_array();
    for (std::size_t r = 0; r < c_.runs.size(); ++r) run(r);
    json_.line().end_array().line().key("latency");
    row(c_.latency);
    rows("groups", c_.groups);
    rows("modules", c_.modules);
    rows("operators", c_.operators);
    json_.line().key("inserted");
    row(c_.inserted);
    json_.line().key("unattributed");
    row(c_.unattributed);
    json_.line().key("totals").begin_array();
    for (std::size_t r = 0; r < c_.runs.size(); ++r) totals(r);
    json_.line().end_array().line().key("best_of_each_ns").value(c_.best_ns);
    json_.key("nodes_without_layer").value(static_cast<std::int64_t>(c_.untimed));
    json_.line().key("notes").begin_array();
    for (const std::string& note : c_.notes) json_.value(note);
    json_.end_array().end_object().line();
  }

 private:
  void run(std::size_t r) {
    const profile::Profile& p = c_.runs[r].profile;
    const compare::RunFacts facts = compare::facts_of(p);
    json_.line().begin_object().key("label").value(c_.runs[r].label);
    json_.key("kind").value(p.subject.kind).key("model").value(p.subject.path);
    json_.key("graph_hash").value(p.subject.graph_hash);
    json_.key("runtime").value(p.subject.runtime).key("version").value(p.subject.runtime_version);
    profile::write_options(json_.key("options"), p.subject);
    analysis::write_bindings(json_.key("bindings"), p.subject.bindings);
    drift(c_.drifts[r]);
    json_.key("batch").value(p.batch).key("machine").value_or_null(facts.machine);
    const compare::JoinRate& rate = c_.join.rates[r];
    json_.key("nodes").begin_object().key("joined_by").value(name(rate.by));
    json_.key("matched").value(static_cast<std::int64_t>(rate.matched));
    json_.key("of").value(static_cast<std::int64_t>(rate.nodes)).end_object().end_object();
  }

  void drift(const std::optional<compare::Drift>& d) {
    json_.key("drift");
    if (!d) {
      json_.null();
      return;
    }
    const auto range = [&](std::string_view key, const profile::ReferenceRange& r) {
      json_.key(key).begin_array().value(r.min_ns).value(r.max_ns).end_array();
    };
    json_.begin_object().key("share").value(d->share()).key("kernels").begin_array();
    for (const compare::Drift::Kernel& kernel : d->kernels) {
      json_.begin_object().key("kernel").value(kernel.first.kernel);
      range("baseline_ns", kernel.first);
      range("ns", kernel.second);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  void rows(std::string_view key, const std::vector<Row>& all) {
    json_.line().key(key).begin_array();
    for (const Row& r : all) {
      json_.line();
      row(r);
    }
    json_.line().end_array();
  }

  void row(const Row& r) {
    json_.begin_object().key("name").value(r.label);
    if (!r.op.empty()) {  // a group
      json_.key("module").value(r.module).key("operator").value(r.op);
      json_.key("nodes").begin_array();
      for (const std::uint32_t common : r.nodes) node(common);
      json_.end_array();
    }
    json_.key("runs").begin_array();
    for (const Cell& cell : r.cells) this->cell(cell);
    json_.end_array().end_object();
  }

  /// Writes a node as the first run whose model has it describes it.
  void node(std::uint32_t common) {
    const compare::NodeJoin::Place place = c_.join.nodes[common];
    const profile::Node& n = c_.runs[place.run].profile.nodes[place.node];
    json_.begin_object().key("run").value(place.run).key("index").value(n.index);
    json_.key("name").value(n.name).key("op_type").value(n.op_type).end_object();
  }

  void cell(const Cell& cell) {
    json_.begin_object().key("layers").value(static_cast<std::int64_t>(cell.layers));
    json_.key("time_ns").value(cell.time_ns);
    interval("time_ci95", cell.interval);
    json_.key("below_resolution").value(cell.below_resolution);
    json_.key("difference_ns").value(cell.difference_ns);
    interval("difference_ci95", cell.difference_interval);
    json_.key("ratio").value(cell.ratio);
    interval("ratio_ci95", cell.ratio_interval);
    json_.key("confidence");
    if (cell.confidence > 0)
      json_.value(cell.confidence);
    else
      json_.null();
    json_.key("detectable").value(cell.detectable);
    json_.key("per_item_ratio").value(cell.per_item_ratio);
    json_.key("verdict").value(name(cell.verdict));
    json_.key("reason").value_or_null(cell.reason).end_object();
  }

  void interval(std::string_view key, const std::optional<stats::Interval>& ci) {
    json_.key(key);
    if (ci)
      json_.begin_array().value(ci->lo).value(ci->hi).end_array();
    else
      json_.null();
  }

  void parts(std::string_view key, const std::optional<Parts>& p) {
    json_.key(key);
    if (!p) {
      json_.null();
      return;
    }
    json_.begin_object().key("latency_ns").value(p->latency_ns);
    json_.key("groups_ns").value(p->groups_ns).key("inserted_ns").value(p->inserted_ns);
    json_.key("unattributed_ns").value(p->unattributed_ns);
    json_.key("outside_layers_ns").value(p->outside_ns);
    json_.key("unexplained_ns").value(p->unexplained_ns).end_object();
  }

  void totals(std::size_t r) {
    const compare::Tally& t = c_.tallies[r];
    json_.line().begin_object();
    parts("time", c_.parts[r]);
    parts("difference", c_.differences[r]);
    json_.key("explained").value(c_.explained[r]).key("groups").begin_object();
    json_.key("faster").value(static_cast<std::int64_t>(t.faster.groups));
    json_.key("faster_by_ns").value(t.faster.ns);
    json_.key("slower").value(static_cast<std::int64_t>(t.slower.groups));
    json_.key("slower_by_ns").value(t.slower.ns);
    json_.key("no_difference_shown").value(static_cast<std::int64_t>(t.not_shown));
    json_.key("drift").value(static_cast<std::int64_t>(t.drift));
    json_.key("not_judged").value(static_cast<std::int64_t>(t.not_judged));
    json_.end_object().end_object();
  }

  const Comparison& c_;
  JsonWriter json_;
};

}  // namespace

void write_comparison_json(const Comparison& comparison, Sink& sink) {
  ComparisonWriter(comparison, sink).write();
  sink.write("\n");
}

}  // namespace ridge::exports
