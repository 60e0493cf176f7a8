#include "report/profile/verification_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/profile/verification_text.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using profile::Profile;
using profile::VerifiedCut;

constexpr double kVerificationWidth = 900, kVerificationHeight = 380, kVerificationLeft = 80,
                 kVerificationRight = 20, kVerificationTop = 16, kVerificationBottom = 40;

/// Maps times to pixels on both axes.
struct Frame {
  double longest_ns = 1;
  double x(double ns) const {
    return kVerificationLeft +
           ns / longest_ns * (kVerificationWidth - kVerificationLeft - kVerificationRight);
  }
  double y(double ns) const {
    return kVerificationHeight - kVerificationBottom -
           ns / longest_ns * (kVerificationHeight - kVerificationTop - kVerificationBottom);
  }
};

/// Cumulative time of the layers; the time outside layers is distributed in proportion to it.
std::string curve(const Profile& p, const Frame& frame) {
  std::string points = fmt::format("{:.1f},{:.1f}", frame.x(0), frame.y(0));
  double layers = 0;
  const double all = std::max(p.profiling.corrected_sum_ns, 1.0);
  for (const profile::Layer& layer : p.layers) {
    layers += layer.corrected_ns;
    const double said = layers * (1 + p.profiling.outside_layers_ns / all);
    points += fmt::format(" {:.1f},{:.1f}", frame.x(said), frame.y(said));
  }
  return "<polyline class=\"said\" points=\"" + points + "\"/>\n";
}

std::string mark(const Profile& p, const VerifiedCut& cut, const Frame& frame) {
  const double x = frame.x(cut.layers_ns + cut.outside_ns);
  std::string out =
      fmt::format("<g class=\"cut {}\" data-node=\"{}\">", profile::name(cut.verdict), cut.node);
  if (std::isfinite(cut.part_ns.low) && std::isfinite(cut.part_ns.high))
    out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x,
                       frame.y(cut.part_ns.high), frame.y(cut.part_ns.low));
  out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>", x,
                     frame.y(cut.part_ns.median));
  if (cut.explained_ns)
    out += fmt::format("<circle class=\"cold\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>", x,
                       frame.y(cut.explained_ns->median));
  return out + "<title>" + html_escape(exports::cut_text(p, cut)) + "</title></g>\n";
}

std::string axes(const Frame& frame) {
  std::string out;
  for (int i = 0; i <= 4; ++i) {
    const double ns = frame.longest_ns * i / 4;
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"y\" x=\"{3:.0f}\" y=\"{4:.1f}\">{5}</text>"
        "<text class=\"x\" x=\"{6:.1f}\" y=\"{7:.0f}\">{5}</text>\n",
        kVerificationLeft, kVerificationWidth - kVerificationRight, frame.y(ns),
        kVerificationLeft - 8, frame.y(ns) + 4, html_escape(duration(ns)), frame.x(ns),
        kVerificationHeight - kVerificationBottom + 20);
  }
  return out;
}

std::string verification_chart_svg(const Profile& p) {
  Frame frame{p.latency.ns.median};
  for (const VerifiedCut& cut : p.verification.cuts) {
    frame.longest_ns = std::max(frame.longest_ns, cut.part_ns.median);
    if (std::isfinite(cut.part_ns.high))
      frame.longest_ns = std::max(frame.longest_ns, cut.part_ns.high);
  }
  std::string marks;
  for (const VerifiedCut& cut : p.verification.cuts) marks += mark(p, cut, frame);
  return fmt::format(
             "<svg class=\"vf\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"layer times "
             "against "
             "parts of the model\">\n",
             kVerificationWidth, kVerificationHeight) +
         axes(frame) + curve(p, frame) + marks + "</svg>\n";
}

std::string verification_table(const Profile& p) {
  std::string rows;
  for (const VerifiedCut& cut : p.verification.cuts)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{} .. {}</td><td class=\"n\">{:+.1f} %</td>"
        "<td class=\"n\">{}</td><td>{}</td></tr>\n",
        html_escape(exports::cut_name(p, cut)), cut.layers,
        duration(cut.layers_ns + cut.outside_ns), duration(cut.part_ns.low),
        duration(cut.part_ns.high), 100 * cut.difference.median,
        cut.explained_ns ? duration(cut.explained_ns->median) : "", profile::name(cut.verdict));
  return "<div class=\"scroll\"><table><thead><tr><th>up to</th><th class=\"n\">layers</th><th "
         "class=\"n\">said to take</th><th class=\"n\">the part takes</th><th "
         "class=\"n\">difference"
         "</th><th class=\"n\">behind the whole model</th><th>verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string verification_section(const Profile& p) {
  if (!p.verification.asked()) return "";
  std::string markup = "<p class=\"sub\">" + html_escape(exports::verification_text(p)) + "</p>\n";
  if (!p.verification.cuts.empty())
    markup += legend({"cut", "turn"}) + scrolled(verification_chart_svg(p)) + verification_table(p);
  return section("Layer times against parts of the model", markup);
}

}  // namespace ridge::report
