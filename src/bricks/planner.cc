// SPDX-License-Identifier: Apache-2.0
#include "bricks/planner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "bricks/form/likeness.h"
#include "bricks/kernels.h"
#include "bricks/piece_size.h"
#include "bricks/variants.h"
#include "bricks/whole.h"

namespace ridge::bricks {
namespace {

/// Layers of a piece after `steps` of growth from its first size on: 0, 1, 2, 3, 5, 8, 12, ...
/// more.
std::uint32_t grown(std::uint32_t first, std::uint32_t steps) {
  std::uint32_t length = first;
  for (std::uint32_t step = 0; step < steps; ++step) length += step < 3 ? 1 : step - 1;
  return length;
}

/// "conv-3f2a61c0d5e87b94.onnx": the operator with the most work, for people who look for a file.
std::string file_name(const Network& network, const Piece& piece, const std::string& key) {
  std::string_view op = piece.units.empty() ? "brick" : network.node(piece.units[0]).op_type;
  std::int64_t most = 0;
  for (const graph::NodeId n : piece.nodes)
    if (const ops::Dim macs = network.resolved.counts(n).macs;
        macs.known() && macs.value() > most) {
      most = macs.value();
      op = network.resolved.model().node(n).op_type;
    }
  std::string name;
  for (const char c : op)
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') name += static_cast<char>(c | 0x20);
  return fmt::format("{}-{}.onnx", name.empty() ? "brick" : name, key.substr(0, 16));
}

/// Returns how the kernels of a piece differ from a brick's kernels, "" if they are the same.
std::string unlike(std::vector<std::string> brick, const std::vector<KernelKind>& inside) {
  std::vector<std::string> piece;
  for (const KernelKind& kernel : inside) piece.push_back(kernel.op_type);
  std::ranges::sort(brick);
  std::ranges::sort(piece);
  if (brick == piece) return {};
  return fmt::format("an equal piece of another model runs {}, this one {}", fmt::join(brick, ", "),
                     fmt::join(piece, ", "));
}

/// MACs of the nodes of a brick that stand for its piece.
std::int64_t core_macs(const Network& brick) {
  std::int64_t sum = 0;
  const graph::Model& model = brick.resolved.model();
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n) {
    graph::NodeId owner = n;
    while (model.node(owner).parent != graph::kNone) owner = model.node(owner).parent;
    const ops::Dim macs = brick.resolved.counts(n).macs;
    if (is_core_name(model.node(owner).name) && macs.known()) sum += macs.value();
  }
  return sum;
}

}  // namespace

Planner::Planner(Loader& loader, Granularity granularity, Plan plan, Save save)
    : loader_(loader),
      granularity_(granularity),
      plan_(std::move(plan)),
      save_(std::move(save)),
      sequences_(granularity.joined) {
  for (std::size_t b = 0; b < plan_.bricks.size(); ++b) {
    brick_of_.emplace(plan_.bricks[b].key, b);
    known_.add(content_of(plan_.bricks[b].kernels, plan_.bricks[b].macs));
  }
}

void Planner::survey(const Network& network) {
  if (granularity_.joined > 0) sequences_.add(layer_keys(network, Cutter(network)));
}

std::uint32_t Planner::first_length(const Cutter& cutter, std::uint32_t at,
                                    std::uint32_t layers) const {
  if (granularity_.layers > 0) return std::min(granularity_.layers, layers - at);
  std::uint32_t end = at + 1;
  while (end < layers && cutter.crossing()[end] > 1) ++end;
  return end - at;
}

Result<std::string> Planner::check_alone(const Network& network, const Candidate& candidate) {
  const Result<BrickModel> made = brick_model(network, candidate.piece, candidate.form);
  if (!made.ok()) return made.error().summary();
  auto model = graph::Model::build(made->document);
  if (!model.ok()) return model.error().summary();
  const Result<analysis::Resolved> resolved =
      analysis::resolve(std::make_shared<const graph::Model>(std::move(*model)), {});
  if (!resolved.ok()) return resolved.error().summary();
  ++checked_;
  Result<Network> alone = loader_.load(*resolved);
  // A disk that is full or a process that was ended says nothing of the candidate, which runtimes
  // do not always tell apart: a failure counts that happens twice.
  if (!alone.ok() && !loader_.interrupted()) alone = loader_.load(*resolved);
  if (!alone.ok()) {
    const Error& error = alone.error();
    if (loader_.interrupted()) return error;
    // A candidate may crash the runtime; then the model that was loaded before still loads.
    const bool of_machine =
        error.error_class() == ErrorClass::kEnvironment && !loader_.load(network.resolved).ok();
    if (of_machine) return error;
    return error.summary();
  }
  const std::vector<KernelKind> inside = kernels_inside(network, candidate.piece);
  if (std::string why = kernel_difference(inside, kernels_alone(*alone)); !why.empty()) return why;
  if (const std::int64_t macs = core_macs(*alone); macs != candidate.piece.macs)
    return fmt::format("alone it has {} MACs instead of {}", macs, candidate.piece.macs);
  Brick brick{.key = candidate.form.key,
              .file = file_name(network, candidate.piece, candidate.form.key),
              .digest = {},
              .macs = candidate.piece.macs,
              .bytes = size_of(network, candidate.piece, candidate.form).bytes,
              .ports = made->ports,
              .kernels = {},
              .whole = candidate.piece.whole,
              .occurrences = {},
              .rejected = {}};
  for (const KernelKind& kernel : inside) brick.kernels.push_back(kernel.op_type);
  known_.add(content_of(brick.kernels, brick.macs));
  pending_.emplace(candidate.form.key, Pending{std::move(brick), made->document});
  return std::string();
}

