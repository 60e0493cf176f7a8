#include "accelerator/energy.h"

namespace ridge::accelerator {

Energy energy_of(const LayerCost& layer, const EnergyRates& r) {
  const auto words = [](std::int64_t n, double pj) { return static_cast<double>(n) * pj; };
  const Traffic& s = layer.sram;
  const Traffic d = layer.dram.value_or(Traffic{});
  Energy out;
  out.mac = words(layer.padded_macs, r.mac);
  out.register_file = words(layer.padded_macs, r.register_file);
  out.sram = words(s.ifmap, r.sram_read.ifmap) + words(d.ifmap, r.sram_write.ifmap) +
             words(s.filter, r.sram_read.filter) + words(d.filter, r.sram_write.filter) +
             words(s.psum_reads + d.ofmap + d.psum_writes, r.sram_read.ofmap) +
             words(s.ofmap + s.psum_writes + d.psum_reads, r.sram_write.ofmap);
  out.dram = words(layer.dram_read_bytes + layer.dram_write_bytes, r.dram_byte);
  out.leakage = words(layer.total_cycles(), r.leakage_cycle);
  return out;
}

}  // namespace ridge::accelerator
