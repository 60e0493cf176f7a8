#include "workbench/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "advice/bound.h"
#include "advice/kernel_change.h"
#include "base/text.h"
#include "base/version.h"
#include "bricks/kernels.h"
#include "bricks/loader.h"
#include "onnx/writer.h"
#include "rewrite/rewritten.h"
#include "rewrite/rule.h"
#include "store/store.h"
#include "workbench/advice_check.h"
#include "workbench/advice_price.h"
#include "workbench/advice_setting.h"
#include "workbench/bricks_point.h"
#include "workbench/workbench.h"

namespace ridge::workbench {
namespace {

using advice::Advice;
using advice::Finding;
using analysis::Resolved;
using rewrite::Rule;

/// The kinds of findings and Benanza's questions that they answer.
std::string question_of(std::string_view kind) { return kind == "overhead" ? "Q4" : "Q5"; }

std::string command_of(const std::string& model, const std::string& id) {
  return fmt::format("ridge advise {} --apply {} --output better.onnx", model, id);
}

std::vector<std::string> texts(const std::vector<bricks::KernelKind>& kernels) {
  std::vector<std::string> out;
  for (const bricks::KernelKind& k : kernels) out.push_back(k.text);
  return out;
}

class Advisor {
 public:
  Advisor(const AdviceRequest& request, const Workbench& bench, Point point, Resolved resolved,
          BricksPoint bricks)
      : request_(request),
        bench_(bench),
        point_(std::move(point)),
        resolved_(std::move(resolved)),
        bricks_(std::move(bricks)),
        loader_(bricks_.loading) {}

  Result<Advice> run() {
    TRY(measure());
    TRY(find());
    find_settings();
    TRY(check());
    environment().hide_progress();
    return std::move(out_);
  }

 private:
  const Environment& environment() const { return bench_.environment; }

  /// The run of the store, or a new one.
  Result<profile::Profile> profile(RoofSource& roofs) {
    const runtime::RuntimeInfo info = TRY(loader_.info());
    out_.runtime = info.name;
    out_.runtime_version = info.version;
    if (!request_.store.empty()) {
      const store::Store store = TRY(store::Store::open(request_.store, store::Access::kRead));
      const std::string key = TRY(bench_.key(resolved_, point_, info.name, info.version));
      if (const std::optional<store::RunId> run = TRY(store.run_of_point(key)))
        return store.read(*run);
      out_.notes.push_back("the store has no run of this model here, so it was measured");
    }
    Measured measured = TRY(bench_.measure(resolved_, point_, roofs));
    if (measured.roof_error) out_.notes.push_back(measured.roof_error->summary());
    return std::move(measured.profile);
  }

  Result<void> measure() {
    const auto processors = static_cast<int>(environment().host.allowed.size());
    std::vector<int> threads = {point_.threads};
    if (processors != point_.threads) threads.push_back(processors);
    RoofSource roofs(environment(), threads, false);
    const profile::Profile run = TRY(profile(roofs));
    out_.ridge = version();
    out_.model = request_.model;
    out_.host = bricks_.host_name;
    out_.threads = static_cast<std::uint32_t>(point_.threads);
    out_.measured_ns = run.latency.ns;
    out_.simulated_ns = run.profiling.corrected_sum_ns + run.profiling.outside_layers_ns;
    const advice::LayerGraph graph(resolved_.model(), run);
    const Result<const MachineRoofs*> all = roofs.get();
    if (all.ok())
      out_.bound = advice::bound_of(graph, run, (*all)->at(processors));
    else
      out_.notes.push_back(all.error().summary());
    network_ = TRY(loader_.load(resolved_));
    price_ = TRY(AdvicePrice::open(request_.store, bricks_, TRY(loader_.info()), *network_));
    out_.achievable = price_.achievable(run, graph, static_cast<std::uint32_t>(processors));
    return {};
  }

  Result<void> find() {
    const std::vector<std::string> before = texts(bricks::all_kernels(*network_));
    for (const Rule& rule : rewrite::rules()) {
      if (environment().stopped()) return {};
      const std::vector<rewrite::Site> sites = rule.find(resolved_);
      if (sites.empty()) continue;
      const Resolved better = TRY(rewrite::rewritten(resolved_, rule, sites));
      const Result<bricks::Network> after = loader_.load(better);
      if (!after.ok()) {
        if (loader_.interrupted()) return {};
        out_.notes.push_back(fmt::format("{} with '{}' applied cannot be loaded: {}",
                                         request_.model, rule.name, after.error().summary()));
        continue;
      }
      const std::string change = advice::kernel_change(before, texts(bricks::all_kernels(*after)));
      if (change.empty()) continue;  // the runtime does it by itself, or it makes no difference
      out_.findings.push_back(finding(rule, sites, change, *after));
      rules_.push_back(&rule);
    }
    return {};
  }

  Finding finding(const Rule& rule, const std::vector<rewrite::Site>& sites,
                  const std::string& change, const bricks::Network& after) const {
    std::set<graph::NodeId> nodes;
    for (const rewrite::Site& site : sites) nodes.insert(site.nodes.begin(), site.nodes.end());
    Finding out{.id = rule.name,
                .question = question_of(rule.kind),
                .kind = rule.kind,
                .nodes = {nodes.begin(), nodes.end()},
                .evidence = fmt::format("{} (in {}); without it {}", rule.what,
                                        counted(std::ssize(sites), "place"), change),
                .gain_ns = {},
                .no_price = {},
                .lossless = true,
                .how = rule.how,
                .command = command_of(request_.model, rule.name),
                .check = {}};
    const Result<profile::Estimate> gain = price_.gain(after);
    if (gain.ok())
      out.gain_ns = *gain;
    else
      out.no_price = gain.error().summary();
    return out;
  }