Result<std::string> Planner::check(const Network& network, const Candidate& candidate) {
  const std::string& key = candidate.form.key;
  // Equal pieces may run other kernels in another model, such as a product that is fused there.
  const auto known_brick = [&](const Brick& brick) {
    return unlike(brick.kernels, kernels_inside(network, candidate.piece));
  };
  if (const auto known = brick_of_.find(key); known != brick_of_.end())
    return known_brick(plan_.bricks[known->second]);
  if (const auto fresh = pending_.find(key); fresh != pending_.end())
    return known_brick(fresh->second.brick);
  const std::string like = TRY(likeness(network, candidate.piece));
  if (const auto known = rejected_.find(like); known != rejected_.end()) return known->second;
  std::string why = TRY(check_alone(network, candidate));
  if (!why.empty()) rejected_.emplace(like, why);
  return why;
}

bool Planner::is_known(const std::string& key) const {
  return brick_of_.contains(key) || pending_.contains(key);
}

/// Tries the variants of a piece. nullopt: none can be used; `why`: what differs in the first.
Result<std::optional<Planner::Candidate>> Planner::try_piece(const Network& network,
                                                             const Piece& piece, Try bricks,
                                                             std::string& why) {
  for (const Piece& variant : variants(network, piece)) {
    Result<Form> form = canonical_form(network, variant);
    if (!form.ok()) {
      if (why.empty()) why = form.error().summary();
      continue;
    }
    if (bricks == Try::kKnown && !is_known(form->key)) continue;
    Candidate candidate{variant, std::move(*form)};
    const std::string difference = TRY(check(network, candidate));
    if (difference.empty()) return std::optional(std::move(candidate));
    if (why.empty()) why = difference;
  }
  return std::optional<Candidate>();
}

Result<std::optional<Planner::Candidate>> Planner::join(const Network& network,
                                                        const Cutter& cutter, std::uint32_t at,
                                                        std::uint32_t sequence_end) {
  std::string why;
  std::vector<std::uint32_t> ends;  // of pieces that may be known
  Content content;
  for (std::uint32_t end = at + 1;
       end <= network.layers.size() && content.count <= known_.longest(); ++end) {
    content.add(network, end - 1);
    if (known_.contains(content)) ends.push_back(end);
  }
  for (const std::uint32_t end : ends | std::views::reverse)
    if (auto found = TRY(try_piece(network, cutter.piece(at, end), Try::kKnown, why))) return found;
  for (std::uint32_t length = sequence_end - at; length > 1; length /= 2)
    if (auto found = TRY(try_piece(network, cutter.piece(at, at + length), Try::kAny, why)))
      return found;
  return std::optional<Candidate>();
}

void Planner::remove(const std::string& model) {
  for (Brick& b : plan_.bricks)
    std::erase_if(b.occurrences, [&](const Occurrence& o) { return o.model == model; });
  std::erase_if(plan_.left_over, [&](const LeftOver& l) { return l.model == model; });
}

/// Finds the smallest piece that starts at layer `at`, or takes in the last of the pieces `before`
/// it, and whose brick runs the kernels of the model. Removes from `before` what it takes in.
/// nullopt: there is none; `why`: what differs in the first piece tried.
Result<std::optional<Planner::Candidate>> Planner::grow(const Network& network,
                                                        const Cutter& cutter,
                                                        std::vector<Candidate>& before,
                                                        std::uint32_t at, std::uint32_t first,
                                                        std::string& why) {
  const auto layers = static_cast<std::uint32_t>(network.layers.size());
  for (std::uint32_t growth = 0; growth <= kMaxForward + kMaxBack; ++growth)
    for (std::uint32_t back = 0; back <= std::min(growth, kMaxBack); ++back) {
      const std::uint32_t end = at + grown(first, growth - back);
      if (back > before.size() || growth - back > kMaxForward || end > layers) continue;
      const std::size_t kept = before.size() - back;
      const std::uint32_t begin = back == 0 ? at : before[kept].piece.first;
      std::optional<Candidate> found =
          TRY(try_piece(network, cutter.piece(begin, end), Try::kAny, why));
      if (!found) continue;
      before.resize(kept);
      return found;
    }
  return std::optional<Candidate>();
}

