// SPDX-License-Identifier: Apache-2.0
// Makes models ready for later loads (Runtime::prepare) in the runtime's process.
#pragma once

#include <vector>

#include "ipc/descriptor.h"
#include "runtime/child/opened_runtime.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

/// Usage error (RIDGE-RT-0070) for a prepared model in a runtime that prepares none.
Result<void> check_form(const OpenedRuntime& opened, Form form);

/// Prepares the model of the call, whose weights are in `files` or in the call, and fills `reply`.
/// Returns the file of the weights' elements, the runtime's until its next call; -1: no weights.
Result<int> prepare_model(const OpenedRuntime& opened, LoadCall call,
                          const std::vector<ipc::Descriptor>& files, PreparedReply& reply);

}  // namespace ridge::runtime
