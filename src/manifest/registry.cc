// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <system_error>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/hash/sha256.h"
#include "base/suggest.h"
#include "base/text.h"
#include "manifest/registry_folders.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxEntryBytes = std::int64_t{256} << 20;
constexpr std::size_t kMaxSources = 1'000'000;
constexpr std::size_t kCopiedPiece = std::size_t{1} << 20;
constexpr std::string_view kEnding = ".entry";
constexpr EntryKind kAllKinds[] = {EntryKind::kModel, EntryKind::kDataset, EntryKind::kLabels};

/// Names in a folder, sorted; none if it is absent.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    out.push_back(it->path().filename());
  if (failed && failed != std::errc::no_such_file_or_directory)
    return cannot("read the folder", folder, failed);
  std::sort(out.begin(), out.end());
  return out;
}

/// Precedence of versions; those that are none come first, as text.
bool precedes(const std::string& a, const std::string& b) {
  const auto left = parse_version(a), right = parse_version(b);
  if (left.ok() != right.ok()) return right.ok();
  return left.ok() && *left <=> *right != 0 ? *left <=> *right < 0 : a < b;
}

Result<void> check_sources(std::vector<RegistrySource>& sources) {
  std::sort(sources.begin(), sources.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bool twice = i > 0 && sources[i].name == sources[i - 1].name;
    if (twice || !is_file_name(sources[i].name))
      return input_error("RIDGE-MAN-0067",
                         fmt::format("{} file name '{}'", twice ? "duplicate" : "invalid",
                                     printable(sources[i].name)))
          .hint("names are relative and without '..', control characters and backslashes");
  }
  return {};
}

Error unknown_name(EntryKind kind, const std::string& given,
                   const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(given, known, 1);
  return input_error("RIDGE-MAN-0063",
                     fmt::format("the registry has no {} '{}'", name(kind), printable(given)))
      .hint(near.empty() ? std::string("`ridge registry list` shows what there is")
                         : fmt::format("did you mean '{}'?", near[0]));
}

}  // namespace

