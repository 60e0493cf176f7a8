// SPDX-License-Identifier: Apache-2.0
// ridge completion: shell scripts that complete verbs, options and names of the zoo.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace ridge::cli {

inline constexpr std::string_view kCompletionExamples =
    "source <(ridge completion bash)                     # now; put it into ~/.bashrc to keep it\n"
    "ridge completion zsh > ~/.zfunc/_ridge              # a folder of fpath\n"
    "ridge completion fish > ~/.config/fish/completions/ridge.fish\n";

Run setup_completion(Flags& flags);

}  // namespace ridge::cli
