// SPDX-License-Identifier: Apache-2.0
// Requests per second of the simulator of ridge share replay, by policy, in an open loop and with
// clients.
//
//   cmake --build build --target ridge_share_replay && build/bench/ridge_share_replay [REQUESTS]
//
// 200 models of the built-in costs, Zipf 1, 100 requests a second, memory for a quarter of them;
// the trace is made before. Each is played five times; the median and the range are printed, by
// processor time, because other programs may run beside it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/number.h"
#include "base/words.h"
#include "sharing/record/costs.h"
#include "sharing/replay/generate.h"
#include "sharing/replay/simulator.h"

namespace {

using namespace ridge;  // NOLINT(google-build-using-namespace): a program of one file
using sharing::PolicyKind;

constexpr std::uint32_t kModels = 200;
constexpr std::uint64_t kRequests = 2'000'000;

std::vector<sharing::Simulated> built_in_costs() {
  const sharing::CostTable table = sharing::example_costs();
  std::vector<sharing::Simulated> out;
  for (std::uint32_t i = 0; i < kModels; ++i) {
    const sharing::ModelCosts& c = table.models[i % table.models.size()];
    out.push_back({.bytes = c.bytes,
                   .own_load = c.own_load,
                   .prepared_load = c.prepared_load,
                   .lease = c.lease,
                   .run = c.run});
  }
  return out;
}

double seconds_of(const sharing::Trace& trace, const std::vector<sharing::Simulated>& costs,
                  const sharing::SimulatorOptions& options, sharing::Simulation& out) {
  const std::clock_t begin = std::clock();
  out = sharing::simulate(trace, costs, options);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void print_row(const sharing::Trace& trace, const std::vector<sharing::Simulated>& costs,
               const sharing::SimulatorOptions& options) {
  std::array<double, 5> rates{};
  sharing::Simulation result;
  for (double& rate : rates)
    rate = static_cast<double>(trace.requests.size()) / seconds_of(trace, costs, options, result);
  std::ranges::sort(rates);
  fmt::print("{:10} {:>7} {:8.2f} {:8.2f} {:8.2f} {:8.1f} %\n", word(options.policy.kind),
             options.clients, rates[2] / 1e6, rates[0] / 1e6, rates[4] / 1e6,
             100 * static_cast<double>(result.hits) / static_cast<double>(result.requests));
}

}  // namespace

int main(int argc, char** argv) {
  const auto requests = argc > 1 ? whole_number<std::uint64_t>(argv[1]) : kRequests;
  const Result<sharing::Trace> trace =
      sharing::generate({.models = kModels,
                         .requests = requests.value_or(kRequests),
                         .arrivals = scenario::Poisson{.rate = 100}});
  if (!trace.ok()) {
    fmt::print(stderr, "{}", trace.error().text());
    return EXIT_FAILURE;
  }
  const std::vector<sharing::Simulated> costs = built_in_costs();
  Bytes all{0};
  for (const sharing::Simulated& c : costs) all += c.bytes;
  fmt::print("policy     clients  M req/s    least     most     hits\n");
  for (const std::uint32_t clients : {0U, 16U})
    for (const Word& w : Words<PolicyKind>::list)
      print_row(*trace, costs,
                {.memory = Bytes{all.count / 4},
                 .disk = {},
                 .ask = Nanos{200'000},
                 .policy = {.kind = static_cast<PolicyKind>(w.value)},
                 .clients = clients});
  return EXIT_SUCCESS;
}
