// SPDX-License-Identifier: Apache-2.0
// Events that a walk reports to its hooks, as text: for the tests of this folder.
#pragma once

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>

#include "accelerator/nests/execute_testing.h"
#include "accelerator/nests/profile.h"

namespace ridge::accelerator::testing {

/// Sums the events of every hook, per subject.
class Tally : public NestHooks {
 public:
  explicit Tally(const Nest& nest) : nest_(nest) {}

  void on_loop(StmtId loop, const Visit& v) override { add(fmt::format("loop {}", loop), v); }
  void on_block(const Visit& v) override { add(fmt::format("block {}", v.block), v); }
  void on_allocation(BufferId b, const Visit& v) override { add("allocation " + buffer(b), v); }
  void on_read(BufferId b, const Visit& v) override { add("read " + buffer(b), v); }
  void on_write(BufferId b, const Visit& v) override { add("write " + buffer(b), v); }
  void on_operation(Operation o, const Visit& v) override {
    add(fmt::format("operation {}", static_cast<int>(o)), v);
  }

  /// Returns one line per sum, in alphabetical order.
  std::string text() const {
    std::string out;
    for (const auto& [what, sum] : sums_)
      out += fmt::format("{}: {}{}\n", what, sum.at_most ? "at most " : "", sum.times);
    return out;
  }

 private:
  struct Sum {
    std::int64_t times = 0;
    bool at_most = false;
  };

  const std::string& buffer(BufferId id) const { return nest_.buffer(id).name; }
  void add(std::string what, const Visit& visit) {
    if (visit.times == 0) return;
    Sum& sum = sums_[std::move(what)];
    sum.times += visit.times;
    sum.at_most |= visit.at_most;
  }

  const Nest& nest_;
  std::map<std::string, Sum> sums_;
};

using Walker = Result<void> (*)(const Nest&, NestHooks&, const WalkLimits&);

inline std::string told_by(Walker walk, const Nest& nest) {
  Tally tally(nest);
  const Result<void> walked = walk(nest, tally, {});
  if (!walked.ok()) throw std::runtime_error(walked.error().text());
  return tally.text();
}

}  // namespace ridge::accelerator::testing
