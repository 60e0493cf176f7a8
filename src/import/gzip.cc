// SPDX-License-Identifier: Apache-2.0
#include "import/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace ridge::imports {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; + 16 selects zlib's gzip framing

class Inflater {
 public:
  explicit Inflater(std::string_view packed) : packed_(packed) {
    // Fails only when memory is exhausted: the parameters are constants.
    if (::inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }

  /// Returns up to `most` bytes of text, across all members.
  std::string read(std::size_t most) {
    std::string text;
    while (!ended_ && text.size() < most) step(text, std::min(most, text.size() + kStep));
    return text;
  }

  bool ended() const { return ended_; }
  bool damaged() const { return damaged_; }

 private:
  static constexpr std::size_t kStep = 4 << 20;

  /// Grows the text to at most `size` bytes.
  void step(std::string& text, std::size_t size) {
    const std::size_t before = text.size();
    text.resize(size);
    stream_.next_out = reinterpret_cast<Bytef*>(text.data()) + before;
    stream_.avail_out = static_cast<uInt>(size - before);
    while (stream_.avail_out > 0 && !ended_) {
      feed();
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END)
        next_member();
      else if (status != Z_OK)  // damaged, or the file ended
        ended_ = damaged_ = true;
    }
    text.resize(size - stream_.avail_out);
  }

  void feed() {
    if (stream_.avail_in > 0 || packed_.empty()) return;
    const std::size_t part =
        std::min<std::size_t>(packed_.size(), std::numeric_limits<uInt>::max());
    // zlib declares its input non-const but does not write to it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
    stream_.avail_in = static_cast<uInt>(part);
    packed_.remove_prefix(part);
  }

  void next_member() {
    feed();
    const bool another = stream_.avail_in >= 2 && stream_.next_in[0] == 0x1f &&
                         stream_.next_in[1] == 0x8b && ::inflateReset(&stream_) == Z_OK;
    ended_ = !another;
  }

  std::string_view packed_;
  z_stream stream_ = {};
  bool ended_ = false, damaged_ = false;
};

}  // namespace

bool is_gzip(std::string_view beginning) { return beginning.starts_with("\x1f\x8b"); }

Result<Unpacked> gunzip(std::string_view packed) {
  const std::size_t most =
      std::max(kUnpackedAtLeast,
               packed.size() <= SIZE_MAX / kMaxPacked ? packed.size() * kMaxPacked : SIZE_MAX);
  Inflater inflater(packed);
  Unpacked out{.text = inflater.read(most)};
  if (!inflater.ended() && !inflater.read(1).empty())
    return input_error("RIDGE-IMP-0060", "the gzip file expands beyond the limit for recordings")
        .evidence(fmt::format("its {} bytes expand to more than {} bytes", packed.size(), most))
        .hint("decompress it first: gunzip FILE");
  if (out.text.empty())
    return input_error("RIDGE-IMP-0061", "the gzip file contains no text")
        .evidence(inflater.damaged() ? "it is cut off or damaged" : "it is empty")
        .hint("create it again");
  out.cut_off = inflater.damaged();
  return out;
}

std::string gunzip_beginning(std::string_view packed, std::size_t length) {
  return Inflater(packed).read(length);
}

}  // namespace ridge::imports
