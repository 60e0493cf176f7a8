// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/canceler.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "ipc/process.h"

namespace ridge::runtime {

void Canceler::start() {
  std::thread([this] { listen(); }).detach();  // lives as long as the process
  thread_.wait(0);                             // thread() must be valid from now on
}

void Canceler::listen() {
  thread_.store(::gettid());
  thread_.notify_all();
  for (;;) {
    char byte = 0;
    const ssize_t got = ::recv(ipc::kControlDescriptor, &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    if (got <= 0) {  // ridge is gone: nobody waits for results
      std::error_code ignored;
      if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
      ::_exit(0);
    }
    canceled_.store(true, std::memory_order_relaxed);
    if (session_ != nullptr && api_->cancel != nullptr) api_->cancel(session_);
  }
}

void Canceler::remove_at_end(std::string folder) {
  const std::lock_guard lock(mutex_);
  folder_ = std::move(folder);
}

void Canceler::set_active(const RidgeRuntimeApi* api, RidgeSession* session) {
  const std::lock_guard lock(mutex_);
  api_ = api;
  session_ = session;
}

}  // namespace ridge::runtime
