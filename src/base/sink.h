// SPDX-License-Identifier: Apache-2.0
// Output interface. Libraries write documents into a Sink; the program decides where they go.
//
// Thread rule: one writer. Failure: a sink records its first failure and drops all later output;
// its owner checks for it at the end.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view text) = 0;
};

/// Collects output in memory: for tests and for documents that are written atomically.
class StringSink final : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ridge
