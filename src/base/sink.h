// Where output goes. Libraries write documents into a Sink; what stands behind it is the program's
// business.
//
// Thread rule: one writer. Failure: a sink remembers the first failure and drops what follows; the
// owner asks it at the end.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view text) = 0;
};

/// Collects in memory: tests, documents that are written atomically.
class StringSink final : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ridge
