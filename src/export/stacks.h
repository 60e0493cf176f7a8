// A profile as stacks: of each layer the modules around it and what it computes, for flame graphs.
//
//   for (const StackSample& s : stacks(profile)) … s.frames.front() is the model, .back() the op
//
// A fused layer's time is one number, so it is one sample: its modules are the deepest that hold
// all its nodes, its leaf the operators that it executes ("Conv + Relu"). Times add up to the
// latency of a run, of an imported run without one to the median run: what it takes outside all
// layers is a sample of its own; where medians of layers add up to more, each is cut in proportion.
// Cost: linear.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::exports {

struct StackSample {
  std::vector<std::string> frames;        ///< from the root; of modules their whole path
  const profile::Layer* layer = nullptr;  ///< nullptr: outside all layers
  std::int64_t time_ns = 0;
  profile::Count flops;  ///< 2 per multiply-add, every other operation 1
  profile::Count bytes;
};

std::vector<StackSample> stacks(const profile::Profile& profile);

/// "Conv + Relu": of the nodes that it executes, in order, each once; the runtime's type where it
/// executes none; at most four.
std::string operators_of(const profile::Profile& profile, const profile::Layer& layer);

/// Lines "model;module;op time_ns" (Brendan Gregg's collapsed stacks): equal stacks are one line.
/// A ';' and what controls a terminal in a name is replaced.
std::string collapsed_stacks(const profile::Profile& profile);

}  // namespace ridge::exports
