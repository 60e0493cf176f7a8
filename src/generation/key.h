// SPDX-License-Identifier: Apache-2.0
// All that a generation depends on, as JSON: what a store recognizes it by, and, without what only
// the machine decides, its key in a request (session/point_choice.h). Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "generation/token_generation.h"
#include "session/workbench.h"

namespace ridge::generation {

struct GenerationKey {
  std::string model, prefill;  ///< SHA-256; "" of no model for prompts
  std::map<std::string, std::int64_t> sizes;
  std::map<std::string, std::string> inputs;  ///< SHA-256 of what each is given
  std::vector<StatePattern> state;
  std::string cache;     ///< as asked; "": what model and runtime can
  std::string requests;  ///< SHA-256 of the length and the due time of each
  std::string begin;     ///< "due" or "free": when a request begins
  std::uint32_t clients = 1, batch = 1;
  bool given_cache = false;
  std::uint64_t seed = 1;
  std::int64_t max_duration_ns = 0;
  std::map<std::string, std::string> options;  ///< options of runtime and measurement
  std::string runtime, version, library;       ///< name, version, SHA-256 of its library
  std::string host, ridge;
};

/// Key of each point of the request, without what an opened runtime alone says. `bench`: of the
/// decoder. Reads the files of the request. Errors: as reading files has.
Result<std::vector<GenerationKey>> generation_keys(const TokenGenerationRequest& request,
                                                   const session::Workbench& bench,
                                                   const std::vector<session::Point>& points);

/// Hash of everything.
std::string store_key(const GenerationKey& key);
/// Key that is the same on every machine.
std::string request_key(GenerationKey key);

}  // namespace ridge::generation
