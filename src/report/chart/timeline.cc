// SPDX-License-Identifier: Apache-2.0
#include "report/chart/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/number.h"
#include "base/text.h"
#include "export/profile/lanes.h"
#include "export/profile/made_timeline.h"
#include "profile/summary.h"
#include "report/chart/axis.h"
#include "report/chart/keys.h"
#include "report/chart/svg.h"
#include "report/kit/layer_id.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using exports::AnyTimeline;
using exports::Lane;
using profile::kFarthest;
using profile::kNoSpan;
using profile::Level;
using profile::SpanId;
using profile::Timeline;

constexpr double kTimelineLeft = 170, kTimelineWidth = 1000, kTimelineRow = 18, kTimelineGap = 8,
                 kTimelineTop = 26, kTitle = 22;
constexpr std::size_t kTimelineMostRows =
    12;                         ///< limit of nesting in one lane, and of overflow lanes
constexpr int kMaxParents = 8;  ///< steps from a span up to its layer

bool drawn(const profile::Span& s) {
  return -kFarthest < s.start_ns && s.start_ns <= s.end_ns && s.end_ns < kFarthest;
}

struct Window {
  std::int64_t start = 0, end = 0;
  bool one_run = false;
  bool shows(const profile::Span& s) const {
    return drawn(s) && s.start_ns < end && s.end_ns > start;
  }
};

Window window_of(const Timeline& t) {
  const std::vector<profile::Span>& spans = t.spans();
  for (const profile::Span& s : spans) {
    if (s.level != Level::kLayer || s.parent == kNoSpan || spans[s.parent].level != Level::kModel)
      continue;
    const profile::Span& run = spans[s.parent];
    if (drawn(run) && run.end_ns > run.start_ns) return {run.start_ns, run.end_ns, true};
  }
  Window all{kFarthest, -kFarthest, false};
  for (const profile::Span& s : spans) {
    if (!drawn(s)) continue;
    all.start = std::min(all.start, s.start_ns);
    all.end = std::max(all.end, s.end_ns);
  }
  return all;
}

struct Chosen {
  std::vector<SpanId> spans;
  std::size_t left_out = 0;
};

Chosen choose_spans(const Timeline& t, const Window& window, std::size_t most) {
  Chosen out;
  for (SpanId id = 0; id < t.spans().size(); ++id)
    if (window.shows(t.spans()[id])) out.spans.push_back(id);
  if (out.spans.size() <= most) return out;
  out.left_out = out.spans.size() - most;
  const auto middle = out.spans.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(out.spans.begin(), middle, out.spans.end(), [&](SpanId a, SpanId b) {
    return std::pair(-t.spans()[a].duration_ns(), a) < std::pair(-t.spans()[b].duration_ns(), b);
  });
  out.spans.resize(most);
  return out;
}

/// Ticks at whole nanoseconds, as many as the script draws.
std::string ticks(const ChartAxis& axis, double bottom) {
  std::string out;
  for (const double ns : axis.ticks(std::min(8.0, axis.high)))
    out += svg_line(axis.at(ns), 18, axis.at(ns), bottom) +
           svg_text(axis.at(ns), 13, "", short_duration(ns));
  return svg_group("class=\"ticks\"", "", out);
}

/// Painter of tracks, one below the other.
class Painter {
 public:
  explicit Painter(const ChartAxis& axis) : axis_(axis) {}

  void add(const TimelineTrack& track, const Timeline& t, const Window& window,
           const std::vector<SpanId>& chosen) {
    track_ = &track;
    t_ = &t;
    window_ = window;
    places_.clear();
    const std::vector<profile::Layer>& layers = track.profile->layers;
    for (std::size_t i = 0; i < layers.size(); ++i) places_.emplace(layers[i].index, i);
    if (!track.title.empty()) {
      out_ += svg_text(0, y_ + 14, "run", printable(track.title));
      y_ += kTitle;
    }
    for (const Lane& lane : exports::lay_out(t, chosen).lanes) paint(lane);
  }

  std::size_t left_out() const { return left_out_; }
  double bottom() const { return y_; }
  const std::string& markup() const { return out_; }

