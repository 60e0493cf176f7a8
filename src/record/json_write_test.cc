// SPDX-License-Identifier: Apache-2.0
#include "record/json_write.h"

#include <gtest/gtest.h>

#include "base/sink.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

template <typename T>
std::string written_text(const T& value) {
  return json_text(kType<T>, &value);
}

TEST(JsonWrite, WritesFieldsInTheirOrder) {
  EXPECT_EQ(written_text(example()),
            R"({"schema":"ridge.made/2","fast":true,"level":-40000,)"
            R"("seed":18446744073709551615,"threads":8,"ratio":0.25,)"
            R"("load_per_s":1.5,"queries_per_s":3,)"
            R"("title":"a \"title\"\n€","dtype":"int8",)"
            "\n"
            R"("color":"dark-blue","half_wait_ns":42,)"
            R"("shape":{"kind":"box","width":3,"height":4,"edges":[0.5,2]},)"
            R"("host_name":"elsewhere","tool":"by hand",)"
            "\n"
            R"("layers":[)"
            "\n"
            R"({"name":"conv","color":"green","time_ns":{"median":12.5,)"
            R"("ci95":[11,14]},"percent":25,"parent":null},)"
            "\n"
            R"({"name":"relu","color":"red","time_ns":{"median":null,)"
            R"("ci95":null},"percent":50,"parent":0})"
            "\n"
            R"(],)"
            R"("sizes":[1,2,4294967295],"notes":["one, two",""],"grid":[-3,4],)"
            R"("bindings":{"batch":8,"seq.len":-1},"options":{"b":"2","a":""},)"
            R"("excess_ns":{"median":3,"ci95":null},"reason":"none",)"
            R"("host":{"z":1,"a":[null]},"added":70})");
}

TEST(JsonWrite, DefaultsAreNullOrLeftOutWhereTheFieldSaysSo) {
  Made made;
  made.library = "/tmp/own.so";
  EXPECT_EQ(written_text(made),
            R"({"schema":"ridge.made/2","fast":false,"level":-1,"seed":null,"threads":1,)"
            R"("ratio":0.5,"load_per_s":0,"queries_per_s":0,"title":null,)"
            "\n"
            R"("color":"green","half_wait_ns":2,"shape":{"kind":"circle","radius_m":1},)"
            R"("host_name":"","tool":null,"sizes":[],"notes":[],"grid":[1,1],"bindings":{},)"
            R"("options":{},"excess_ns":null,"reason":null,"host":null,"added":7})");
}

TEST(JsonWrite, EndsADocumentWithALine) {
  StringSink sink;
  write_json(Interval{.low = 1, .high = 1e300}, sink);
  EXPECT_EQ(sink.text(), "[1,1e+300]\n");
}

}  // namespace
}  // namespace ridge::record
