// SPDX-License-Identifier: Apache-2.0
#include "accelerator/energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"

namespace ridge::accelerator {
namespace {

/// Table with round figures: an SRAM of one bank costs 2 pJ per byte at 4 KiB, and 4 (read) and 6
/// (write) at 16 KiB.
EnergyTable table() {
  return {.name = "round",
          .source = "made up",
          .node_nm = 10,
          .macs = {{8, 32, false, 0.5}, {16, 32, false, 1.5}, {16, 32, true, 2.5}},
          .arithmetic = {{16, false, 0.25, 0.5}, {32, false, 1, 5}, {16, true, 2, 3}},
          .register_pj_per_byte = 0.25,
          .srams = {{4096, 2, 2, 1}, {16384, 4, 6, 4}},
          .dram_pj_per_bit = 10};
}

Machine one_word_machine() {
  Machine m = *shipped_machine("edge-32");  // int8 into int32, 500 MHz
  m.sram = {.shared_bytes = 16384, .bytes = {}, .banks = 4};
  return m;
}

TEST(Energy, RatesAreThoseOfOneBank) {
  const Result<EnergyRates> r = energy_rates(one_word_machine(), table());
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ(r->mac, 0.5);
  EXPECT_EQ(r->mac_row, "int8 into int32");
  // 1 + 1 bytes of factors read, 4 bytes of the sum read and 4 written.
  EXPECT_EQ(r->register_file, 0.25 * 10);
  EXPECT_EQ(r->sram_read.ifmap, 2);
  EXPECT_EQ(r->sram_read.ofmap, 4 * 2);
  EXPECT_EQ(r->dram_byte, 80);
  // Four banks of 1 mW for 2 ns.
  EXPECT_EQ(r->leakage_cycle, 8);
}

TEST(Energy, SramLiesOnALineOverTheSquareRootOfItsSize) {
  Machine m = one_word_machine();
  const auto read_write = [&m](std::int64_t bytes, std::int64_t banks) {
    m.sram.shared_bytes = bytes;
    m.sram.banks = banks;
    const EnergyRates r = *energy_rates(m, table());
    return std::pair(r.sram_read.ifmap, r.sram_write.ifmap);
  };
  EXPECT_EQ(read_write(16384, 1), std::pair(4.0, 6.0));
  // sqrt(9216) = 96 is halfway between sqrt(4096) = 64 and sqrt(16384) = 128
  EXPECT_EQ(read_write(9216, 1), std::pair(3.0, 4.0));
  EXPECT_EQ(read_write(65536, 1), std::pair(8.0, 12.0));  // four times the size, twice the energy
  EXPECT_EQ(read_write(1024, 1), std::pair(1.0, 1.0));
  EXPECT_EQ(read_write(65536, 16), std::pair(2.0, 2.0));
}

TEST(Energy, LeakageGrowsWithEveryMemory) {
  Machine m = one_word_machine();
  // Bank of 10 KiB: (10 - 4) / 12 of the way from 1 to 4 mW; of 2 KiB: half of 1; of 32 KiB: 2 x 4.
  m.sram = {.shared_bytes = 0, .bytes = {10'240, 2'048, 32'768}, .banks = 1};
  EXPECT_DOUBLE_EQ(energy_rates(m, table())->leakage_cycle, 2 * (2.5 + 0.5 + 8));
}

TEST(Energy, UnitsTakeTheNarrowestRowThatHoldsThem) {
  Machine m = one_word_machine();
  m.widths.bits = {4, 12, 8};
  EXPECT_EQ(energy_rates(m, table())->mac_row, "int16 into int32");
  m.widths.floating = true;
  EXPECT_EQ(energy_rates(m, table())->mac, 2.5);
  m.widths.bits.ifmap = 32;
  EXPECT_EQ(
      energy_rates(m, table()).error().text(),
      "error: energy table 'round' has no row for a multiply-accumulate of float32 into float32\n"
      "  hint: available rows: int8 into int32, int16 into int32, float16 into float32; use your "
      "own table or other precisions\n"
      "  [RIDGE-ACC-0230]\n");
}

TEST(Energy, AVectorUnitWorksAtTheAccumulatorsWidth) {
  Machine m = one_word_machine();  // int8 into int32
  EXPECT_EQ(energy_rates(m, table())->vector_row, "int32");
  EXPECT_EQ(energy_rates(m, table())->vector(), 3);
  m.widths.accumulator_bits = 12;
  EXPECT_EQ(energy_rates(m, table())->vector_row, "int16");
  EXPECT_EQ(energy_rates(m, table())->vector(), 0.375);
  m.widths.floating = true;
  EXPECT_EQ(energy_rates(m, table())->vector_row, "float16");
}

LayerCost counts() {
  LayerCost c;
  c.padded_macs = 1000;
  c.vector_operations = 50;
  c.compute_cycles = 30;
  c.stall_cycles = 10;
  c.sram = {.ifmap = 100, .filter = 200, .psum_reads = 10, .ofmap = 20, .psum_writes = 30};
  c.dram = Traffic{.ifmap = 1, .filter = 2, .psum_reads = 3, .ofmap = 4, .psum_writes = 5};
  c.dram_read_bytes = 15;
  c.dram_write_bytes = 24;
  return c;
}

EnergyRates unit_rates() {
  return {.mac = 2,
          .register_file = 3,
          .sram_read = {1, 10, 100},
          .sram_write = {1000, 10'000, 100'000},
          .dram_byte = 7,
          .leakage_cycle = 0.5,
          .vector_add = 1,
          .vector_multiply = 7};
}

TEST(Energy, NamesWhatATableDoesNotTell) {
  Machine m = one_word_machine();
  EXPECT_EQ(lacks(m, table()), std::vector<std::string>{});
  EnergyTable narrow = table();
  narrow.register_pj_per_byte = 0;
  narrow.arithmetic.erase(narrow.arithmetic.begin() + 1);
  for (SramEnergy& s : narrow.srams) s.leakage_mw = 0;
  EXPECT_EQ(lacks(m, narrow),
            (std::vector<std::string>{"registers", "leakage", "vector operations"}));
  const EnergyRates r = *energy_rates(m, narrow);
  EXPECT_EQ(r.vector_row, "");
  EXPECT_EQ(energy_of(counts(), r).vector, 0);
  m.vector.lanes = 0;  // nothing is omitted
  EXPECT_EQ(lacks(m, narrow), (std::vector<std::string>{"registers", "leakage"}));
}

TEST(Energy, SumsEveryEventOnce) {
  const Energy e = energy_of(counts(), unit_rates());
  EXPECT_EQ(e.mac, 2000);
  EXPECT_EQ(e.register_file, 3000);
  EXPECT_EQ(e.vector, 50 * 4);  // mean of 1 and 7
  // array: 100 x 1 + 200 x 10 + 10 x 100 + (20 + 30) x 100000
  // DRAM: 1 x 1000 + 2 x 10000 + 3 x 100000 + (4 + 5) x 100
  EXPECT_EQ(e.sram, 5'003'100 + 321'900);
  EXPECT_EQ(e.dram, 39 * 7);
  EXPECT_EQ(e.leakage, 20);
  EXPECT_EQ(e.total(), 2000 + 3000 + 200 + 5'325'000 + 273 + 20);
}

TEST(Energy, IsLinearInTheCounts) {
  LayerCost twice = counts();
  for (std::int64_t* n : {&twice.padded_macs, &twice.vector_operations, &twice.compute_cycles,
                          &twice.stall_cycles, &twice.dram_read_bytes, &twice.dram_write_bytes})
    *n *= 2;
  for (Traffic* t : {&twice.sram, &*twice.dram})
    for (std::int64_t* n : {&t->ifmap, &t->filter, &t->psum_reads, &t->ofmap, &t->psum_writes})
      *n *= 2;
  EXPECT_EQ(energy_of(twice, unit_rates()).total(), 2 * energy_of(counts(), unit_rates()).total());
}

TEST(Energy, BandIsBetweenTheTablesThatCanAnswer) {
  EnergyTable dear = table(), narrow = table();
  dear.name = "dear";
  dear.dram_pj_per_bit = 20;
  narrow.name = "narrow";
  narrow.macs = {{4, 16, false, 1}};
  const std::vector<EnergyTable> tables = {dear, narrow, table()};
  const auto band = energy_band(one_word_machine(), counts(), tables);
  ASSERT_TRUE(band);
  EXPECT_EQ(band->low, "round");
  EXPECT_EQ(band->high, "dear");
  EXPECT_EQ(band->tables, (std::vector<std::string>{"dear", "round"}));
  EXPECT_EQ(band->unable, (std::vector<std::string>{"narrow"}));
  // 39 bytes at 10 pJ more per bit; 50 operations as multiplications of 5 pJ or additions of 1 pJ.
  EXPECT_DOUBLE_EQ(band->high_pj - band->low_pj, 39 * 80 + 50 * (5 - 1));
  EXPECT_FALSE(energy_band(one_word_machine(), counts(), std::span(tables).subspan(1, 1)));
}

TEST(Energy, EveryShippedTableAnswersForEveryShippedMachine) {
  for (const std::string& name : shipped_machine_names()) {
    const auto band = energy_band(*shipped_machine(name), counts(), shipped_energy_tables());
    ASSERT_TRUE(band) << name;
    EXPECT_EQ(band->tables.size(), shipped_energy_table_names().size()) << name;
  }
}

TEST(EnergyTable, ShippedOnesHaveTheFiguresOfTheirSources) {
  const std::vector<std::string> names = {"cacti-22nm", "cacti-32nm", "cacti-45nm", "horowitz-45nm",
                                          "tpuv4i-7nm"};
  EXPECT_EQ(shipped_energy_table_names(), names);
  EXPECT_EQ(shipped_energy_tables().size(), names.size());
  const EnergyTable horowitz = *shipped_energy_table("horowitz-45nm");
  EXPECT_DOUBLE_EQ(horowitz.macs[0].pj, 0.2 + 0.1);
  EXPECT_EQ(horowitz.srams[2].read_pj_per_byte, 100.0 / 8);
  EXPECT_EQ(horowitz.arithmetic[1].add_pj, 0.1);
  EXPECT_EQ(horowitz.arithmetic[1].multiply_pj, 3.1);
  const Machine m = one_word_machine();
  EXPECT_EQ(lacks(m, horowitz), std::vector<std::string>{"leakage"});
  const EnergyTable tpu = *shipped_energy_table("tpuv4i-7nm");
  EXPECT_EQ(tpu.dram_pj_per_bit, 5.47);
  EXPECT_EQ(tpu.arithmetic[3].add_pj, 0.38);
  EXPECT_EQ(tpu.arithmetic[3].multiply_pj, 1.31);
  EXPECT_EQ(lacks(m, tpu), (std::vector<std::string>{"registers", "leakage"}));
  const EnergyTable cacti = *shipped_energy_table("cacti-45nm");
  EXPECT_EQ(cacti.srams.size(), 12U);
  EXPECT_TRUE(lacks(m, cacti).empty());
  // From 64 KiB up, CACTI's reads take k x sqrt(KiB) pJ per byte, k from 0.24 to 0.30 at 45 nm.
  for (const SramEnergy& s : cacti.srams) {
    const double k = s.read_pj_per_byte / std::sqrt(static_cast<double>(s.bytes) / 1024);
    EXPECT_TRUE(s.bytes < 65536 || (k > 0.23 && k < 0.31)) << s.bytes;
  }
}

/// Both kinds of rows were derived by hand from one source, so each checks the other.
TEST(EnergyTable, AMultiplyAccumulateIsAMultiplicationAndAWiderAddition) {
  const auto row = [](const EnergyTable& t, std::int64_t bits, bool floating) {
    return *std::find_if(t.arithmetic.begin(), t.arithmetic.end(), [&](const ArithmeticEnergy& a) {
      return a.bits == bits && a.floating == floating;
    });
  };
  for (const EnergyTable& t : shipped_energy_tables())
    for (const MacEnergy& m : t.macs) {
      const double parts =
          row(t, m.bits, m.floating).multiply_pj + row(t, m.accumulator_bits, m.floating).add_pj;
      EXPECT_NEAR(m.pj / parts, 1, 0.005) << t.name << " " << m.bits;  // three digits
    }
}

std::string table_error(const std::string& text) {
  const Result<EnergyTable> t = read_energy_table(text);
  return t.ok() ? std::string() : t.error().text();
}

TEST(EnergyTable, SaysWhatIsWrong) {
  const std::string mac =
      "mac = [ { bits = 8, accumulator_bits = 32, format = \"int\", pj = 1 } ]\n";
  const std::string sram =
      "sram = [\n  { kib = 8, read_pj_per_byte = 1, write_pj_per_byte = 1 },\n"
      "  { kib = 4, read_pj_per_byte = 1, write_pj_per_byte = 1 },\n]\n";
  const std::string rest = "source = \"me\"\nnode_nm = 7\ndram_pj_per_bit = 5\n";
  const Result<EnergyTable> good = read_energy_table(mac + sram + rest);
  ASSERT_TRUE(good.ok()) << good.error().text();
  EXPECT_EQ(good->srams[0].bytes, 4096);
  EXPECT_EQ(table_error(mac + rest),
            "error: key 'sram' is missing\n"
            "  hint: rows of SRAM sizes\n"
            "  [RIDGE-REC-0004]\n");
  EXPECT_EQ(table_error("mac = 5\n" + sram + rest),
            "error: mac, line 1, column 7: list expected, got integer\n"
            "  hint: rows of multiply-accumulates\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(table_error(mac + "sram = [ 8 ]\n" + rest).substr(0, 62),
            "error: sram[0], line 2, column 10: object expected, got intege");
  EXPECT_EQ(table_error(mac + "sram = [\n  { kib = 8, write_pj_per_byte = 1 } ]\n" + rest),
            "error: sram[0], line 3, column 3: key 'read_pj_per_byte' is missing\n"
            "  hint: pJ per byte read\n"
            "  [RIDGE-REC-0004]\n");
  EXPECT_EQ(table_error(mac + "sram = [ { kib = 8, read = 1 } ]\n" + rest),
            "error: sram[0].read, line 2, column 21: unknown key 'read'\n"
            "  hint: did you mean 'read_pj_per_byte'? the unit is in the name\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(
      table_error("mac = [ { bits = 8, accumulator_bits = 32, format = \"posit\", pj = 1 } ]\n"),
      "error: mac[0].format, line 1, column 53: one of int, float expected, got 'posit'\n"
      "  hint: \"int\" or \"float\"\n"
      "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(
      table_error(mac + sram + rest + "register_pj_per_byte = nan\n"),
      "error: register_pj_per_byte, line 9, column 24: number from 1e-06 to 1000000 expected, "
      "got nan or inf\n"
      "  hint: pJ per byte that enters or leaves a register of a unit\n"
      "  [RIDGE-REC-0002]\n");
  std::string twice = sram;
  twice.replace(twice.find("kib = 4"), 7, "kib = 8");
  EXPECT_EQ(table_error(mac + twice + rest), "error: duplicate row in sram\n  [RIDGE-ACC-0216]\n");
  EXPECT_EQ(table_error(mac + sram + rest + "arithmetic = []\n"),
            "error: arithmetic, line 9, column 14: at least 1 value expected, got 0\n"
            "  hint: rows of additions and multiplications\n"
            "  [RIDGE-REC-0002]\n");
  const std::string row = "{ bits = 32, format = \"int\", add_pj = 1, multiply_pj = 2 }";
  EXPECT_EQ(table_error(mac + sram + rest + "arithmetic = [ " + row + ", " + row + " ]\n"),
            "error: duplicate row in arithmetic\n  [RIDGE-ACC-0216]\n");
  EXPECT_EQ(table_error(mac + sram + "source = \"me\"\nnode_nm = 7\n"),
            "error: key 'dram_pj_per_bit' is missing\n"
            "  hint: pJ per bit that crosses the pins\n"
            "  [RIDGE-REC-0004]\n");
}

}  // namespace
}  // namespace ridge::accelerator
