// SPDX-License-Identifier: Apache-2.0
#include "export/formats/formats.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "export/profile/rows.h"
#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

TEST(Formats, AreSortedAndEachIsFoundByItsName) {
  EXPECT_TRUE(std::is_sorted(formats().begin(), formats().end(),
                             [](const Format& a, const Format& b) { return a.name < b.name; }));
  for (const Format& f : formats()) EXPECT_EQ(find_format(f.name), &f);
  EXPECT_EQ(find_format("xlsx"), nullptr);
  EXPECT_EQ(format_of_file("run.pb.gz"), find_format("pprof"));
  EXPECT_EQ(format_of_file("run.csv"), nullptr);  // layers or spans
  EXPECT_EQ(format_of_file("run"), nullptr);
}

TEST(Formats, OfARunWithoutLayersAndSpansAreWrittenToo) {
  const profile::Profile nothing;
  for (const Format& f : formats()) {
    if (f.model == NeedsModel::kYes) continue;
    StringSink sink;
    EXPECT_TRUE(f.write({.profile = nothing}, sink).ok()) << f.name;
  }
}

TEST(SpanRows, QuoteWhatASpreadsheetWouldEvaluate) {
  profile::Profile p;
  p.timeline.add({.name = p.timeline.intern("=1+1"), .start_ns = -3, .end_ns = 4});
  p.timeline.attribute("a", "\"b\"");
  StringSink sink;
  write_span_rows(p, sink);
  EXPECT_EQ(sink.text(),
            "id,parent,level,name,start_ns,end_ns,thread,device,queue,correlation,attributes\n"
            "0,,model,'=1+1,-3,4,,,,,\"{\"\"a\"\":\"\"\\\"\"b\\\"\"\"\"}\"\n");
}

TEST(LayerLines, AreAnObjectPerLayerWithNullForTheUnknown) {
  StringSink sink;
  write_layer_lines(two_layers(), sink);
  EXPECT_EQ(std::count(sink.text().begin(), sink.text().end(), '\n'), 2);
  EXPECT_NE(sink.text().find(R"("macs":20,"flops":2)"), std::string::npos);
  EXPECT_NE(sink.text().find(R"("macs":null,"flops":null)"), std::string::npos);
}

}  // namespace
}  // namespace ridge::exports
