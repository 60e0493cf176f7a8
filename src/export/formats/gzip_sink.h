// SPDX-License-Identifier: Apache-2.0
// Sink that compresses its input (gzip, RFC 1952) into another sink.
//
//   GzipSink zip(sink);
//   zip.write(bytes);
//   zip.finish();
//
// Deterministic: the header has no time and no name. The output is complete only after finish().
// Cost: zlib's default level, 256 KiB of memory. Ownership: borrows the sink. Not thread-safe.
#pragma once

#include <memory>
#include <string_view>

#include "base/sink.h"

namespace ridge::exports {

class GzipSink final : public Sink {
 public:
  explicit GzipSink(Sink& out);
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;
  ~GzipSink() override;

  void write(std::string_view bytes) override;
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ridge::exports
