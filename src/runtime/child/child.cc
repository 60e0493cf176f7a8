// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/child.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/child/server.h"

namespace ridge::runtime {

int child_main() {
  ::prctl(PR_SET_NAME, "ridge-runtime");
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  auto canceler = std::make_unique<Canceler>();
  canceler->start();
  Server server(ipc::Channel(ipc::Descriptor(ipc::kChannelDescriptor)), std::move(canceler));
  server.serve();
  // Skips destructors: the runtime's threads and statics need no cleanup.
  ::_exit(0);
}

}  // namespace ridge::runtime
