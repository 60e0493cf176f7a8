// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/signature.h"

#include <sys/wait.h>

#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "ipc/process.h"

namespace ridge::lab {
namespace {

constexpr Nanos kLimit{60'000'000'000};
/// Arguments are handed to the shell by position: none of them becomes a part of the command.
constexpr const char* kSign = "exec ssh-keygen -q -Y sign -n ridge-bundle -f \"$1\" \"$2\"";
constexpr const char* kVerify =
    "exec ssh-keygen -Y verify -n ridge-bundle -f \"$1\" -I \"$2\" -s \"$3\" <\"$4\"";
/// Status of a shell that finds no program.
constexpr int kNotFound = 127;

struct Ended {
  int status = 0;
  std::string words;
};

Result<Ended> run(const char* script, std::vector<std::string> arguments) {
  std::vector<std::string> command = {"/bin/sh", "-c", script, "sh"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ipc::Process process = TRY(ipc::Process::start_command(command));
  const auto status = process.wait(steady_clock().now() + kLimit);
  if (!status)
    return environment_error("RIDGE-LAB-0014", "ssh-keygen did not end within a minute")
        .hint("a key with a passphrase needs ssh-agent: ssh-add KEY");
  Ended out{WIFEXITED(*status) ? WEXITSTATUS(*status) : -1, process.last_words()};
  if (out.status == kNotFound)
    return environment_error("RIDGE-LAB-0014", "ssh-keygen is not installed")
        .hint("apt install openssh-client");
  return out;
}

}  // namespace

std::string signature_path(const std::string& bundle) { return bundle + ".sig"; }

Result<void> sign(const std::string& bundle, const std::string& key) {
  if (file_exists(signature_path(bundle)))
    return usage_error("RIDGE-LAB-0016", "the bundle has a signature already")
        .hint("delete it, or name another bundle")
        .in_file(signature_path(bundle));
  const Ended ended = TRY(run(kSign, {key, bundle}));
  if (ended.status == 0) return {};
  return environment_error("RIDGE-LAB-0014", "the bundle could not be signed")
      .evidence(ended.words)
      .hint("name a private key of OpenSSH; one with a passphrase needs ssh-agent")
      .in_file(key);
}

Result<void> check_signature(const std::string& bundle, const std::string& allowed_signers,
                             const std::string& who) {
  const std::string signature = signature_path(bundle);
  if (!file_exists(signature))
    return input_error("RIDGE-LAB-0015", "the bundle has no signature")
        .hint("ridge bundle seal --sign KEY writes it beside the bundle")
        .in_file(signature);
  TRY(File::open(allowed_signers));
  const Ended ended = TRY(run(kVerify, {allowed_signers, who, signature, bundle}));
  if (ended.status == 0) return {};
  return input_error("RIDGE-LAB-0015", "the signature is not of " + who)
      .evidence(ended.words)
      .hint("the file of allowed signers has a line for each: NAME KEYTYPE KEY (ssh-keygen(1))")
      .in_file(signature);
}

}  // namespace ridge::lab
