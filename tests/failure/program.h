// SPDX-License-Identifier: Apache-2.0
// The program, run inside the test process on a small model with many features: weights in the
// file, constants beside it, a function, a Loop, text to escape.
//
//   const Program program;
//   program.run({"analyze", program.model(), "--format", "json"}, ran);
//
// Arguments and outputs do not allocate during the run, so all counted allocations are those of the
// program.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "onnx/testing.h"

namespace ridge::tests {

/// Sink with a fixed buffer of 64 KiB; further output is dropped.
class FixedSink final : public Sink {
 public:
  void write(std::string_view text) override;
  std::string_view text() const { return {buffer_.data(), size_}; }

 private:
  std::array<char, 64 << 10> buffer_;
  std::size_t size_ = 0;
};

struct Ran {
  int status = 0;
  FixedSink out, err;
};

class Program {
 public:
  Program();
  const std::string& model() const { return model_; }
  std::string path(const std::string& name) const { return folder_.path(name); }
  void run(const std::vector<std::string>& arguments, Ran& ran) const;

 private:
  onnx::testing::TemporaryFolder folder_;
  std::string model_;
};

}  // namespace ridge::tests