 private:
  void paint(const Lane& lane) {
    if (lane.overflow >= kTimelineMostRows) {
      left_out_ += lane.spans.size();
      return;
    }
    out_ += svg_text(kTimelineLeft - 8, y_ + kTimelineRow - 5, "lane",
                     printable(exports::label(*t_, lane)));
    const std::size_t rows = lane.counts ? heights(lane) : slices(lane);
    y_ += kTimelineRow * static_cast<double>(std::max<std::size_t>(rows, 1)) + kTimelineGap;
  }

  /// Draws the spans of a lane, nested spans a row lower; returns the number of rows.
  ///
  /// Example: spans inner [10, 20), outer [0, 100), late [50, 150), after [150, 160) of one kind.
  /// exports::lay_out() gives the lane {outer, inner, after} and the overflow lane {late}, because
  /// late overlaps outer without nesting. Edges of the first lane: outer begins at depth 0
  /// (y = 26), inner at depth 1 (y = 26 + 18 = 44), both end, after begins at depth 0: 2 rows. The
  /// next lane starts at y = 26 + 2 * 18 + 8 = 70.
  std::size_t slices(const Lane& lane) {
    std::size_t open = 0, rows = 0;
    exports::each_edge(*t_, lane, [&](const exports::Edge& edge) {
      if (!edge.begins) {
        --open;
        return;
      }
      if (open < kTimelineMostRows) {
        bar(edge.span, y_ + kTimelineRow * static_cast<double>(open), kTimelineRow - 3);
        rows = std::max(rows, open + 1);
      } else {
        ++left_out_;
      }
      ++open;
    });
    return rows;
  }

  std::size_t heights(const Lane& lane) {
    double most = 0;
    for (const SpanId id : lane.spans) most = std::max(most, value(id));
    for (const SpanId id : lane.spans) {
      const double height = most > 0 ? std::max(value(id), 0.0) / most * (kTimelineRow - 3) : 0;
      bar(id, y_ + kTimelineRow - 3 - height, std::max(height, 0.5));
    }
    return 1;
  }

  double value(SpanId id) const { return exports::counter_value(*t_, t_->spans()[id]).value_or(0); }

  void bar(SpanId id, double y, double height) {
    const profile::Span& s = t_->spans()[id];
    const double from = since_start(s.start_ns), to = since_start(s.end_ns);
    const double left = axis_.at(from);
    const BarLook look = look_of(s);
    std::string attributes =
        fmt::format("class=\"sp {}{}{}\" data-s=\"{:.7g}\" data-e=\"{:.7g}\"", name(s.level),
                    look.css.empty() ? "" : " ", look.css, from / axis_.high, to / axis_.high);
    if (!look.id.empty()) attributes += fmt::format(" data-id=\"{}\"", look.id);
    out_ += svg_rect({left, y, std::max(axis_.at(to) - left, 0.4), height}, attributes,
                     title_of(s, look));
  }

  /// Time from the start of the track, within it.
  double since_start(std::int64_t ns) const {
    return static_cast<double>(std::clamp(ns, window_.start, window_.end)) -
           static_cast<double>(window_.start);
  }

  /// Appearance from the layer that the span is or is nested in.
  BarLook look_of(const profile::Span& span) const {
    const profile::Span* s = &span;
    for (int up = 0; up < kMaxParents && s->level >= Level::kLayer; ++up) {
      const auto index = whole_number(t_->attribute_of(*s, "layer"));
      if (index) {
        const auto at = places_.find(*index);
        return at == places_.end() ? BarLook{} : track_->look(at->second);
      }
      if (s->parent == kNoSpan) break;
      s = &t_->spans()[s->parent];
    }
    return {};
  }

  std::string title_of(const profile::Span& s, const BarLook& look) const {
    std::string title =
        fmt::format("{}: {}, {} from {}", name(s.level), t_->text(s.name),
                    duration(s.duration_ns()), duration(s.start_ns - window_.start));
    if (!look.text.empty()) title += "\n" + look.text;
    for (const profile::SpanAttribute* a = t_->begin(s); a != t_->end(s); ++a)
      title += fmt::format("\n{}: {}", t_->text(a->key), t_->text(a->value));
    return title;
  }

