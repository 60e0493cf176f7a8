// SPDX-License-Identifier: Apache-2.0
#include "machine/roofs_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/version.h"
#include "machine/describe.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::machine {

/// Content of a file of the cache.
struct KeptRoofs {
  std::string key;
  MeasuredRoofs roofs;
};

}  // namespace ridge::machine

namespace ridge {

template <>
struct record::Describe<machine::KeptRoofs> {
  using T = machine::KeptRoofs;
  using Roofs = machine::MeasuredRoofs;
  static constexpr std::string_view schema = "ridge.roofs/1";
  static constexpr std::string_view text = "Roofs that were measured before.";
  static constexpr std::array fields{
      field<&T::key>("key", "all that the roofs depend on"),
      field<&T::roofs, &Roofs::attempts>("attempts", "measurements that contributed to the rows",
                                         or_default()),
      field<&T::roofs, &Roofs::foreign_cpus>(
          "foreign_cpus", "processors that other programs used during the last measurement"),
      field<&T::roofs, &Roofs::notes>(
          "notes", "levels left out, disturbances, trouble with the cache", or_default()),
      field<&T::roofs, &Roofs::rows>("ceilings", "measured roofs", item_lines())};
};

}  // namespace ridge

namespace ridge::machine {
namespace {

constexpr std::int64_t kLargest = std::int64_t{16} << 20;

/// FNV-1a, 64 bit: for file names; not cryptographic.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) {
    h ^= static_cast<unsigned char>(c);
    h *= 0x100000001b3u;
  }
  return h;
}

}  // namespace

std::string cache_key(const Host& host) {
  std::string cpus;
  for (const Cpu& c : host.allowed) cpus += fmt::format("{}.{},", c.id, c.core);
  std::string isa;
  for (const std::string& name : kernels::names(host.features)) isa += name + ",";
  return fmt::format(
      "{}|{}|{}.{}.{}|{}|{}|{} {}|{}|{}|ridge {}", host.cpu.vendor, host.cpu.brand, host.cpu.family,
      host.cpu.model, host.cpu.stepping, host.microcode.value_or("?"), host.cpu.hypervisor,
      host.logical_cpus.value_or(0), cpus, isa, host.kernel.value_or("?"), version());
}

std::string cache_path(const std::string& folder, const std::string& key) {
  return fmt::format("{}/machine-{:016x}.json", folder, hash(key));
}

std::optional<MeasuredRoofs> load_cache(const std::string& folder, const std::string& key) {
  const Result<std::string> text = read_file(cache_path(folder, key), kLargest);
  if (!text.ok()) return std::nullopt;
  Result<KeptRoofs> kept = record::read_json<KeptRoofs>(*text);
  if (!kept.ok() || kept->key != key || kept->roofs.rows.empty()) return std::nullopt;
  return std::move(kept->roofs);
}

Result<void> save_cache(const std::string& folder, const std::string& key,
                        const MeasuredRoofs& roofs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return environment_error("RIDGE-MACH-0004", "cannot make the folder: " + error.message())
        .in_file(folder)
        .hint("set XDG_CACHE_HOME to a folder that can be written");
  }
  const KeptRoofs kept{key, roofs};
  return write_file(cache_path(folder, key),
                    record::json_text(record::kType<KeptRoofs>, &kept) + "\n");
}

}  // namespace ridge::machine
