// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/query_source.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ridge::runtime {
namespace {

/// The models are chosen by numbers of their own, so that a share does not change the moments.
constexpr std::uint64_t kMixSeed = 0x6d69'7874;

}  // namespace

Result<QuerySource> QuerySource::make(const scenario::Scenario& s,
                                      const std::vector<std::uint32_t>& samples) {
  TRY(scenario::check(s));
  if (samples.size() != s.mix.size() + 1)
    return bug("not the samples of each model", "QuerySource");
  std::vector<Model> models;
  std::uint32_t first = 0;
  for (const std::uint32_t count : samples) {
    if (count == 0) return bug("a load without samples", "QuerySource");
    models.push_back({.first = first, .samples = count});
    first += count;
  }
  QuerySource out(s, std::move(models));
  if (s.kind == scenario::Kind::kServer)
    out.arrivals_ = TRY(scenario::make_arrivals(s.arrivals, s.seed));
  out.warming_ = s.warmup_duration.count > 0 || s.warmup_queries > 0;
  if (s.mix.empty()) return out;
  std::vector<double> weights = {1 - std::accumulate(s.mix.begin(), s.mix.end(), 0.0)};
  weights.insert(weights.end(), s.mix.begin(), s.mix.end());
  out.mixture_ = TRY(scenario::Mixture::make(weights, s.seed ^ kMixSeed));
  return out;
}

/// Ends the warm-up where its time and its queries are over.
bool QuerySource::warms_up(std::int64_t at_ns) {
  if (!warming_) return false;
  if (at_ns - begun_ns_ < scenario_.warmup_duration.count || warmed_ < scenario_.warmup_queries)
    return true;
  warming_ = false;
  // A server's schedule goes on as it is, even if its next query is not due for a while.
  measured_ns_ = scenario_.kind == scenario::Kind::kServer && scenario_.warmup_queries == 0
                     ? begun_ns_ + scenario_.warmup_duration.count
                     : at_ns;
  return false;
}

/// True if another query may be drawn. Where the last one is beyond the least duration, it is the
/// one before that must lie within.
bool QuerySource::goes_on(const Due& due, std::int64_t at_ns) const {
  if (scenario_.last == scenario::Last::kWithin || due.warmup) return belongs(due, at_ns);
  return belongs(due, at_ns) && (due.ordinal < scenario_.min_queries ||
                                 last_ns_ - measured_ns_ < scenario_.min_duration.count);
}

bool QuerySource::belongs(const Due& due, std::int64_t at_ns) const {
  // Another worker may have ended the warm-up at a later moment.
  const std::int64_t after = std::max<std::int64_t>(0, at_ns - due.phase_ns);
  if (after >= scenario_.max_duration.count) return false;
  if (due.warmup) return true;
  if (due.ordinal >= scenario_.max_queries) return false;
  return scenario_.last == scenario::Last::kBeyond || due.ordinal < scenario_.min_queries ||
         after < scenario_.min_duration.count;
}

bool QuerySource::out_of_time(std::int64_t now_ns) const {
  return now_ns - (warming_ ? begun_ns_ : measured_ns_) >= scenario_.max_duration.count;
}

/// The moment at which a query is due: queries of a client that waits for its answers at once, the
/// samples of an offline load all at its beginning.
std::optional<Due> QuerySource::draw(std::int64_t asked_ns) {
  Due out{.due_ns = asked_ns};
  if (arrivals_ != nullptr) {
    const std::int64_t after = arrivals_->next();
    if (after == scenario::kNever) return std::nullopt;
    out.due_ns = asked_ns = begun_ns_ + after;
  }
  out.warmup = warms_up(asked_ns);
  out.ordinal = out.warmup ? warmed_ : scheduled_;
  out.phase_ns = out.warmup ? begun_ns_ : measured_ns_;
  if (!goes_on(out, asked_ns)) return std::nullopt;
  last_ns_ = asked_ns;
  ++(out.warmup ? warmed_ : scheduled_);
  if (scenario_.kind == scenario::Kind::kOffline) out.due_ns = out.phase_ns;
  if (mixture_) out.model = mixture_->next();
  out.sample = draw_sample(out.model, out.ordinal);
  return out;
}

std::uint64_t QuerySource::abandon(std::uint64_t drawn) {
  if (arrivals_ == nullptr) return 0;
  std::uint64_t out = drawn;
  while (draw(0)) ++out;
  return out;
}

std::uint32_t QuerySource::draw_sample(std::uint32_t model, std::uint64_t ordinal) {
  Model& m = models_[model];
  if (scenario_.order == scenario::Order::kListed)
    return scenario_.listed[ordinal % scenario_.listed.size()];
  if (scenario_.order == scenario::Order::kRandom)
    return m.first + static_cast<std::uint32_t>(random_.below(m.samples));
  const std::uint32_t sample = m.in_turn;
  m.in_turn = (m.in_turn + scenario_.samples_per_query) % m.samples;
  return m.first + sample;
}

std::uint32_t QuerySource::neighbor(const Due& due, std::uint32_t i) const {
  const Model& m = models_[due.model];
  return m.first + (due.sample - m.first + i) % m.samples;
}

}  // namespace ridge::runtime
