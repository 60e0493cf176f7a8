// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/registry_verb.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/flags/document_options.h"
#include "cli/flags/registry_option.h"
#include "evaluation/subject/model_data.h"
#include "export/table.h"
#include "manifest/registry_add.h"
#include "manifest/registry_find.h"

namespace ridge::cli {
namespace {

using exports::Align;
using manifest::EntryKind;
using manifest::Registry;
using manifest::RegistryEntry;

Result<Registry> open(const RegistryOptions& options, Console& console) {
  const std::string folder = registry_folder(options.registry);
  if (folder.empty())
    return usage_error("RIDGE-CLI-0191", "there is no cache folder for a registry")
        .hint("name a folder: --registry DIR");
  return Registry(folder,
                  {.say = [&console](const std::string& line) { console.err.write(line + "\n"); }});
}

Result<std::optional<EntryKind>> kind_of(const RegistryOptions& options) {
  std::optional<EntryKind> out;
  if (!options.kind.empty()) out = TRY(manifest::parse_entry_kind(options.kind));
  return out;
}

/// An item that is no manifest: a file or folder under the name and version of the flags.
Result<RegistryEntry> add_plain(Registry& registry, const std::string& path,
                                const RegistryOptions& options) {
  if (options.kind.empty() || options.name.empty() || options.version.empty())
    return usage_error("RIDGE-CLI-0192",
                       fmt::format("'{}' is no manifest, so it needs a kind, a name and a version",
                                   printable(path)))
        .hint("ridge registry add FILE --kind labels --name words --version 1.0");
  std::error_code ignored;
  std::vector<manifest::RegistrySource> sources;
  if (std::filesystem::is_directory(path, ignored))
    sources = TRY(manifest::sources_below(path));
  else
    sources.push_back({std::filesystem::path(path).filename().string(), path});
  const EntryKind kind = TRY(manifest::parse_entry_kind(options.kind));
  if (kind == EntryKind::kModel)
    TRY(manifest::add_external_files(evaluation::external_files, sources));
  return registry.add(kind, options.name, options.version, std::move(sources));
}

Result<void> add_entries(const RegistryOptions& options, Console& console) {
  Registry registry = TRY(open(options, console));
  for (const std::string& path : options.items) {
    RegistryEntry entry;
    if (manifest::is_manifest_name(path)) {
      const manifest::ManifestFile file = TRY(manifest::read_manifest_file(path));
      entry = TRY(manifest::add_manifest(registry, file, {.cache = cache_folder()},
                                         evaluation::external_files));
    } else {
      entry = TRY(add_plain(registry, path, options));
    }
    console.out.write(fmt::format("{} {}: {}, sha256:{}\n", name(entry.kind), entry.reference(),
                                  counted(std::ssize(entry.files), "file"), entry.digest()));
  }
  return {};
}

constexpr Document<const exports::Table&> kEntriesDocument = {
    .table =
        [](auto& table, Sink& sink) {
          if (!table.empty()) sink.write(table.text());
        },
    .csv = [](auto& table, Sink& sink) { sink.write(table.csv()); },
    .md = [](auto& table, Sink& sink) { sink.write(table.markdown()); }};

Result<void> print_entries(const RegistryOptions& options, const exports::Table& table,
                           Console& console) {
  return Output::write(
      options.output, [&](Sink& sink) { kEntriesDocument.write(options.format, table, sink); },
      console);
}

std::int64_t bytes_of(const RegistryEntry& entry) {
  std::int64_t out = 0;
  for (const manifest::RegistryFile& file : entry.files) out += file.bytes;
  return out;
}

/// Reports damaged entries; the status of the last, or `otherwise`.
int report_damaged(const std::vector<Error>& damaged, Console& console, int otherwise) {
  for (const Error& error : damaged) otherwise = report(console, error);
  return otherwise;
}

/// Entries that can be used; those that cannot are reported.
Result<int> list_entries(const RegistryOptions& options, Console& console) {
  const Registry registry = TRY(open(options, console));
  const std::optional<EntryKind> kind = TRY(kind_of(options));
  exports::Table table({{"kind"},
                        {"name"},
                        {"version"},
                        {"files", Align::kRight},
                        {"bytes", Align::kRight},
                        {"sha256", Align::kLeft, exports::kWhole}});
  manifest::RegistryListing all = registry.list();
  for (const RegistryEntry& e : all.entries) {
    if (kind && e.kind != *kind) continue;
    if (Result<void> present = registry.check_content(e); !present.ok())
      all.damaged.push_back(std::move(present).error().in(e.reference()));
    else
      table.add({std::string(name(e.kind)), e.name, e.version, std::to_string(e.files.size()),
                 std::to_string(bytes_of(e)), e.digest()});
  }
  TRY(print_entries(options, table, console));
  return report_damaged(all.damaged, console, kDone);
}

Result<void> show_entries(const RegistryOptions& options, Console& console) {
  const Registry registry = TRY(open(options, console));
  const std::optional<EntryKind> kind = TRY(kind_of(options));
  exports::Table table(
      {{"entry"}, {"file"}, {"bytes", Align::kRight}, {"sha256", Align::kLeft, exports::kWhole}});
  for (const std::string& item : options.items) {
    const RegistryEntry entry = TRY(manifest::find_entry(registry, item, kind));
    for (const manifest::RegistryFile& file : entry.files)
      table.add({entry.reference(), file.name, std::to_string(file.bytes), file.sha256});
  }
  return print_entries(options, table, console);
}

/// All entries are verified; the status is that of the last fault.
Result<int> verify(const RegistryOptions& options, Console& console) {
  const Registry registry = TRY(open(options, console));
  const std::optional<EntryKind> kind = TRY(kind_of(options));
  std::vector<RegistryEntry> entries;
  for (const std::string& item : options.items)
    entries.push_back(TRY(manifest::find_entry(registry, item, kind)));
  manifest::RegistryListing all{.entries = std::move(entries), .damaged = {}};
  if (options.items.empty()) all = registry.list();
  for (const RegistryEntry& entry : all.entries) {
    Result<void> intact = registry.verify(entry);
    if (intact.ok())
      if (Result<std::string> unpacked = registry.unpacked(entry); !unpacked.ok())
        intact = std::move(unpacked).error();
    if (intact.ok())
      console.out.write(fmt::format("{} {}: intact\n", name(entry.kind), entry.reference()));
    else
      all.damaged.push_back(std::move(intact).error().in(entry.reference()));
  }
  return report_damaged(all.damaged, console, kDone);
}

Result<void> remove_entries(const RegistryOptions& options, Console& console) {
  Registry registry = TRY(open(options, console));
  const std::optional<EntryKind> kind = TRY(kind_of(options));
  for (const std::string& item : options.items) {
    // A damaged entry, which cannot be read, is removed by its name.
    const std::string named = item.substr(0, item.find('@'));
    const std::string version = item.substr(std::min(named.size() + 1, item.size()));
    const EntryKind of = TRY(manifest::kind_of_entry(registry, named, kind));
    if (version.empty() || !registry.has(of, named, version)) {
      const RegistryEntry entry = TRY(manifest::find_entry(registry, item, of));
      return usage_error("RIDGE-CLI-0193",
                         fmt::format("'{}' does not name one version", printable(item)))
          .hint(fmt::format("ridge registry remove {}", entry.reference()));
    }
    TRY(registry.remove(of, named, version));
    console.out.write(fmt::format("removed {} {}\n", manifest::name(of), item));
  }
  return {};
}

Result<int> act_on_registry(const RegistryOptions& options, Console& console) {
  const bool all = options.action == "list" || options.action == "verify";
  if (options.items.empty() && !all)
    return usage_error("RIDGE-CLI-0194",
                       fmt::format("ridge registry {} needs {}", options.action,
                                   options.action == "add" ? "a file" : "an entry"))
        .hint(options.action == "add" ? "ridge registry add net.toml"
                                      : "ridge registry list shows the entries");
  if (options.action == "verify") return verify(options, console);
  if (options.action == "list") return list_entries(options, console);
  TRY(options.action == "add"    ? add_entries(options, console)
      : options.action == "show" ? show_entries(options, console)
                                 : remove_entries(options, console));
  return kDone;
}

}  // namespace

int registry(const RegistryOptions& options, Console& console) {
  const Result<int> status = act_on_registry(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_registry(Flags& flags) {
  auto o = std::make_shared<RegistryOptions>();
  flags
      .add("ACTION", o->action,
           "add: copy files into the registry; list: entries; show: their files; verify: compute "
           "hashes again; remove: delete an entry and what nothing else names")
      .required()
      .one_of({"add", "list", "show", "verify", "remove"});
  flags.add("ITEM", o->items, "add: manifests, files or folders; others: NAME@1.2, NAME@'>=1,<2'");
  add_registry_option(flags, o->registry);
  flags.add("--kind", o->kind, "kind of the entry, where the name or file does not tell")
      .one_of({"model", "dataset", "labels"});
  flags.add("--name", o->name, "add: name of a file or folder that is no manifest");
  flags.add("--version", o->version, "add: its version: 1.0.0").shown_as("VERSION");
  add_document_options(flags, o->format, o->output, kEntriesDocument.formats());
  return [o](Console& console) { return registry(*o, console); };
}

}  // namespace ridge::cli
