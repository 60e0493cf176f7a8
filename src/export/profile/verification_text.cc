// SPDX-License-Identifier: Apache-2.0
#include "export/profile/verification_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "profile/verified.h"

namespace ridge::exports {
namespace {

using profile::Profile;
using profile::VerifiedCut;

std::string verdicts_text(const profile::Verification& v) {
  struct Row {
    profile::Verdict verdict;
    std::string_view text;
  };
  constexpr std::array kRows = {Row{profile::Verdict::kExplained, "explained by the caches"},
                                Row{profile::Verdict::kDiffers, "beyond the limit"},
                                Row{profile::Verdict::kIncomparable, "not comparable"}};
  std::string out;
  for (const Row& row : kRows) {
    const auto n = std::count_if(v.cuts.begin(), v.cuts.end(),
                                 [&](const VerifiedCut& c) { return c.verdict == row.verdict; });
    if (n > 0) out += fmt::format("; {} {}", n, row.text);
  }
  return out;
}

}  // namespace

std::string cut_name(const Profile& p, const VerifiedCut& cut) {
  if (cut.node >= p.nodes.size()) return fmt::format("node #{}", cut.node);
  const profile::Node& node = p.nodes[cut.node];
  return node.name.empty() ? fmt::format("{}#{}", node.op_type, cut.node) : printable(node.name);
}

std::string cut_text(const Profile& p, const VerifiedCut& cut) {
  std::string out = fmt::format(
      "up to {}: {} reported at {}, the part measured at {} ({} .. {}), {:+.1f} % of the latency, "
      "{}",
      cut_name(p, cut), counted(cut.layers, "layer"), duration(cut.layers_ns + cut.outside_ns),
      duration(cut.part_ns.value), duration(cut.part_ns.low()), duration(cut.part_ns.high()),
      100 * cut.difference.value, profile::name(cut.verdict));
  if (cut.explained_ns)
    out +=
        fmt::format("; with the caches of the whole model {}", duration(cut.explained_ns->value));
  return out;
}

std::string verification_text(const Profile& p) {
  const profile::Verification& v = p.verification;
  if (!v.asked()) return "";
  const std::optional<profile::Distances> d = profile::distances(v);
  if (!d)
    return "layer times not verified" +
           (v.reason.empty() ? verdicts_text(v) : ": " + printable(v.reason));
  return fmt::format(
      "layer times verified at {}: median difference {:.1f} % of the latency, largest {:+.1f} % up "
      "to {}{}",
      counted(std::ssize(v.cuts), "cut"), 100 * d->median, 100 * d->at->difference.value,
      cut_name(p, *d->at), verdicts_text(v));
}

}  // namespace ridge::exports
