// SPDX-License-Identifier: Apache-2.0
// The command that starts an agent on a host, and what became of it where it does not answer.
//
//   Spawned agent = TRY(Spawned::start({.command = agent_command(host), .input = true,
//                                       .own_errors = true}));
//   return not_answered(host, status, what_it_printed_to_standard_error);
//
// ssh is asked for nothing: no password, no unknown host key. Errors (environment class):
// RIDGE-LAB-0120 no ridge there, 0121 the host key is unknown or another one, 0122 no connection or
// no login, 0123 the agent ended. Thread rule: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace ridge::lab {

/// A host that ssh reaches; "" and nullopt: as ssh decides.
struct SshHost {
  std::string name;
  std::string destination;  ///< "": this machine, without ssh
  std::optional<unsigned> port;
  std::string identity, known_hosts;
};

std::vector<std::string> agent_command(const SshHost& host);

/// `status`: of ssh or of the agent; `words`: the end of its standard error.
Error not_answered(const SshHost& host, int status, std::string_view words);

}  // namespace ridge::lab
