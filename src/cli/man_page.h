// SPDX-License-Identifier: Apache-2.0
// Manual pages in roff, made from the verbs and their flags: `ridge help man [VERB]`.
#pragma once

#include <span>
#include <string>

#include "cli/verb.h"

namespace ridge::cli {

/// ridge(1): the verbs, exit statuses and environment variables.
std::string man_page(std::span<const Verb> verbs);

/// The page of a verb: ridge-profile(1).
std::string man_page(const Verb& verb);

}  // namespace ridge::cli
