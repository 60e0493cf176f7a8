#include "roofline/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "profile/rows.h"
#include "roofline/bound.h"

namespace ridge::roofline {
namespace {

void add(profile::Module& module, const profile::Layer& layer) {
  module.time_ns += layer.corrected_ns;
  module.share += layer.share;
  profile::add(module.work, layer.work);
  profile::add(module.bytes, layer.bytes);
  ++module.layers;
}

void place(profile::Layer& layer, const Roofs& roofs, double cheapest_kernel_ns) {
  const auto ops = profile::operations(layer.work);
  const bool timed = layer.corrected_ns > 0;
  if (ops && timed) layer.flop_per_s = *ops / layer.corrected_ns * 1e9;
  if (layer.bytes && timed)
    layer.bytes_per_s = static_cast<double>(*layer.bytes) / layer.corrected_ns * 1e9;
  if (ops && layer.bytes && *layer.bytes > 0)
    layer.intensity = *ops / static_cast<double>(*layer.bytes);
  layer.bound = bound_of({layer.work.macs, layer.bytes, layer.precision}, roofs, cheapest_kernel_ns,
                         layer.corrected_ns);
}

bool digit(char c) { return c >= '0' && c <= '9'; }

/// The run of digits that `text` begins with, without leading zeros.
std::string_view number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && digit(text[end])) ++end;
  const std::string_view digits = text.substr(0, end);
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// Modules in the order of a tree: below their parent before its siblings, numbers by value
/// (layer.2 before layer.10).
struct TreeOrder {
  bool operator()(std::string_view left, std::string_view right) const {
    std::string_view a = left, b = right;
    while (!a.empty() && !b.empty()) {
      if (digit(a[0]) && digit(b[0])) {
        const std::string_view x = number(a), y = number(b);
        if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
        a.remove_prefix(std::min(a.find_first_not_of("0123456789"), a.size()));
        b.remove_prefix(std::min(b.find_first_not_of("0123456789"), b.size()));
        continue;
      }
      if (a[0] != b[0]) return a[0] == '/' || (b[0] != '/' && a[0] < b[0]);
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
    // layer.1 and layer.01 are two modules.
    return a.empty() && b.empty() ? left < right : a.empty();
  }
};

}  // namespace

void place(profile::Profile& profile, const Roofs& roofs) {
  for (profile::Layer& layer : profile.layers)
    place(layer, roofs, profile.profiling.cheapest_kernel_ns);
  profile.modules = roll_up(profile.layers);
}

std::vector<profile::Module> roll_up(const std::vector<profile::Layer>& layers) {
  std::map<std::string, profile::Module, TreeOrder> by_path;
  // A sum begins at 0, not at "cannot be known".
  const auto at = [&](const std::string& path) -> profile::Module& {
    return by_path.try_emplace(path, profile::Module{.bytes = 0}).first->second;
  };
  for (const profile::Layer& layer : layers) {
    add(at(""), layer);
    std::uint32_t depth = 0;
    for (std::size_t end = 0; !layer.module.empty() && end != std::string::npos;) {
      end = layer.module.find('/', end + 1);
      profile::Module& module = at(layer.module.substr(0, end));
      module.depth = ++depth;
      add(module, layer);
    }
  }
  std::vector<profile::Module> out;
  for (auto& [path, module] : by_path) {
    module.path = path;
    out.push_back(std::move(module));
  }
  return out;
}

std::optional<Lever> biggest_lever(const profile::Profile& profile) {
  std::map<std::string, Lever> by_type;
  std::map<std::string, std::map<std::string, double>> bounds;
  for (const profile::Layer& layer : profile.layers) {
    if (!layer.bound.time_ns || layer.corrected_ns <= 0) continue;
    Lever& lever = by_type[layer.type];
    ++lever.layers;
    lever.time_ns += layer.corrected_ns;
    lever.share += layer.share;
    lever.gap_ns += std::max(0.0, layer.corrected_ns - *layer.bound.time_ns);
    bounds[layer.type][layer.bound.kind] += layer.corrected_ns;
  }
  if (by_type.empty()) return std::nullopt;
  const auto best = std::max_element(
      by_type.begin(), by_type.end(),
      [](const auto& a, const auto& b) { return a.second.gap_ns < b.second.gap_ns; });
  Lever lever = best->second;
  lever.type = best->first;
  const auto& kinds = bounds[lever.type];
  lever.bound = std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
                  return a.second < b.second;
                })->first;
  return lever;
}

std::string text(const Lever& lever) {
  const std::string roof =
      lever.bound == "compute" ? "the compute roof"
      : lever.bound == "overhead"
          ? "the cost of the runtime's cheapest kernel"
          : "the bandwidth of " + lever.bound.substr(lever.bound.find(':') + 1);
  return fmt::format(
      "Biggest lever: {} {} layer{} take {} ({:.0f} % of the layers' time); at their bounds, "
      "mostly {}, they would take {}.",
      lever.layers, printable(lever.type), lever.layers == 1 ? "" : "s", duration(lever.time_ns),
      100 * lever.share, roof, duration(lever.time_ns - lever.gap_ns));
}

}  // namespace ridge::roofline
