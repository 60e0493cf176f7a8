// SPDX-License-Identifier: Apache-2.0
// Oracles: times added by hand from the events written out here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "import/ort_device.h"
#include "import/testing.h"
#include "trace/build_view.h"
#include "trace/queries.h"

namespace ridge::imports {
namespace {

using profile::Evidence;
using profile::Profile;

/// Events of one file, in the order in which they are added.
class Events {
 public:
  Events& session(std::string_view name, int ts, int dur, int tid = 1) {
    return add("Session", name, ts, dur, tid, "");
  }
  Events& node(std::string_view name, std::string_view op, int ts, int dur,
               std::string_view provider = "CPUExecutionProvider", int tid = 1) {
    return add("Node", fmt::format("{}_kernel_time", name), ts, dur, tid,
               fmt::format(R"("op_name" : "{}","provider" : "{}")", op, provider));
  }
  Events& fence(std::string_view name, std::string_view op, int ts, int dur) {
    return add("Node", name, ts, dur, 1, fmt::format(R"("op_name" : "{}")", op));
  }
  Events& kernel(std::string_view name, std::string_view parent, std::string_view op, int ts,
                 int dur) {
    return add("Kernel", name, ts, dur, -1,
               fmt::format(R"("stream" : "7","op_name" : "{}","parent_name" : "{}_kernel_time")",
                           op, parent));
  }
  std::string text() const { return "[\n" + text_ + "\n]\n"; }