Result<std::vector<Planner::Candidate>> Planner::cut(const Network& network,
                                                     const std::string& model,
                                                     const OnProgress& progress) {
  const Cutter cutter(network);
  const auto layers = static_cast<std::uint32_t>(network.layers.size());
  if (granularity_.brief_models)
    if (std::optional<Piece> whole = whole_piece(network, cutter))
      if (Result<Form> form = canonical_form(network, *whole); form.ok()) {
        Candidate candidate{std::move(*whole), std::move(*form)};
        const std::string difference = TRY(check(network, candidate));
        if (difference.empty()) return std::vector{std::move(candidate)};
      }
  std::vector<Candidate> out, run;  // `run`: pieces since the last layers left over
  std::vector<std::uint32_t> sequence_ends;
  if (granularity_.joined > 0) sequence_ends = sequences_.ends(layer_keys(network, cutter));
  std::uint32_t at = 0;
  while (at < layers) {
    if (progress) progress(at, layers);
    const std::uint32_t first = first_length(cutter, at, layers);
    std::string why;
    std::optional<Candidate> found;
    if (!sequence_ends.empty()) found = TRY(join(network, cutter, at, sequence_ends[at]));
    if (!found) found = TRY(grow(network, cutter, run, at, first, why));
    if (found) {
      at = found->piece.last;
      run.push_back(std::move(*found));
      continue;
    }
    if (const Piece piece = cutter.piece(at, at + first); !piece.nodes.empty()) {
      const Result<Form> form = canonical_form(network, piece);
      plan_.left_over.push_back({model, piece.nodes, why, form.ok() ? form->key : std::string()});
    }
    at += first;
    std::ranges::move(run, std::back_inserter(out));
    run.clear();
  }
  std::ranges::move(run, std::back_inserter(out));
  return out;
}

Result<void> Planner::add(PlannedModel model, const Network& network, const OnProgress& progress) {
  remove(model.name);
  pending_.clear();
  const std::vector<Candidate> pieces = TRY(cut(network, model.name, progress));
  std::set<std::string> used;
  for (const Candidate& c : pieces) {
    const std::string& key = c.form.key;
    if (const auto fresh = pending_.find(key);
        fresh != pending_.end() && !brick_of_.contains(key)) {
      fresh->second.brick.digest = TRY(save_(*fresh->second.model, fresh->second.brick.file));
      brick_of_.emplace(key, plan_.bricks.size());
      plan_.bricks.push_back(std::move(fresh->second.brick));
    }
    plan_.bricks[brick_of_.at(key)].occurrences.push_back(
        {model.name, c.piece.nodes, c.piece.live_bytes});
    used.insert(key);
  }
  pending_.clear();
  for (const LeftOverNode& n : network.left_over)
    plan_.left_over.push_back({model.name, {n.node}, n.why, {}});
  model.bricks = static_cast<std::uint32_t>(pieces.size());
  model.unique = static_cast<std::uint32_t>(used.size());
  const auto same = std::ranges::find(plan_.models, model.name, &PlannedModel::name);
  if (same != plan_.models.end())
    *same = std::move(model);
  else
    plan_.models.push_back(std::move(model));
  // Bricks of the earlier version of a model that this one replaces.
  std::erase_if(plan_.bricks, [](const Brick& b) { return b.occurrences.empty(); });
  brick_of_.clear();
  for (std::size_t b = 0; b < plan_.bricks.size(); ++b) brick_of_.emplace(plan_.bricks[b].key, b);
  follow_models();
  return {};
}

/// Puts occurrences and nodes left over in the order of the models, and counts for each model the
/// bricks that no model before it has: a model that is planned again changes nothing.
void Planner::follow_models() {
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t m = 0; m < plan_.models.size(); ++m) {
    position.emplace(plan_.models[m].name, m);
    plan_.models[m].added = 0;
  }
  const auto of = [&](const auto& row) { return position.at(row.model); };
  for (Brick& b : plan_.bricks) {
    std::ranges::stable_sort(b.occurrences, {}, of);
    ++plan_.models[of(b.occurrences[0])].added;
  }
  std::ranges::stable_sort(plan_.left_over, {}, of);
}

}  // namespace ridge::bricks
