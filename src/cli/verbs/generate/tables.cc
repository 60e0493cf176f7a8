// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/generate/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numeral.h"
#include "base/text.h"
#include "cli/verbs/figure_text.h"
#include "generation/document.h"

namespace ridge::cli {
namespace {

using exports::Align;
using generation::GeneratedPoint;
using scenario::CacheBin;
using scenario::TokenPercentile;

/// "p50 61.2 ms (60.9 ms to 62.0 ms), p90 ..., p99 ...".
std::string percentiles_text(const std::vector<TokenPercentile>& percentiles) {
  std::string out;
  if (percentiles.empty() || !percentiles[0].known) return "no request has one";
  for (const TokenPercentile& p : percentiles) {
    if (!p.known) {
      out += fmt::format(", {} needs {} requests", scenario::percentile_name(p.share), p.needed);
      continue;
    }
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", scenario::percentile_name(p.share),
                       duration(p.value_ns));
    if (p.interval) out += fmt::format(" ({})", interval_text(p, false, "requests"));
  }
  return out;
}

std::string bound_text(double ns, bool exact) {
  return exact ? fmt::format("{:.0f}", ns) : duration(ns);
}

std::string amount_text(std::int64_t bytes, bool exact) {
  return exact ? fmt::format("{}", bytes) : binary_bytes(bytes);
}

/// Inputs other than ids, their places and the mask, with what runs are given.
std::string inputs_text(const generation::DecoderPorts& ports) {
  std::string out;
  for (const generation::InputPort& input : ports.inputs)
    if (input.name != ports.ids && input.name != ports.positions && input.name != ports.mask)
      out += fmt::format("{}{}: {}", out.empty() ? "\n  inputs: " : ", ", printable(input.name),
                         word(input.means));
  return out;
}

std::string cache_text(const GeneratedPoint& p, const generation::DecoderPorts& ports) {
  std::string out;
  if (p.plan.cache_by == runtime::CacheBy::kShared)
    out += fmt::format("\n  cache: shared, past and present are one buffer with room for {} ({})",
                       counted(p.plan.capacity, "token"), binary_bytes(p.buffer_bytes));
  else if (ports.one_buffer)
    out += "\n  cache: grows, past and present are two buffers";
  if (ports.room > 0)
    out += fmt::format("\n  cache: of one size, with room for {}", counted(ports.room, "token"));
  if (p.window > 0)
    out +=
        fmt::format("\n  cache: a window, at most {} of the request's", counted(p.window, "token"));
  return out;
}

/// The largest cache that a step read, and how it went from run to run.
std::string bytes_text(const GeneratedPoint& p) {
  if (p.handed_bytes == 0) return "";
  std::int64_t largest = 0;
  for (const CacheBin& bin : p.figures.bins)
    if (bin.bound) largest = std::max(largest, bin.bound->cache_bytes);
  return fmt::format(
      "\n  cache: {}handed from run to run, {} of {} copied in all (addresses of {} "
      "compared)",
      largest > 0 ? fmt::format("{} in the longest steps, ", binary_bytes(largest)) : "",
      binary_bytes(p.copied_bytes), binary_bytes(p.handed_bytes), counted(p.compared, "tensor"));
}

/// "prompts 812 tokens/s, decoding 61.3 tokens/s".
std::string per_kind_text(const scenario::GenerationFigures& f) {
  const auto rate = [](const std::optional<double>& per_s) {
    return per_s ? significant(*per_s, 4) + " tokens/s" : std::string("unknown");
  };
  return fmt::format("\n  of a client at work: prompts {}, decoding {}", rate(f.prompt_per_s),
                     rate(f.decode_per_s));
}

}  // namespace

exports::Table steps_table(const generation::TokenGeneration& generation, bool exact) {
  exports::Table out({{"runtime"},
                      {"threads", Align::kRight},
                      {"cache", Align::kRight},
                      {"steps", Align::kRight},
                      {exact ? "step_ns" : "step", Align::kRight},
                      {exact ? "ci95_ns" : "95 % interval", Align::kRight},
                      {exact ? "bound_ns" : "bound", Align::kRight},
                      {exact ? "bound_share" : "of step", Align::kRight},
                      {exact ? "bound_kind" : "bound by", Align::kLeft},
                      {"bytes", Align::kRight},
                      {"GB/s", Align::kRight}});
  for (const GeneratedPoint& p : generation.points)
    for (const CacheBin& bin : p.figures.bins) {
      const std::optional<double> bound = bin.bound ? bin.bound->time_ns : std::nullopt;
      const auto took = static_cast<double>(bin.step.value_ns);
      std::string share;
      if (bound && took > 0)
        share = exact ? fmt::format("{:.4f}", *bound / took)
                      : fmt::format("{:.0f} %", 100 * *bound / took);
      const std::int64_t bytes = bin.bound ? bin.bound->bytes() : 0;
      out.add(
          {p.runtime.name, fmt::format("{}", p.threads),
           bin.low == bin.high ? fmt::format("{}", bin.low)
                               : fmt::format("{}-{}", bin.low, bin.high),
           fmt::format("{}", bin.steps), time_text(bin.step.value_ns, exact),
           interval_text(bin.step, exact, "steps"), bound ? bound_text(*bound, exact) : "", share,
           bound ? bin.bound->kind : "", bytes > 0 ? amount_text(bytes, exact) : "",
           bytes > 0 && took > 0 ? fmt::format("{:.2f}", static_cast<double>(bytes) / took) : ""});
    }
  return out;
}

std::string generation_text(const generation::TokenGeneration& generation) {
  std::string out;
  for (const GeneratedPoint& p : generation.points) {
    const scenario::GenerationFigures& f = p.figures;
    out += fmt::format("\n{} {}: {}, {} in {:.1f} s, {}", p.runtime.name, p.runtime.version,
                       counted(f.requests, "request"), counted(f.tokens, "token"), f.duration_s,
                       rate_text(f.tokens_per_s, "tokens/s"));
    if (generation.request.clients > 1)
      out += fmt::format("\n  each client: {}", rate_text(f.client_tokens_per_s, "tokens/s"));
    out += per_kind_text(f);
    out += "\n  time to first token: " + percentiles_text(f.first_token);
    out += "\n  time per output token: " + percentiles_text(f.per_token);
    out += inputs_text(generation.ports);
    out += cache_text(p, generation.ports);
    out += bytes_text(p);
    out += fmt::format("\n  {}\n", word(p.validity.state));
    for (const std::string& reason : p.validity.reasons)
      out += fmt::format("    {}\n", printable(reason));
  }
  if (!generation.no_bounds.empty())
    out += fmt::format("no bounds: {}\n", printable(generation.no_bounds));
  return out;
}

namespace {

void write_generation_text(const generation::TokenGeneration& generation, Sink& sink) {
  exports::Table table = steps_table(generation, false);
  const std::string shared = table.take_shared({"runtime", "threads"});
  sink.write(shared.empty() ? "" : shared + "\n\n");
  sink.write(table.text());
  sink.write(generation_text(generation));
}

}  // namespace

constexpr Document<const generation::TokenGeneration&> kGenerationDocument = {
    .table = write_generation_text,
    .described = generation::write_generation,
    .csv = [](auto& g, Sink& sink) { sink.write(steps_table(g, true).csv()); },
    .md = [](auto& g, Sink& sink) { sink.write(steps_table(g, false).markdown()); }};

}  // namespace ridge::cli
