// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/lines.h"
#include "base/version.h"
#include "sharing/policy/admission.h"
#include "sharing/replay/azure_trace.h"
#include "sharing/replay/bounds.h"
#include "sharing/replay/simulator.h"

namespace ridge::sharing {
namespace {

/// A trace, and what its rows call it.
struct NamedTrace {
  std::string name;
  double share = 1;
  std::uint32_t models = 0;  ///< models that are asked for
  Trace trace;
};

std::uint32_t models_asked_for(const Trace& trace) {
  std::vector<std::uint8_t> seen(trace.models.size());
  for (const Request& request : trace.requests) seen[request.model] = 1;
  return static_cast<std::uint32_t>(std::ranges::count(seen, 1));
}

Result<NamedTrace> recorded(const ReplayPlan& plan, double share) {
  AzureTraceReader reader({.share = share, .seed = plan.seed});
  for (const std::string& path : plan.files)
    if (Result<void> read = reader.add(TRY(read_text_file(path, kMostTraceBytes))); !read.ok())
      return std::move(read).error().in_file(path);
  std::string name = std::filesystem::path(plan.files[0]).filename().string();
  if (plan.files.size() > 1) name += fmt::format(" and {} more", plan.files.size() - 1);
  Result<Trace> trace = std::move(reader).finish();
  if (!trace.ok()) return std::move(trace).error().in_file(plan.files[0]);
  return NamedTrace{std::move(name), share, models_asked_for(*trace), std::move(*trace)};
}

Result<NamedTrace> drawn(GeneratorSpec spec, const ReplayPlan& plan, double share) {
  spec.share = share;
  spec.seed = plan.seed;
  Trace trace = TRY(generate(spec));
  return NamedTrace{popularity_text(spec.popularity), share, models_asked_for(trace),
                    std::move(trace)};
}

/// The costs of each model of a trace.
std::vector<Simulated> costs_of(const Trace& trace, const ReplayPlan& plan) {
  std::vector<Simulated> out(trace.models.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const ModelCosts& c = plan.costs.models[i % plan.costs.models.size()];
    out[i] = {.bytes = c.bytes,
              .own_load = c.own_load,
              .prepared_load = c.prepared_load,
              .lease = c.lease,
              .run = c.run,
              .shared = plan.admission == Admission::kAll ||
                        worth_sharing(c.bytes, c.objects, *plan.costs.sharing)};
  }
  return out;
}

/// All budgets, policies and numbers of clients for one trace.
void play_trace(const NamedTrace& named, const ReplayPlan& plan, Replay& out) {
  const std::vector<Simulated> models = costs_of(named.trace, plan);
  std::vector<Bytes> sizes;
  for (const Simulated& model : models) sizes.push_back(model.bytes);
  const HitBounder bounder(named.trace, sizes,
                           plan.clients.empty() ? LoopKind::kOpen : LoopKind::kClosed);
  std::vector<HitBounds> bounds;
  for (const Bytes memory : plan.memories) bounds.push_back(bounder.within(memory));
  std::vector<std::uint32_t> clients = plan.clients;
  if (clients.empty()) clients.push_back(0);
  for (const std::uint32_t n : clients)
    for (std::size_t i = 0; i < bounds.size(); ++i)
      for (const PolicySpec& policy : plan.policies)
        out.rows.push_back({.of = {.trace = named.name,
                                   .clients = n,
                                   .share = named.share,
                                   .models = named.models,
                                   .memory = plan.memories[i]},
                            .policy = policy_text(policy),
                            .result = simulate(named.trace, models,
                                               {.memory = plan.memories[i],
                                                .disk = plan.disk,
                                                .ask = plan.costs.ask,
                                                .policy = policy,
                                                .clients = n}),
                            .bound = bounds[i]});
}

}  // namespace

Result<Replay> play(const ReplayPlan& plan) {
  TRY(check(plan.costs));
  if (plan.admission == Admission::kRho && !plan.costs.sharing)
    return usage_error("RIDGE-SHARE-0205", "rho needs the costs of sharing itself")
        .hint("add [sharing] with bytes_per_s, export_ns and open_ns to the file of --costs");
  Replay out;
  out.ridge = version();
  out.seed = plan.seed;
  out.arrivals = plan.arrivals;
  out.costs = plan.costs_name;
  out.admission = word(plan.admission);
  if (plan.admission == Admission::kRho)
    for (const ModelCosts& c : plan.costs.models)
      if (!worth_sharing(c.bytes, c.objects, *plan.costs.sharing)) out.not_shared.push_back(c.name);
  if (!plan.files.empty())
    for (const double share : plan.shares) play_trace(TRY(recorded(plan, share)), plan, out);
  for (const GeneratorSpec& spec : plan.generators)
    for (const double share : plan.shares) play_trace(TRY(drawn(spec, plan, share)), plan, out);
  return out;
}

}  // namespace ridge::sharing
