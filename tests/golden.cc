// SPDX-License-Identifier: Apache-2.0
#include "golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "base/version.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// True for keys that one run or host has and another lacks: what a host does not say, by name, and
/// what the measured overhead of the profiler shows. The schema requires the other keys there.
bool comes_and_goes(const std::string& path) {
  return path.find("/host/reasons/") != path.npos || path.find("/profiling/") != path.npos ||
         path.ends_with("/corrected_ci95");
}

/// Types by path; a null has none.
using Types = std::map<std::string, std::set<std::string>>;

template <typename Json>
void collect(const Json& value, const std::string& at, Types& out) {
  std::set<std::string>& types = out[at];
  if (!value.is_null()) types.insert(value.type_name());
  if (value.is_object())
    for (const auto& [key, child] : value.items()) collect(child, at + "/" + key, out);
  if (value.is_array())
    for (const Json& child : value) collect(child, at + "/[]", out);
}

template <typename Json>
Types types_of(const Json& value) {
  Types out;
  collect(value, "", out);
  return out;
}

bool covers(const Types& all, const Types& some) {
  return std::ranges::all_of(some, [&](const auto& path) {
    const auto found = all.find(path.first);
    return found != all.end() && std::ranges::includes(found->second, path.second);
  });
}

bool has_object(const Types& types, const std::string& path) {
  const auto found = types.find(path);
  return found != types.end() && found->second.contains("object");
}

/// Leaves out elements of arrays that show nothing new.
void trim(ordered_json& value) {
  if (value.is_object())
    for (auto& child : value) trim(child);
  if (!value.is_array()) return;
  ordered_json kept = ordered_json::array();
  Types seen;
  for (ordered_json& child : value) {
    trim(child);
    const Types types = types_of(child);
    if (kept.size() >= 2 && covers(seen, types)) continue;
    for (const auto& [path, names] : types) seen[path].insert(names.begin(), names.end());
    kept.push_back(std::move(child));
  }
  value = std::move(kept);
}

/// Figures of a sentence are those of this run. Words and shapes stay ("64x32 float32").
std::string without_figures(const std::string& text) {
  if (std::ranges::count(text, ' ') < 2) return text;
  const auto digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!digit(i)) {
      out += text[i];
      continue;
    }
    out += '1';
    while (digit(i + 1) || (i + 1 < text.size() && text[i + 1] == '.' && digit(i + 2))) ++i;
  }
  return out;
}

/// `key`: the key that the value stands at, also as an element of an array.
void normalize(ordered_json& value, const std::string& key) {
  const bool of_host = key == "host" || key == "machine" || key == "library" ||
                       key == "processor" || key == "store_key";
  if (value.is_number()) value = 1;
  if (value.is_string()) value = of_host ? key : without_figures(value.get<std::string>());
  if (value.is_array())
    for (auto& child : value) normalize(child, key);
  if (value.is_object())
    for (const auto& [name, child] : value.items())
      normalize(child, of_host && name != "type" ? key : name);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

fs::path golden_file(const std::string& name) { return source_tree() / "tests/golden" / name; }

/// A measured document differs on each run; only one with other keys is worth a change.
bool replaces(const std::string& before, const std::string& now, Figures figures) {
  if (figures == Figures::kComputed) return before != now;
  return before.empty() || types_of(json::parse(before)) != types_of(json::parse(now));
}

}  // namespace

std::vector<std::string> key_findings(const json& golden, const json& printed) {
  const Types wanted = types_of(golden), found = types_of(printed);
  std::vector<std::string> out;
  for (const auto& [path, types] : wanted) {
    const std::size_t slash = std::min(path.rfind('/'), path.size());
    const std::string parent = path.substr(0, slash);
    const auto now = found.find(path);
    if (now == found.end()) {
      if (has_object(found, parent) && has_object(wanted, parent) && !comes_and_goes(path))
        out.push_back(fmt::format("{}: '{}' is missing", parent.empty() ? "document" : parent,
                                  path.substr(slash + 1)));
      continue;
    }
    for (const std::string& type : now->second)
      if (!types.empty() && !types.contains(type))
        out.push_back(fmt::format("{}: {} instead of {}", path, type, *types.begin()));
  }
  return out;
}

std::string golden_text(std::string_view printed, Figures figures) {
  ordered_json document = ordered_json::parse(printed);
  trim(document);
  if (figures == Figures::kMeasured) normalize(document, "");
  return replaced(document.dump(1), fmt::format("\"ridge\": \"{}\"", version()),
                  "\"ridge\": \"<version>\"") +
         "\n";
}

std::vector<std::string> golden_findings(const std::string& name, std::string_view printed,
                                         Figures figures) {
  const fs::path file = golden_file(name);
  std::string golden = fs::exists(file) ? read_text(file) : "";
  if (std::getenv("RIDGE_APPROVE") != nullptr) {
    const std::string now = golden_text(printed, figures);
    if (replaces(golden, now, figures)) write_text(file, golden = now);
  }
  if (golden.empty()) return {"there is no " + file.string() + ": scripts/approve.sh"};
  return key_findings(json::parse(golden), json::parse(printed));
}

}  // namespace ridge::tests
