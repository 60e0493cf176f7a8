#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/file.h"
#include "base/suggest.h"
#include "import/formats.h"
#include "import/join.h"
#include "import/names.h"

namespace ridge::imports {
namespace {

/// A trace of ten million events has some 3 GB.
constexpr std::int64_t kLongestFile = std::int64_t{8} << 30, kLongestLayerInfo = 256 << 20;

std::string format_names() {
  std::string out;
  for (const Format& f : formats()) out += (out.empty() ? "" : ", ") + std::string(f.name);
  return out;
}

Error unknown(std::string_view beginning) {
  if (beginning.find("\"schema\":\"ridge.") != std::string_view::npos ||
      beginning.find("\"schema\": \"ridge.") != std::string_view::npos)
    return input_error("RIDGE-IMP-0003", "this is a document of ridge, which needs no import")
        .hint("give it to the verbs that take runs");
  if (beginning.starts_with("\x1f\x8b"))
    return input_error("RIDGE-IMP-0004", "the file is packed with gzip")
        .hint("unpack it: gunzip FILE");
  return input_error("RIDGE-IMP-0002", "no known format begins like this file")
      .evidence(beginning.empty() ? "it is empty" : "")
      .hint(fmt::format("say what it is: --from {}; ridge import --list describes them",
                        format_names()));
}

Result<const Format*> format_of(const std::string& from, std::string_view beginning) {
  if (from.empty()) {
    const Format* format = detect(beginning);
    if (format == nullptr) return unknown(beginning);
    return format;
  }
  const Format* format = find_format(from);
  if (format == nullptr)
    return usage_error("RIDGE-IMP-0001", fmt::format("there is no format '{}'", from))
        .hint("formats: " + format_names());
  return format;
}

Result<std::string> beginning_of(const File& file) {
  std::string out(static_cast<std::size_t>(
                      std::min<std::int64_t>(file.size(), static_cast<std::int64_t>(kBeginning))),
                  '\0');
  TRY(file.read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

Result<Recorded> read(const std::string& path, const ImportOptions& options,
                      const NameIndex* names) {
  std::string content;
  const Format* format = nullptr;
  {
    const File file = TRY(File::open(path));
    content = TRY(beginning_of(file));
    format = TRY(format_of(options.from, content));
  }
  if (format->text) content = TRY(read_file(path, kLongestFile));
  std::string info;
  if (!options.layer_info.empty() && format->name != "trtexec")
    return usage_error(
               "RIDGE-IMP-0005",
               fmt::format("layer information belongs to trtexec, this is {}", format->name))
        .hint("leave --layer-info out");
  if (!options.layer_info.empty()) info = TRY(read_file(options.layer_info, kLongestLayerInfo));
  return format->read({path, content, info, options.layer_info, names});
}

}  // namespace

bool is_recorded_text(const std::string& path) {
  const Result<File> file = File::open(path);
  if (!file.ok()) return false;
  const Result<std::string> beginning = beginning_of(*file);
  if (!beginning.ok()) return false;
  const Format* format = detect(*beginning);
  return format != nullptr && format->text;
}

Result<profile::Profile> import_file(const std::string& path, const ImportOptions& options) {
  std::optional<NameIndex> names;
  if (options.resolved != nullptr) names.emplace(options.resolved->model());
  Result<Recorded> recorded = read(path, options, names ? &*names : nullptr);
  if (!recorded.ok()) {
    if (!recorded.error().file().empty()) return std::move(recorded).error();
    return std::move(recorded).error().in_file(path);
  }
  return join(std::move(*recorded), options.resolved, names ? &*names : nullptr);
}

}  // namespace ridge::imports
