#include "advice/run/advisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "advice/bound.h"
#include "advice/missed_fusions.h"
#include "advice/model_bound.h"
#include "advice/observations.h"
#include "advice/placed_layers.h"
#include "advice/record/scoreboard.h"
#include "advice/run/bricks.h"
#include "advice/run/check.h"
#include "advice/run/setting.h"
#include "base/text.h"
#include "base/version.h"
#include "profile/summary.h"
#include "rewrite/rewritten.h"
#include "session/machine_roofs.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;

/// Latency up to which the hundred runs of a comparison take no time worth saving.
constexpr double kFastNs = 1e7;

/// Benanza's question that an edit of a kind answers.
std::string question_of(std::string_view kind) { return kind == "overhead" ? "Q4" : "Q5"; }

/// Names of Effect, as findings have them.
std::string effect_name(rewrite::Effect effect) {
  constexpr std::array<std::string_view, 3> kNames = {"rounding", "values", "interface"};
  return std::string(kNames.at(static_cast<std::size_t>(effect)));
}

/// Takes over what a comparison of outputs says of a finding that was applied.
void judge_outputs(Finding& f) {
  const Check& check = *f.check;
  f.lossless = false;
  if (!check.outputs || f.effect == "accuracy") return;
  const OutputDifference& o = *check.outputs;
  const std::string& differs = check.broken ? o.differs_usually : o.differs_unusually;
  if (!differs.empty() && f.effect == "rounding") {
    f.effect = "values";
    f.effect_where = differs;
  }
  f.lossless = f.effect == "rounding" && o.not_compared.empty();
}

Check not_judged(std::string reason) {
  Check out;
  out.reason = std::move(reason);
  return out;
}

}  // namespace

Advisor::Advisor(const AdviceRequest& request, session::Workbench& bench, session::Point point,
                 Resolved resolved, bricks::BricksPoint bricks)
    : request_(request),
      bench_(bench),
      point_(std::move(point)),
      resolved_(std::move(resolved)),
      bricks_(std::move(bricks)),
      loader_(bricks_.loading),
      budget_(request.spec, !request.checks.empty() || request.measure_bricks) {}

Result<Advised> Advisor::run() {
  recorder_ = TRY(session::RunRecorder::open(request_.store, environment()));
  TRY(measure());
  note_what_is_left_alone();
  TRY(find());
  TRY(price());
  TRY(check());
  TRY(add_confidence());
  for (Candidate& c : candidates_) out_.findings.push_back(std::move(c.finding));
  environment().hide_progress();
  return Advised{std::move(out_), std::move(run_), std::move(roofs_)};
}

/// The run of the store, or a new one, which is stored.
Result<void> Advisor::read_or_measure(session::RoofSource& roofs) {
  const runtime::RuntimeInfo info = TRY(loader_.info());
  out_.runtime = info.name;
  out_.runtime_version = info.version;
  run_key_ = TRY(bench_.key(resolved_, point_, info.name, info.version));
  if (recorder_) {
    if (const std::optional<store::RunId> stored = TRY(recorder_->store().run_of_point(run_key_))) {
      run_ = TRY(recorder_->store().read(*stored));
      return {};
    }
    recorder_->assess_host();
  }
  bench_.process_s = budget_.of_run_s();
  session::Measured measured = TRY(bench_.measure(resolved_, point_, roofs));
  if (measured.roof_error) out_.notes.push_back(measured.roof_error->summary());
  run_ = std::move(measured.profile);
  if (recorder_) TRY(recorder_->keep(run_, run_key_));
  return {};
}

