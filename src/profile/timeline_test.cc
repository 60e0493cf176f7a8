// SPDX-License-Identifier: Apache-2.0
#include "profile/timeline.h"

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

TEST(Timeline, KeepsEachTextOnceAndEachSpansOwnAttributes) {
  Timeline t;
  const SpanId run = t.add({.level = Level::kModel, .name = t.intern("run"), .end_ns = 900});
  t.attribute("batch", "1");
  const SpanId layer = t.add({.parent = run, .level = Level::kLayer, .name = t.intern("run")});
  t.attribute("node", "17");
  t.attribute("batch", "2");
  EXPECT_EQ(t.spans()[run].name, t.spans()[layer].name);
  EXPECT_EQ(t.text(0), "");
  EXPECT_EQ(t.attribute_of(t.spans()[run], "batch"), "1");
  EXPECT_EQ(t.attribute_of(t.spans()[run], "node"), "");
  EXPECT_EQ(t.attribute_of(t.spans()[layer], "batch"), "2");
  EXPECT_EQ(t.spans()[run].duration_ns(), 900);
}

TEST(Timeline, ManyTextsAreEachKeptOnce) {
  Timeline t;
  std::vector<TextId> ids;
  for (int i = 0; i < 5000; ++i) ids.push_back(t.intern("text " + std::to_string(i)));
  EXPECT_EQ(t.texts(), 5001U);
  for (int i = 0; i < 5000; ++i) {
    EXPECT_EQ(t.intern("text " + std::to_string(i)), ids[static_cast<std::size_t>(i)]);
    EXPECT_EQ(t.text(ids[static_cast<std::size_t>(i)]), "text " + std::to_string(i));
  }
  EXPECT_EQ(t.intern(""), 0U);
}

TEST(Timeline, ACopyOutlivesItsOriginal) {
  Timeline copy;
  {
    Timeline t;
    t.add({.name = t.intern("a name that is too long for the text's own buffer")});
    copy = t;
  }
  EXPECT_EQ(copy.text(copy.spans()[0].name), "a name that is too long for the text's own buffer");
  EXPECT_EQ(copy.intern("a name that is too long for the text's own buffer"), copy.spans()[0].name);
}

}  // namespace
}  // namespace ridge::profile