 private:
  Events& add(std::string_view cat, std::string_view name, int ts, int dur, int tid,
              std::string_view args) {
    text_ += fmt::format(
        R"({}{{"cat" : "{}","pid" :1,"tid" :{},"dur" :{},"ts" :{},"ph" : "X","name" :"{}","args" : {{{}}}}})",
        text_.empty() ? "" : ",\n", cat, tid, dur, ts, name, args);
    return *this;
  }
  std::string text_;
};

/// "name ns, ..."
std::string recorded_times(const Profile& p) {
  std::string out;
  for (const profile::Layer& l : p.layers)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", l.name, l.time_ns.value);
  return out;
}

std::string recording_code(std::string_view content) {
  const Written file(content);
  const auto p = import_file(file.path(), {});
  return p.ok() ? "" : p.error().code();
}

constexpr std::string_view kCuda = "CUDAExecutionProvider";

// The two iterations take 20 and 25 of the loop's 60 µs; 1.32 records each as a session event.
TEST(ImportOrt, ABodyIsCountedOnceWhereItsExecutionsAreSessionEvents) {
  Events events;
  for (const int at : {0, 1000})
    events.node("in", "MatMul", at + 11, 18)
        .session("SequentialExecutor::Execute", at + 10, 20)
        .node("in", "MatMul", at + 36, 23)
        .session("SequentialExecutor::Execute", at + 35, 25)
        .node("loop", "Loop", at + 5, 60)
        .session("SequentialExecutor::Execute", at + 2, 90)
        .session("model_run", at, 100);
  const Profile p = imported(events.text(), nullptr);
  EXPECT_EQ(recorded_times(p), "in 41000, loop 19000");
  EXPECT_TRUE(says(p, "add up to 60.00 µs, 60.0 % of the median run of 100.0 µs"));
}

TEST(ImportOrt, BodiesOfBodiesAreTakenFromTheInnermostOwner) {
  Events events;
  events.node("deep", "MatMul", 20, 30)
      .session("SequentialExecutor::Execute", 19, 32)
      .node("if", "If", 15, 40)
      .session("SequentialExecutor::Execute", 12, 45)
      .node("search", "BeamSearch", 10, 80)
      .session("model_run", 0, 100);
  EXPECT_EQ(recorded_times(imported(events.text(), nullptr)), "deep 30000, if 10000, search 40000");
}

// The same events, sorted by their begins, as tools that merge traces write them.
TEST(ImportOrt, AFileInAnotherOrderHasTheSameTimes) {
  Events events;
  events.session("model_run", 0, 100)
      .node("loop", "Loop", 5, 60)
      .session("SequentialExecutor::Execute", 10, 20)
      .node("in", "MatMul", 11, 18)
      .session("SequentialExecutor::Execute", 35, 30)
      .node("in", "MatMul", 36, 29)
      .node("next", "Relu", 65, 3);
  EXPECT_EQ(recorded_times(imported(events.text(), nullptr)), "loop 13000, in 47000, next 3000");
}

TEST(ImportOrt, KernelsThatTakeLongerThanTheirRunAreRefused) {
  Events events;
  events.node("a", "Relu", 10, 60).node("b", "Relu", 20, 70).session("model_run", 0, 100);
  EXPECT_EQ(recording_code(events.text()), "RIDGE-IMP-0018");
  // On two threads they may run at the same time.
  Events parallel;
  parallel.node("a", "Relu", 10, 60)
      .node("b", "Relu", 20, 70, "CPUExecutionProvider", 2)
      .session("model_run", 0, 100);
  const Profile p = imported(parallel.text(), nullptr);
  EXPECT_TRUE(says(p, "30.00 µs more: layers ran on 2 threads at the same time"));
}

// Layer times of 10 and 90 µs change places, so their medians add up to more than a run.
TEST(ImportOrt, MediansOfDifferentRunsMayAddUpToMore) {
  Events events;
  for (int run = 0; run < 3; ++run)
    events.node("a", "Relu", 100 * run, run == 0 ? 5 : 45)
        .node("b", "Relu", 100 * run + 50, run == 1 ? 5 : 45)
        .session("model_run", 100 * run, run == 2 ? 96 : 96);
  const Profile q = imported(events.text(), nullptr);
  EXPECT_TRUE(says(q, "90.00 µs, 93.8 % of the median run of 96.00 µs"));
}

TEST(ImportOrt, TimesOfADeviceAreThoseOfItsKernels) {
  const auto resolved = resolve(kModel);
  for (const bool at_the_end : {false, true}) {
    Events events;
    const auto kernels = [&](int run) {
      const int at = 1000 * run;
      events.kernel("gemm", "conv1", "Conv", at + 100, 300 + run)
          .kernel("bias", "conv1", "Conv", at + 450, 20);
    };
    for (int run = 0; run < 3; ++run) {
      const int at = 1000 * run;
      events.node("copy", "MemcpyFromHost", at + 1, 8, kCuda)
          .node("conv1", "Conv", at + 10, 5, kCuda);
      if (!at_the_end) kernels(run);
      events.node("relu1", "Relu", at + 20, 4, kCuda);
      if (!at_the_end) events.kernel("relu", "relu1", "Relu", at + 500, 30);
      events.node("add", "Add", at + 600, 50).session("model_run", at, 800);
    }
    for (int run = 0; run < 3 && at_the_end; ++run) {
      kernels(run);
      events.kernel("relu", "relu1", "Relu", 1000 * run + 500, 30);
    }
    Profile p = imported(events.text(), &resolved);
    EXPECT_EQ(recorded_times(p), "copy 8000, conv1 321000, relu1 30000, add 50000") << at_the_end;
    EXPECT_EQ(p.layers[1].runs_ns, (std::vector<std::int64_t>{320'000, 321'000, 322'000}));
    ASSERT_EQ(p.layers[1].kernels.size(), 2U);
    EXPECT_EQ(p.layers[1].kernels[0].name, "bias");
    EXPECT_EQ(p.layers[1].kernels[1].time_ns.value, 301'000);
    EXPECT_EQ(p.layers[1].work.macs, 3 * 4 * 64);
    EXPECT_FALSE(p.layers[0].work.macs);
    EXPECT_TRUE(says(p, "times of 2 layers are those of their kernels on the device"));
    EXPECT_TRUE(says(p, "times of 1 layer on CUDAExecutionProvider are those of the launch"));
    // Queries see the same times.
    const trace::View view = trace::build_view(p);
    EXPECT_EQ(view.layers[1].kernel_ns, 321'000);
    EXPECT_EQ(view.layers[2].kernel_ns, 30'000);
  }
}

TEST(ImportOrt, WithoutKernelEventsTimesAreLaunchesAndGiveNoRates) {
  const auto resolved = resolve(kModel);
  Events events;
  events.node("conv1", "Conv", 10, 5, kCuda).node("add", "Add", 20, 4).session("model_run", 0, 800);
  const Profile p = imported(events.text(), &resolved);
  EXPECT_EQ(recorded_times(p), "conv1 5000, add 4000");
  EXPECT_FALSE(p.layers[0].work.macs);
  EXPECT_FALSE(p.layers[0].bytes);
  EXPECT_EQ(p.layers[1].work.flops, 2 * 4 * 64);  // of add and scale
  EXPECT_TRUE(says(p,
                   "times of 1 layer on CUDAExecutionProvider are those of the launch on the "
                   "host, without the work of the device: it records no kernels of theirs"));
}

TEST(ImportOrt, KernelsOfADeviceAreDealtOutToTheirLaunches) {
  const std::vector<OrtLaunch> launches = {{.layer = 4, .start_us = 0},
                                           {.layer = 4, .start_us = 10}};
  std::vector<OrtDeviceKernel> kernels;
  for (const int at : {2, 4, 22, 24})
    kernels.push_back({.layer = 4, .start_us = at, .duration_us = 1});
  using By = std::vector<std::uint32_t>;
  EXPECT_EQ(launches_of(kernels, launches), (By{0, 0, 1, 1}));
  kernels.push_back({.layer = 4, .start_us = 26, .duration_us = 1});
  EXPECT_EQ(launches_of(kernels, launches), (By{0, 0, 1, 1, 1}));
  kernels.push_back({.layer = kNoLaunch, .start_us = 27, .duration_us = 1});
  kernels.push_back({.layer = 5, .start_us = 28, .duration_us = 1});
  EXPECT_EQ(launches_of(kernels, launches), (By{0, 0, 1, 1, 1, kNoLaunch, kNoLaunch}));
}

TEST(ImportOrt, FencesAreNoLayers) {
  const auto resolved = resolve(kModel);
  Events events;
  events.fence("conv1_fence_before", "Conv", 8, 2)
      .node("conv1", "Conv", 10, 50)
      .fence("conv1_fence_after", "Conv", 60, 1)
      .session("model_run", 0, 80);
  EXPECT_EQ(recorded_times(imported(events.text(), &resolved)), "conv1 50000");
}

// 0.4 writes the name of a node alone, which may be empty.
TEST(ImportOrt, KernelsWithoutANameAreToldApartByTheirPosition) {
  const auto resolved = resolve(
      "graph main\n  input x[4]\n  Relu(x) -> a\n  Neg(a) -> b\n  Relu(b) -> y\n  output y\n");
  Events events;
  for (const int at : {0, 100})
    events.node("", "Relu", at + 1, 7)
        .node("", "Neg", at + 10, 5)
        .node("", "Relu", at + 20, 9)
        .session("model_run", at, 40);
  const Profile p = imported(events.text(), &resolved);
  EXPECT_EQ(recorded_times(p), "nameless Relu 1 7000, nameless Neg 1 5000, nameless Relu 2 9000");
  EXPECT_EQ(members(p.layers[0]), "0e");
  EXPECT_EQ(members(p.layers[2]), "2e");
  EXPECT_EQ(p.layers[2].members[0].evidence, Evidence::kOrder);
  EXPECT_EQ(p.layers[2].executions, 1);
}

TEST(ImportOrt, NamelessKernelsOfABodyAreThoseOfEachExecution) {
  Events events;
  events.node("", "Add", 1, 2);
  for (const int at : {10, 20})
    events.node("", "Add", at, 3)
        .node("", "Add", at + 4, 4)
        .session("SequentialExecutor::Execute", at, 9);
  events.node("", "Loop", 8, 30).session("model_run", 0, 50);
  EXPECT_EQ(recorded_times(imported(events.text(), nullptr)),
            "nameless Add 1 2000, nameless Add 1 in nameless Loop 1 6000, "
            "nameless Add 2 in nameless Loop 1 8000, nameless Loop 1 16000");
}

// One file in the forms in which JSON tools write it: packed, with blanks, with line breaks, behind
// a UTF-8 mark.
TEST(ImportOrt, BlanksLineBreaksAndMarksDoNotMatter) {
  auto model = std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document("graph main\n  input x[batch,8]\n"
                                                  "  constant w[8,4]\n"
                                                  "  mm: MatMul(x, w) -> y\n  output y\n"))
          .value());
  const std::string packed =
      R"([{"cat":"Node","pid":1,"tid":1,"dur":9,"ts":1,"ph":"X","name":"mm_kernel_time","args":)"
      R"({"op_name":"MatMul","input_type_shape":[{"float":[64,8]}],)"
      R"("output_type_shape":[{"float":[64,4]}]}},)"
      R"({"cat":"Session","pid":1,"tid":1,"dur":20,"ts":0,"ph":"X","name":"model_run","args":{}}])";
  std::string blanks, lines;
  for (const char c : packed) {
    blanks += c;
    if (c == ':' || c == ',') blanks += ' ';
    lines += c;
    if (std::string_view("{}[],:").find(c) != std::string_view::npos) lines += "\n\t";
  }
  for (const std::string& text : {packed, blanks, lines, "\xef\xbb\xbf" + blanks}) {
    const Written file(text);
    const Imported in = import_file(file.path(), {.model = ImportModel{model}}).value();
    ASSERT_EQ(in.profile.layers.size(), 1U);
    EXPECT_EQ(in.profile.layers[0].work.macs, 64 * 8 * 4) << text;
    EXPECT_EQ(in.profile.layers[0].precision, "float32");
    EXPECT_TRUE(in.warnings.empty());
  }
}

TEST(ImportOrt, NodesThatItsRulesFuseAreInTheLayerOfTheOthers) {
  // ONNX Runtime runs conv2, add and relu as one kernel called after conv2.
  const auto resolved = resolve(R"(graph main
  input x[1,8,8,8]
  constant w[8,8,1,1] v[8,8,1,1]
  conv1: Conv(x, w) -> c1
  relu1: Relu(c1) -> r1
  conv2: Conv(r1, v) -> c2
  add: Add(c2, x) -> s
  relu2: Relu(s) -> y
  output y
)");
  Events events;
  events.node("conv1_nchwc", "Conv", 1, 10)
      .node("conv2_nchwc", "Conv", 20, 10)
      .session("model_run", 0, 40);
  const Profile p = imported(events.text(), &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e 1e");
  EXPECT_EQ(members(p.layers[1]), "2e 3e 4e");
  EXPECT_EQ(p.layers[1].members[1].evidence, Evidence::kFusion);
  EXPECT_TRUE(says(p, "3 nodes that no layer is named after stand in the layer that"));
}

// A recording of 1.32: the parts of a tensor that Gathers take are one Split with a Squeeze each.
TEST(ImportOrt, GathersThatOneSplitReplacesAreInItsLayer) {
  const auto resolved = resolve(R"(graph main
  input x[3,4]
  integers i=0 j=1 k=2 s[1]=4
  /attn/Gather: Gather(x, i) {axis=0} -> q
  /attn/Gather_1: Gather(x, j) {axis=0} -> key
  /attn/Gather_2: Gather(x, k) {axis=0} -> v
  /Reshape: Reshape(q, s) -> r
  /Add: Add(key, v) -> y
  output y r
)");
  Events events;
  events.node("/attn/Gather/GatherSliceToSplitFusion", "Split", 1, 10)
      .node("Squeeze", "Squeeze", 12, 1)
      .node("/Reshape_new_reshape", "Reshape", 14, 2)
      .node("/Add", "Add", 20, 10)
      .session("model_run", 0, 40);
  const Profile p = imported(events.text(), &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e 1e 2e");
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRenamed);
  EXPECT_EQ(p.layers[0].members[1].evidence, Evidence::kFusion);
  EXPECT_EQ(members(p.layers[2]), "3e");
}

// ONNX Runtime runs HardSwish as HardSigmoid and Mul, which it numbers behind the model's nodes.
TEST(ImportOrt, NodesThatItWritesOutAreInTheirOwnKernels) {
  const auto resolved = resolve(R"(graph main
  input x[1,3,8,8]
  constant w[4,3,1,1] v[4,4,1,1]
  conv1: Conv(x, w) -> c1
  swish1: HardSwish(c1) -> r1
  conv2: Conv(r1, v) -> c2
  swish2: HardSwish(c2) -> y
  output y
)");
  Events events;
  events.node("conv1", "Conv", 1, 10)
      .node("HardSigmoid_4", "HardSigmoid", 12, 3)
      .node("Mul_5", "Mul", 16, 4)
      .node("conv2", "Conv", 21, 10)
      .node("HardSigmoid_6", "HardSigmoid", 32, 6)
      .node("Mul_7", "Mul", 39, 5)
      .session("model_run", 0, 60);
  const Profile p = imported(events.text(), &resolved);
  std::string all;
  for (const profile::Layer& l : p.layers) all += members(l) + ", ";
  EXPECT_EQ(all, "0e, 1p, 1e, 2e, 3e, 3p, ");
  EXPECT_EQ(p.layers[1].members[0].evidence, Evidence::kOrder);
}

}  // namespace
}  // namespace ridge::imports
