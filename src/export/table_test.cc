// SPDX-License-Identifier: Apache-2.0
#include "export/table.h"

#include <gtest/gtest.h>

namespace ridge::exports {
namespace {

Table sample() {
  Table t({{"layer", Align::kLeft, 8}, {"time", Align::kRight}});
  t.add({"conv1", "1.2 ms"});
  t.add({"a|b*c, \"d\" and more", "=1+1"});
  return t;
}

TEST(Table, TextIsAlignedAndCut) {
  EXPECT_EQ(sample().text(),
            "layer       time\n"
            "--------  ------\n"
            "conv1     1.2 ms\n"
            "a|b…more    =1+1\n");
}

TEST(Table, MarkdownEscapesWhatWouldBeMarkup) {
  EXPECT_EQ(
      sample().markdown(),
      "| layer | time |\n|---|---:|\n| conv1 | 1.2 ms |\n| a\\|b\\*c, \"d\" and more | =1+1 |\n");
}

TEST(Table, CsvQuotesAndDisarmsFormulas) {
  EXPECT_EQ(sample().csv(), "layer,time\nconv1,1.2 ms\n\"a|b*c, \"\"d\"\" and more\",'=1+1\n");
}

TEST(Table, EscapeSequencesNeverReachATerminal) {
  Table t({{"name"}});
  t.add({"\x1b[2Jgone\n"});
  EXPECT_EQ(t.text().find('\x1b'), std::string::npos);
}

TEST(Table, MissingCellsAreEmpty) {
  Table t({{"a"}, {"b"}});
  t.add({"1"});
  EXPECT_EQ(t.csv(), "a,b\n1,\n");
}

TEST(Table, SaysOnceWhatAllRowsShare) {
  Table t({{"model"}, {"threads"}, {"sizes"}, {"latency"}});
  t.add({"a.onnx", "1", "", "5 ns"});
  EXPECT_EQ(t.take_shared({"model", "threads"}), "");
  t.add({"a.onnx", "2", "", "5 ns"});
  EXPECT_EQ(t.take_shared({"model", "threads", "sizes", "missing"}), "model a.onnx");
  EXPECT_EQ(t.csv(), "threads,latency\n1,5 ns\n2,5 ns\n");
}

}  // namespace
}  // namespace ridge::exports
