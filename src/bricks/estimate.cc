// SPDX-License-Identifier: Apache-2.0
#include "bricks/estimate.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "bricks/cover.h"
#include "bricks/neighbors.h"
#include "bricks/piece_size.h"

namespace ridge::bricks {
namespace {

/// Measured bricks with other kernels from which on their errors give a 95 % interval.
constexpr std::size_t kEnoughAlike = 20;

/// Kernels of BrickSize::kind.
std::set<std::string> kernels_of(std::string_view kind) {
  std::set<std::string> out;
  std::string_view left = kind.substr(0, kind.find('|'));
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(' '), left.size());
    if (end > 0) out.emplace(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return out;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// End of the longest path through the parts, each after those it reads from.
double critical_path(const Cutter& cutter, const std::vector<CoverPart>& parts,
                     const std::vector<EstimatedLayer>& layers) {
  std::vector<double> end_of_layer;  // by layer: when its part ends
  double last = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Piece& piece = parts[i].piece;
    double start = 0;
    for (std::uint32_t l = piece.first; l < piece.last; ++l)
      for (const std::uint32_t source : cutter.sources(l))
        if (source < piece.first) start = std::max(start, end_of_layer[source]);
    end_of_layer.resize(piece.last, start + layers[i].time.value);
    last = std::max(last, end_of_layer.back());
  }
  return last;
}

class Estimating {
 public:
  Estimating(const Network& network, const BrickTimes& times, const BoundOf& bound)
      : network_(network), times_(times), bound_(bound) {}

  ModelEstimate run() {
    const Cutter cutter(network_);
    const std::vector<CoverPart> parts = cover(network_, cutter, times_);
    for (const CoverPart& part : parts) add(part);
    const Term outside{&times_.outside(), 1};
    if (parts.size() == 1 && parts[0].piece.whole) {
      out_.outside = {0, stats::Interval{}};
    } else {
      terms_.push_back(outside);
      out_.outside = sum_of({&outside, 1});
    }
    out_.total = {kUnknown};
    out_.critical_path_ns = kUnknown;
    if (out_.missing > 0 || times_.outside().empty()) return std::move(out_);
    std::vector<PredictedTerm> predicted;
    for (const auto& [key, term] : predicted_) predicted.push_back(term);
    out_.total = with_cuts(sum_of(terms_, predicted), terms_);
    out_.critical_path_ns = critical_path(cutter, parts, out_.layers) + out_.outside.value;
    double known = 0, guessed = 0;
    for (const EstimatedLayer& l : out_.layers)
      (l.source == Source::kMeasured ? known : guessed) += l.time.value;
    if (known + guessed > 0) {
      out_.measured_share = known / (known + guessed);
      out_.predicted_share = guessed / (known + guessed);
    }
    return std::move(out_);
  }

 private:
  void add(const CoverPart& part) {
    EstimatedLayer layer{.nodes = part.piece.nodes, .brick = part.form.key, .time = {}, .why = {}};
    if (part.time != nullptr) {
      const Term term = part.time->term(1);
      const auto same = std::ranges::find(terms_, term.times, &Term::times);
      if (same != terms_.end())
        ++same->count;
      else
        terms_.push_back(term);
      layer.time = with_cuts(sum_of({&term, 1}), {&term, 1});
    } else {
      predict(part, layer);
    }
    if (layer.source == Source::kMissing) ++out_.missing;
    out_.layers.push_back(std::move(layer));
  }

  void predict(const CoverPart& part, EstimatedLayer& layer) {
    layer.source = Source::kMissing;
    layer.time = {kUnknown};
    layer.why = times_.lost(part.form.key);
    if (layer.why.empty()) layer.why = "it was not planned";
    if (part.form.key.empty()) return;
    if (!neighbors_) {
      std::vector<MeasuredSize> measured;
      for (const auto& [key, brick] : times_.all())
        measured.push_back({brick.size, brick.mean_ns()});
      neighbors_.emplace(std::move(measured));
    }
    const BrickSize size = size_of(network_, part.piece, part.form);
    const std::optional<Prediction> prediction =
        neighbors_->predict(size, bound_ ? bound_(part.piece) : 0);
    if (!prediction || !enough(size)) {
      layer.why += ", and too few bricks like it were measured to predict it";
      return;
    }
    layer.source = Source::kPredicted;
    ++out_.predicted;
    layer.time = {prediction->ns, prediction->ci};
    // Equal pieces share the error of one prediction.
    PredictedTerm& all = predicted_[part.form.key];
    all.ns += prediction->ns;
    all.half_width_ns +=
        std::max(prediction->ci.hi - prediction->ns, prediction->ns - prediction->ci.lo);
  }

  /// True if a measured brick has a kernel in common, or enough are otherwise alike to tell how far
  /// predictions from other kernels are off (neighbors.h): the interval would be a guess otherwise.
  bool enough(const BrickSize& size) const {
    const std::set<std::string> kernels = kernels_of(size.kind);
    std::size_t alike = 0;
    for (const auto& [key, brick] : times_.all()) {
      for (const std::string& kernel : kernels_of(brick.size.kind))
        if (kernels.contains(kernel)) return true;
      alike += (brick.size.macs > 0) == (size.macs > 0) ? 1 : 0;
    }
    return alike >= kEnoughAlike;
  }

  const Network& network_;
  const BrickTimes& times_;
  const BoundOf& bound_;
  std::optional<Neighbors> neighbors_;
  std::vector<Term> terms_;
  std::map<std::string, PredictedTerm> predicted_;  // by key
  ModelEstimate out_;
};

}  // namespace

ModelEstimate estimate(const Network& network, const BrickTimes& times, const BoundOf& bound) {
  return Estimating(network, times, bound).run();
}

}  // namespace ridge::bricks
