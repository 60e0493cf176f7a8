// SPDX-License-Identifier: Apache-2.0
// Synthetic traces for tests and benchmarks: the timeline has no parents, the true parent of every
// span is stored beside it.
//
//   trace::testing::Made m = trace::testing::make({.runs = 3, .layers = 10, .streams = 2});
//   correlate(m.timeline);                                 // m.parents is the truth
//
// Each run executes layers one after the other on one thread; each layer launches kernels that run
// later on streams (launch and kernel share a correlation id), some after their layer has ended.
// With kernels_per_layer = 0 it is a CPU trace: calls inside layers and nothing asynchronous. Times
// come from a seeded generator; equal seeds make equal traces.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace::testing {

struct Recipe {
  std::uint32_t runs = 2, layers = 4;
  std::uint32_t kernels_per_layer = 2, streams = 2;
  std::uint32_t calls_per_layer = 1;  ///< synchronous library calls
  std::uint64_t seed = 1;
  bool with_ids = true;  ///< launches and kernels carry correlation ids
};

struct Made {
  profile::Timeline timeline;            ///< without parents
  std::vector<profile::SpanId> parents;  ///< true parent of each span
};

class Maker {
 public:
  explicit Maker(const Recipe& recipe) : recipe_(recipe), state_(recipe.seed * 2 + 1) {
    for (std::uint32_t s = 0; s < recipe.streams; ++s)
      streams_.push_back({out_.timeline.intern(fmt::format("stream {}", s + 7)), 0});
  }

  Made make() {
    for (std::uint32_t r = 0; r < recipe_.runs; ++r) run();
    return std::move(out_);
  }

 private:
  struct Stream {
    profile::TextId name = 0;
    std::int64_t free_ns = 0;
  };

  std::int64_t up_to(std::int64_t most) {  // xorshift64
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::int64_t>(state_ % static_cast<std::uint64_t>(most)) + 1;
  }

  profile::SpanId add(profile::Span span, profile::SpanId parent) {
    out_.parents.push_back(parent);
    return out_.timeline.add(span);
  }

  void run() {
    const profile::SpanId model = add({.level = profile::Level::kModel,
                                       .name = out_.timeline.intern("run"),
                                       .start_ns = now_ns_,
                                       .thread = out_.timeline.intern("main")},
                                      profile::kNoSpan);
    std::int64_t last_ns = now_ns_;
    for (std::uint32_t l = 0; l < recipe_.layers; ++l) last_ns = std::max(last_ns, layer(l, model));
    now_ns_ = std::max(now_ns_, last_ns) + up_to(50);
    out_.timeline.spans()[model].end_ns = now_ns_;
    now_ns_ += up_to(1000);
  }

  /// Adds a layer and its spans; returns the end of its last kernel.
  std::int64_t layer(std::uint32_t number, profile::SpanId model) {
    now_ns_ += up_to(20);
    profile::Timeline& t = out_.timeline;
    const profile::SpanId layer = add({.level = profile::Level::kLayer,
                                       .name = t.intern(fmt::format("layer {}", number)),
                                       .start_ns = now_ns_,
                                       .thread = t.intern("main")},
                                      model);
    t.attribute("type", number % 3 == 0 ? "Conv" : "Relu");
    std::int64_t last_ns = 0;
    for (std::uint32_t c = 0; c < recipe_.calls_per_layer; ++c) call(layer, "gemm", 0);
    for (std::uint32_t k = 0; k < recipe_.kernels_per_layer; ++k) {
      const std::uint64_t id = recipe_.with_ids ? ++correlation_ : 0;
      const profile::SpanId launch = call(layer, "launch", id);
      last_ns = std::max(last_ns, kernel(fmt::format("kernel {}", (number + k) % 5), launch, id));
    }
    now_ns_ += up_to(5);
    t.spans()[layer].end_ns = now_ns_;
    return last_ns;
  }

  profile::SpanId call(profile::SpanId layer, std::string_view name, std::uint64_t id) {
    const std::int64_t start_ns = now_ns_ += up_to(5);
    now_ns_ += up_to(30);
    return add({.level = profile::Level::kLibrary,
                .name = out_.timeline.intern(name),
                .start_ns = start_ns,
                .end_ns = now_ns_,
                .thread = out_.timeline.intern("main"),
                .correlation = id},
               layer);
  }

  std::int64_t kernel(std::string_view name, profile::SpanId launch, std::uint64_t id) {
    Stream& stream = streams_[id % streams_.size()];
    const std::int64_t start_ns = std::max(stream.free_ns, now_ns_ + up_to(8));
    stream.free_ns = start_ns + up_to(60);
    add({.level = profile::Level::kKernel,
         .name = out_.timeline.intern(name),
         .start_ns = start_ns,
         .end_ns = stream.free_ns,
         .device = out_.timeline.intern("GPU 0"),
         .queue = stream.name,
         .correlation = id},
        launch);
    return stream.free_ns;
  }

  Recipe recipe_;
  Made out_;
  std::uint64_t state_ = 1;
  std::uint64_t correlation_ = 0;
  std::int64_t now_ns_ = 0;
  std::vector<Stream> streams_;
};

inline Made make(const Recipe& recipe) { return Maker(recipe).make(); }

}  // namespace ridge::trace::testing
