// SPDX-License-Identifier: Apache-2.0
// Descriptions of machines, energy tables and costs (record/describe.h): the keys of the files that
// people write, and the keys of ridge.accelerator/1. Each figure has its unit in its key.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "accelerator/cost.h"
#include "accelerator/energy_table.h"
#include "accelerator/machine.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/scalesim/machine.h"
#include "record/describe.h"

namespace ridge::accelerator {

// Bounds.
inline constexpr auto kUnits = record::between(1, 16'384);  ///< rows or columns
inline constexpr auto kBits = record::between(1, 64);
inline constexpr auto kKib = record::between(1.0 / 1024, 1 << 24);  ///< 1 byte to 16 GiB
inline constexpr auto kPicojoules = record::between(1e-6, 1e6);

/// Codec of a size in KiB, fractions allowed.
struct Kib {
  static double out(const std::int64_t& bytes) { return static_cast<double>(bytes) / 1024; }
  /// Input error (RIDGE-ACC-0210) for a part of a byte.
  static Result<std::int64_t> in(double kib);
};

/// Codec of a machine's name. Input error (RIDGE-ACC-0212) unless it can be shown in a table.
struct MachineName {
  static std::string out(const std::string& name) { return name; }
  static Result<std::string> in(std::string name);
};

/// Codec of the name of an energy table. Input error (RIDGE-ACC-0218) unless it is shipped or that
/// of a file.
struct TableName {
  static std::string out(const std::string& name) { return name; }
  static Result<std::string> in(std::string name);
};

/// Codec of a number format.
struct Format {
  static constexpr std::array<std::string_view, 2> kWords{"int", "float"};
  static std::span<const std::string_view> words() { return kWords; }
  static std::string_view out(bool floating) { return kWords[floating ? 1 : 0]; }
  static bool in(const std::string& word) { return word == kWords[1]; }
};

inline bool is_sparse(const Gemm& gemm) { return !gemm.sparsity.dense(); }
std::string sparsity_text(const Gemm& gemm);
inline double total_energy(const Energy& energy) { return energy.total(); }

/// Whether there is one SRAM, or one per operand (RIDGE-ACC-0211, RIDGE-ACC-0208).
Result<void> check_sram(const Machine& machine);

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct record::Describe<accelerator::Machine> {
  using T = accelerator::Machine;
  using Bits = accelerator::PerOperand<std::int64_t>;
  using Widths = accelerator::Widths;
  using Sram = accelerator::Sram;
  using Format = accelerator::Format;
  static constexpr std::string_view name = "machine";
  static constexpr std::string_view text = "Described accelerator.";
  static constexpr std::array array{
      field<&T::rows>("rows", "rows of multiply-accumulate units", required(), accelerator::kUnits),
      field<&T::columns>("columns", "columns of multiply-accumulate units", required(),
                         accelerator::kUnits),
      field<&T::dataflow>("dataflow",
                          "what stays in the array: \"os\" outputs, \"ws\" weights, \"is\" inputs",
                          required())};
  static constexpr std::array precision{
      field<Format, &T::widths, &Widths::floating>(
          "format", "number format of the units: \"int\" (and fixed point) or \"float\"",
          required(), one_of<&Format::words>()),
      field<&T::widths, &Widths::bits, &Bits::ifmap>("ifmap_bits",
                                                     "bits of an activation in memory", required(),
                                                     accelerator::kBits, unasked("ifmap")),
      field<&T::widths, &Widths::bits, &Bits::filter>("filter_bits", "bits of a weight in memory",
                                                      required(), accelerator::kBits,
                                                      unasked("filter")),
      field<&T::widths, &Widths::bits, &Bits::ofmap>("ofmap_bits", "bits of a result in memory",
                                                     required(), accelerator::kBits,
                                                     unasked("ofmap")),
      field<&T::widths, &Widths::accumulator_bits>("accumulator_bits", "bits of a partial sum",
                                                   required(), accelerator::kBits,
                                                   unasked("accumulator"))};
  static constexpr std::array sram{
      field<accelerator::Kib, &T::sram, &Sram::shared_bytes>(
          "shared_kib", "KiB of one SRAM for the three operands", zero_is_null(), known(),
          accelerator::kKib, unasked("shared")),
      field<accelerator::Kib, &T::sram, &Sram::bytes, &Bits::ifmap>(
          "ifmap_kib", "KiB for activations, where each operand has an SRAM of its own",
          zero_is_null(), known(), accelerator::kKib, unasked("ifmap")),
      field<accelerator::Kib, &T::sram, &Sram::bytes, &Bits::filter>(
          "filter_kib", "KiB for weights", zero_is_null(), known(), accelerator::kKib,
          unasked("filter")),
      field<accelerator::Kib, &T::sram, &Sram::bytes, &Bits::ofmap>(
          "ofmap_kib", "KiB for partial sums", zero_is_null(), known(), accelerator::kKib,
          unasked("ofmap")),
      field<&T::sram, &Sram::banks>("banks", "banks of each SRAM", between(1, 65'536)),
      field<&T::sram, &Sram::ports>("ports", "ports of each bank", between(1, 64)),
      field<&T::sram, &Sram::port_bytes>("port_bytes", "bytes per port and cycle; 0: unlimited",
                                         between(0, 65'536))};
  static constexpr std::array dram{
      field<&T::dram, &accelerator::Dram::gb_per_s>(
          "gb_per_s", "GB/s (10^9 bytes) of reads and writes together", required(), known(),
          between(0.001, 1'000'000), unasked("bandwidth")),
      field<&T::dram, &accelerator::Dram::latency_ns>(
          "latency_ns", "ns from the request to the first byte", known(), between(0, 1'000'000),
          unasked("latency"))};
  static constexpr std::array vector{field<&T::vector, &accelerator::VectorUnit::lanes>(
      "lanes", "elements per cycle of the vector unit; 0: no vector unit", between(0, 1 << 20))};
  static constexpr std::array fields{
      field<&T::name, accelerator::MachineName>("name", "name shown in tables", zero_is_null()),
      field<&T::clock_mhz>("clock_mhz", "clock of the array, MHz", required(), known(),
                           between(0.001, 100'000), unasked("clock")),
      field<&T::energy, accelerator::TableName>(
          "energy", "energy table: a shipped name, or a file with the suffix .toml",
          zero_is_null()),
      field<&T::double_buffered>("double_buffered",
                                 "whether tiles are loaded and stored while the array works"),
      group<T, array>("array", "multiply-accumulate units", required()),
      group<T, precision>("precision", "widths of elements", required()),
      group<T, sram>("sram", "on-chip memory", required()),
      group<T, dram>("dram", "memory off the chip", required()),
      group<T, vector>("vector", "the vector unit")};
  static Result<void> check(const T& machine) { return accelerator::check_sram(machine); }
};

template <>
struct record::Describe<accelerator::ScalesimMachine> {
  using T = accelerator::ScalesimMachine;
  using Bytes = accelerator::PerOperand<std::int64_t>;
  static constexpr std::string_view name = "configuration";
  static constexpr std::array array{field<&T::rows>("rows", "rows"),
                                    field<&T::columns>("columns", "columns")};
  static constexpr std::array sram{field<&T::sram_bytes, &Bytes::ifmap>("ifmap", "bytes"),
                                   field<&T::sram_bytes, &Bytes::filter>("filter", "bytes"),
                                   field<&T::sram_bytes, &Bytes::ofmap>("ofmap", "bytes")};
  static constexpr std::array fields{
      group<T, array>("array", "multiply-accumulate units"),
      field<&T::dataflow>("dataflow",
                          "what stays in the array; of a configuration, as all but array below"),
      field<&T::bandwidth>("bandwidth",
                           "words per cycle of each operand's port; null where nothing stalls "
                           "(mode CALC)"),
      field<&T::sparse>("sparse",
                        "whether filters have the N:M sparsity of their layers (SparsitySupport "
                        "of SCALE-Sim v3)"),
      group<T, sram>("sram_bytes", "of each operand's buffer, both halves")};
};

// Energy tables.

template <>
struct record::Describe<accelerator::MacEnergy> {
  using T = accelerator::MacEnergy;
  using Format = accelerator::Format;
  static constexpr std::array fields{
      field<&T::bits>("bits", "bits of both factors", required(), accelerator::kBits),
      field<&T::accumulator_bits>("accumulator_bits", "bits of the sum", required(),
                                  accelerator::kBits, unasked("accumulator")),
      field<&T::floating, Format>("format", "\"int\" or \"float\"", required(),
                                  one_of<&Format::words>()),
      field<&T::pj>("pj", "pJ of a multiplication and an addition", required(), known(),
                    accelerator::kPicojoules, unasked("energy"))};
};

template <>
struct record::Describe<accelerator::ArithmeticEnergy> {
  using T = accelerator::ArithmeticEnergy;
  using Format = accelerator::Format;
  static constexpr std::array fields{
      field<&T::bits>("bits", "bits of both numbers", required(), accelerator::kBits),
      field<&T::floating, Format>("format", "\"int\" or \"float\"", required(),
                                  one_of<&Format::words>()),
      field<&T::add_pj>("add_pj", "pJ of an addition", required(), known(),
                        accelerator::kPicojoules, unasked("add")),
      field<&T::multiply_pj>("multiply_pj", "pJ of a multiplication", required(), known(),
                             accelerator::kPicojoules, unasked("multiply"))};
};

template <>
struct record::Describe<accelerator::SramEnergy> {
  using T = accelerator::SramEnergy;
  static constexpr std::array fields{
      field<&T::bytes, accelerator::Kib>("kib", "KiB of one bank", required(), known(),
                                         accelerator::kKib, unasked("size")),
      field<&T::read_pj_per_byte>("read_pj_per_byte", "pJ per byte read", required(), known(),
                                  accelerator::kPicojoules, unasked("read")),
      field<&T::write_pj_per_byte>("write_pj_per_byte", "pJ per byte written", required(), known(),
                                   accelerator::kPicojoules, unasked("write")),
      field<&T::leakage_mw>("leakage_mw", "mW of one bank at rest", known(), between(0, 1e6),
                            unasked("leakage"))};
};

template <>
struct record::Describe<accelerator::EnergyTable> {
  using T = accelerator::EnergyTable;
  static constexpr std::string_view text = "Energies of one process node.";
  static constexpr std::array fields{
      field<&T::source>("source", "source of the figures", required()),
      field<&T::node_nm>("node_nm", "process node, nm", required(), known(), between(0.1, 10'000),
                         unasked("node")),
      field<&T::register_pj_per_byte>(
          "register_pj_per_byte", "pJ per byte that enters or leaves a register of a unit",
          zero_is_null(), known(), accelerator::kPicojoules, unasked("register")),
      field<&T::dram_pj_per_bit>("dram_pj_per_bit", "pJ per bit that crosses the pins", required(),
                                 known(), accelerator::kPicojoules, unasked("dram")),
      field<&T::macs>("mac", "rows of multiply-accumulates", required(), min_items(1)),
      field<&T::arithmetic>("arithmetic", "rows of additions and multiplications", min_items(1)),
      field<&T::srams>("sram", "rows of SRAM sizes", required(), min_items(1))};
};

// Costs.

template <>
struct record::Describe<accelerator::Widths> {
  using T = accelerator::Widths;
  using Bits = accelerator::PerOperand<std::int64_t>;
  using Format = accelerator::Format;
  static constexpr std::array fields{
      field<&T::floating, Format>("format", "numbers of the units", one_of<&Format::words>()),
      field<&T::bits, &Bits::ifmap>("ifmap_bits", "of an activation in memory"),
      field<&T::bits, &Bits::filter>("filter_bits", "of a weight in memory"),
      field<&T::bits, &Bits::ofmap>("ofmap_bits", "of a result in memory"),
      field<&T::accumulator_bits>("accumulator_bits", "of a partial sum")};
};

template <>
struct record::Describe<accelerator::Gemm> {
  using T = accelerator::Gemm;
  static constexpr std::array fields{
      field<&T::m>("m", "rows: output positions"), field<&T::n>("n", "columns: filters"),
      field<&T::k>("k", "what is summed"),
      field<&T::count>("count", "independent products of this shape"),
      computed<&accelerator::sparsity_text>(
          "sparsity", "N:M: of each M rows of the filter N are not zero; absent where all are",
          only_when<&accelerator::is_sparse>())};
};

template <>
struct record::Describe<accelerator::Tile> {
  using T = accelerator::Tile;
  static constexpr std::array fields{
      field<&T::m>("m", "rows"), field<&T::n>("n", "columns"), field<&T::k>("k", "depth"),
      field<&T::products>("products",
                          "of the same shape, worked on as one; more than 1 only of whole ones")};
};

template <>
struct record::Describe<accelerator::Energy> {
  using T = accelerator::Energy;
  static constexpr std::array fields{
      field<&T::mac>("mac", "multiplying and adding", known()),
      field<&T::register_file>("register", "registers of the array", known()),
      field<&T::vector>("vector",
                        "operations of the vector unit, each the mean of an addition and a "
                        "multiplication of the accumulator's width; 0 where the table has no such "
                        "row (leaves_out)",
                        known()),
      field<&T::sram>("sram", "on-chip memory", known()),
      field<&T::dram>("dram", "DRAM", known()),
      field<&T::leakage>("leakage", "leakage over the latency", known()),
      computed<&accelerator::total_energy>("total", "all of them", known())};
};

template <>
struct record::Describe<accelerator::BufferProfile> {
  using T = accelerator::BufferProfile;
  static constexpr std::array fields{
      field<&T::name>("name", "of the tensor"),
      field<&T::role>("role", "what it is to the layer"),
      field<&T::shape>("shape", "elements along each axis"),
      field<&T::dtype>("dtype", "element type"),
      field<&T::bytes>("bytes", "as stored"),
      field<&T::reads>("reads",
                       "elements that the loops read, every access counted; null where there are "
                       "no loops, or the data decide"),
      field<&T::writes>("writes", "the same of those written")};
};

}  // namespace ridge
