#include "export/layer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "export/profile_table.h"

namespace ridge::exports {
namespace {

using profile::Evidence;
using profile::Layer;
using profile::Member;
using profile::Profile;
using profile::Role;

std::string_view meaning(Role role) {
  switch (role) {
    case Role::kExecutes:
      return "this layer carries its work";
    case Role::kPart:
      return "one of several layers that the runtime made of it";
    case Role::kAbsorbed:
      return "it lives on in the layer's weights";
  }
  return "";
}

std::string_view meaning(Evidence evidence) {
  switch (evidence) {
    case Evidence::kRuntimeList:
      return "the runtime names its originals";
    case Evidence::kSameTensor:
      return "the tensors at the layer's boundary survive by name";
    case Evidence::kRenamed:
      return "a documented rule of the runtime's renaming";
    case Evidence::kRegion:
      return "the region's members are certain, their split inside it is convention";
    case Evidence::kValue:
      return "outputs equal numerically in a check run";
    case Evidence::kGuess:
      return "a guess";
  }
  return "";
}

std::string_view meaning(profile::Why why) {
  switch (why) {
    case profile::Why::kFolded:
      return "computed when the model was loaded";
    case profile::Why::kEliminated:
      return "it has no effect, or nobody reads it";
    case profile::Why::kMerged:
      return "equal to another node, computed once";
    case profile::Why::kNotExecuted:
      return "its branch was not taken, or its loop made no trip";
    case profile::Why::kInside:
      return "control flow is timed as a whole";
  }
  return "";
}

void line(Sink& sink, std::string_view key, const std::string& text) {
  sink.write(fmt::format("{:<12}{}\n", key, printable(text)));
}

std::string roof_text(const Layer& layer) {
  const profile::Bound& b = layer.bound;
  if (!b.time_ns) return "unknown: " + b.reason;
  std::string out = fmt::format("{}: at least {}", b.kind, duration(*b.time_ns));
  return b.roof_share ? out + fmt::format(", {:.0f} % of the layer's time", 100 * *b.roof_share)
                      : out + "; " + b.reason;
}

void write_layer(const Profile& p, const Layer& layer, const Member& member, Sink& sink) {
  line(sink, "layer",
       fmt::format("#{} {} {} ({})", layer.index, layer.type, layer.name, layer.implementation));
  line(sink, "role", fmt::format("{}: {}", profile::name(member.role), meaning(member.role)));
  line(sink, "evidence",
       fmt::format("{}: {}", profile::name(member.evidence), meaning(member.evidence)));
  line(sink, "members", member_names(p, layer));
  line(sink, "time",
       fmt::format("{} [{}, {}] as reported, {}{} less the profiler's part, {:.1f} % of all layers",
                   duration(layer.time_ns.median), duration(layer.time_ns.low),
                   duration(layer.time_ns.high),
                   layer.below_resolution ? "below what can be resolved: " : "",
                   duration(layer.corrected_ns), 100 * layer.share));
  const auto giga = [](std::optional<double> rate) {
    return rate ? fmt::format("{:.1f}", *rate / 1e9) : std::string("unknown");
  };
  line(sink, "rate",
       fmt::format("{} GFLOP/s, {} GB/s, {} FLOP/B, computed in {}", giga(layer.flop_per_s),
                   giga(layer.bytes_per_s),
                   layer.intensity ? fmt::format("{:.2f}", *layer.intensity) : "unknown",
                   layer.precision.empty() ? "an unknown type" : layer.precision));
  line(sink, "roof", roof_text(layer));
  for (const profile::Kernel& kernel : layer.kernels)
    line(sink, "kernel",
         fmt::format("{} {} {}", kernel.type, kernel.name, duration(kernel.time_ns.median)));
}

}  // namespace

void write_layer_text(const Profile& p, std::uint32_t node, Sink& sink) {
  std::vector<std::pair<const Layer*, Member>> found;
  for (const Layer& layer : p.layers)
    for (const Member& m : layer.members)
      if (m.node == node) found.emplace_back(&layer, m);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second.role < b.second.role; });
  sink.write(fmt::format("\nin {} {}, latency {}\n", printable(p.subject.runtime),
                         printable(p.subject.runtime_version), duration(p.latency.ns.median)));
  for (const auto& [layer, member] : found) write_layer(p, *layer, member, sink);
  for (const profile::WithoutLayer& n : p.without_layer)
    if (n.node == node)
      line(sink, "no layer",
           fmt::format("{}: {}{}", profile::name(n.why), meaning(n.why),
                       n.with ? fmt::format(" (node #{})", *n.with) : ""));
}

}  // namespace ridge::exports
