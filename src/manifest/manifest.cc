// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest.h"

#include <array>

namespace ridge::manifest {

const Setting* find(const std::vector<Setting>& settings, std::string_view name) {
  for (const Setting& s : settings)
    if (s.name == name) return &s;
  return nullptr;
}

std::string_view Tensor::parameter(std::string_view name) const {
  const Setting* found = find(parameters, name);
  return found == nullptr ? std::string_view() : std::string_view(found->value);
}

std::string_view name(Loader loader) {
  switch (loader) {
    case Loader::kImages:
      return "images";
    case Loader::kNpy:
      return "npy";
    case Loader::kCsv:
      return "csv";
    case Loader::kText:
      return "text";
  }
  return "";
}

std::string_view kind_name(const Manifest& manifest) {
  constexpr std::array<std::string_view, 3> kNames{"model", "dataset", "runtime"};
  return kNames[manifest.index()];
}

std::string_view name_of(const Manifest& manifest) {
  return std::visit([](const auto& m) { return std::string_view(m.name); }, manifest);
}

std::string_view version_of(const Manifest& manifest) {
  return std::visit([](const auto& m) { return std::string_view(m.version); }, manifest);
}

}  // namespace ridge::manifest
