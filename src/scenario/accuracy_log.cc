// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "scenario/loadgen_logs.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kFull = std::size_t{64} << 10;

}  // namespace

AccuracyLog::AccuracyLog(Sink& sink) : sink_(sink), buffer_("[") {}

void AccuracyLog::add(std::uint64_t sequence, std::uint64_t sample,
                      std::span<const std::byte> output) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  fmt::format_to(std::back_inserter(buffer_),
                 "{}\n{{ \"seq_id\" : {}, \"qsl_idx\" : {}, \"data\" : \"", any_ ? "," : "",
                 sequence, sample);
  for (const std::byte byte : output) {
    buffer_ += kDigits[std::to_integer<unsigned>(byte) >> 4];
    buffer_ += kDigits[std::to_integer<unsigned>(byte) & 15];
    if (buffer_.size() >= kFull) sink_.write(buffer_), buffer_.clear();
  }
  buffer_ += "\" }";
  any_ = true;
}

void AccuracyLog::end() {
  buffer_ += "\n]\n";
  sink_.write(buffer_);
  buffer_.clear();
}

}  // namespace ridge::scenario
