// Every flag of every verb, from the flags themselves: `ridge help flags`, docs/reference/flags.md.
#pragma once

#include <span>
#include <string>

#include "cli/verb.h"

namespace ridge::cli {

/// Markdown; a row per flag and meaning, sorted, with the verbs that have it so.
std::string flag_table(std::span<const Verb> verbs);

}  // namespace ridge::cli
