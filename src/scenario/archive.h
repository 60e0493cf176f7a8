// Serialization of scenarios for the pipe between ridge and its child processes (ipc/archive.h):
// one function per type serves both directions.
#pragma once

#include <cstdint>
#include <variant>

#include "scenario/scenario.h"

namespace ridge::scenario {

template <typename Archive>
void fields(Archive& archive, Constant& p) {
  archive(p.rate);
}

template <typename Archive>
void fields(Archive& archive, Poisson& p) {
  archive(p.rate);
}

template <typename Archive>
void fields(Archive& archive, Gamma& p) {
  archive(p.rate, p.shape);
}

template <typename Archive>
void fields(Archive& archive, Bursty& p) {
  archive(p.quiet_rate, p.burst_rate, p.quiet_s, p.burst_s);
}

template <typename Archive>
void fields(Archive& archive, Replay& p) {
  archive(p.times_ns, p.speed, p.rounds);
}

/// Makes the alternative that a decoder has read the number of.
template <std::size_t kAlternative = 0>
void select(std::size_t wanted, ArrivalProcess& process) {
  if constexpr (kAlternative < std::variant_size_v<ArrivalProcess>) {
    if (wanted != kAlternative) return select<kAlternative + 1>(wanted, process);
    if (process.index() != wanted) process.emplace<kAlternative>();
  }
}

template <typename Archive>
void fields(Archive& archive, ArrivalProcess& process) {
  auto index = static_cast<std::uint8_t>(process.index());
  archive(index);
  archive.check(index < std::variant_size_v<ArrivalProcess>);
  select(index, process);
  std::visit([&](auto& alternative) { fields(archive, alternative); }, process);
}

template <typename Archive>
void fields(Archive& archive, Batching& b) {
  archive(b.most, b.wait, b.sizes);
}

template <typename Archive>
void fields(Archive& archive, Scenario& s) {
  archive(s.kind, s.arrivals, s.samples_per_query, s.lanes, s.order, s.seed, s.warmup_runs);
  archive(s.least_duration, s.least_queries, s.most_duration, s.most_queries);
  archive(s.batching, s.clients, s.mix, s.warmup_duration, s.warmup_queries);
  archive(s.last, s.listed, s.kept);
  archive.check(s.kind <= Kind::kClosedLoop && s.order <= Order::kListed &&
                s.last <= Last::kBeyond);
}

}  // namespace ridge::scenario
