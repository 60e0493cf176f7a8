// SPDX-License-Identifier: Apache-2.0
// Writes protobuf messages that may exceed memory. Private to src/onnx.
//
// A message's length precedes its content, so the caller describes the whole model twice: the first
// pass computes and stores the length of every message, the second pass writes. Both passes must
// make the same calls.
//
//   Encoder out;
//   describe(out);                       // measures
//   TRY(out.begin_writing(sink));
//   describe(out);                       // writes
//   TRY(out.finish());
//
// Memory: 8 bytes per message and a 256 KiB buffer. The first error of the sink is kept and
// returned by finish(). Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/proto.h"

namespace ridge::onnx {

class Encoder {
 public:
  using Sink = std::function<Result<void>(std::string_view)>;

  void integer(proto::Tag tag, std::int64_t value);
  void real(proto::Tag tag, float value);
  void text(proto::Tag tag, std::string_view bytes);
  /// Writes nothing if the text is empty.
  void optional_text(proto::Tag tag, std::string_view bytes) {
    if (!bytes.empty()) text(tag, bytes);
  }

  /// Writes a nested message; `fields` writes its content.
  template <typename Fields>
  void message(proto::Tag tag, Fields fields) {
    const std::size_t slot = open(tag);
    const std::int64_t before = size_;
    fields();
    close(slot, before);
  }

  /// Writes a field of `length` bytes; `stream(sink)` produces them and is called only in the
  /// second pass.
  template <typename Stream>
  void streamed(proto::Tag tag, std::int64_t length, Stream stream) {
    prefix(tag, static_cast<std::uint64_t>(length));
    grow(length);
    if (writing_ && !failure_)
      keep(stream([this](std::string_view part) { return pass_on(part); }));
  }

  /// Writes `length` bytes of encoded fields, which `stream(sink)` produces in the second pass.
  template <typename Stream>
  void fields(std::int64_t length, Stream stream) {
    grow(length);
    if (writing_ && !failure_)
      keep(stream([this](std::string_view part) { return pass_on(part); }));
  }

  /// Bytes described so far in this pass; the size of the whole model after the first pass. Stops
  /// at the largest integer.
  std::int64_t size() const { return size_; }

  void begin_writing(Sink sink);
  bool writing() const { return writing_; }
  /// Aborts with an error from the caller.
  void fail(Error error) { keep(std::move(error)); }
  Result<void> finish();

 private:
  std::size_t open(proto::Tag tag);
  void close(std::size_t slot, std::int64_t before);
  void prefix(proto::Tag tag, std::uint64_t value);
  void varint(std::uint64_t value);
  void bytes(std::string_view bytes);
  void grow(std::int64_t bytes);
  Result<void> pass_on(std::string_view part);
  void flush();
  void keep(Result<void> result);

  bool writing_ = false;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> lengths_;  ///< length of each message, in the order of opening
  std::size_t next_ = 0;
  std::string buffer_;
  Sink sink_;
  std::optional<Error> failure_;
};

}  // namespace ridge::onnx
