// SPDX-License-Identifier: Apache-2.0
#include "cli/descriptor_sink.h"

#include <unistd.h>

#include <cerrno>

namespace ridge::cli {

void DescriptorSink::write(std::string_view text) {
  if (buffer_.size() + text.size() < limit_) {
    buffer_ += text;
    return;
  }
  flush();
  if (text.size() < limit_)
    buffer_ = text;
  else
    send(text);
}

void DescriptorSink::flush() {
  send(buffer_);
  buffer_.clear();
}

void DescriptorSink::send(std::string_view text) {
  while (!text.empty() && !gone_) {
    const ssize_t sent = ::write(descriptor_, text.data(), text.size());
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EINTR) {
      gone_ = true;
      if (errno != EPIPE) failure_ = errno;
    }
  }
}

}  // namespace ridge::cli
