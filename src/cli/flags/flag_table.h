// SPDX-License-Identifier: Apache-2.0
// Table of all flags of all verbs, from their definitions: `ridge help flags`,
// docs/reference/flags.md.
#pragma once

#include <span>
#include <string>

#include "cli/verb.h"

namespace ridge::cli {

/// Markdown page with a row per flag and meaning, sorted, and the verbs that have it.
std::string flag_table(std::span<const Verb> verbs);

}  // namespace ridge::cli
