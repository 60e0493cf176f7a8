// SPDX-License-Identifier: Apache-2.0
// A profile as stacks for flame graphs: per layer its enclosing modules and its operators.
//
//   for (const StackSample& s : stacks(profile)) … s.frames.front() is the model, .back() the op
//
// A fused layer has one time, so it is one sample: its frames are the modules that contain all its
// nodes, its leaf the operators that it executes ("Conv + Relu"). Times add up to the latency of a
// run, or to the median profiled run where an imported profile has no latency. The time outside all
// layers is a separate sample; where the medians of layers add up to more than the run, each is
// reduced in proportion. Cost: linear.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::exports {

struct StackSample {
  std::vector<std::string> frames;        ///< from the root; modules with their whole path
  const profile::Layer* layer = nullptr;  ///< nullptr: outside all layers
  std::int64_t time_ns = 0;
  profile::Count flops;  ///< 2 per multiply-add, every other operation 1
  profile::Count bytes;
};

std::vector<StackSample> stacks(const profile::Profile& profile);

/// Operators that a layer executes, in order, each once, at most four: "Conv + Relu"; the runtime's
/// type where it executes no node.
std::string operators_of(const profile::Profile& profile, const profile::Layer& layer);

/// Lines "model;module;op time_ns" (Brendan Gregg's collapsed stacks); equal stacks are one line. A
/// ';' and terminal control characters in a name are replaced.
std::string collapsed_stacks(const profile::Profile& profile);

}  // namespace ridge::exports
