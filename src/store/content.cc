// SPDX-License-Identifier: Apache-2.0
#include "store/content.h"

#include "store/lists.h"
#include "store/model_rows.h"
#include "store/run_rows.h"

namespace ridge::store {
namespace {

using profile::Profile;
using profile::Span;
using profile::Timeline;

void add_numbers(ContentDigest& d, const std::vector<std::int64_t>& numbers) {
  d.integer(std::ssize(numbers));
  for (const std::int64_t n : numbers) d.integer(n);
}

/// Texts in place of their positions, which differ between a document and the run that wrote it.
void add_timeline(ContentDigest& d, const Timeline& t) {
  d.integer(std::ssize(t.spans()));
  for (const Span& s : t.spans()) {
    d.integer(s.parent);
    for (const auto text : {s.name, s.thread, s.device, s.queue}) d.text(t.text(text));
    d.text(word(s.level));
    d.integer(s.start_ns);
    d.integer(s.end_ns);
    d.integer(static_cast<std::int64_t>(s.correlation));
    d.integer(s.attributes);
    for (const profile::SpanAttribute* a = t.begin(s); a != t.end(s); ++a) {
      d.text(t.text(a->key));
      d.text(t.text(a->value));
    }
  }
}

}  // namespace

std::string content_of(const Profile& p) {
  ContentDigest d;
  d.add_row(p);
  d.add_rows(p.nodes);
  (void)for_each_list(p, [&](std::string_view, const auto& rows) -> Result<void> {
    d.add_rows(rows);
    return {};
  });
  for (const profile::Process& process : p.latency.processes) add_numbers(d, process.samples_ns);
  for (const profile::Layer& layer : p.layers) {
    add_numbers(d, layer.runs_ns);
    d.add_rows(layer.kernels);
    d.add_rows(layer.members);
  }
  add_timeline(d, p.timeline);
  return d.hex();
}

std::string content_of(const std::vector<profile::Node>& nodes) {
  ContentDigest d;
  d.add_rows(nodes);
  return d.hex();
}

}  // namespace ridge::store