/// The run, other ways to run the model, and the bound.
Result<void> Advisor::measure() {
  const auto all = static_cast<int>(processors());
  std::vector<int> threads = {point_.threads};
  if (all != point_.threads) threads.push_back(all);
  session::RoofSource roofs(environment(), threads, false);
  TRY(read_or_measure(roofs));
  for (std::string& note : profile::input_notes(run_)) out_.notes.push_back(std::move(note));
  out_.ridge = version();
  out_.model = request_.model;
  out_.host = bricks_.host_name;
  out_.threads = static_cast<std::uint32_t>(point_.threads);
  out_.measured_ns = run_.latency.ns;
  out_.simulated_ns = run_.profiling.corrected_sum_ns + run_.profiling.outside_layers_ns;
  ways_ = measure_ways(bench_, resolved_, request_.runtimes, roofs, out_.notes);
  const Result<const session::MachineRoofs*> measured = roofs.get();
  bricks_.cache_bytes =
      session::kept_cache_bytes(environment());  // its reach may be known only now
  if (!measured.ok()) {
    out_.notes.push_back(measured.error().summary());
    return {};
  }
  const roofline::Roofs on_all = (*measured)->at(all);
  roofs_ = (*measured)->at(point_.threads);
  const LayerGraph graph(resolved_.model(), run_);
  out_.model_bound = bound_of(model_work(resolved_), roofs_, on_all);
  out_.kernel_bound = bound_of(graph, run_, on_all);
  raise(out_.kernel_bound, out_.model_bound);
  if (all != point_.threads) on_all_ns_ = scaled_to(run_, on_all);
  cover();
  return {};
}

void Advisor::cover() {
  if (ways_.empty()) return;
  std::vector<Way> ways = {{run_.subject.runtime, &run_}};
  for (const AdviceWay& way : ways_) ways.push_back({way.name, &way.run});
  const bool known = !roofs_.levels.empty() && roofs_.levels.back().name == "memory";
  cover_ = best_cover(resolved_, ways, known ? roofs_.levels.back().bytes_per_s : 0);
}

void Advisor::note_what_is_left_alone() {
  const graph::Model& model = resolved_.model();
  std::int64_t left = 0;
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n)
    if (model.graph_of(n) != 0 || !model.kind(n).domain.empty()) ++left;
  if (left > 0)
    out_.notes.push_back(fmt::format(
        "no edit was looked for in {}: in bodies of control flow and functions, or of operator "
        "sets other than ai.onnx",
        counted(left, "node")));
}

/// The run with independent layers at the same time.
void Advisor::schedule() {
  const std::vector<LayerEdge> placed =
      placed_layers(run_, {&resolved_, &network_->optimized, &network_->attribution});
  scheduled_ns_ = LayerGraph(resolved_.model(), run_, placed).scheduled(run_, processors());
}

/// The edited copies.
Result<void> Advisor::find() {
  network_ = TRY(loader_.load(resolved_));
  schedule();
  edits_ = TRY(find_edits(resolved_, *network_, loader_, out_.notes));
  return make_int8();
}

/// The int8 copy, if something asks for it: calibrating it runs the model.
Result<void> Advisor::make_int8() {
  std::optional<Finding> f = int8_finding(resolved_, run_, environment().host, request_.model);
  if (!f || request_.lossless || environment().stopped()) return {};
  Candidate candidate{std::move(*f)};
  if (request_.measure_bricks || asked(candidate)) {
    const measure::Request request = TRY(bench_.request(point_));
    Result<Int8Model> copy = int8_model({&resolved_, request}, loader_);
    if (copy.ok())
      int8_.emplace(std::move(*copy));
    else
      candidate.finding.no_price = copy.error().summary();
  }
  candidates_.push_back(std::move(candidate));
  return {};
}

Result<void> Advisor::measure_wanted_bricks() {
  std::vector<NamedNetwork> models = {{request_.model, &*network_}};
  const auto copy = [&](std::string_view id, const bricks::Network& network) {
    models.push_back({fmt::format("{} with '{}'", request_.model, id), &network});
  };
  for (const AdviceEdit& edit : edits_)
    if (!edit.binds_sizes()) copy(edit.rule->name, edit.network);
  if (int8_) copy(kInt8, int8_->network);
  return measure_bricks(
      models, {.store = request_.store, .spec = request_.spec, .seconds = budget_.of_bricks_s()},
      loader_, environment());
}

