// SPDX-License-Identifier: Apache-2.0
#include "lab/ssh/command.h"

#include <fmt/format.h>

#include "lab/agent/spawned.h"
#include "lab/agent/words.h"

namespace ridge::lab {
namespace {

/// Status of a shell that finds no program, and of ssh that has no connection.
constexpr int kNoProgram = 127, kNoConnection = 255;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// How to reach a host from a shell, for hints.
std::string by_hand(const SshHost& host) {
  return fmt::format("ssh{} {}", host.port ? fmt::format(" -p {}", *host.port) : "",
                     host.destination);
}

}  // namespace

std::vector<std::string> agent_command(const SshHost& host) {
  if (host.destination.empty()) return own_command({"agent"});
  std::vector<std::string> out = {"ssh", "-T",
                                  "-o",  "BatchMode=yes",
                                  "-o",  "StrictHostKeyChecking=yes",
                                  "-o",  "ConnectTimeout=10",
                                  "-o",  "ServerAliveInterval=5",
                                  "-o",  "ServerAliveCountMax=3"};
  if (host.port) out.insert(out.end(), {"-p", std::to_string(*host.port)});
  if (!host.identity.empty())
    out.insert(out.end(), {"-o", "IdentitiesOnly=yes", "-i", host.identity});
  if (!host.known_hosts.empty())
    out.insert(out.end(), {"-o", "UserKnownHostsFile=" + host.known_hosts});
  out.insert(out.end(), {"--", host.destination, "ridge agent"});
  return out;
}

Error not_answered(const SshHost& host, int status, std::string_view words) {
  const std::string said = last_words(words);
  if (status == kNoProgram)
    return environment_error("RIDGE-LAB-0120", fmt::format("{} has no ridge", host.name))
        .evidence(said)
        .hint(fmt::format("install it there; {} 'ridge --version' must find it", by_hand(host)));
  if (status == kNoConnection && has(words, "Host key verification failed"))
    return environment_error("RIDGE-LAB-0121",
                             fmt::format("the host key of {} is not the known one", host.name))
        .evidence(said)
        .hint(
            fmt::format("compare its fingerprint, and accept it once by hand: {}", by_hand(host)));
  if (status == kNoConnection && !host.destination.empty())
    return environment_error("RIDGE-LAB-0122", fmt::format("{} cannot be reached", host.name))
        .evidence(said)
        .hint(fmt::format("{} true must work without a question", by_hand(host)));
  return environment_error("RIDGE-LAB-0123",
                           fmt::format("the agent of {} ended with status {}", host.name, status))
      .evidence(said);
}

}  // namespace ridge::lab
