// SPDX-License-Identifier: Apache-2.0
#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"
#include "import/formats.h"
#include "import/gzip.h"
#include "import/join.h"
#include "import/names.h"
#include "import/sizes.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;

/// A trace of ten million events takes about 3 GB.
constexpr std::int64_t kLongestFile = std::int64_t{8} << 30, kLongestLayerInfo = 256 << 20;

std::string format_names() {
  std::string out;
  for (const Format& f : formats()) out += (out.empty() ? "" : ", ") + std::string(f.name);
  return out;
}

Error unknown(std::string_view beginning) {
  if (is_own_document(beginning))
    return input_error("RIDGE-IMP-0003", "the file is already a ridge document and needs no import")
        .hint("pass it directly to the commands that read runs");
  return input_error("RIDGE-IMP-0002", "the file format is not recognized")
      .evidence(beginning.empty() ? "it is empty" : "")
      .hint(fmt::format("name the format with --from {}; ridge import --list describes them",
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
    return usage_error("RIDGE-IMP-0001", fmt::format("unknown format '{}'", from))
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

/// Returns the beginning of the file's text, decompressed if needed.
std::string text_beginning(const std::string& beginning) {
  return is_gzip(beginning) ? gunzip_beginning(beginning, kBeginning) : beginning;
}

/// Reads the text of a file, decompressed if needed.
Result<Unpacked> read_text(const std::string& path, std::int64_t limit) {
  std::string content = TRY(read_file(path, limit));
  Result<Unpacked> text = is_gzip(content) ? gunzip(content) : Unpacked{.text = std::move(content)};
  if (!text.ok()) return std::move(text).error().in_file(path);
  if (Result<void> good = check_encoding(text->text); !good.ok())
    return std::move(good).error().in_file(path);
  text->text.erase(0, text->text.size() - without_mark(text->text).size());
  return text;
}

/// File that supplements the recording; read only if the format uses it.
struct Companion {
  const std::string& path;
  std::string_view flag, format;
};

Result<std::string> companion(const Companion& file, std::string_view format) {
  if (file.path.empty()) return std::string();
  if (file.format != format)
    return usage_error("RIDGE-IMP-0005", fmt::format("{} applies to format {}, but this file is {}",
                                                     file.flag, file.format, format))
        .hint(fmt::format("omit {}", file.flag));
  return TRY(read_text(file.path, kLongestLayerInfo)).text;
}

/// Reads the files of the other ranks.
Result<std::vector<std::string>> read_further(const ImportOptions& options,
                                              std::string_view format) {
  std::vector<std::string> out;
  for (const std::string& path : options.further) {
    if (format != "kineto")
      return usage_error("RIDGE-IMP-0062",
                         fmt::format("several files are accepted only as ranks of a PyTorch trace; "
                                     "this file is of format {}",
                                     format))
          .hint("import one file at a time");
    out.push_back(TRY(read_text(path, kLongestFile)).text);
  }
  return out;
}

Result<Recorded> read_recording(const std::string& path, const ImportOptions& options,
                                const NameIndex* names) {
  const Format* format = nullptr;
  bool packed = false;
  {
    // The beginning tells the format, before anything large is read: a SQLite database is read by
    // its own library and never as a text.
    const File file = TRY(File::open(path));
    const std::string beginning = TRY(beginning_of(file));
    packed = is_gzip(beginning);
    const std::string text = text_beginning(beginning);
    TRY(check_encoding(text));
    format = TRY(format_of(options.from, without_mark(text)));
  }
  if (packed && !format->text)
    return input_error("RIDGE-IMP-0004",
                       "a SQLite file that is compressed with gzip cannot be read")
        .hint("decompress it: gunzip FILE");
  Unpacked content;
  if (format->text) content = TRY(read_text(path, kLongestFile));
  const std::vector<std::string> further = TRY(read_further(options, format->name));
  const std::string info =
      TRY(companion({options.layer_info, "--layer-info", "trtexec"}, format->name));
  const std::string times = TRY(companion({options.times, "--times", "trtexec"}, format->name));
  const std::string graph =
      TRY(companion({options.exec_graph, "--exec-graph", "openvino"}, format->name));
  if (!options.optimized_model.empty() && format->name != "ort")
    return usage_error("RIDGE-IMP-0005",
                       fmt::format("--optimized-model applies to format ort, but this file is {}",
                                   format->name))
        .hint("omit --optimized-model");
  if (!options.runs.empty() && (format->name == "trtexec" || format->name == "openvino"))
    return usage_error("RIDGE-IMP-0016",
                       fmt::format("--runs applies to recordings that tell runs apart; a file of "
                                   "format {} has one time per layer",
                                   format->name))
        .hint("omit --runs");
  Recorded recorded = TRY(format->read({.path = path,
                                        .content = content.text,
                                        .further = further,
                                        .layer_info = info,
                                        .layer_info_path = options.layer_info,
                                        .times = times,
                                        .times_path = options.times,
                                        .exec_graph = graph,
                                        .exec_graph_path = options.exec_graph,
                                        .runs = options.runs,
                                        .names = names}));
  if (content.cut_off)
    recorded.notes.insert(recorded.notes.begin(),
                          "the gzip file is cut off or damaged: what it has before that is read");
  return recorded;
}

/// Resolves the model with the sizes found in the recording.
Result<Resolved> resolve_as_recorded(Recorded& recorded, const ImportModel& of,
                                     const NameIndex& names) {
  const Result<Resolved> symbolic =
      analysis::resolve(of.model, {.free = analysis::FreeSizes::kSymbolic});
  if (!symbolic.ok()) return analysis::resolve(of.model, of.bindings, of.defaults);
  // Shapes stay expressions of the free sizes at first. Recorded shapes then give equations: a
  // layer declared [batch, seq, 768] and recorded [1, 128, 768] says batch = 1 and seq = 128.
  const RecordedSizes sizes = recorded_sizes(recorded, *symbolic, names);
  std::vector<std::string> notes;
  const analysis::Bindings bindings = with_recorded(sizes, *of.model, of.bindings, notes);
  recorded.notes.insert(recorded.notes.end(), notes.begin(), notes.end());
  if (!sizes.vary.empty())
    recorded.work_unknown = fmt::format("runs differ in {} (--runs prefill, decode or N chooses)",
                                        fmt::join(sizes.vary, ", "));
  if (!sizes.contradiction.empty()) recorded.work_unknown = sizes.contradiction;
  Result<Resolved> resolved = analysis::resolve(of.model, bindings, of.defaults);
  if (!resolved.ok() && !sizes.vary.empty())
    return std::move(resolved).error().hint(
        fmt::format("the runs of the recording differ in {}: --runs prefill, decode or N chooses "
                    "some, or --bind gives the size",
                    fmt::join(sizes.vary, ", ")));
  return resolved;
}

/// "'a', 'b', …"
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(shorten(valid_utf8(names[i]), 64)));
  return out + (names.size() > kShown ? ", …" : "");
}

Error too_little_matches(const profile::Profile& p, double share) {
  std::vector<std::string> layers, nodes;
  for (const profile::Layer& layer : p.layers)
    if (!layer.inserted) layers.push_back(layer.name);
  for (const profile::Node& node : p.nodes)
    if (!node.name.empty()) nodes.push_back(node.name);
  return input_error("RIDGE-IMP-0008",
                     share > 0
                         ? fmt::format("only layers with {:.1f} % of the recorded time match nodes "
                                       "of the model; at least {:.0f} % must match",
                                       100 * share, 100 * kMinMatched)
                         : std::string("no layer of the recording matches a node of the model"))
      .evidence(fmt::format("layers {}; nodes {}", some_names(layers),
                            nodes.empty() ? "without names" : some_names(nodes)))
      .hint(
          "check that the recording is of this model; --allow-unmatched, or no --model, imports it "
          "without nodes");
}

Result<Imported> import_joined(const std::string& path, const ImportOptions& options) {
  const ImportModel& of = *options.model;
  const NameIndex names(*of.model);
  Recorded recorded = TRY(read_recording(path, options, &names));
  const Resolved resolved = TRY(resolve_as_recorded(recorded, of, names));
  std::optional<ExactMembers> exact;
  if (!options.optimized_model.empty())
    exact = TRY(optimized_members(recorded, resolved, options.optimized_model));
  Imported out{join(std::move(recorded), &resolved, &names, std::move(exact)), resolved.notes()};
  const profile::Profile& p = out.profile;
  const double share = matched_share(p);
  if (share < kMinMatched && options.unmatched == ImportOptions::Unmatched::kRefused)
    return too_little_matches(p, share);
  if (share > 0 && share < kLittleMatched)
    out.warnings.push_back(
        fmt::format("only layers with {:.1f} % of the time match nodes of the model: is it a "
                    "recording of this model?",
                    100 * share));
  return out;
}

}  // namespace

bool is_recorded_text(const std::string& path) {
  const Result<File> file = File::open(path);
  if (!file.ok()) return false;
  const Result<std::string> beginning = beginning_of(*file);
  if (!beginning.ok()) return false;
  const Format* format = detect(without_mark(text_beginning(*beginning)));
  return format != nullptr && format->text;
}

Result<Imported> import_file(const std::string& path, const ImportOptions& options) {
  const auto imported = [&]() -> Result<Imported> {
    if (options.model) return import_joined(path, options);
    return Imported{join(TRY(read_recording(path, options, nullptr)), nullptr, nullptr), {}};
  };
  Result<Imported> out = imported();
  if (!out.ok() && out.error().file().empty()) return std::move(out).error().in_file(path);
  return out;
}

}  // namespace ridge::imports