/// The achievable time, and the findings with their predicted gains: edits, int8 copy, others.
Result<void> Advisor::price() {
  if (request_.measure_bricks && !environment().stopped()) TRY(measure_wanted_bricks());
  price_ = TRY(AdvicePrice::open(request_.store, bricks_, TRY(loader_.info()), *network_, run_));
  Achievable& least = out_.achievable;
  least = price_.achievable();
  if (cover_ && cover_->total_ns < least.sequential_ns) {
    least.sequential_ns = cover_->total_ns;
    least.layers = cover_->pieces;
  }
  if (scheduled_ns_) least.scheduled_ns = std::min(*scheduled_ns_, least.sequential_ns);
  if (int8_) set_gain(int8_->network, {}, candidates_.at(0).finding);
  std::vector<Candidate> changes;
  for (const AdviceEdit& edit : edits_) changes.push_back({finding(edit), &edit});
  for (Candidate& c : candidates_) changes.push_back(std::move(c));
  candidates_.clear();
  for (Candidate& c : changes) offer(std::move(c));
  add_other_findings();
  name_effects();
  return price_joint();
}

/// Why nothing speaks for a gain from a change of the model; "" if something does.
std::string Advisor::why_not(const Candidate& candidate) const {
  const std::optional<profile::Estimate>& gain = candidate.finding.gain_ns;
  if (gain && gain->high <= 0)
    return fmt::format("bricks predict that the copy takes {} longer", duration(-gain->median));
  if (candidate.edit == nullptr || (gain && gain->low > 0)) return {};
  const std::int64_t more = candidate.edit->more_kernels;
  const std::string& change = candidate.edit->change;
  if (more > 0)
    return fmt::format("with it {}, {} more, and no gain is predicted", change,
                       counted(more, "kernel"));
  if (more == 0 && candidate.finding.kind == "unfused_pattern")
    return fmt::format("with it {}, as many kernels, and no gain is predicted", change);
  return {};
}

/// Adds a change of the model to the findings, or a note why it is none.
void Advisor::offer(Candidate candidate) {
  const Finding& f = candidate.finding;
  if (!is_named(f.id)) {
    const bool gains = f.gain_ns && f.gain_ns->low > 0;
    if (candidate.edit != nullptr && candidate.edit->rule->only_if_predicted && !gains) return;
    if (const std::string why = why_not(candidate); !why.empty()) {
      out_.notes.push_back(fmt::format("'{}' is not offered: {}", f.id, why));
      return;
    }
  }
  candidates_.push_back(std::move(candidate));
}

void Advisor::set_gain(const bricks::Network& after, const rewrite::Origins& origins,
                       Finding& finding) const {
  Result<PricedEdit> priced = price_.of(after, origins);
  finding.no_price = priced.ok() ? "" : priced.error().summary();
  if (!priced.ok()) return;
  finding.gain_ns = priced->gain_ns;
  finding.changed = std::move(priced->changed);
}

Finding Advisor::finding(const AdviceEdit& edit) const {
  const rewrite::Rule& rule = *edit.rule;
  rewrite::Change change = rewrite::change_of(rule, edit.sites);
  Finding out{.id = rule.name,
              .question = question_of(rule.kind),
              .kind = rule.kind,
              .nodes = nodes_of(edit.sites),
              .evidence = fmt::format("{} (in {}); without it {}", rule.what,
                                      counted(std::ssize(edit.sites), "place"), edit.change),
              .gain_ns = {},
              .no_price = "bricks are of models with bound sizes",
              .lossless = false,
              .effect = effect_name(change.effect),
              .effect_where = std::move(change.where),
              .how = rule.how,
              .command = fmt::format("ridge advise {} --apply {} --output better.onnx",
                                     request_.model, rule.name),
              .confidence = {},
              .check = {}};
  if (edit.more_kernels > 0)
    out.evidence += fmt::format("; the copy runs {} more", counted(edit.more_kernels, "kernel"));
  if (!edit.binds_sizes()) set_gain(edit.network, edit.origins, out);
  return out;
}

