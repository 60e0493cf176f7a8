// SPDX-License-Identifier: Apache-2.0
// Sink that writes to a file descriptor: standard output and standard error.
//
// A reader that has closed its end (EPIPE) is not a failure: further output is discarded. The errno
// of any other failure is kept, and further output is discarded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace ridge::cli {

class DescriptorSink final : public Sink {
 public:
  /// `buffer`: number of bytes to collect before a write; 0: write at once.
  DescriptorSink(int descriptor, std::size_t buffer) : descriptor_(descriptor), limit_(buffer) {}
  DescriptorSink(const DescriptorSink&) = delete;
  DescriptorSink& operator=(const DescriptorSink&) = delete;
  ~DescriptorSink() override { flush(); }

  void write(std::string_view text) override;
  void flush();
  /// errno of the first failed write; 0 if none failed.
  int failure() const { return failure_; }

 private:
  void send(std::string_view text);

  int descriptor_;
  std::size_t limit_;
  std::string buffer_;
  int failure_ = 0;
  bool gone_ = false;
};

}  // namespace ridge::cli
