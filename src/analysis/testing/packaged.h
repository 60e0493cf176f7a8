// SPDX-License-Identifier: Apache-2.0
// Models shipped in packages (scripts/fetch_models.sh), with the sizes from
// tests/ops/packaged_models.txt, for tests of this folder and those above it.
//
//   for (const Packaged& p : packaged_models()) const Result<Resolved> r = resolve_packaged(p);
//
// The list is empty if they have not been fetched; tests then skip.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "onnx/reader.h"

namespace ridge::analysis::testing {

struct Packaged {
  std::string name;  ///< PACKAGE/FILE.onnx
  std::filesystem::path path;
  Bindings bindings;
  std::optional<std::int64_t> macs;  ///< reference value from another source
};

inline std::filesystem::path cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const std::filesystem::path root = cache != nullptr  ? std::filesystem::path(cache)
                                     : home != nullptr ? std::filesystem::path(home) / ".cache"
                                                       : std::filesystem::path();
  return root / "ridge";
}

/// Parses "2x1x128".
inline std::vector<std::int64_t> sizes_of(const std::string& text) {
  std::vector<std::int64_t> out;
  std::istringstream sizes(text);
  for (std::string size; std::getline(sizes, size, 'x');) out.push_back(std::stoll(size));
  return out;
}

inline std::vector<Packaged> packaged_models() {
  std::vector<Packaged> out;
  const char* source = std::getenv("RIDGE_SOURCE");
  std::ifstream file(std::string(source == nullptr ? "." : source) +
                     "/tests/ops/packaged_models.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Packaged p;
    words >> p.name;
    p.path = cache_folder() / "models" / p.name;
    if (line.starts_with("#") || !std::filesystem::exists(p.path)) continue;
    for (std::string word; words >> word;) {
      const std::size_t sign = word.find('=');
      const std::string name = word.substr(0, sign), value = word.substr(sign + 1);
      if (name == "macs")
        p.macs = std::stoll(value);
      else
        p.bindings.shapes[name] = sizes_of(value);
    }
    out.push_back(std::move(p));
  }
  return out;
}

inline Result<Resolved> resolve_packaged(const Packaged& p) {
  auto document = std::make_shared<const onnx::Document>(TRY(onnx::read_file(p.path.string())));
  return resolve(std::make_shared<const graph::Model>(TRY(graph::Model::build(document))),
                 p.bindings);
}

}  // namespace ridge::analysis::testing