void Advisor::add_other_findings() {
  std::int64_t samples = run_.latency.rejected;
  for (const profile::Process& p : run_.latency.processes) samples += std::ssize(p.samples_ns);
  const SettingFacts facts{.processors = processors(),
                           .on_all_ns = on_all_ns_,
                           .scheduled_ns = scheduled_ns_,
                           .disturbed_share = samples > 0
                                                  ? static_cast<double>(run_.latency.rejected) /
                                                        static_cast<double>(samples)
                                                  : 0};
  std::vector<AdviceSetting> settings = settings_for(bench_.spec, facts, out_);
  for (AdviceSetting& s : findings_of(ways_, run_, request_.model))
    settings.push_back(std::move(s));
  for (AdviceSetting& s : settings)
    candidates_.push_back({std::move(s.finding), nullptr, std::move(s.spec)});
  if (cover_)
    if (std::optional<Finding> f = finding_of(*cover_, run_, request_.model))
      candidates_.push_back({std::move(*f)});
  const Observed observed{.model = request_.model, .cache_bytes = roofs_.cache_bytes()};
  for (Finding& f : observations(run_, observed)) candidates_.push_back({std::move(f)});
  if (std::optional<Finding> f = missed_fusions(resolved_.model(), run_, request_.model))
    candidates_.push_back({std::move(*f)});
}

/// Before anything was compared, nothing is called lossless.
void Advisor::name_effects() {
  for (Candidate& c : candidates_) {
    if (!c.can_be_applied()) continue;
    c.finding.lossless = false;
    if (c.is_int8())
      c.finding.effect = "accuracy";
    else if (c.finding.effect.empty())
      c.finding.effect = "rounding";
  }
}

/// The edits after which all outputs that remain are the same, of the model with bound sizes.
Advisor::Rules Advisor::together() const {
  Rules out;
  for (const Candidate& c : candidates_)
    if (c.edit != nullptr && c.finding.effect != "values" && !c.edit->binds_sizes())
      out.push_back(c.edit->rule);
  return out;
}

Result<void> Advisor::price_joint() {
  const Rules rules = together();
  if (rules.size() < 2 || environment().stopped()) return {};
  Joint joint;
  for (const rewrite::Rule* rule : rules) joint.ids.push_back(rule->name);
  const Result<bricks::Network> all = loader_.load(TRY(rewrite::rewritten(resolved_, rules)));
  if (all.ok())
    if (const Result<PricedEdit> priced = price_.of(*all); priced.ok())
      joint.gain_ns = priced->gain_ns;
  out_.joint = std::move(joint);
  return {};
}

bool Advisor::is_named(const std::string& id) const {
  return std::ranges::find(request_.checks, id) != request_.checks.end();
}

bool Advisor::asked(const Candidate& c) const {
  return is_named(c.finding.id) || (is_named("all") && c.can_be_applied());
}

Result<void> Advisor::check() {
  std::vector<Candidate*> wanted;
  for (Candidate& c : candidates_)
    if (asked(c)) wanted.push_back(&c);
  const bool all = is_named("all");
  std::size_t left = wanted.size() + (all && out_.joint ? 1 : 0);
  for (Candidate* c : wanted) {
    if (environment().stopped()) return {};
    c->finding.check = TRY(check_of(*c, left--));
    judge_outputs(c->finding);
    TRY(keep(c->finding));
  }
  if (!all || !out_.joint || environment().stopped()) return {};
  const Rules rules = together();
  if (rules.size() < 2) {  // a check found that one of them changes values
    out_.joint.reset();
    return {};
  }
  out_.joint->ids.clear();
  for (const rewrite::Rule* rule : rules) out_.joint->ids.push_back(rule->name);
  const std::optional<double> seconds = budget_.of_check_s(1);
  bench_.process_s = seconds.value_or(0);
  out_.joint->check = seconds ? TRY(check_edits(rules, out_.joint->gain_ns, false))
                              : not_judged("the budget was spent");
  return keep_joint();
}

/// Stores the check of all edits together as one of the kind "together".
Result<void> Advisor::keep_joint() {
  std::set<graph::NodeId> nodes;
  for (const Candidate& c : candidates_)
    if (std::ranges::find(out_.joint->ids, c.finding.id) != out_.joint->ids.end())
      nodes.insert(c.finding.nodes.begin(), c.finding.nodes.end());
  return keep({.id = "together",
               .question = {},
               .kind = "together",
               .nodes = {nodes.begin(), nodes.end()},
               .evidence = {},
               .gain_ns = out_.joint->gain_ns,
               .no_price = {},
               .lossless = false,
               .how = {},
               .command = {},
               .confidence = {},
               .check = out_.joint->check});
}