  bool asked(const std::string& id) const {
    return std::ranges::any_of(request_.checks,
                               [&](const auto& check) { return check == id || check == "all"; });
  }

  void find_settings() {
    const auto processors = static_cast<std::uint32_t>(environment().host.allowed.size());
    for (AdviceSetting& s : settings_for(bench_.spec, processors, out_)) {
      out_.findings.push_back(std::move(s.finding));
      settings_.push_back(std::move(s.spec));
    }
  }

  Result<void> check() {
    std::vector<const Rule*> together;
    for (std::size_t i = 0; i < out_.findings.size() && !environment().stopped(); ++i) {
      Finding& f = out_.findings[i];
      if (!asked(f.id)) continue;
      const bool edit = i < rules_.size();
      f.check = edit ? TRY(check_edits({&rules_[i], 1}, f.gain_ns))
                     : TRY(check_setting(settings_[i - rules_.size()], f.gain_ns));
      f.lossless = f.check->outputs && f.check->outputs->max_rel <= kMostDifference;
      if (edit && f.lossless) together.push_back(rules_[i]);
    }
    if (together.size() < 2 || environment().stopped()) return {};
    advice::Joint joint;
    for (const Rule* rule : together) joint.ids.push_back(rule->name);
    joint.check = TRY(check_edits(together, std::nullopt));
    out_.joint = std::move(joint);
    return {};
  }

  Result<advice::Check> check_edits(std::span<const Rule* const> rules,
                                    const std::optional<profile::Estimate>& predicted) {
    const Resolved better = TRY(rewrite::rewritten(resolved_, rules));
    const measure::Request request = TRY(bench_.request(point_));
    return compared({&resolved_, request}, {&better, request}, predicted);
  }

  Result<advice::Check> check_setting(const MeasureSpec& spec,
                                      const std::optional<profile::Estimate>& predicted) {
    const Workbench other{bench_.model, spec, environment(), bench_.opened, bench_.process_s};
    Point point = point_;
    point.threads = spec.threads.at(0);
    return compared({&resolved_, TRY(bench_.request(point_))},
                    {&resolved_, TRY(other.request(point))}, predicted);
  }

  /// Check of a change. One that changes outputs is not measured, one that the runtime refuses is
  /// not judged.
  static advice::Check compared(const measure::Column& before, const measure::Column& after,
                                const std::optional<profile::Estimate>& predicted) {
    const Result<advice::OutputDifference> outputs = compare_outputs(before, after);
    advice::Check out;
    if (!outputs.ok()) {
      out.reason = outputs.error().summary();
      return out;
    }
    if (outputs->max_rel > kMostDifference) {
      out.reason = "its outputs differ from those of the model, so it was not measured";
    } else if (Result<advice::Check> measured = check_change(before, after, predicted);
               measured.ok()) {
      out = std::move(*measured);
    } else {
      out.reason = measured.error().summary();
    }
    out.outputs = *outputs;
    return out;
  }

  const AdviceRequest& request_;
  const Workbench& bench_;
  Point point_;
  Resolved resolved_;
  BricksPoint bricks_;
  bricks::Loader loader_;
  std::optional<bricks::Network> network_;
  AdvicePrice price_;
  std::vector<const Rule*> rules_;     // of the first findings
  std::vector<MeasureSpec> settings_;  // of the others
  Advice out_;
};

Error unknown_finding(const std::string& id) {
  std::vector<std::string> names;
  for (const Rule& rule : rewrite::rules()) names.push_back(rule.name);
  for (std::string& name : setting_ids()) names.push_back(std::move(name));
  return usage_error("RIDGE-WB-0091", fmt::format("there is no finding '{}'", id))
      .hint(fmt::format("findings are: {}", fmt::join(names, ", ")));
}

const Rule* rule_named(const std::string& name) {
  const auto found = std::ranges::find(rewrite::rules(), name, &Rule::name);
  return found == rewrite::rules().end() ? nullptr : &*found;
}

bool is_setting(const std::string& id) {
  const std::vector<std::string> ids = setting_ids();
  return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

Result<Advice> advise(const AdviceRequest& request, const Environment& environment) {
  TRY(check_single_points({{request.model, request.spec}}));
  for (const std::string& id : request.checks)
    if (id != "all" && rule_named(id) == nullptr && !is_setting(id)) return unknown_finding(id);
  const Workbench bench = TRY(make_workbench(request.model, request.spec, environment));
  const Point point =
      TRY(with_arrays(points_of(request.spec), request.spec, *bench.opened.model)).at(0);
  Resolved resolved = TRY(bench.resolve(point));
  BricksPoint bricks = TRY(bricks_point(request.spec, environment));
  return Advisor(request, bench, point, std::move(resolved), std::move(bricks)).run();
}

Result<void> apply_advice(const AdviceRequest& request, const std::string& id,
                          const std::string& path, const Environment& environment) {
  const Rule* const rule = rule_named(id);
  if (is_setting(id))
    return usage_error("RIDGE-WB-0094", fmt::format("'{}' is no change of the model", id))
        .hint("it is an option of the runtime: ridge advise shows the command");
  if (rule == nullptr) return unknown_finding(id);
  const Workbench bench = TRY(make_workbench(request.model, request.spec, environment));
  const Resolved resolved = TRY(bench.resolve(points_of(request.spec).at(0)));
  const std::vector<rewrite::Site> sites = rule->find(resolved);
  if (sites.empty())
    return input_error("RIDGE-WB-0092", fmt::format("'{}' applies nowhere in this model", id))
        .hint("findings of this model: ridge advise " + request.model)
        .in_file(request.model);
  const Resolved better = TRY(rewrite::rewritten(resolved, *rule, sites));
  return onnx::write_file(better.model().document(), path);
}

}  // namespace ridge::workbench
