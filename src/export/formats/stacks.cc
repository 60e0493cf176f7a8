// SPDX-License-Identifier: Apache-2.0
#include "export/formats/stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/checked.h"
#include "base/text.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using profile::Count;
using profile::Layer;
using profile::Profile;
using profile::Work;

constexpr std::size_t kOperators = 4;

/// Operations as intensity counts them: a multiply-accumulate is 2. nullopt: unknown, or beyond 64
/// bits.
Count flops_of(const Work& w) {
  if (!w.macs || !w.flops || !w.special || !w.int_ops) return std::nullopt;
  Count sum = 0;
  for (const std::int64_t part : {*w.macs, *w.macs, *w.flops, *w.special, *w.int_ops})
    sum = sum ? checked_add(*sum, part) : sum;
  return sum;
}

std::string root_of(const Profile& p) { return p.subject.path.empty() ? "model" : p.subject.path; }

/// Adds a frame per module: "a/b/c" -> "a", "a/b", "a/b/c".
void add_modules(std::vector<std::string>& frames, std::string_view path) {
  for (std::size_t end = 0; end != std::string_view::npos && !path.empty();) {
    end = path.find('/', end + 1);
    frames.emplace_back(path.substr(0, end));
  }
}

/// Frame of a line of collapsed stacks.
std::string frame_text(std::string_view name) {
  std::string text = printable(name);
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

}  // namespace

std::string operators_of(const Profile& p, const Layer& layer) {
  std::vector<std::string_view> types;
  for (const profile::Member& m : layer.members) {
    if (m.role == profile::Role::kAbsorbed || m.node >= p.nodes.size()) continue;
    const std::string& type = p.nodes[m.node].op_type;
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  if (types.empty()) return layer.type.empty() ? "(no operator)" : layer.type;
  std::string out;
  for (const std::string_view type : std::span(types).first(std::min(types.size(), kOperators)))
    out += (out.empty() ? "" : " + ") + std::string(type);
  if (types.size() > kOperators) out += fmt::format(" + {} more", types.size() - kOperators);
  return out;
}

namespace {

/// Latency of a run, else of a run with the profiler on; NaN where neither is known.
double run_ns(const Profile& p) {
  const double plain = p.latency.ns.value;
  return std::isfinite(plain) && plain > 0 ? plain : p.profiling.profiled_latency_ns.value;
}

/// Scales the samples so that they add up to `run`: medians of layers may add up to more than the
/// median run. Cumulative sums are rounded, so no time is negative and rounding does not add up.
///
/// Example: layers of 100 and 50 ns, a run of 121 ns. Cumulative sums 100 and 150, times 121 / 150,
/// round to 81 and 121, so the layers get 81 and 40 ns.
void shrink(std::vector<StackSample>& samples, std::int64_t sum, std::int64_t run) {
  double before = 0;
  std::int64_t given = 0;
  for (StackSample& s : samples) {
    before += static_cast<double>(s.time_ns);
    const std::int64_t upto =
        std::min(run, whole_ns(before * (static_cast<double>(run) / static_cast<double>(sum))));
    s.time_ns = std::max<std::int64_t>(0, upto - given);
    given += s.time_ns;
  }
  if (!samples.empty()) samples.back().time_ns += run - given;
}

}  // namespace

std::vector<StackSample> stacks(const Profile& p) {
  std::vector<StackSample> out;
  Count sum = 0;
  for (const Layer* layer : in_order(p)) {
    StackSample s{.frames = {root_of(p)}, .layer = layer, .time_ns = whole_ns(layer->corrected_ns)};
    add_modules(s.frames, layer->module);
    s.frames.push_back(operators_of(p, *layer));
    s.flops = flops_of(layer->work);
    s.bytes = layer->bytes;
    if (sum) sum = checked_add(*sum, s.time_ns);
    out.push_back(std::move(s));
  }
  const std::int64_t run = whole_ns(run_ns(p));
  if (!sum || run <= 0 || run == *sum) return out;
  if (run < *sum)
    shrink(out, *sum, run);
  else
    out.push_back({.frames = {root_of(p), "(outside layers)"},
                   .time_ns = run - *sum,
                   .flops = 0,
                   .bytes = 0});
  return out;
}

std::string collapsed_stacks(const Profile& p) {
  std::map<std::string, std::int64_t> lines;
  for (const StackSample& s : stacks(p)) {
    std::string line;
    for (const std::string& frame : s.frames) line += (line.empty() ? "" : ";") + frame_text(frame);
    std::int64_t& sum = lines[line];
    sum = checked_add(sum, s.time_ns).value_or(std::numeric_limits<std::int64_t>::max());
  }
  std::string out;
  for (const auto& [line, ns] : lines) out += fmt::format("{} {}\n", line, ns);
  return out;
}

}  // namespace ridge::exports
