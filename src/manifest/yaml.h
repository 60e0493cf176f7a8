// SPDX-License-Identifier: Apache-2.0
// YAML as plain values with their source positions, in the value type of base/toml.h, so that one
// reader serves both syntaxes.
//
//   Toml file = TRY(read_yaml(text));
//   for (const TomlMember& m : file.members) ...;   // in the order of the file
//
// The subset that states data and nothing else: mappings, sequences and scalars of one document.
// Anchors, aliases, merge keys, tags and duplicate keys are input errors, as is a value that nests
// deeper than 32, a file over 1 MiB, or one of more than 100,000 values. Plain scalars follow the
// core schema of YAML 1.2 (section 10.3): `yes` is text. Numbers keep their spelling in `text`
// ("1.0" is not "1"); a null is empty text. The place of a block scalar (`|`) is its first line of
// content, so the i-th line of code in it is line place.line + i of the file.
//
// Errors state line and column (from 1, in characters). Cost: linear; libyaml compares every
// bracket with all open ones, which the limit of depth bounds. Thread rule: pure. yaml.cc is the
// only file that uses libyaml.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::manifest {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr int kDeepestYaml = 32;
inline constexpr int kMaxYamlValues = 100'000;

Result<Toml> read_yaml(std::string_view text);

}  // namespace ridge::manifest
