// SPDX-License-Identifier: Apache-2.0
#include "profile/describe.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/number.h"
#include "profile/options.h"
#include "record/json_table.h"

namespace ridge::profile {

Error bad_profile(std::string what) { return input_error("RIDGE-PROF-0001", std::move(what)); }

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// "" or the first reference of a layer to a node that is not there, and the like.
std::string broken_layer(const Profile& p) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < p.layers.size(); ++i) {
    const Layer& layer = p.layers[i];
    for (std::size_t m = 0; m < layer.members.size(); ++m)
      if (layer.members[m].node >= p.nodes.size())
        return fmt::format("layers[{}].members[{}] is node {}, which does not exist", i, m,
                           layer.members[m].node);
    if (runs == 0) runs = layer.runs_ns.size();
    if (!layer.runs_ns.empty() && layer.runs_ns.size() != runs)
      return fmt::format("layers[{}] has {} runs, the preceding layers {}", i, layer.runs_ns.size(),
                         runs);
  }
  return "";
}

std::string broken_node(const Profile& p) {
  for (std::size_t i = 0; i < p.nodes.size(); ++i) {
    if (p.nodes[i].index != i) return fmt::format("nodes[{}] has index {}", i, p.nodes[i].index);
    if (p.nodes[i].parent && *p.nodes[i].parent >= i)
      return fmt::format("nodes[{}] has parent {}, which does not precede it", i,
                         *p.nodes[i].parent);
  }
  for (std::size_t i = 0; i < p.without_layer.size(); ++i) {
    const WithoutLayer& row = p.without_layer[i];
    const std::uint32_t highest = std::max(row.node, row.with.value_or(0));
    if (highest >= p.nodes.size())
      return fmt::format("nodes_without_layer[{}] refers to node {}, which does not exist", i,
                         highest);
  }
  return "";
}

std::string broken_cut(const Profile& p) {
  for (std::size_t i = 0; i < p.verification.cuts.size(); ++i) {
    const VerifiedCut& cut = p.verification.cuts[i];
    if (cut.node >= p.nodes.size())
      return fmt::format("verification[{}] refers to node {}, which does not exist", i, cut.node);
    if (cut.layers > p.layers.size())
      return fmt::format("verification[{}] counts {} layers, there are {}", i, cut.layers,
                         p.layers.size());
  }
  return "";
}

}  // namespace

Result<void> check_references(const Profile& p) {
  for (const auto broken : {&broken_node, &broken_layer, &broken_cut})
    if (std::string what = broken(p); !what.empty()) return bad_profile(std::move(what));
  return {};
}

// Layers

std::optional<double> Giga::out(const std::optional<double>& x) {
  return x ? std::optional(*x / 1e9) : x;
}

/// The x with x / 1e9 equal to the written number.
std::optional<double> Giga::in(std::optional<double> written) {
  if (!written) return written;
  const double near = *written * 1e9;
  for (const double x : {near, std::nextafter(near, 0), std::nextafter(near, INFINITY)})
    if (x / 1e9 == *written) return x;
  return near;
}

namespace {
stats::Estimate& corrected_of(Layer& layer) {
  if (!layer.corrected) layer.corrected = stats::Estimate{.value = layer.corrected_ns};
  return *layer.corrected;
}
}  // namespace

double corrected_median(const Layer& l) { return l.corrected ? l.corrected->value : kNone; }
void set_corrected_median(Layer& l, double ns) { corrected_of(l).value = ns; }
stats::Ends corrected_ends(const Layer& l) {
  return l.corrected ? stats::AsEnds::out(l.corrected->interval) : stats::Ends();
}
void set_corrected_ends(Layer& l, const stats::Ends& ns) {
  corrected_of(l).interval = stats::AsEnds::in(ns);
}

// Subject

std::vector<std::pair<std::string, std::int64_t>> Opsets::out(
    const std::map<std::string, std::int64_t>& opsets) {
  std::vector<std::pair<std::string, std::int64_t>> out(opsets.begin(), opsets.end());
  for (auto& [domain, version] : out)
    if (domain.empty()) domain = "ai.onnx";
  return out;
}

