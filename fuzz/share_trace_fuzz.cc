// SPDX-License-Identifier: Apache-2.0
// Traces of Azure Functions, as any text and in two files; what is read is played. Files of costs,
// too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"
#include "sharing/record/costs_file.h"
#include "sharing/replay/azure_trace.h"
#include "sharing/replay/bounds.h"
#include "sharing/replay/simulator.h"

namespace {

using ridge::fuzz::check;
using ridge::sharing::AzureTraceReader;
using ridge::sharing::HitBounder;
using ridge::sharing::LoopKind;
using ridge::sharing::Request;
using ridge::sharing::Simulated;
using ridge::sharing::Simulation;
using ridge::sharing::Trace;

/// A minute may have millions.
constexpr std::size_t kMostPlayed = 2000;

void play_all(const Trace& trace) {
  check(std::ranges::is_sorted(trace.requests, {}, &Request::at_ns));
  for (const Request& request : trace.requests)
    check(request.model < trace.models.size() && request.at_ns >= 0);
  const std::vector<ridge::Bytes> sizes(trace.models.size(), ridge::Bytes{3});
  const std::vector<Simulated> models(
      trace.models.size(), {.bytes = {3}, .own_load = {9}, .prepared_load = {5}, .run = {2}});
  for (const std::uint32_t clients : {0U, 2U}) {
    const LoopKind loop = clients > 0 ? LoopKind::kClosed : LoopKind::kOpen;
    const ridge::Bytes memory{10};
    const Simulation s =
        ridge::sharing::simulate(trace, models, {.memory = memory, .disk = {}, .clients = clients});
    check(s.requests == trace.requests.size() && s.peak <= memory);
    check(s.hits <= HitBounder(trace, sizes, loop).within(memory).at_most);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  AzureTraceReader reader({.share = size % 2 == 0 ? 1 : 0.5, .most_requests = kMostPlayed});
  const std::size_t half = text.find("\n\n");
  bool read = reader.add(text.substr(0, half)).ok();
  if (read && half != std::string_view::npos) read = reader.add(text.substr(half + 2)).ok();
  if (read)
    if (const ridge::Result<Trace> trace = std::move(reader).finish(); trace.ok()) play_all(*trace);
  if (const auto costs = ridge::sharing::parse_costs(text); costs.ok())
    check(!costs->models.empty());
  return 0;
}
