// SPDX-License-Identifier: Apache-2.0
#include "export/profile/rows.h"

#include "export/profile/describe_rows.h"
#include "export/profile/made_timeline.h"
#include "record/csv.h"
#include "record/json_write.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Span;
using profile::Timeline;

std::vector<MemberLine> members_of(const profile::Profile& p, const Layer& layer) {
  std::vector<MemberLine> out;
  for (const profile::Member& m : layer.members)
    out.push_back({m, m.node < p.nodes.size() ? p.nodes[m.node].name : std::string()});
  return out;
}

}  // namespace

void write_layer_lines(const profile::Profile& p, Sink& sink) {
  LayerLine line{.model = p.subject.path, .runtime = p.subject.runtime, .layer = {}, .members = {}};
  for (const Layer* layer : in_order(p)) {
    line.layer = *layer;
    line.members = members_of(p, *layer);
    record::write_json(line, sink);
  }
}

void write_span_rows(const profile::Profile& p, Sink& sink) {
  const AnyTimeline any(p);
  const Timeline& t = *any;
  record::write_csv_header(record::kType<SpanLine>, sink);
  SpanLine line;
  for (const Span& s : t.spans()) {
    line.parent = s.parent == profile::kNoSpan ? std::nullopt : std::optional(s.parent);
    line.level = s.level;
    line.name = t.text(s.name);
    line.start_ns = s.start_ns;
    line.end_ns = s.end_ns;
    line.thread = t.text(s.thread);
    line.device = t.text(s.device);
    line.queue = t.text(s.queue);
    line.correlation = s.correlation;
    line.attributes = {.of = &t, .first = t.begin(s), .last = t.end(s), .read = {}};
    record::write_csv_line(record::kType<SpanLine>, &line, sink);
    ++line.id;
  }
}

}  // namespace ridge::exports
