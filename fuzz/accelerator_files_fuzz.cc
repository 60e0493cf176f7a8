// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a machine, an energy table and `key=value` of --set: accepted machines are
// within their bounds, can be set again key by key, are written as valid JSON, and give finite
// energies. Arbitrary bytes as SCALE-Sim's files and as products and paddings of a command line:
// sizes are within their bounds, paddings read back and give multiples.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "accelerator/describe.h"
#include "accelerator/energy.h"
#include "accelerator/energy_table.h"
#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"
#include "accelerator/padding.h"
#include "accelerator/scalesim/files.h"
#include "check.h"
#include "record/json_write.h"
#include "record/settings.h"
#include "record/toml.h"

namespace {

namespace accelerator = ridge::accelerator;
using ridge::fuzz::check;

bool sound(double pj) { return std::isfinite(pj) && pj >= 0; }

void check_rates(const accelerator::Machine& machine, const accelerator::EnergyTable& table) {
  const auto rates = accelerator::energy_rates(machine, table);
  if (!rates.ok()) return check(rates.error().code() == "RIDGE-ACC-0230");
  for (const double pj :
       {rates->mac, rates->register_file, rates->dram_byte, rates->leakage_cycle,
        rates->sram_read.ifmap, rates->sram_read.filter, rates->sram_read.ofmap,
        rates->sram_write.ifmap, rates->sram_write.filter, rates->sram_write.ofmap})
    check(sound(pj));
}

void check_machine(accelerator::Machine machine) {
  static const auto tables = accelerator::shipped_energy_tables();
  const ridge::record::Type& type = ridge::record::kType<accelerator::Machine>;
  const std::string json = ridge::record::json_text(type, &machine);
  check(nlohmann::json::accept(json));
  for (const ridge::record::Setting& s : ridge::record::settings(type, &machine))
    check(accelerator::set_key(machine, s.name, s.value).ok());
  check(ridge::record::json_text(type, &machine) == json);
  const auto read = accelerator::read_machine(ridge::record::toml_text(type, &machine));
  check(read.ok() && ridge::record::json_text(type, &*read) == json);
  for (const auto& table : tables) check_rates(machine, table);
}

void check_gemm(const accelerator::Gemm& g) {
  const auto elements = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) * static_cast<double>(b) <= 0x1p40;
  };
  check(g.m > 0 && g.n > 0 && g.k > 0 && g.count > 0);
  check(elements(g.m, g.k) && elements(g.k, g.n) && elements(g.m, g.n) && g.macs() > 0);
}

void check_scalesim(std::string_view text) {
  if (const auto layers = accelerator::read_topology(text); layers.ok())
    for (const auto& layer : *layers) check_gemm(layer.gemm);
  if (const auto config = accelerator::read_scalesim_config(text); config.ok())
    check(config->rows > 0 && config->columns > 0 && config->sram_bytes.ifmap > 0 &&
          config->sram_bytes.filter > 0 && config->sram_bytes.ofmap > 0);
}

void check_products(std::string_view text) {
  const auto gemm = accelerator::parse_gemm(text);
  if (gemm.ok()) check_gemm(*gemm);
  const auto rules = accelerator::parse_pads(text);
  if (!rules.ok()) return;
  for (const accelerator::PadRule& rule : *rules) {
    check(accelerator::parse_pad(accelerator::name(rule)).value() == rule);
    const auto padded = accelerator::padded(accelerator::matrix_product(49, 512, 4608), rule);
    check(padded.ok() && padded->m % rule.m == 0 && padded->n % rule.n == 0 &&
          padded->k % rule.k == 0 && padded->m - 49 < rule.m);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const accelerator::Machine shipped = accelerator::shipped_machine("gemmini-16").value();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto machine = accelerator::read_machine(text); machine.ok()) check_machine(*machine);
  if (const auto table = accelerator::read_energy_table(text); table.ok())
    check_rates(shipped, *table);
  check_scalesim(text);
  check_products(text);
  const std::size_t equals = std::min(text.find('='), text.size());
  accelerator::Machine machine = shipped;
  const auto set = accelerator::set_key(machine, text.substr(0, equals),
                                        text.substr(std::min(equals + 1, text.size())));
  if (set.ok())
    check_machine(machine);
  else
    check(set.error().code() == "RIDGE-ACC-0221");
  return 0;
}
