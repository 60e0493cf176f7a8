// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "base/hash/sha256.h"
#include "base/relative_path.h"
#include "base/text.h"

namespace ridge::lab {
namespace {

constexpr std::int64_t kBlock = 512;
/// Blocks of zeros at the end.
constexpr std::int64_t kEnd = 2 * kBlock;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::int64_t kLargestSeal = std::int64_t{32} << 20;
constexpr std::size_t kCopyPart = std::size_t{1} << 20;  ///< bytes that are copied at once
constexpr std::string_view kSeal = "seal";

// Fields of a header: offset and size (IEEE Std 1003.1-1988, section 10.1.1).
struct Field {
  std::size_t at, size;
};
constexpr Field kName{0, 100}, kMode{100, 8}, kUser{108, 8}, kGroup{116, 8}, kSize{124, 12},
    kTime{136, 12}, kChecksum{148, 8}, kType{156, 1}, kMagic{257, 8};
/// The largest size of 11 octal digits, and one.
constexpr std::int64_t kBinarySize = std::int64_t{1} << 33;

using Header = std::array<char, kBlock>;

void put(Header& header, Field field, std::string_view value) {
  std::ranges::copy(value.substr(0, field.size),
                    header.begin() + static_cast<std::ptrdiff_t>(field.at));
}

void put_size(Header& header, std::int64_t size) {
  if (size < kBinarySize) return put(header, kSize, fmt::format("{:011o}", size));
  header[kSize.at] = '\x80';
  for (std::size_t i = 0; i < 8; ++i, size >>= 8)
    header[kSize.at + kSize.size - 1 - i] = static_cast<char>(size & 0xff);
}

Header header_of(std::string_view name, std::int64_t size) {
  Header out{};
  put(out, kName, name);
  put(out, kMode, "0000444");
  put(out, kUser, "0000000");
  put(out, kGroup, "0000000");
  put_size(out, size);
  put(out, kTime, "00000000000");
  put(out, kChecksum, "        ");
  put(out, kType, "0");
  put(out, kMagic,
      std::string_view("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : out) sum += static_cast<unsigned char>(c);
  put(out, kChecksum, std::string_view(fmt::format("{:06o}", sum).append(1, '\0')));
  return out;
}

/// The size that a header states; nullopt if it is none of a file of `limit` bytes.
std::optional<std::int64_t> size_in(const Header& header, std::int64_t limit) {
  const auto* field = reinterpret_cast<const unsigned char*>(header.data()) + kSize.at;
  std::int64_t size = 0;
  const bool binary = field[0] == 0x80;
  for (std::size_t i = binary ? 4 : 0; i < (binary ? kSize.size : kSize.size - 1); ++i) {
    const int digit = binary ? field[i] : field[i] - '0';
    if (digit < 0 || (!binary && digit > 7) || size > limit) return std::nullopt;
    size = size * (binary ? 256 : 8) + digit;
  }
  if (size > limit) return std::nullopt;
  return size;
}

std::int64_t padding(std::int64_t size) { return (kBlock - size % kBlock) % kBlock; }

bool is_entry_name(std::string_view name) {
  const bool characters = std::ranges::all_of(name, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/');
  });
  return characters && name.size() <= kName.size && is_below(name);
}

std::string seal_line(std::string_view sha256, std::string_view name) {
  return fmt::format("{}  {}\n", sha256, name);
}

/// The seal's last line, a comment to sha256sum: the hash of the lines before it.
std::string own_line(std::string_view lines) { return fmt::format("# {}\n", sha256_of(lines)); }

/// Hands the bytes [at, at + size) of a file on in parts.
template <typename Use>
Result<void> in_parts(const File& file, std::int64_t at, std::int64_t size, Use use) {
  std::string part(std::min<std::size_t>(kCopyPart, static_cast<std::size_t>(size)), '\0');
  while (size > 0) {
    const auto bytes = static_cast<std::size_t>(
        std::min<std::int64_t>(size, static_cast<std::int64_t>(part.size())));
    TRY(file.read_at(at, std::as_writable_bytes(std::span(part).first(bytes))));
    TRY(use(std::string_view(part).substr(0, bytes)));
    at += static_cast<std::int64_t>(bytes);
    size -= static_cast<std::int64_t>(bytes);
  }
  return {};
}

}  // namespace

// ArchiveWriter

Result<ArchiveWriter> ArchiveWriter::create(const std::string& path) {
  return ArchiveWriter(TRY(FileWriter::create(path)));
}

Result<void> ArchiveWriter::begin(std::string_view name, std::int64_t size) {
  if (!is_entry_name(name)) return bug(fmt::format("entry {}", name), "lab::ArchiveWriter");
  const Header header = header_of(name, size);
  return out_.write(std::string_view(header.data(), header.size()));
}

Result<void> ArchiveWriter::end(std::string_view name, std::int64_t size, std::string sha256) {
  TRY(out_.write(std::string(static_cast<std::size_t>(padding(size)), '\0')));
  seal_ += seal_line(sha256, name);
  last_sha256_ = std::move(sha256);
  return {};
}

Result<void> ArchiveWriter::add(std::string_view name, std::string_view bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  TRY(begin(name, size));
  TRY(out_.write(bytes));
  return end(name, size, sha256_of(bytes));
}

Result<void> ArchiveWriter::add_file(std::string_view name, const File& file) {
  TRY(begin(name, file.size()));
  Sha256 hash;
  TRY(in_parts(file, 0, file.size(), [&](std::string_view part) {
    hash.add(part);
    return out_.write(part);
  }));
  return end(name, file.size(), hash.hex());
}

Result<void> ArchiveWriter::commit() {
  seal_ += own_line(seal_);
  const std::string seal = std::exchange(seal_, {});
  TRY(add(kSeal, seal));
  TRY(out_.write(std::string(kEnd, '\0')));
  return out_.commit();
}

// Archive

Error Archive::damaged(std::string_view entry, std::int64_t at, std::string why) const {
  return input_error("RIDGE-LAB-0002", "the bundle is damaged")
      .evidence(fmt::format("{}: {}, at byte {}", entry, why, at))
      .hint("get it again from whoever sealed it")
      .in_file(path());
}

Result<Archive> Archive::open(const std::string& path) {
  Archive out(TRY(File::open(path)));
  TRY(out.read_headers());
  TRY(out.read_seal());
  return out;
}

Result<void> Archive::read_headers() {
  std::set<std::string, std::less<>> names;
  std::int64_t at = 0;
  for (Entry last; last.name != kSeal;) {
    Header header{};
    if (file_.size() - at < kBlock + kEnd)
      return input_error(at == 0 ? "RIDGE-LAB-0001" : "RIDGE-LAB-0003",
                         at == 0 ? "this is not a bundle" : "the bundle is cut short")
          .evidence(fmt::format("it has {} bytes", file_.size()))
          .hint(at == 0 ? "ridge bundle seal makes one" : "copy it again")
          .in_file(path());
    TRY(file_.read_at(at, std::as_writable_bytes(std::span(header))));
    const std::string_view field(header.data() + kName.at, kName.size);
    last = {.name = std::string(field.substr(0, std::min(field.find('\0'), field.size()))),
            .at = at + kBlock};
    if (at == 0 && std::string_view(header.data() + kMagic.at, 5) != "ustar")
      return input_error("RIDGE-LAB-0001", "this is not a bundle")
          .evidence(fmt::format("it begins with '{}'", printable(field.substr(0, 24))))
          .hint("ridge bundle seal makes one")
          .in_file(path());
    if (!is_entry_name(last.name) || !names.insert(last.name).second)
      return damaged(printable(last.name.substr(0, 40)), at, "a name that no entry may have");
    const auto size = size_in(header, file_.size());
    if (!size || header != header_of(last.name, *size))
      return damaged(last.name, at, "a header of another form");
    last.size = *size;
    at += kBlock + last.size + padding(last.size);
    if (at > file_.size() - kEnd)
      return input_error("RIDGE-LAB-0003", "the bundle is cut short")
          .evidence(fmt::format("{} needs {} bytes, the file ends at byte {}", last.name, last.size,
                                file_.size()))
          .hint("copy it again")
          .in_file(path());
    if (entries_.size() == kMostEntries) return damaged(last.name, at, "more than 100,000 entries");
    entries_.push_back(last);
  }
  seal_ = std::move(entries_.back());
  entries_.pop_back();
  if (at + kEnd != file_.size()) return damaged("the end", at, "bytes after the seal");
  return {};
}

Result<void> Archive::read_seal() {
  if (seal_.size > kLargestSeal) return damaged(kSeal, seal_.at, "more than 32 MiB");
  const std::string text = TRY(content(seal_));
  std::string expected;
  std::size_t at = 0;
  for (const Entry& entry : entries_) {
    const std::size_t length = 64 + 2 + entry.name.size() + 1;
    const std::string line = text.substr(std::min(at, text.size()), length);
    sha256_.push_back(line.substr(0, 64));
    if (!is_sha256(sha256_.back()) || line != seal_line(sha256_.back(), entry.name))
      return damaged(kSeal, seal_.at + static_cast<std::int64_t>(at),
                     fmt::format("no line of entry {}", entry.name));
    expected += line;
    at += length;
  }
  expected += own_line(expected);
  if (text != expected)
    return damaged(kSeal, seal_.at + static_cast<std::int64_t>(at), "its own hash differs");
  return {};
}

const Archive::Entry* Archive::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Result<std::string> Archive::content(const Entry& entry) const {
  std::string out(static_cast<std::size_t>(entry.size), '\0');
  TRY(file_.read_at(entry.at, std::as_writable_bytes(std::span(out))));
  return out;
}

Result<std::string> Archive::hash(const Entry& entry) const {
  Sha256 hash;
  TRY(in_parts(file_, entry.at, entry.size, [&](std::string_view part) -> Result<void> {
    hash.add(part);
    return {};
  }));
  return hash.hex();
}

Result<void> Archive::must_match(const Entry& entry, const std::string& sha256) const {
  const auto i = static_cast<std::size_t>(&entry - entries_.data());
  if (sha256 == sha256_[i]) return {};
  return damaged(entry.name, entry.at,
                 fmt::format("its content has SHA-256 {}…, sealed was {}…", sha256.substr(0, 12),
                             sha256_[i].substr(0, 12)));
}

Result<void> Archive::check() const {
  const auto zeros = [&](std::string_view of, std::int64_t at, std::int64_t size) -> Result<void> {
    return in_parts(file_, at, size, [&](std::string_view part) -> Result<void> {
      if (part.find_first_not_of('\0') == std::string_view::npos) return {};
      return damaged(of, at, "its padding is not zero");
    });
  };
  for (const Entry& entry : entries_) {
    TRY(must_match(entry, TRY(hash(entry))));
    TRY(zeros(entry.name, entry.at + entry.size, padding(entry.size)));
  }
  TRY(zeros(kSeal, seal_.at + seal_.size, padding(seal_.size)));
  return zeros("the end", file_.size() - kEnd, kEnd);
}

Result<std::string> Archive::read(std::string_view name, std::int64_t limit) const {
  const Entry* entry = find(name);
  if (entry == nullptr || entry->size > limit)
    return input_error("RIDGE-LAB-0004",
                       fmt::format("the bundle has no entry {} of this form", name))
        .evidence(entry ? fmt::format("it has {} bytes, at most {} are read", entry->size, limit)
                        : fmt::format("it has {} entries", entries_.size()))
        .hint("another version of ridge may have sealed it")
        .in_file(path());
  std::string out = TRY(content(*entry));
  TRY(must_match(*entry, sha256_of(out)));
  return out;
}

Result<void> Archive::extract(std::string_view name, const std::string& to) const {
  const Entry* entry = find(name);
  if (entry == nullptr) return read(name, 0).error();
  FileWriter out = TRY(FileWriter::create(to, Durability::kUnsynced));
  Sha256 hash;
  TRY(in_parts(file_, entry->at, entry->size, [&](std::string_view part) {
    hash.add(part);
    return out.write(part);
  }));
  TRY(must_match(*entry, hash.hex()));
  return out.commit();
}

}  // namespace ridge::lab
