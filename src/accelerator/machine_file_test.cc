// SPDX-License-Identifier: Apache-2.0
#include "accelerator/machine_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "accelerator/describe.h"
#include "accelerator/energy_table_file.h"
#include "record/json_write.h"
#include "record/settings.h"

namespace ridge::accelerator {
namespace {

std::string edited(std::string_view line, std::string_view instead) {
  std::string text(machine_template());
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), instead);
}

std::string machine_error(const std::string& text) {
  const Result<Machine> m = read_machine(text);
  return m.ok() ? std::string() : m.error().text();
}

std::string json_of(const Machine& m) { return record::json_text(record::kType<Machine>, &m); }

TEST(MachineFile, DoubleBufferingIsTrueOrFalse) {
  Machine m = shipped_machine("edge-32").value();
  EXPECT_TRUE(m.double_buffered);
  EXPECT_TRUE(set_key(m, "double_buffered", "false").ok());
  EXPECT_FALSE(m.double_buffered);
  EXPECT_NE(json_of(m).find("\"double_buffered\":false"), std::string::npos);
  const auto wrong = set_key(m, "double_buffered", "0");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message(), "'double_buffered' cannot be '0': true or false expected");
  EXPECT_NE(machine_template().find("double_buffered = true"), std::string::npos);
}

TEST(MachineFile, ReadsEveryKeyIntoItsPlace) {
  const Result<Machine> m = read_machine(R"(
name = "mine"
clock_mhz = 812.5
energy = "tpuv4i-7nm"
double_buffered = false
array = { rows = 12, columns = 34, dataflow = "is" }
vector.lanes = 7
[precision]
format = "float"
ifmap_bits = 16
filter_bits = 8
ofmap_bits = 4
accumulator_bits = 24
[sram]
ifmap_kib = 1.5
filter_kib = 3
ofmap_kib = 64
banks = 2
ports = 3
port_bytes = 5
[dram]
gb_per_s = 25.6
latency_ns = 99.5
)");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ(m->name, "mine");
  EXPECT_EQ(m->clock_mhz, 812.5);
  EXPECT_EQ(m->energy, "tpuv4i-7nm");
  EXPECT_FALSE(m->double_buffered);
  EXPECT_EQ(m->rows, 12);
  EXPECT_EQ(m->columns, 34);
  EXPECT_EQ(m->dataflow, Dataflow::kInputStationary);
  EXPECT_EQ(m->vector.lanes, 7);
  EXPECT_TRUE(m->widths.floating);
  EXPECT_EQ(m->widths.bits.ifmap, 16);
  EXPECT_EQ(m->widths.bits.filter, 8);
  EXPECT_EQ(m->widths.bits.ofmap, 4);
  EXPECT_EQ(m->widths.accumulator_bits, 24);
  EXPECT_EQ(m->sram.shared_bytes, 0);
  EXPECT_EQ(m->sram.bytes.ifmap, 1536);
  EXPECT_EQ(m->sram.bytes.filter, 3072);
  EXPECT_EQ(m->sram.bytes.ofmap, 65536);
  EXPECT_EQ(m->sram.banks, 2);
  EXPECT_EQ(m->sram.ports, 3);
  EXPECT_EQ(m->sram.port_bytes, 5);
  EXPECT_EQ(m->dram.gb_per_s, 25.6);
  EXPECT_EQ(m->dram.latency_ns, 99.5);
}

