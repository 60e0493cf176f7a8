// SPDX-License-Identifier: Apache-2.0
// The agent: what `ridge agent` does on a host. It reads messages (messages.h) from `in`, runs one
// point at a time in a `ridge` of its own, and writes what becomes of it to `out`.
//
//   TRY(serve_agent({.in = 0, .out = 1, .cache = cache_folder, .facts = facts, .stop = &stop}));
//
// A job's files lie in a temporary folder, in which its ridge runs; only those that the cache lacks
// are asked for. A point's ridge writes a run database of its own, which is sent whole. While it
// runs, a sign of life is sent every second. The end of `in`, `stop`, and a failure to write end
// that ridge and what it started; if the agent itself is killed, the kernel ends it (spawned.h).
//
// Errors of a job or a point are messages to the other side; those that are returned (environment
// class) end the agent: another version, what is no message, a cache that cannot be written.
// Thread rule: one thread.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "base/result.h"
#include "lab/agent/messages.h"

namespace ridge::lab {

struct AgentSetup {
  int in = 0, out = 1;
  std::string cache;                        ///< folder for files and temporary folders
  std::function<Facts()> facts;             ///< asked once
  const std::atomic<bool>* stop = nullptr;  ///< may be null
};

Result<void> serve_agent(const AgentSetup& setup);

}  // namespace ridge::lab
