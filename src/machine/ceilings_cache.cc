#include "machine/ceilings_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/file.h"
#include "base/version.h"
#include "machine/ceilings_json.h"

namespace ridge::machine {
namespace {

constexpr std::int64_t kLargest = std::int64_t{16} << 20;
constexpr const char* kSchema = "ridge.roofs/1";

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

std::optional<Ceilings> load_cache(const std::string& folder, const std::string& key) {
  const Result<std::string> text = read_file(cache_path(folder, key), kLargest);
  if (!text.ok()) return std::nullopt;
  const nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
  if (!document.is_object() || document.value("schema", nlohmann::json()) != kSchema ||
      document.value("key", nlohmann::json()) != key) {
    return std::nullopt;
  }
  Ceilings out;
  out.rows = ceilings_from(document.value("ceilings", nlohmann::json()));
  if (out.rows.empty()) return std::nullopt;
  const nlohmann::json attempts = document.value("attempts", nlohmann::json());
  if (attempts.is_number_integer()) out.attempts = attempts.get<int>();
  const nlohmann::json foreign = document.value("foreign_cpus", nlohmann::json());
  if (foreign.is_number()) out.foreign_cpus = foreign.get<double>();
  const nlohmann::json notes = document.value("notes", nlohmann::json());
  for (const nlohmann::json& note : notes) {
    if (note.is_string()) out.notes.push_back(note.get<std::string>());
  }
  return out;
}

Result<void> save_cache(const std::string& folder, const std::string& key,
                        const Ceilings& ceilings) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return environment_error("RIDGE-MACH-0004", "cannot make the folder: " + error.message())
        .in_file(folder)
        .hint("set XDG_CACHE_HOME to a folder that can be written");
  }
  StringSink sink;
  {
    JsonWriter json(sink);
    json.begin_object().key("schema").value(kSchema).key("key").value(key);
    json.key("attempts").value(ceilings.attempts).key("foreign_cpus").value(ceilings.foreign_cpus);
    json.key("notes").begin_array();
    for (const std::string& note : ceilings.notes) json.value(note);
    json.end_array().key("ceilings");
    write_ceilings(json, ceilings.rows);
    json.end_object();
  }
  return write_file(cache_path(folder, key), sink.text() + "\n");
}

}  // namespace ridge::machine
