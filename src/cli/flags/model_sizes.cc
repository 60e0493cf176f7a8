// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/model_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/suggest.h"
#include "cli/flags/sizes.h"

namespace ridge::cli {
namespace {

/// Shorter prefixes are not checked: too many names are similar to them.
constexpr std::size_t kShortestChecked = 4;

/// Returns "resnet50" for "nets/resnet50.onnx" and "zoo:resnet50".
std::string stem(const std::string& model) {
  const std::string file = model.substr(model.find_last_of("/:") + 1);
  return file.ends_with(".onnx") ? file.substr(0, file.size() - 5) : file;
}

/// Name of a size or an input, the text "name=values", and the models it applies to (empty: all).
struct Scoped {
  std::vector<std::string> models;
  std::string name, text;
};

/// Removes a prefix "MODEL:" from `text` and returns the models with that name or stem; of several
/// matching names, the longest.
std::vector<std::string> take_models(std::string_view& text,
                                     const std::vector<std::string>& models) {
  std::vector<std::string> out;
  std::size_t longest = 0;
  for (const std::string& model : models)
    for (const std::string& called : {model, stem(model)}) {
      const bool fits = text.starts_with(called + ":");
      if (!fits || called.size() < longest) continue;
      if (called.size() > longest) out.clear();
      longest = called.size();
      out.push_back(model);
    }
  if (!out.empty()) text.remove_prefix(longest + 1);
  return out;
}

Scoped scoped(std::string_view text, std::vector<std::string> models) {
  return {std::move(models), std::string(text.substr(0, text.rfind('='))), std::string(text)};
}

std::vector<std::string> texts_of(const std::string& model, const std::vector<Scoped>& all) {
  const auto own = [&](const Scoped& s) { return std::ranges::count(s.models, model) > 0; };
  std::vector<std::string> out;
  for (const Scoped& s : all) {
    const bool replaced = std::ranges::any_of(
        all, [&](const Scoped& other) { return own(other) && other.name == s.name; });
    if (own(s) || (s.models.empty() && !replaced)) out.push_back(s.text);
  }
  return out;
}

}  // namespace

std::vector<std::string> binds_of(const std::string& model, const std::vector<std::string>& models,
                                  const std::vector<std::string>& binds) {
  std::vector<Scoped> all;
  for (const std::string& bind : binds) {
    std::vector<std::string> of;  // an item without a prefix keeps the models of the item before
    bool first = true;
    for (std::string_view item : bind_items(bind)) {
      if (auto named = take_models(item, models); !named.empty()) of = std::move(named);
      if (first || item.find('=') != std::string_view::npos)
        all.push_back(scoped(item, of));
      else
        all.back().text += "," + std::string(item);
      first = false;
    }
  }
  return texts_of(model, all);
}

std::vector<std::string> shapes_of(const std::string& model, const std::vector<std::string>& models,
                                   const std::vector<std::string>& shapes) {
  std::vector<Scoped> all;
  for (const std::string& shape : shapes) {
    std::string_view text = shape;
    std::vector<std::string> of = take_models(text, models);
    all.push_back(scoped(text, std::move(of)));
  }
  return texts_of(model, all);
}

Result<void> check_model_names(const std::vector<std::string>& models,
                               const std::vector<std::string>& binds,
                               const std::vector<std::string>& shapes) {
  std::vector<std::string> names;
  for (const std::string& model : models) names.insert(names.end(), {stem(model), model});
  std::vector<std::string_view> items(shapes.begin(), shapes.end());
  for (const std::string& bind : binds)
    std::ranges::copy(bind_items(bind), std::back_inserter(items));
  for (std::string_view item : items) {
    const std::size_t colon = item.substr(0, item.find('=')).rfind(':');
    if (colon == std::string_view::npos || colon < kShortestChecked) continue;
    const std::string_view name = item.substr(0, colon), rest = item.substr(colon);
    const std::vector<std::string> near = near_names(name, names);
    if (near.empty() || !take_models(item, models).empty()) continue;
    return usage_error("RIDGE-CLI-0208",
                       fmt::format("'{}{}': unknown model '{}'", name, rest, name))
        .hint(fmt::format("did you mean '{}{}'?", near[0], rest));
  }
  return {};
}

}  // namespace ridge::cli
