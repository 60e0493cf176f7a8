// SPDX-License-Identifier: Apache-2.0
#include "export/formats/pprof_profile.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/version.h"
#include "export/formats/gzip_sink.h"
#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

using namespace std::string_literals;

std::string inflated(const std::string& gzip) {
  z_stream stream = {};
  EXPECT_EQ(::inflateInit2(&stream, 15 + 16), Z_OK);
  std::string in = gzip, out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U);
  out.resize(stream.total_out);
  ::inflateEnd(&stream);
  return out;
}

std::string pprof_field(char tag, const std::string& content) {
  return std::string(1, tag) + static_cast<char>(content.size()) + content;
}

TEST(GzipSink, InflatesToWhatWasWrittenAndNamesNoTime) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += std::to_string(i * i);
  StringSink out;
  GzipSink zip(out);
  zip.write(text.substr(0, 70000));
  zip.write("");
  zip.write(text.substr(70000));
  zip.finish();
  EXPECT_EQ(inflated(out.text()), text);
  EXPECT_EQ(out.text().substr(0, 9), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00"s);
}

TEST(Pprof, IsTheBytesThatTheFieldsNumbersGive) {
  profile::Profile p;
  p.subject.path = "m";
  p.subject.runtime = "r";
  p.subject.runtime_version = "1";
  p.latency.ns.value = 300;
  profile::Layer layer{.index = 4, .type = "Conv"};
  layer.corrected_ns = 300;
  layer.module = "a";
  layer.work.macs = 3;
  p.layers.push_back(layer);
  // Strings in order of use: "" time nanoseconds flops count bytes Conv a m unknown layer …
  const std::string types = pprof_field('\x0a', "\x08\x01\x10\x02") +
                            pprof_field('\x0a', "\x08\x03\x10\x04") +
                            pprof_field('\x0a', "\x08\x05\x10\x05");
  const std::string sample = pprof_field('\x0a', "\x01\x02\x03") +
                             pprof_field('\x12', "\xac\x02\x06\x00"s) +  // leaf first; 300, 6, ?
                             pprof_field('\x1a', "\x08\x09\x10\x05") +   // unknown: bytes
                             pprof_field('\x1a', "\x08\x0a\x18\x04");    // layer: 4
  std::string places;
  for (const char id : {'\x01', '\x02', '\x03'}) {
    places += pprof_field('\x22', "\x08"s + id + "\x10\x01" + pprof_field('\x22', "\x08"s + id));
    const char name = static_cast<char>(id + 5);
    places += pprof_field('\x2a', "\x08"s + id + "\x10" + name + "\x18" + name + "\x20\x08");
  }
  std::string strings;
  for (const std::string& s :
       {""s, "time"s, "nanoseconds"s, "flops"s, "count"s, "bytes"s, "Conv"s, "a"s, "m"s, "unknown"s,
        "layer"s, "ridge " + std::string(version()), "r 1"s})
    strings += pprof_field('\x32', s);
  EXPECT_EQ(pprof_message(p), types + pprof_field('\x12', sample) +
                                  pprof_field('\x1a', "\x08\x01\x28\x08\x38\x01") + places +
                                  "\x50\xac\x02" + "\x68\x0b\x68\x0c" + "\x70\x01" + strings);
}

TEST(Pprof, TheSameRunGivesTheSameFile) {
  StringSink a, b;
  write_pprof(two_layers(), a);
  write_pprof(two_layers(), b);
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(inflated(a.text()), pprof_message(two_layers()));
}

}  // namespace
}  // namespace ridge::exports
