// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as spans: chains of parents end in roots, and every query returns a table or the
// error of missing data.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "trace/build_view.h"
#include "trace/queries.h"
#include "trace/show.h"

namespace {

using ridge::profile::kNoSpan;
using ridge::profile::Level;
using ridge::profile::Timeline;

constexpr std::size_t kBytesPerSpan = 8;
constexpr std::size_t kMaxSpans = 512;

/// Small time, or for two byte values an extreme one.
std::int64_t time_of(std::uint8_t byte) {
  if (byte == 0xff) return std::numeric_limits<std::int64_t>::max();
  if (byte == 0xfe) return std::numeric_limits<std::int64_t>::min();
  return byte;
}

void add_span(const std::uint8_t* bytes, Timeline& t) {
  const std::array<ridge::profile::TextId, 4> texts = {0, t.intern("a"), t.intern("b"),
                                                       t.intern("c")};
  t.add({.parent = bytes[0] % 4 == 0 ? bytes[1] : kNoSpan,
         .level = static_cast<Level>(bytes[2] % 7),
         .name = texts[bytes[3] % 4],
         .start_ns = time_of(bytes[4]),
         .end_ns = time_of(bytes[5]),
         .thread = texts[bytes[6] % 4],
         .device = texts[bytes[6] / 4 % 4],
         .queue = texts[bytes[6] / 16 % 4],
         .correlation = bytes[7] % 16U});
  if (bytes[7] >= 0x80) t.attribute("layer", std::to_string(bytes[7] % 4));
  if (bytes[7] >= 0xc0) t.attribute("flops", "1e18");
}

/// Checks that no chain of parents is longer than the number of spans, as a cycle would be.
void check_parents(const Timeline& t) {
  const auto& spans = t.spans();
  for (const ridge::profile::Span& span : spans) {
    std::size_t steps = 0;
    for (auto at = span.parent; at != kNoSpan; at = spans[at].parent) {
      ridge::fuzz::check(at < spans.size());
      ridge::fuzz::check(++steps <= spans.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::profile::Profile profile;
  profile.layers.resize(size % 3);
  for (std::size_t at = 0; at + kBytesPerSpan <= std::min(size, kMaxSpans * kBytesPerSpan);
       at += kBytesPerSpan)
    add_span(data + at, profile.timeline);
  std::vector<ridge::trace::View> views;
  views.push_back(ridge::trace::build_view(profile));
  check_parents(profile.timeline);
  std::uint64_t linked = 0;
  for (const auto& span : profile.timeline.spans()) linked += span.parent != kNoSpan ? 1U : 0U;
  const ridge::trace::Correlation& c = views[0].correlation;
  ridge::fuzz::check(linked + c.roots + c.orphaned == c.spans);
  ridge::trace::show(views);
  for (const ridge::trace::Query& q : ridge::trace::queries()) {
    const auto answer = ridge::trace::run_query(q.name, views);
    ridge::fuzz::check(answer.ok() || answer.error().code() == "RIDGE-TRACE-0002" ||
                       answer.error().code() == "RIDGE-TRACE-0003");
  }
  return 0;
}
