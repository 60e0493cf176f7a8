// SPDX-License-Identifier: Apache-2.0
#include "export/formats/perfetto_trace.h"

#include <gtest/gtest.h>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

using namespace std::string_literals;

/// Length-delimited field: tag, length, content.
std::string perfetto_field(char tag, const std::string& content) {
  return std::string(1, tag) + static_cast<char>(content.size()) + content;
}
/// Length-delimited field with a two-byte tag (field numbers 16 to 2047).
std::string far_field(char low, char high, const std::string& content) {
  return std::string{low, high} + static_cast<char>(content.size()) + content;
}

TEST(PerfettoTrace, IsTheBytesThatTheFieldsNumbersGive) {
  profile::Profile p;
  p.subject.path = "m";
  const auto name = p.timeline.intern("conv");
  p.timeline.add({.level = profile::Level::kLayer, .name = name, .start_ns = 5, .end_ns = 300});
  StringSink sink;
  write_perfetto_trace(p, sink);
  // TracePacket is field 1; its fields: timestamp 8, sequence id 10, track_event 11, interned_data
  // 12, sequence flags 13 (3: state cleared and needed, then 2), track_descriptor 60.
  const std::string rest = "\x50\x01\x68\x02", first = "\x50\x01\x68\x03";
  const std::string process = perfetto_field('\x1a', "\x08\x01"s + perfetto_field('\x32', "m"));
  const std::string host = "\x08\x01"s + process + "\x58\x03";
  const std::string track =
      "\x08\x02"s + perfetto_field('\x12', "layer") + "\x28\x01" + "\x60\x00"s + "\x78\x02";
  const std::string interned =
      perfetto_field('\x0a', "\x08\x03"s + perfetto_field('\x12', "layer")) +
      perfetto_field('\x12', "\x08\x01"s + perfetto_field('\x12', "conv"));
  const std::string begin = "\x48\x01\x58\x02\x18\x03\x50\x01";  // type, track, category, name
  const std::string end = "\x48\x02\x58\x02";
  EXPECT_EQ(sink.text(),
            perfetto_field('\x0a', far_field('\xe2', '\x03', host) + first) +
                perfetto_field('\x0a', far_field('\xe2', '\x03', track) + rest) +
                perfetto_field('\x0a', "\x40\x00"s + perfetto_field('\x62', interned) +
                                           perfetto_field('\x5a', begin) + rest) +
                perfetto_field('\x0a', "\x40\xa7\x02"s + perfetto_field('\x5a', end) + rest));
}

TEST(PerfettoTrace, LaunchAndKernelAreOneFlowByCorrelation) {
  StringSink sink;
  write_perfetto_trace(launched(), sink);
  const std::string id = "\x09\x00\x00\x00\x00\x00\x00\x00"s;
  EXPECT_NE(sink.text().find("\xf9\x02" + id), std::string::npos);  // flow_ids 47, fixed64
  EXPECT_NE(sink.text().find("\x81\x03" + id), std::string::npos);  // terminating_flow_ids 48
}

/// Number of occurrences of `mark` followed by the correlation id.
std::size_t flows(const std::string& bytes, const std::string& mark, char id) {
  const std::string flow = mark + id + "\x00\x00\x00\x00\x00\x00\x00"s;
  std::size_t found = 0;
  for (std::size_t at = 0; (at = bytes.find(flow, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(PerfettoTrace, EveryFlowThatBeginsEndsOnce) {
  profile::Profile p = launched();
  profile::Timeline& t = p.timeline;
  const auto add = [&](profile::Level level, std::int64_t at, std::uint64_t correlation) {
    t.add({.level = level, .start_ns = at, .end_ns = at + 1, .correlation = correlation});
  };
  add(profile::Level::kKernel, 2'000'000, 9);  // a second kernel of the same launch
  add(profile::Level::kLibrary, 10, 5);        // its kernel was not recorded
  add(profile::Level::kKernel, 20, 6);         // its launch was not recorded
  add(profile::Level::kKernel, 30, 7);         // begins before its launch
  add(profile::Level::kLibrary, 40, 7);
  StringSink sink;
  write_perfetto_trace(p, sink);
  const std::string begins = "\xf9\x02", ends = "\x81\x03";
  EXPECT_EQ(flows(sink.text(), begins, '\x09'), 2U);  // the launch and the first kernel
  EXPECT_EQ(flows(sink.text(), ends, '\x09'), 1U);
  for (const char lost : {'\5', '\6', '\7'}) {
    EXPECT_EQ(flows(sink.text(), begins, lost), 0U) << int{lost};
    EXPECT_EQ(flows(sink.text(), ends, lost), 0U) << int{lost};
  }
}

TEST(PerfettoTrace, NamesThatAreNoUtf8BecomeValid) {
  profile::Profile p;
  p.timeline.add({.name = p.timeline.intern("\xff")});
  StringSink sink;
  write_perfetto_trace(p, sink);
  EXPECT_EQ(sink.text().find('\xff'), std::string::npos);
}

}  // namespace
}  // namespace ridge::exports