Result<std::vector<RegistrySource>> sources_below(const std::string& folder) {
  std::vector<RegistrySource> out;
  std::error_code failed;
  fs::recursive_directory_iterator it(folder, failed), end;
  for (; !failed && it != end; it.increment(failed)) {
    if (it->is_symlink(failed) || !it->is_regular_file(failed)) continue;
    if (out.size() == kMaxSources)
      return input_error("RIDGE-MAN-0069",
                         fmt::format("the folder has more than {} files", kMaxSources))
          .in_file(folder);
    out.push_back({it->path().lexically_relative(folder).generic_string(), it->path()});
  }
  if (failed) return cannot("read the folder", folder, failed);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

std::string Registry::entries_folder(EntryKind kind, std::string_view name) const {
  return fmt::format("{}/entries/{}/{}", folder_, manifest::name(kind), name);
}

std::string Registry::entry_path(EntryKind kind, std::string_view name,
                                 std::string_view version) const {
  return fmt::format("{}/{}{}", entries_folder(kind, name), version, kEnding);
}

std::string Registry::content_path(std::string_view sha256) const {
  return fmt::format("{}/content/{}/{}", folder_, sha256.substr(0, 2), sha256);
}

std::string Registry::unpacked_path(std::string_view digest) const {
  return fmt::format("{}/unpacked/{}", folder_, digest);
}

Result<RegistryEntry> Registry::read_entry(const std::string& path) const {
  auto entry = parse_entry(TRY(read_file(path, kMaxEntryBytes)));
  if (!entry.ok()) return std::move(entry.error()).in_file(path);
  // The content must be what the path names.
  if (entry_path(entry->kind, entry->name, entry->version) != path)
    return input_error("RIDGE-MAN-0070", fmt::format("the entry is that of {} '{}'",
                                                     name(entry->kind), entry->reference()))
        .hint("remove the file")
        .in_file(path);
  return entry;
}

Result<RegistryFile> Registry::copy(const RegistrySource& source) const {
  RegistryFile out;
  out.name = source.name;
  out.sha256 = TRY(sha256_of_file(source.path));
  const File file = TRY(File::open(source.path));
  out.bytes = file.size();
  // Damaged content is replaced.
  if (const auto present = content(out); present.ok())
    if (const auto hash = sha256_of_file(*present); hash.ok() && *hash == out.sha256) return out;
  TRY(make_folder(fs::path(content_path(out.sha256)).parent_path()));
  // Data sets have many files: add() syncs them at once.
  FileWriter writer = TRY(FileWriter::create(content_path(out.sha256), Durability::kUnsynced));
  Sha256 hash;
  std::vector<char> piece(std::min(kCopiedPiece, static_cast<std::size_t>(out.bytes)));
  for (std::int64_t at = 0; at < out.bytes;) {
    const auto part = std::min(piece.size(), static_cast<std::size_t>(out.bytes - at));
    TRY(file.read_at(at, std::as_writable_bytes(std::span(piece.data(), part))));
    hash.add({piece.data(), part});
    TRY(writer.write({piece.data(), part}));
    at += static_cast<std::int64_t>(part);
  }
  if (hash.hex() != out.sha256)
    return input_error("RIDGE-MAN-0066", "the file changed while it was copied")
        .hint("add it again when nothing writes to it")
        .in_file(source.path);
  TRY(writer.commit());
  return out;
}

Result<RegistryEntry> Registry::add(EntryKind kind, const std::string& name,
                                    const std::string& version,
                                    std::vector<RegistrySource> sources) {
  TRY(check_name(name));
  TRY(parse_version(version));
  TRY(check_sources(sources));
  TRY(make_folder(folder_));
  const FolderLock lock = TRY(FolderLock::take(folder_, patience_));
  RegistryEntry entry{kind, name, version, {}};
  for (const RegistrySource& source : sources) entry.files.push_back(TRY(copy(source)));
  const std::string path = entry_path(kind, name, version);
  if (file_exists(path)) {
    const RegistryEntry present = TRY(read_entry(path));
    if (present != entry)
      return input_error("RIDGE-MAN-0062",
                         fmt::format("{} is in the registry with other content", entry.reference()))
          .evidence(
              fmt::format("there sha256:{}, here sha256:{}", present.digest(), entry.digest()))
          .hint("give it another version, or remove the old one");
  }
  // So that readers need not write.
  const std::string unpacked = unpacked_path(entry.digest());
  if (!check_unpacked(entry, unpacked).ok()) TRY(unpack(entry, unpacked));
  TRY(sync_file_system(folder_));
  TRY(make_folder(entries_folder(kind, name)));
  if (!file_exists(path)) TRY(write_file(path, entry_text(entry)));
  return entry;
}

/// Versions that have an entry, damaged or not, by precedence.
Result<std::vector<std::string>> Registry::versions(EntryKind kind, const std::string& name) const {
  std::vector<std::string> out;
  for (const std::string& file : TRY(names_in(entries_folder(kind, name))))
    // Others are temporary files of a process that writes or died.
    if (file.ends_with(kEnding)) out.push_back(file.substr(0, file.size() - kEnding.size()));
  std::sort(out.begin(), out.end(), precedes);
  return out;
}

bool Registry::has(EntryKind kind, const std::string& name, const std::string& version) const {
  if (!check_name(name).ok()) return false;
  const auto known = versions(kind, name);
  if (!known.ok()) return true;
  return version.empty() ? !known->empty() : std::ranges::count(*known, version) > 0;
}

RegistryListing Registry::list() const {
  RegistryListing out;
  for (const EntryKind kind : kAllKinds) {
    auto names = names_in(entries_folder(kind, ""));
    if (!names.ok()) out.damaged.push_back(std::move(names).error());
    for (const std::string& name : names.ok() ? *names : std::vector<std::string>()) {
      auto known = versions(kind, name);
      if (!known.ok()) out.damaged.push_back(std::move(known).error());
      for (const std::string& version : known.ok() ? *known : std::vector<std::string>()) {
        auto entry = read_entry(entry_path(kind, name, version));
        if (entry.ok())
          out.entries.push_back(std::move(*entry));
        else
          out.damaged.push_back(std::move(entry).error());
      }
    }
  }
  return out;
}

Result<RegistryEntry> Registry::find(EntryKind kind, const std::string& name,
                                     const std::string& version) const {
  TRY(check_name(name));
  TRY(parse_version(version));
  const std::string path = entry_path(kind, name, version);
  if (!file_exists(path)) {
    const std::vector<std::string> known = TRY(names_in(entries_folder(kind, "")));
    return unknown_name(kind, fmt::format("{}@{}", name, version), known);
  }
  return read_entry(path);
}

Result<RegistryEntry> Registry::resolve(EntryKind kind, const Reference& reference) const {
  const std::vector<std::string> all = TRY(versions(kind, reference.name));
  if (all.empty())
    return unknown_name(kind, reference.name, TRY(names_in(entries_folder(kind, ""))));
  std::vector<std::string> known(all.rbegin(), all.rend());
  for (const std::string& version : known)
    if (const auto parsed = parse_version(version);
        parsed.ok() && reference.constraint.allows(*parsed))
      return read_entry(entry_path(kind, reference.name, version));
  return input_error("RIDGE-MAN-0032",
                     fmt::format("no version of {} '{}' satisfies '{}'", name(kind), reference.name,
                                 reference.constraint.text()))
      .evidence(fmt::format("the registry has {}", fmt::join(known, ", ")));
}

Result<void> Registry::delete_unnamed() const {
  std::set<std::string, std::less<>> named, digests;
  const RegistryListing present = list();
  if (!present.damaged.empty()) return {};
  for (const RegistryEntry& entry : present.entries) {
    digests.insert(entry.digest());
    for (const RegistryFile& file : entry.files) named.insert(file.sha256);
  }
  for (const std::string& digest : TRY(names_in(unpacked_path("")))) {
    if (digests.contains(digest)) continue;
    std::error_code failed;
    fs::remove_all(unpacked_path(digest), failed);
    if (failed) return cannot("delete the folder", unpacked_path(digest), failed);
  }
  const std::string content = folder_ + "/content";
  for (const std::string& part : TRY(names_in(content))) {
    const std::string folder = fmt::format("{}/{}", content, part);
    for (const std::string& file : TRY(names_in(folder))) {
      if (named.contains(file)) continue;
      const std::string path = fmt::format("{}/{}", folder, file);
      std::error_code failed;
      fs::remove(path, failed);
      if (failed) return cannot("delete the file", path, failed);
    }
  }
  return {};
}

Result<void> Registry::remove(EntryKind kind, const std::string& name, const std::string& version) {
  TRY(check_name(name));
  TRY(parse_version(version));
  const std::string path = entry_path(kind, name, version);
  std::optional<FolderLock> lock;
  if (file_exists(path)) lock.emplace(TRY(FolderLock::take(folder_, patience_)));
  if (!file_exists(path))
    return unknown_name(kind, fmt::format("{}@{}", name, version),
                        TRY(names_in(entries_folder(kind, ""))));
  std::error_code failed;
  fs::remove_all(path, failed);  // a damaged entry may be a folder
  if (failed) return cannot("delete the entry", path, failed);
  // Only an empty folder can be removed.
  fs::remove(entries_folder(kind, name), failed);
  return delete_unnamed();
}

Result<std::string> Registry::content(const RegistryFile& file) const {
  const std::string path = content_path(file.sha256);
  std::error_code failed;
  const auto bytes = fs::file_size(path, failed);
  const bool missing = failed == std::errc::no_such_file_or_directory;
  if (failed || bytes != static_cast<std::uintmax_t>(file.bytes))
    return environment_error("RIDGE-MAN-0065",
                             missing ? fmt::format("the content of '{}' is missing", file.name)
                             : failed
                                 ? fmt::format("the content of '{}' cannot be read: {}", file.name,
                                               failed.message())
                                 : fmt::format("the content of '{}' has {} bytes instead of {}",
                                               file.name, bytes, file.bytes))
        .hint("remove the entry and add it again")
        .in_file(path);
  return path;
}

Result<void> Registry::check_content(const RegistryEntry& entry) const {
  for (const RegistryFile& file : entry.files) TRY(content(file));
  return {};
}

Result<void> Registry::verify(const RegistryEntry& entry) const {
  for (const RegistryFile& file : entry.files) {
    const std::string path = TRY(content(file));
    const std::string found = TRY(sha256_of_file(path));
    if (found != file.sha256)
      return environment_error("RIDGE-MAN-0071",
                               fmt::format("the content of '{}' is damaged", file.name))
          .evidence(fmt::format("sha256:{}", found))
          .hint("remove the entry and add it again")
          .in_file(path);
  }
  return {};
}

}  // namespace ridge::manifest