/// `left`: checks to go, this one included.
Result<Check> Advisor::check_of(const Candidate& c, std::size_t left) {
  if (!c.can_be_applied())
    return not_judged("nothing can be applied: the finding shows where time goes");
  const std::optional<double> seconds = budget_.of_check_s(left);
  if (!seconds) return compared_only(c);
  bench_.process_s = *seconds;
  if (c.edit != nullptr)
    return check_edits({c.edit->rule}, c.finding.gain_ns, c.edit->binds_sizes());
  if (c.spec) return check_setting(c);
  if (!int8_) return not_judged(c.finding.no_price);
  const measure::Request request = TRY(bench_.request(point_));
  return check_finding({&resolved_, request}, {&int8_->resolved, request}, c.finding.gain_ns,
                       Expected::kOther);
}

/// Outputs of a fast model are compared even when the budget was spent.
Result<Check> Advisor::compared_only(const Candidate& c) {
  Check out = not_judged("the budget was spent");
  if (c.edit == nullptr || c.edit->binds_sizes() || out_.measured_ns.median > kFastNs) return out;
  const Resolved better = TRY(rewrite::rewritten(resolved_, Rules{c.edit->rule}));
  const measure::Request request = TRY(bench_.request(point_));
  const measure::Column before{&resolved_, request}, after{&better, request};
  Result<OutputDifference> outputs = compare_widely(before, after, Expected::kSame);
  if (!outputs.ok()) return out;
  out.broken = !outputs->differs_usually.empty();
  out.outputs = std::move(*outputs);
  return out;
}

Result<Check> Advisor::check_edits(const Rules& rules,
                                   const std::optional<profile::Estimate>& predicted,
                                   bool binds_sizes) {
  const Resolved better = TRY(rewrite::rewritten(resolved_, rules));
  const measure::Request request = TRY(bench_.request(point_));
  measure::Request before = request;
  if (binds_sizes) before.sizes = bricks::Loader::Sizes::kAsDeclared;
  return check_finding({&resolved_, before}, {&better, request}, predicted,
                       binds_sizes ? Expected::kSameIfBound : Expected::kSame);
}

Result<Check> Advisor::check_setting(const Candidate& c) {
  const session::Workbench other{bench_.model, *c.spec, environment(), bench_.opened,
                                 bench_.process_s};
  session::Point point = point_;
  point.threads = c.spec->threads.at(0);
  point.runtime = c.spec->runtimes.at(0);
  return check_finding({&resolved_, TRY(bench_.request(point_))},
                       {&resolved_, TRY(other.request(point))}, c.finding.gain_ns, Expected::kSame);
}

/// Stores a check for the scoreboard.
Result<void> Advisor::keep(const Finding& f) {
  if (!recorder_ || environment().stopped()) return {};
  const Check& check = *f.check;
  const OutputDifference unknown{profile::CheckedFinding::kNone, profile::CheckedFinding::kNone};
  const OutputDifference outputs = check.outputs.value_or(unknown);
  TRY(recorder_->store().append({.recorded_s = session::seconds_now(),
                                 .model = request_.model,
                                 .graph_hash = graph::structure_hash(resolved_.model()),
                                 .point = run_key_,
                                 .runtime = out_.runtime,
                                 .runtime_version = out_.runtime_version,
                                 .ridge_version = out_.ridge,
                                 .threads = out_.threads,
                                 .host = out_.host,
                                 .finding = f.id,
                                 .question = f.question,
                                 .kind = f.kind,
                                 .nodes = f.nodes,
                                 .predicted_ns = f.gain_ns.value_or(kUnknown),
                                 .gain_ns = check.gain_ns,
                                 .before_ns = check.before_ns,
                                 .after_ns = check.after_ns,
                                 .state = check.state,
                                 .prediction = check.prediction,
                                 .reason = check.reason,
                                 .max_abs = outputs.max_abs,
                                 .max_rel = outputs.max_rel,
                                 .lossless = f.lossless}));
  return {};
}

Result<void> Advisor::add_confidence() {
  if (!recorder_) return {};
  const Scoreboard board = scoreboard(TRY(recorder_->store().checked_findings()));
  for (Candidate& c : candidates_)
    if (c.finding.gain_ns)
      c.finding.confidence = confidence(board, c.finding.kind, out_.host, out_.runtime);
  return {};
}

}  // namespace ridge::advice
