// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/trace_json.h"

#include <gtest/gtest.h>

namespace ridge::ort {
namespace {

TEST(TraceJson, ReadsAKernelWithItsSizes) {
  const auto events = parse_trace(R"([
{"cat":"Node","pid":1,"tid":7,"dur":21,"ts":23,"ph":"X","name":"conv1_kernel_time","args":{
 "activation_size":"602112","parameter_size":"37888","output_size":"3211264","op_name":"Conv",
 "provider":"CPU","input_type_shape":[{"float":[1,3]}],"output_type_shape":[]}}])");
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 1U);
  const TraceEvent& event = (*events)[0];
  EXPECT_TRUE(event.node);
  EXPECT_EQ(kernel_name(event.name), "conv1");
  EXPECT_EQ(event.op_type, "Conv");
  EXPECT_EQ(event.input_shapes, "[{\"float\":[1,3]}]");
  EXPECT_EQ(event.activation_bytes, 602112);
  EXPECT_EQ(event.parameter_bytes, 37888);
  EXPECT_EQ(event.output_bytes, 3211264);
  EXPECT_EQ(event.start_us, 23);
  EXPECT_EQ(event.duration_us, 21);
}

TEST(TraceJson, WhatIsNotSaidIsNotZero) {
  const auto events = parse_trace(R"([{"cat":"Node","ph":"X","name":"a_kernel_time",
    "args":{"output_size":"many","activation_size":12}}])");
  ASSERT_TRUE(events.ok());
  EXPECT_EQ((*events)[0].output_bytes, -1);
  EXPECT_EQ((*events)[0].parameter_bytes, -1);
  EXPECT_EQ((*events)[0].activation_bytes, 12);
}

TEST(TraceJson, OnlySessionsAndControlFlowHoldOthers) {
  const auto events = parse_trace(R"([
    {"cat":"Node","ph":"X","name":"a_kernel_time","ts":1,"dur":5,"args":{"op_name":"MatMul"}},
    {"cat":"Node","ph":"X","name":"b_kernel_time","ts":4,"dur":0,"args":{"op_name":"Relu"}},
    {"cat":"Node","ph":"X","name":"if_kernel_time","ts":0,"dur":9,"args":{"op_name":"If"}},
    {"cat":"Node","ph":"X","name":"c_kernel_time","ts":9,"dur":3,"args":{"op_name":"Relu"}},
    {"cat":"Session","ph":"X","name":"model_run","ts":0,"dur":20,"args":{}}])");
  ASSERT_TRUE(events.ok());
  std::vector<std::uint32_t> depths;
  for (const TraceEvent& event : *events) depths.push_back(event.depth);
  EXPECT_EQ(depths, (std::vector<std::uint32_t>{2, 2, 1, 1, 0}));
}

TEST(TraceJson, WhatIsNoProfileIsAnError) {
  for (const char* text : {"", "{}", "[{\"cat\":", "null", "\x80"}) {
    const auto events = parse_trace(text);
    ASSERT_FALSE(events.ok()) << text;
    EXPECT_EQ(events.error().code(), "RIDGE-ORT-0040");
  }
  EXPECT_TRUE(parse_trace("[1, null, {\"ph\":\"M\"}]").value().empty());
}

}  // namespace
}  // namespace ridge::ort
