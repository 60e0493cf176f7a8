// SPDX-License-Identifier: Apache-2.0
#include "export/formats/gzip_sink.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace ridge::exports {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; + 16 selects the gzip format
constexpr int kMemoryLevel = 8;       // zlib's default

}  // namespace

struct GzipSink::State {
  explicit State(Sink& sink) : out(sink) {
    // Can fail only for lack of memory, because the parameters are constants.
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ::deflateEnd(&stream); }

  void run(int flush) {
    do {
      stream.next_out = buffer.data();
      stream.avail_out = static_cast<uInt>(buffer.size());
      ::deflate(&stream, flush);
      const std::size_t made = buffer.size() - stream.avail_out;
      out.write({reinterpret_cast<const char*>(buffer.data()), made});
    } while (stream.avail_out == 0);
  }

  Sink& out;
  z_stream stream = {};
  std::array<Bytef, std::size_t{64} << 10> buffer = {};
};

GzipSink::GzipSink(Sink& out) : state_(std::make_unique<State>(out)) {}
GzipSink::~GzipSink() = default;

void GzipSink::write(std::string_view bytes) {
  constexpr std::size_t kMax = std::numeric_limits<uInt>::max();
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMax);
    state_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
    state_->stream.avail_in = static_cast<uInt>(part.size());
    state_->run(Z_NO_FLUSH);
    bytes.remove_prefix(part.size());
  }
}

void GzipSink::finish() { state_->run(Z_FINISH); }

}  // namespace ridge::exports