  ChartAxis axis_;
  const TimelineTrack* track_ = nullptr;
  const Timeline* t_ = nullptr;
  Window window_;
  std::unordered_map<std::int64_t, std::size_t> places_;  ///< positions of layers, by index
  double y_ = kTimelineTop;
  std::size_t left_out_ = 0;
  std::string out_;
};

struct Ready {
  const TimelineTrack* track;
  AnyTimeline timeline;
  Window window;
  Chosen chosen;
};

std::vector<Ready> ready(const std::vector<TimelineTrack>& tracks) {
  std::vector<Ready> out;
  for (const TimelineTrack& track : tracks) {
    Ready r{&track, AnyTimeline(*track.profile), {}, {}};
    r.window = window_of(*r.timeline);
    r.chosen = choose_spans(*r.timeline, r.window, kMaxBars / tracks.size());
    if (!r.chosen.spans.empty()) out.push_back(std::move(r));
  }
  return out;
}

/// Description of the content, one sentence per kind of track.
std::string what_is_shown(const std::vector<Ready>& all) {
  const auto some = [&](auto says) { return std::any_of(all.begin(), all.end(), says); };
  std::vector<std::string> out;
  const auto made = [](const Ready& r) { return r.track->profile->timeline.empty(); };
  const auto measured = [](const Ready& r) { return !profile::is_imported(*r.track->profile); };
  const auto corrected = [](const Ready& r) { return profile::is_corrected(*r.track->profile); };
  if (some([&](const Ready& r) { return !made(r) && r.window.one_run; }))
    out.emplace_back(std::string("One recorded run") +
                     (some(measured) ? "; its times include profiling overhead" : ""));
  if (some([&](const Ready& r) { return !made(r) && !r.window.one_run; }))
    out.emplace_back("Everything that was recorded");
  if (some(made))
    out.emplace_back("No run was recorded" +
                     std::string(std::all_of(all.begin(), all.end(), made) ? "" : " of some") +
                     ": medians of layers" +
                     (some(corrected) ? ", without profiling overhead" : "") + ", laid end to end");
  return fmt::format("{}", fmt::join(out, ". "));
}

constexpr std::string_view kHowTo =
    "Click it, then zoom with the wheel or + and −, move by dragging or with the arrows, see all "
    "with a double click or 0; a layer's bar leads to its row.";

}  // namespace

std::string timelines_section(const std::vector<TimelineTrack>& tracks, std::string_view words) {
  const std::vector<Ready> all = ready(tracks);
  if (all.empty()) return "";
  double longest = 1;
  for (const Ready& r : all)
    longest = std::max(longest, static_cast<double>(r.window.end - r.window.start));
  // All tracks share an axis: nanoseconds from the start of each.
  const ChartAxis axis =
      ChartAxis{.low = 0, .high = longest}.over(kTimelineLeft, kTimelineLeft + kTimelineWidth);
  Painter painter(axis);
  std::size_t left_out = 0;
  for (const Ready& r : all) {
    painter.add(*r.track, *r.timeline, r.window, r.chosen.spans);
    left_out += r.chosen.left_out;
  }
  left_out += painter.left_out();
  std::string what = what_is_shown(all);
  if (left_out > 0)
    what += fmt::format("; the {} shortest or deepest spans are left out", left_out);
  return section(
      all.size() > 1 ? "Timelines" : "Timeline",
      fmt::format("<p class=\"sub\">{}. <span class=\"how\">{}</span></p>\n{}", html_escape(what),
                  kHowTo, words) +
          scrolled(svg_chart(
              "tl", kTimelineLeft + kTimelineWidth + 30, painter.bottom(), "timeline",
              ticks(axis, painter.bottom()) + painter.markup(),
              fmt::format(
                  "tabindex=\"0\" data-left=\"{:.0f}\" data-width=\"{:.0f}\" data-ns=\"{:.0f}\"",
                  kTimelineLeft, kTimelineWidth, longest))));
}

std::string timeline_section(const profile::Profile& p) {
  TimelineTrack track{.title = "", .profile = &p, .look = {}};
  track.look = [&](std::size_t layer) { return BarLook{layer_id(p.layers[layer]), ""}; };
  return timelines_section({track}, "");
}

}  // namespace ridge::report
