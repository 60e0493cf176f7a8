#include "cli/verbs/generate_tables.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"
#include "cli/verbs/figure_text.h"

namespace ridge::cli {
namespace {

using exports::Align;
using scenario::CacheBin;
using scenario::Percentile;
using workbench::GeneratedPoint;

/// "p50 61.2 ms (60.9 ms to 62.0 ms), p90 ..., p99 ...".
std::string percentiles_text(const std::vector<Percentile>& percentiles) {
  std::string out;
  for (const Percentile& p : percentiles) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", scenario::percentile_name(p.share),
                       duration(p.value_ns));
    if (p.interval) out += fmt::format(" ({})", interval_text(p, false, "requests"));
  }
  return out;
}

std::string bound_text(double ns, bool exact) {
  return exact ? fmt::format("{:.0f}", ns) : duration(ns);
}

std::string bytes_text(const GeneratedPoint& p) {
  if (p.handed_bytes == 0) return "";
  return fmt::format("\n  cache: {} from run to run, {} copied (addresses of {} compared)",
                     binary_bytes(p.handed_bytes), binary_bytes(p.copied_bytes),
                     counted(p.compared, "tensor"));
}

}  // namespace

exports::Table steps_table(const workbench::TokenGeneration& generation, bool exact) {
  exports::Table out({{"runtime"},
                      {"threads", Align::kRight},
                      {"cache", Align::kRight},
                      {"steps", Align::kRight},
                      {exact ? "step_ns" : "step", Align::kRight},
                      {exact ? "ci95_ns" : "95 % interval", Align::kRight},
                      {exact ? "bound_ns" : "bound", Align::kRight},
                      {exact ? "bound_share" : "of step", Align::kRight}});
  for (const GeneratedPoint& p : generation.points)
    for (std::size_t i = 0; i < p.figures.bins.size(); ++i) {
      const CacheBin& bin = p.figures.bins[i];
      const std::optional<double> bound = i < p.bounds.size() ? p.bounds[i].time_ns : std::nullopt;
      const auto took = static_cast<double>(bin.step.value_ns);
      std::string share;
      if (bound && took > 0)
        share = exact ? fmt::format("{:.4f}", *bound / took)
                      : fmt::format("{:.0f} %", 100 * *bound / took);
      out.add({p.runtime.name, fmt::format("{}", p.threads),
               bin.low == bin.high ? fmt::format("{}", bin.low)
                                   : fmt::format("{}-{}", bin.low, bin.high),
               fmt::format("{}", bin.steps), time_text(bin.step.value_ns, exact),
               interval_text(bin.step, exact, "steps"), bound ? bound_text(*bound, exact) : "",
               share});
    }
  return out;
}

std::string generation_text(const workbench::TokenGeneration& generation) {
  std::string out;
  for (const GeneratedPoint& p : generation.points) {
    const scenario::GenerationFigures& f = p.figures;
    out += fmt::format("\n{} {}: {}, {} in {:.1f} s, {}", p.runtime.name, p.runtime.version,
                       counted(f.requests, "request"), counted(f.tokens, "token"), f.duration_s,
                       rate_text(f.tokens_per_s, "tokens/s"));
    if (generation.request.clients > 1)
      out += fmt::format("\n  each client: {}", rate_text(f.client_tokens_per_s, "tokens/s"));
    out += "\n  time to first token: " + percentiles_text(f.first_token);
    out += "\n  time per output token: " + percentiles_text(f.per_token);
    out += bytes_text(p);
    out += fmt::format("\n  {}\n", name(p.validity.state));
    for (const std::string& reason : p.validity.reasons)
      out += fmt::format("    {}\n", printable(reason));
  }
  if (!generation.no_bounds.empty())
    out += fmt::format("no bounds: {}\n", printable(generation.no_bounds));
  return out;
}

}  // namespace ridge::cli
