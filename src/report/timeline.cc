#include "report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "report/markup.h"

namespace ridge::report {
namespace {

using profile::kFarthest;
using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

constexpr double kLeft = 210, kWidth = 990, kRow = 18, kTop = 26;
constexpr std::size_t kMostRows = 12;  ///< of nesting and overlap in one lane

struct Window {
  std::int64_t start = 0, end = 0;
  SpanId run = kNoSpan;
  double at(std::int64_t ns) const {
    const double share = static_cast<double>(ns - start) /
                         static_cast<double>(std::max<std::int64_t>(end - start, 1));
    return std::clamp(share, 0.0, 1.0);
  }
};

bool drawn(const Span& s) {
  return -kFarthest < s.start_ns && s.start_ns <= s.end_ns && s.end_ns < kFarthest;
}

Window window_of(const Timeline& t) {
  const std::vector<Span>& spans = t.spans();
  for (const Span& s : spans) {
    if (s.level != Level::kLayer || s.parent == kNoSpan || spans[s.parent].level != Level::kModel)
      continue;
    const Span& run = spans[s.parent];
    if (drawn(run) && run.end_ns > run.start_ns) return {run.start_ns, run.end_ns, s.parent};
  }
  Window all{kFarthest, -kFarthest};
  for (const Span& s : spans) {
    if (!drawn(s)) continue;
    all.start = std::min(all.start, s.start_ns);
    all.end = std::max(all.end, s.end_ns);
  }
  return all;
}

/// Level, device, queue, thread: the order of the lanes.
using LaneKey = std::tuple<Level, TextId, TextId, TextId>;

struct Lane {
  std::string label;
  std::vector<const Span*> spans;
  std::vector<std::size_t> rows;  ///< by span
  std::size_t height = 1;
  std::size_t dropped = 0;  ///< deeper than kMostRows
};

std::string label_of(const Timeline& t, const Span& s) {
  std::string label(name(s.level));
  for (const TextId id : {s.device, s.queue, s.thread})
    if (id != 0) label += " " + std::string(t.text(id));
  return label;
}

/// Each span takes the first row that is free at its start; longer ones of equal start go first, so
/// what is nested lies below what holds it.
void place(Lane& lane) {
  std::stable_sort(lane.spans.begin(), lane.spans.end(), [](const Span* a, const Span* b) {
    return std::pair(a->start_ns, -a->end_ns) < std::pair(b->start_ns, -b->end_ns);
  });
  std::vector<std::int64_t> free_at;
  for (const Span* s : lane.spans) {
    std::size_t row = 0;
    while (row < free_at.size() && free_at[row] > s->start_ns) ++row;
    lane.rows.push_back(row);
    if (row >= kMostRows) {
      ++lane.dropped;
      continue;
    }
    if (row == free_at.size()) free_at.push_back(0);
    free_at[row] = s->end_ns;
  }
  lane.height = std::max<std::size_t>(free_at.size(), 1);
}

struct Chosen {
  std::map<LaneKey, Lane> lanes;
  std::size_t left_out = 0;
};

Chosen choose(const Timeline& t, const Window& window) {
  std::vector<const Span*> inside;
  for (const Span& s : t.spans())
    if (drawn(s) && s.start_ns < window.end && s.end_ns > window.start) inside.push_back(&s);
  Chosen out;
  if (inside.size() > kMostBars) {
    out.left_out = inside.size() - kMostBars;
    std::nth_element(inside.begin(), inside.begin() + kMostBars, inside.end(),
                     [](const Span* a, const Span* b) {
                       return std::pair(-a->duration_ns(), a) < std::pair(-b->duration_ns(), b);
                     });
    inside.resize(kMostBars);
  }
  for (const Span* s : inside) {
    Lane& lane = out.lanes[{s->level, s->device, s->queue, s->thread}];
    if (lane.spans.empty()) lane.label = label_of(t, *s);
    lane.spans.push_back(s);
  }
  for (auto& [key, lane] : out.lanes) {
    place(lane);
    out.left_out += lane.dropped;
  }
  return out;
}

std::string title_of(const Timeline& t, const Span& s, const Window& window) {
  std::string title = fmt::format("{}: {}, {} from {}", name(s.level), t.text(s.name),
                                  duration(s.duration_ns()), duration(s.start_ns - window.start));
  for (const profile::SpanAttribute* a = t.begin(s); a != t.end(s); ++a)
    title += fmt::format("\n{}: {}", t.text(a->key), t.text(a->value));
  return html_escape(title);
}

std::string bar_of(const Timeline& t, const Span& s, const Window& window, double y) {
  const double from = window.at(s.start_ns), to = window.at(s.end_ns);
  const std::string_view layer = t.attribute_of(s, "layer");
  return fmt::format(
      "<rect class=\"sp {}\" x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" "
      "data-s=\"{:.7g}\" data-e=\"{:.7g}\"{}><title>{}</title></rect>\n",
      name(s.level), kLeft + from * kWidth, y, std::max((to - from) * kWidth, 0.4), kRow - 3, from,
      to, layer.empty() ? "" : fmt::format(" data-id=\"layer-{}\"", html_escape(layer)),
      title_of(t, s, window));
}

std::string svg_of(const Timeline& t, const Window& window, const Chosen& chosen) {
  std::string bars;
  double y = kTop;
  for (const auto& [key, lane] : chosen.lanes) {
    bars += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"lane\">{}</text>\n", kLeft - 8,
                        y + kRow - 5, html_escape(lane.label));
    for (std::size_t i = 0; i < lane.spans.size(); ++i)
      if (lane.rows[i] < kMostRows)
        bars += bar_of(t, *lane.spans[i], window, y + kRow * static_cast<double>(lane.rows[i]));
    y += kRow * static_cast<double>(lane.height) + 8;
  }
  return fmt::format(
      "<svg class=\"tl\" id=\"timeline\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"timeline\" data-left=\"{:.0f}\" data-width=\"{:.0f}\" data-ns=\"{}\">\n"
      "<text x=\"{:.0f}\" y=\"14\" class=\"axis\">0</text>"
      "<text x=\"{:.0f}\" y=\"14\" class=\"axis end\">{}</text>\n<g>{}</g></svg>\n",
      kLeft + kWidth + 10, y, kLeft, kWidth, window.end - window.start, kLeft, kLeft + kWidth,
      duration(window.end - window.start), bars);
}

}  // namespace

std::string timeline_section(const profile::Profile& p) {
  const Timeline& t = p.timeline;
  if (t.empty()) return "";
  const Window window = window_of(t);
  const Chosen chosen = choose(t, window);
  if (chosen.lanes.empty()) return "";
  std::string what = window.run == kNoSpan ? "Everything that was recorded"
                                           : "One recorded run, as the clock saw it: what "
                                             "profiling costs is still in these times";
  if (chosen.left_out > 0)
    what += fmt::format("; the {} shortest or deepest spans are left out", chosen.left_out);
  return section("Timeline", fmt::format("<p class=\"sub\">{}. Turn the wheel to zoom, drag to "
                                         "move, double-click to see all.</p>\n{}",
                                         what, svg_of(t, window, chosen)));
}

}  // namespace ridge::report
