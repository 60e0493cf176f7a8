// SPDX-License-Identifier: Apache-2.0
// Profiles for the tests of exports: one with two layers, one with recorded spans.
#pragma once

#include "profile/profile.h"

namespace ridge::exports {

/// "m.onnx": a convolution with its activation in block/conv (100 ns, 40 and 2 operations), then a
/// reorder of unknown work that the runtime inserted (50 ns), and 10 ns outside layers.
inline profile::Profile two_layers() {
  profile::Profile p;
  p.subject.path = "m.onnx";
  p.subject.runtime = "ORT";
  p.subject.runtime_version = "1";
  p.nodes.push_back({.index = 0, .name = "conv", .op_type = "Conv", .work = {.macs = 20}});
  p.nodes.push_back({.index = 1, .name = "relu", .op_type = "Relu", .work = {.flops = 2}});
  profile::Layer conv{.index = 0, .name = "fused", .type = "FusedConv", .order = 0};
  conv.corrected_ns = 100;
  conv.runs_ns = {90, 100, 110};
  conv.share = 0.625;
  conv.module = "block/conv";
  conv.work = {.macs = 20, .flops = 2};
  conv.bytes = 8;
  conv.bound = {"compute", 50.0, 0.5, ""};
  conv.kernels.push_back({"k", "FusedConv", {101, {{99, 103}}}});
  conv.members.push_back({0, profile::Role::kExecutes, profile::Evidence::kRenamed});
  conv.members.push_back({1, profile::Role::kExecutes, profile::Evidence::kRegion});
  profile::Layer reorder{.index = 1, .name = "r", .type = "Reorder", .order = 1, .inserted = true};
  reorder.corrected_ns = 50;
  reorder.work = {std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  p.layers = {conv, reorder};
  p.latency.processes.push_back({.samples_ns = {150, 160, 170}});
  p.latency.ns = {160, {{150, 170}}};
  p.profiling.outside_layers_ns = 10;
  return p;
}

/// Launch on thread "main", and its kernel on a device, which starts 10 ns later.
inline profile::Profile launched() {
  profile::Profile p;
  p.subject.path = "m.onnx";
  profile::Timeline& t = p.timeline;
  t.add({.level = profile::Level::kLibrary,
         .name = t.intern("go"),
         .start_ns = -5,
         .end_ns = 1995,
         .thread = t.intern("main"),
         .correlation = 9});
  t.attribute("grid", "32");
  t.add({.level = profile::Level::kKernel,
         .name = t.intern("k\"1"),
         .start_ns = 5,
         .end_ns = 1234562,
         .device = t.intern("GPU"),
         .correlation = 9});
  t.attribute("shape", "1x2");
  return p;
}

}  // namespace ridge::exports
