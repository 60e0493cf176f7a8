// Protobuf bytes for messages that hold more than memory does. Private to src/onnx.
//
// A message's length stands before its content, so the caller describes the whole model twice: the
// first pass measures and remembers the length of every message, the second writes. Both must make
// the same calls.
//
//   Encoder out;
//   describe(out);                       // measures
//   TRY(out.begin_writing(sink));
//   describe(out);                       // writes
//   TRY(out.finish());
//
// Memory: 8 bytes per message and a 256 KiB buffer. Failure of the sink is sticky and reported by
// finish(). Not thread-safe.
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
  /// Nothing where it is empty.
  void optional_text(proto::Tag tag, std::string_view bytes) {
    if (!bytes.empty()) text(tag, bytes);
  }

  /// A nested message; `fields` writes its content.
  template <typename Fields>
  void message(proto::Tag tag, Fields fields) {
    const std::size_t slot = open(tag);
    const std::int64_t before = size_;
    fields();
    close(slot, before);
  }

  /// A field of `length` bytes; `stream(sink)` is called in the second pass only and gives them.
  template <typename Stream>
  void streamed(proto::Tag tag, std::int64_t length, Stream stream) {
    prefix(tag, static_cast<std::uint64_t>(length));
    size_ += length;
    if (writing_ && !failure_)
      keep(stream([this](std::string_view part) { return pass_on(part); }));
  }

  /// Bytes described so far; of the whole model after the first pass.
  std::int64_t size() const { return size_; }

  void begin_writing(Sink sink);
  bool writing() const { return writing_; }
  /// Stops with an error of the caller's.
  void fail(Error error) { keep(std::move(error)); }
  Result<void> finish();

 private:
  std::size_t open(proto::Tag tag);
  void close(std::size_t slot, std::int64_t before);
  void prefix(proto::Tag tag, std::uint64_t value);
  void varint(std::uint64_t value);
  void bytes(std::string_view bytes);
  Result<void> pass_on(std::string_view part);
  void flush();
  void keep(Result<void> result);

  bool writing_ = false;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> lengths_;  ///< of the messages, in the order in which they open
  std::size_t next_ = 0;
  std::string buffer_;
  Sink sink_;
  std::optional<Error> failure_;
};

}  // namespace ridge::onnx
