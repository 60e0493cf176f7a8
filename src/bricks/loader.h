// SPDX-License-Identifier: Apache-2.0
// Loads models into a runtime without running them, to see which kernels it selects.
//
//   Loader loader(options);
//   const Network network = TRY(loader.load(resolved));
//
// One child process loads one model after the other; after a crash the next call starts another.
// Errors: the runtime's, attribution's and make_network's. Thread rule: one thread.
#pragma once

#include <optional>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "bricks/blank_weights.h"
#include "bricks/network.h"
#include "runtime/runtime.h"

namespace ridge::bricks {

class Loader {
 public:
  explicit Loader(runtime::Options options)
      : options_(std::move(options)), blank_(options_.memory_folder) {}

  using Sizes = attribution::CanonicalOptions::Sizes;
  /// kAsDeclared: with free sizes, where the model has them.
  Result<Network> load(const analysis::Resolved& resolved, Sizes sizes = Sizes::kStatic);
  /// The network of a model that was loaded elsewhere, from its optimized graph.
  Result<Network> network(const analysis::Resolved& resolved, attribution::Canonical copy,
                          attribution::OptimizedGraph optimized);
  bool interrupted() const {
    return options_.interrupted != nullptr && options_.interrupted->load();
  }
  /// The runtime that loads. Errors: as Runtime::spawn.
  Result<runtime::RuntimeInfo> info();

 private:
  Result<runtime::Runtime*> runtime();
  Result<attribution::OptimizedGraph> optimized(std::optional<runtime::Runtime>& runtime,
                                                const runtime::Options& options,
                                                const attribution::Canonical& copy);

  runtime::Options options_;
  BlankWeights blank_;
  /// At the highest optimization level some kernels are renamed; a lower level explains them.
  std::optional<runtime::Runtime> runtime_, reference_;
};

}  // namespace ridge::bricks
