// SPDX-License-Identifier: Apache-2.0
// Signatures of bundles by OpenSSH's keys, in a file beside the bundle: r.ridge.sig. The namespace
// is "ridge-bundle", so that a signature of something else is none of a bundle.
//
//   TRY(sign("r.ridge", "~/.ssh/id_ed25519"));
//   TRY(check_signature("r.ridge", "allowed_signers", "me@example.org"));
//
// `ssh-keygen -Y sign -n ridge-bundle -f KEY r.ridge` writes the same file. The formats of keys and
// of allowed signers are as ssh-keygen(1) has them. Errors: environment class where ssh-keygen is
// absent or fails; input class (RIDGE-LAB-0015) for a signature that is missing or wrong. Thread
// rule: plain functions.
#pragma once

#include <string>

#include "base/result.h"

namespace ridge::lab {

std::string signature_path(const std::string& bundle);

/// Asks for the key's passphrase where ssh-keygen does: on the terminal, or ssh-agent.
Result<void> sign(const std::string& bundle, const std::string& key);

/// `who`: the principal that must have signed.
Result<void> check_signature(const std::string& bundle, const std::string& allowed_signers,
                             const std::string& who);

}  // namespace ridge::lab
