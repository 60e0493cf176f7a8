// A file descriptor as a Sink: standard output and standard error.
//
// A reader that went away (EPIPE) is no failure: what follows is dropped quietly. Any other failure
// is kept for the end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace ridge::cli {

class DescriptorSink final : public Sink {
 public:
  /// `buffer`: bytes gathered before a write; 0 writes at once.
  DescriptorSink(int descriptor, std::size_t buffer) : descriptor_(descriptor), limit_(buffer) {}
  DescriptorSink(const DescriptorSink&) = delete;
  DescriptorSink& operator=(const DescriptorSink&) = delete;
  ~DescriptorSink() override { flush(); }

  void write(std::string_view text) override;
  void flush();
  /// errno of the first write that failed; 0 where none did.
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
