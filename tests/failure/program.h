// The program run inside the test, on a small model that has a bit of everything: weights in the
// file, constants beside it, a function, a Loop, text to escape.
//
//   const Program program;
//   program.run({"analyze", program.model(), "--format", "json"});
//
// Neither the arguments nor the outputs allocate while it runs, so every allocation that is counted
// is the program's own.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "onnx/testing.h"

namespace ridge::tests {

/// Keeps what was written in a buffer that is there from the start.
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
