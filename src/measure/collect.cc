#include "measure/collect.h"

#include <algorithm>
#include <unordered_map>

namespace ridge::measure {
namespace {

using runtime::KernelInfo;
using runtime::Measurement;
using runtime::Mode;

constexpr std::uint32_t kUnmatched = runtime::kNone;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Kernels by first execution in the first profiled run that has any.
std::vector<std::uint32_t> execution_order(const Measurement& m) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(m.kernels.size(), false);
  for (const auto& run : m.profiled) {
    std::vector<const runtime::KernelEvent*> events;
    for (const auto& e : run.events) events.push_back(&e);
    std::stable_sort(events.begin(), events.end(),
                     [](const auto* a, const auto* b) { return a->start_ns < b->start_ns; });
    for (const auto* e : events) {
      if (e->kernel >= seen.size() || seen[e->kernel]) continue;
      seen[e->kernel] = true;
      order.push_back(e->kernel);
    }
  }
  return order;
}

/// For each kernel of `other` the kernel of `reference` that it is.
std::vector<std::uint32_t> match(const Measurement& reference, const Measurement& other) {
  std::unordered_map<std::string_view, std::uint32_t> by_name;
  for (std::uint32_t k = 0; k < reference.kernels.size(); ++k)
    by_name.emplace(reference.kernels[k].name, k);
  std::vector<std::uint32_t> to(other.kernels.size(), kUnmatched);
  std::vector<bool> taken(reference.kernels.size(), false);

  const auto alike = [&](std::uint32_t a, std::uint32_t b) {
    const KernelInfo &x = reference.kernels[a], &y = other.kernels[b];
    return x.type == y.type && without_numbers(x.name) == without_numbers(y.name);
  };
  const std::vector<std::uint32_t> there = execution_order(reference),
                                   here = execution_order(other);
  const bool same_sequence = there.size() == here.size() && [&] {
    for (std::size_t i = 0; i < here.size(); ++i)
      if (!alike(there[i], here[i])) return false;
    return true;
  }();
  if (same_sequence) {
    for (std::size_t i = 0; i < here.size(); ++i) to[here[i]] = there[i];
    return to;
  }
  for (std::uint32_t k = 0; k < other.kernels.size(); ++k)
    if (const auto it = by_name.find(other.kernels[k].name);
        it != by_name.end() && !taken[it->second]) {
      to[k] = it->second;
      taken[it->second] = true;
    }
  return to;
}

Run plain_run(const runtime::Sample& sample) {
  return {.wall_ns = sample.wall.count,
          .foreign_cpus = std::max(0.0, sample.foreign_cpus),
          .events = {}};
}

Run profiled_run(const Measurement& m, const runtime::ProfiledRun& profiled,
                 const std::vector<std::uint32_t>& to) {
  Run run = plain_run(m.samples[profiled.sample]);
  if (profiled.model_run_ns > 0) run.wall_ns = profiled.model_run_ns;
  for (const runtime::KernelEvent& e : profiled.events)
    run.events.push_back({to[e.kernel], std::max<std::int64_t>(0, e.exclusive_ns)});
  return run;
}

/// The first unprofiled and the first profiled run of every round that has both.
ProcessRuns pair_up(const ProcessMeasurement& process, const std::vector<std::uint32_t>& to) {
  const Measurement& m = process.measurement;
  ProcessRuns out{.load_ns = process.load_ns, .first_run_ns = 0, .plain = {}, .profiled = {}};
  std::unordered_map<std::uint32_t, const runtime::ProfiledRun*> profiled_of;
  for (const auto& run : m.profiled)
    if (run.sample < m.samples.size()) profiled_of.emplace(m.samples[run.sample].round, &run);
  std::uint32_t next = 0;
  for (const runtime::Sample& sample : m.samples) {
    if (sample.mode == Mode::kFirst) out.first_run_ns = sample.wall.count;
    if (sample.mode != Mode::kUnprofiled || sample.round < next) continue;
    const auto it = profiled_of.find(sample.round);
    if (it == profiled_of.end()) continue;
    out.plain.push_back(plain_run(sample));
    out.profiled.push_back(profiled_run(m, *it->second, to));
    next = sample.round + 1;
  }
  return out;
}

}  // namespace

std::string without_numbers(std::string_view name) {
  constexpr std::string_view kToken = "_token_";
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    if (name.substr(i).starts_with(kToken)) {
      out += kToken;
      i += kToken.size();
      while (i < name.size() && digit(name[i])) ++i;
      continue;
    }
    out += name[i++];
  }
  return out;
}

Collected collect(const std::vector<ProcessMeasurement>& processes) {
  Collected out;
  out.same_kernel.resize(processes.size());
  const Measurement* reference = nullptr;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Measurement& m = processes[i].measurement;
    if (m.kernels.empty()) continue;
    if (!reference) {
      reference = &m;
      out.kernels = m.kernels;
      out.order = execution_order(m);
      if (!m.profiled.empty())
        for (const runtime::KernelEvent& e : m.profiled.front().events)
          out.first_run.push_back(e.kernel);
    }
    std::vector<std::uint32_t> to = match(*reference, m);
    const bool whole = std::find(to.begin(), to.end(), kUnmatched) == to.end();
    if (!whole) {
      out.notes.push_back("process " + std::to_string(i + 1) +
                          " ran other kernels than the first one and was left out");
      continue;
    }
    out.processes.push_back(pair_up(processes[i], to));
    out.same_kernel[i] = std::move(to);
  }
  return out;
}

}  // namespace ridge::measure
