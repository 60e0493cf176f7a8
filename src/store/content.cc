#include "base/hash/digest.h"
#include "store/lists.h"
#include "store/mix.h"
#include "store/model_rows.h"
#include "store/run_rows.h"

namespace ridge::store {
namespace {

using profile::Profile;
using profile::Span;
using profile::Timeline;

template <typename Row>
void mix_row(Digest& d, const Row& row) {
  columns(row, [&](std::string_view, const auto& member) { mix(d, member); });
}

template <typename Row>
void mix_rows(Digest& d, const std::vector<Row>& rows) {
  d.add_int(std::ssize(rows));
  for (const Row& row : rows) mix_row(d, row);
}

void mix_numbers(Digest& d, const std::vector<std::int64_t>& numbers) {
  d.add_int(std::ssize(numbers));
  for (const std::int64_t n : numbers) d.add_int(n);
}

void mix_timeline(Digest& d, const Timeline& t) {
  d.add_int(std::ssize(t.spans()));
  for (const Span& s : t.spans()) {
    d.add_int(s.parent);
    for (const auto text : {s.name, s.thread, s.device, s.queue}) d.add(t.text(text));
    d.add(profile::name(s.level));
    d.add_int(s.start_ns);
    d.add_int(s.end_ns);
    d.add(s.correlation);
    d.add_int(s.attributes);
    for (const profile::SpanAttribute* a = t.begin(s); a != t.end(s); ++a) {
      d.add(t.text(a->key));
      d.add(t.text(a->value));
    }
  }
}

}  // namespace

std::string content_of(const Profile& p) {
  Digest d;
  mix_row(d, p);
  mix_rows(d, p.nodes);
  (void)for_each_list(p, [&](std::string_view, const auto& rows) -> Result<void> {
    mix_rows(d, rows);
    return {};
  });
  for (const profile::Process& process : p.latency.processes) mix_numbers(d, process.samples_ns);
  for (const profile::Layer& layer : p.layers) {
    mix_numbers(d, layer.runs_ns);
    mix_rows(d, layer.kernels);
    mix_rows(d, layer.members);
  }
  mix_timeline(d, p.timeline);
  return d.hex();
}

std::string content_of(const std::vector<profile::Node>& nodes) {
  Digest d;
  mix_rows(d, nodes);
  return d.hex();
}

}  // namespace ridge::store