TEST(MachineFile, ShippedMachinesAreWhatTheirSourcesSay) {
  const std::vector<std::string> names = {"edge-32",      "eyeriss-like", "gemmini-16",
                                          "nvdla-like",   "tpu-like",     "wmma-16x16x16",
                                          "wmma-32x8x16", "wmma-8x32x16"};
  EXPECT_EQ(shipped_machine_names(), names);
  for (const std::string& name : names) {
    const Result<Machine> m = shipped_machine(name);
    ASSERT_TRUE(m.ok()) << m.error().text();
    EXPECT_EQ(m->name, name);
    EXPECT_TRUE(find_energy_table(m->energy).ok()) << name;
  }
  EXPECT_EQ(shipped_machine("tpu-like")->units(), 65'536);
  EXPECT_EQ(shipped_machine("tpu-like")->sram.bytes.ofmap, 4 << 20);
  EXPECT_EQ(shipped_machine("nvdla-like")->units(), 2'048);
  EXPECT_EQ(shipped_machine("eyeriss-like")->units(), 168);
  EXPECT_EQ(shipped_machine("eyeriss-like")->sram.total_bytes(), 108 << 10);
  EXPECT_EQ(shipped_machine("wmma-32x8x16")->rows, 32);
  EXPECT_EQ(shipped_machine("wmma-8x32x16")->columns, 32);
}

TEST(MachineFile, TemplateReadsBackAsTheMachineThatItShows) {
  const Result<Machine> read = read_machine(machine_template());
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(json_of(*read), json_of(*shipped_machine("edge-32")));
  for (const std::string& key : record::setting_names(record::kType<Machine>))
    EXPECT_NE(machine_template().find(key.substr(key.find('.') + 1) + " = "), std::string::npos)
        << key;
  EXPECT_NE(machine_template().find("\n# ifmap_kib = 0.0             # KiB for activations"),
            std::string::npos);
}

TEST(MachineFile, JsonHasTheKeysOfTheFileAndNullForWhatIsNotThere) {
  const auto json = nlohmann::json::parse(json_of(*shipped_machine("gemmini-16")));
  EXPECT_EQ(json["array"], nlohmann::json::parse(R"({"rows":16,"columns":16,"dataflow":"ws"})"));
  EXPECT_EQ(json["clock_mhz"], 1000);
  EXPECT_EQ(json["sram"]["shared_kib"], nullptr);
  EXPECT_EQ(json["sram"]["ofmap_kib"], 64);
  EXPECT_EQ(json["precision"]["format"], "int");
}

TEST(MachineFile, SettingAKeyChecksAsReadingDoes) {
  Machine m = *shipped_machine("gemmini-16");
  EXPECT_TRUE(set_key(m, "array.rows", "32").ok());
  EXPECT_TRUE(set_key(m, "sram.ofmap_kib", "0.5").ok());
  EXPECT_TRUE(set_key(m, "array.dataflow", "os").ok());
  EXPECT_EQ(m.rows, 32);
  EXPECT_EQ(m.sram.bytes.ofmap, 512);
  EXPECT_EQ(m.dataflow, Dataflow::kOutputStationary);
  const auto error = [&m](std::string_view key, std::string_view value) {
    const std::string before = json_of(m);
    const Result<void> set = set_key(m, key, value);
    EXPECT_EQ(json_of(m), before);
    return set.ok() ? std::string() : set.error().text();
  };
  EXPECT_EQ(error("array.rows", "0"),
            "error: 'array.rows' cannot be '0': integer from 1 to 16384 expected\n"
            "  [RIDGE-ACC-0221]\n");
  EXPECT_EQ(error("array.rows", "many"),
            "error: 'array.rows' cannot be 'many': integer from 1 to 16384 expected\n"
            "  [RIDGE-ACC-0221]\n");
  EXPECT_EQ(error("dram.gb_per_s", "nan"),
            "error: 'dram.gb_per_s' cannot be 'nan': number from 0.001 to 1000000 expected\n"
            "  [RIDGE-ACC-0221]\n");
  EXPECT_EQ(error("array.row", "3"),
            "error: unknown key 'array.row'\n"
            "  hint: did you mean 'array.rows'?\n"
            "  [RIDGE-ACC-0221]\n");
  EXPECT_EQ(error("sram.shared_kib", "64"),
            "error: sram.shared_kib contradicts sram.ifmap_kib, sram.filter_kib, sram.ofmap_kib\n"
            "  hint: either one SRAM for the three operands, or one for each\n"
            "  [RIDGE-ACC-0221]\n");
  EXPECT_EQ(set_key(m, "array.rows", "0").error().error_class(), ErrorClass::kUsage);
}

TEST(MachineFile, NumbersOutOfTheirBoundsAreNamedWithLineAndColumn) {
  const auto rows = [](const char* value) {
    return machine_error("# first line\n[array]\nrows = " + std::string(value) + "\n");
  };
  const auto refused = [](const char* got) {
    return "error: array.rows, line 3, column 8: integer from 1 to 16384 expected, got " +
           std::string(got) + "\n  hint: rows of multiply-accumulate units\n  [RIDGE-REC-0002]\n";
  };
  EXPECT_EQ(rows("0"), refused("0"));
  EXPECT_EQ(rows("-4"), refused("-4"));
  EXPECT_EQ(rows("nan"), refused("nan or inf"));
  EXPECT_EQ(rows("inf"), refused("nan or inf"));
  EXPECT_EQ(rows("16.5"), refused("16.5"));
  EXPECT_EQ(rows("16385"), refused("16385"));
  EXPECT_EQ(machine_error("sram.shared_kib = 0.0001\n"),
            "error: sram.shared_kib, line 1, column 19: number from 0.0009765625 to 16777216 "
            "expected, got 1e-04\n"
            "  hint: KiB of one SRAM for the three operands\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(machine_error("sram.shared_kib = nan\n"),
            "error: sram.shared_kib, line 1, column 19: number from 0.0009765625 to 16777216 "
            "expected, got nan or inf\n"
            "  hint: KiB of one SRAM for the three operands\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(machine_error("sram.shared_kib = 1.0001\n"),
            "error: sram.shared_kib, line 1, column 19: 1.0001 KiB are no whole number of bytes\n"
            "  [RIDGE-ACC-0210]\n");
  EXPECT_EQ(machine_error("clock_mhz = inf\n"),
            "error: clock_mhz, line 1, column 13: number from 0.001 to 100000 expected, got nan or "
            "inf\n"
            "  hint: clock of the array, MHz\n"
            "  [RIDGE-REC-0002]\n");
}

TEST(MachineFile, ValuesOfAnotherTypeAreNamed) {
  EXPECT_EQ(machine_error("array.rows = true\n"),
            "error: array.rows, line 1, column 14: integer from 1 to 16384 expected, got true or "
            "false\n"
            "  hint: rows of multiply-accumulate units\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(machine_error("array.dataflow = [\"ws\"]\n"),
            "error: array.dataflow, line 1, column 18: one of os, ws, is expected, got list\n"
            "  hint: what stays in the array: \"os\" outputs, \"ws\" weights, \"is\" inputs\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(machine_error("clock_mhz = 2026-01-01\n"),
            "error: line 1, column 13: a date or time is no value of any key\n"
            "  [RIDGE-REC-0007]\n");
  EXPECT_EQ(machine_error("array.dataflow = \"rs\"\n"),
            "error: array.dataflow, line 1, column 18: one of os, ws, is expected, got 'rs'\n"
            "  hint: did you mean 'is'?\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(machine_error("energy = \"cacti-45\"\n"),
            "error: energy, line 1, column 10: unknown energy table 'cacti-45'\n"
            "  hint: did you mean cacti-45nm?\n"
            "  [RIDGE-ACC-0218]\n");
}

TEST(MachineFile, KeysWithoutTheirUnitAreToldWhichOneIsMeant) {
  EXPECT_EQ(machine_error("bandwidth = 10\n"),
            "error: bandwidth, line 1, column 1: unknown key 'bandwidth'\n"
            "  hint: did you mean 'dram.gb_per_s'? the unit is in the name\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(machine_error("[sram]\nshared_mib = 1\n"),
            "error: sram.shared_mib, line 2, column 1: unknown key 'shared_mib'\n"
            "  hint: did you mean 'shared_kib'? the unit is in the name\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(machine_error("clock_ghz = 1\n"),
            "error: clock_ghz, line 1, column 1: unknown key 'clock_ghz'\n"
            "  hint: did you mean 'clock_mhz'? the unit is in the name\n"
            "  [RIDGE-REC-0003]\n");
}

TEST(MachineFile, UnknownKeysAreToldWhatWasMeant) {
  EXPECT_EQ(machine_error("rows = 16\n"),
            "error: rows, line 1, column 1: unknown key 'rows'\n"
            "  hint: did you mean 'array.rows'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(machine_error("[array]\ncolums = 16\n"),
            "error: array.colums, line 2, column 1: unknown key 'colums'\n"
            "  hint: did you mean 'columns'?\n"
            "  [RIDGE-REC-0003]\n");
}

TEST(MachineFile, MissingTwiceGivenAndContradictoryKeysAreNamed) {
  EXPECT_EQ(machine_error(edited("rows = 32", "# none")),
            "error: array, line 7, column 1: key 'rows' is missing\n"
            "  hint: rows of multiply-accumulate units\n"
            "  [RIDGE-REC-0004]\n");
  EXPECT_EQ(machine_error(edited("shared_kib = 512.0", "# none")),
            "error: sram.shared_kib is missing\n"
            "  hint: either one SRAM for the three operands, or one for each\n"
            "  [RIDGE-ACC-0208]\n");
  EXPECT_EQ(machine_error(edited("shared_kib = 512.0", "ifmap_kib = 512")),
            "error: sram.filter_kib is missing\n"
            "  hint: either one SRAM for the three operands, or one for each\n"
            "  [RIDGE-ACC-0208]\n");
  EXPECT_EQ(machine_error(edited("shared_kib = 512.0", "shared_kib = 512\nfilter_kib = 5")),
            "error: sram.shared_kib contradicts sram.filter_kib\n"
            "  hint: either one SRAM for the three operands, or one for each\n"
            "  [RIDGE-ACC-0211]\n");
  EXPECT_EQ(machine_error("clock_mhz = 1\nclock_mhz = 2\n"),
            "error: line 2, column 13: duplicate key or table\n"
            "  Error while parsing key-value pair: cannot redefine existing integer 'clock_mhz'\n"
            "  hint: keep one of them\n"
            "  [RIDGE-ACC-0204]\n");
}

TEST(MachineFile, WhatIsNoTomlOrTooLargeIsRefused) {
  EXPECT_EQ(machine_error("clock_mhz: 5\n").substr(0, 42),
            "error: line 1, column 10: invalid TOML\n  E");
  EXPECT_EQ(machine_error("r\u00e9seau = 1\n").substr(0, 39),
            "error: line 1, column 2: invalid TOML\n ");
  EXPECT_EQ(machine_error("[=").substr(0, 39), "error: line 1, column 2: invalid TOML\n ");
  EXPECT_EQ(machine_error(std::string(70'000, '\n')),
            "error: the file has 70000 bytes, the limit is 65536\n  [RIDGE-ACC-0201]\n");
  EXPECT_EQ(machine_error("\n# " + std::string(600, 'x')),
            "error: line 2, column 1: the line has 602 bytes, the limit is 500\n"
            "  [RIDGE-ACC-0202]\n");
  EXPECT_EQ(machine_error("a.b.c.d.e.f = 1\n"),
            "error: line 1, column 9: tables and arrays nest more than 4 deep\n"
            "  [RIDGE-ACC-0205]\n");
  // Deepest nesting that fits in 64 KiB.
  std::string deep;
  for (int i = 0; i < 8; ++i) {
    for (int dot = 0; dot < 240; ++dot) deep += "a.";
    deep += i < 7 ? "a = [\n{" : "a = 1 ";
  }
  for (int i = 0; i < 7; ++i) deep += "}]\n";
  EXPECT_NE(machine_error(deep), "");
}

TEST(MachineFile, NamesOfNothingAreToldWhatThereIs) {
  EXPECT_EQ(find_machine("gemini-16").error().text(),
            "error: unknown machine 'gemini-16'\n"
            "  hint: did you mean gemmini-16?\n"
            "  [RIDGE-ACC-0220]\n");
  EXPECT_EQ(find_energy_table("horowitz-45").error().text(),
            "error: unknown energy table 'horowitz-45'\n"
            "  hint: did you mean horowitz-45nm?\n"
            "  [RIDGE-ACC-0222]\n");
  EXPECT_EQ(find_machine("/nonexistent/my.toml").error().error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(find_energy_table("/nonexistent/my.toml").error().error_class(),
            ErrorClass::kEnvironment);
}

}  // namespace
}  // namespace ridge::accelerator