std::map<std::string, std::int64_t> Opsets::in(
    std::vector<std::pair<std::string, std::int64_t>> written) {
  std::map<std::string, std::int64_t> out;
  for (auto& [domain, version] : written) out[domain == "ai.onnx" ? "" : domain] = version;
  return out;
}

std::map<std::string, OptionValue> options_of(const Subject& subject) {
  std::map<std::string, OptionValue> out;
  for (auto& [key, text] : all_options(subject)) {
    const auto number = key == "threads" ? whole_number(text) : std::nullopt;
    out[key] = number ? OptionValue(*number) : OptionValue(text);
  }
  return out;
}

Result<void> take_options(Subject& subject, const std::map<std::string, OptionValue>& options) {
  std::map<std::string, std::string> all;
  for (const auto& [key, value] : options) {
    const auto* text = std::get_if<std::string>(&value);
    all[key] = text != nullptr ? *text : std::to_string(std::get<std::int64_t>(value));
  }
  set_options(subject, std::move(all));
  if (options_of(subject) == options) return {};
  return bad_profile("'threads' is an integer, all other options are text");
}

std::span<const std::string_view> profile_kinds() {
  static constexpr std::array<std::string_view, 4> kAll{"measured", "imported", "estimated",
                                                        "bounded"};
  return kAll;
}

std::span<const std::string_view> weight_sources() {
  static constexpr std::array<std::string_view, 4> kAll{"", "seeded", "as-is", "file"};
  return kAll;
}

std::span<const std::string_view> steadinesses() {
  static constexpr std::array<std::string_view, 5> kAll{"", "flat", "warm-up", "slowdown",
                                                        "no steady state"};
  return kAll;
}

// Profiling

std::span<const std::string_view> kinds_of_layer_times() {
  static constexpr std::array<std::string_view, 2> kAll{kCorrectedTimes, kReportedTimes};
  return kAll;
}

namespace {
stats::Estimate& unscaled_of(Profiling& p) {
  if (!p.unscaled_residual) p.unscaled_residual = stats::Estimate{.value = kNone};
  return *p.unscaled_residual;
}
}  // namespace

double unscaled_share(const Profiling& p) {
  return p.unscaled_residual ? p.unscaled_residual->value : kNone;
}
void set_unscaled_share(Profiling& p, double share) { unscaled_of(p).value = share; }
stats::Ends unscaled_ends(const Profiling& p) {
  return p.unscaled_residual ? stats::AsEnds::out(p.unscaled_residual->interval) : stats::Ends();
}
void set_unscaled_ends(Profiling& p, const stats::Ends& shares) {
  unscaled_of(p).interval = stats::AsEnds::in(shares);
}

// Timeline

Result<void> add_text(TimelineDocument& d, std::size_t i, std::string& text) {
  if (i == 0 && text.empty()) return {};
  if (i == 0) d.first_text = 1;
  d.read.append_text(std::move(text));
  return {};
}

Result<void> add_span(TimelineDocument& d, std::size_t i, SpanRow& row) {
  for (TextId* id : {&row.name, &row.thread, &row.device, &row.queue}) {
    if (*id >= d.read.texts() - d.first_text)
      return bad_profile(fmt::format("spans[{}] refers to text {}, which does not exist", i, *id));
    if (*id != 0 || id == &row.name) *id += d.first_text;  // 0: no thread, device or queue
  }
  d.read.add(row);
  for (const auto& [key, value] : row.attributes_of.read) d.read.attribute(key, value);
  return {};
}

Result<void> check_parents(const Timeline& t) {
  for (const Span& span : t.spans())
    if (span.parent != kNoSpan && span.parent >= t.spans().size())
      return bad_profile(fmt::format("spans[{}] has parent {}, which does not exist",
                                     &span - t.spans().data(), span.parent));
  return {};
}

}  // namespace ridge::profile

namespace ridge {

void record::Describe<profile::Layer>::write(JsonWriter& json, const profile::Layer& layer) {
  write_row<kType<profile::Layer>>(json, &layer);
}

void record::Describe<profile::Node>::write(JsonWriter& json, const profile::Node& node) {
  write_row<kType<profile::Node>>(json, &node);
}

void record::Describe<profile::SpanRow>::write(JsonWriter& json, const profile::SpanRow& span) {
  write_row<kType<profile::SpanRow>>(json, &span);
}

}  // namespace ridge
