// SPDX-License-Identifier: Apache-2.0
// Document of a study of accelerators, ridge.accelerator/1, as it is written: it borrows the study,
// and its rows are made one at a time. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accelerator/describe.h"
#include "accelerator/study/result.h"
#include "analysis/sizes/describe.h"
#include "record/describe.h"
#include "record/stream.h"

namespace ridge::exports {

struct WordsRead {
  std::int64_t ifmap = 0, filter = 0, psum = 0;
};

struct WordsWritten {
  std::int64_t ofmap = 0, psum = 0;
};

/// Figures of a layer or of all; nullopt where there are none.
struct CostFigures {
  std::optional<std::int64_t> padded_macs, vector_operations, folds;
  std::optional<std::int64_t> compute_cycles, stall_cycles, total_cycles, cycles_with_prefetch;
  std::optional<double> utilization;
  std::optional<std::int64_t> sram_used_bytes;
  std::optional<WordsRead> sram_reads, dram_reads;
  std::optional<WordsWritten> sram_writes, dram_writes;
  std::optional<std::int64_t> dram_read_bytes, dram_write_bytes;
  std::optional<double> latency_ns;
  std::optional<accelerator::Energy> energy_pj;
  std::optional<double> edp_pj_ns;
  std::vector<std::pair<std::string, double>> sensitivity;
};

/// A mapping that no other beats in both latency and energy.
struct FrontRow {
  accelerator::Dataflow dataflow = accelerator::Dataflow::kOutputStationary;
  accelerator::Tile tile;
  std::string_view loop_order;
  std::int64_t total_cycles = 0;
  std::optional<double> latency_ns, energy_pj;
};

/// Figures of the source of --profile-with for a layer; nullopt where it has none.
struct LayerMemory {
  std::optional<std::int64_t> param_bytes, allocated_bytes;
  std::optional<std::int64_t> padded_param_bytes, padded_allocated_bytes;
  std::optional<std::span<const accelerator::BufferProfile>> buffers;
  std::optional<std::int64_t> macs, squares, hooked_macs;
  std::string_view remark;
};

struct LayerRow {
  std::string_view name;
  std::optional<std::int64_t> node;
  std::string_view op_type;
  std::span<const accelerator::Gemm> gemms;
  std::string_view reason;
  std::optional<accelerator::Move> move;
  std::string_view move_reason;
  std::optional<accelerator::Widths> precision;
  std::int64_t macs = 0;
  std::optional<std::int64_t> params;
  LayerMemory memory;
  std::optional<accelerator::Dataflow> dataflow;
  std::optional<accelerator::Tile> tile;
  std::string_view loop_order;
  CostFigures figures;
  std::optional<accelerator::Bound> bound;
  std::optional<std::vector<FrontRow>> front;  ///< nullopt: not asked for
};

struct TotalsRow {
  std::int64_t layers = 0, macs = 0, macs_without_products = 0;
  std::optional<std::int64_t> padded_param_bytes, padded_allocated_bytes;
  CostFigures figures;
};

/// Where picojoules come from.
struct EnergyOrigin {
  std::string_view table, source;
  double node_nm = 0;
  std::string_view mac_row, vector_row;
  std::span<const std::string> leaves_out;
  std::optional<accelerator::EnergyBand> band;
};

struct PointRow {
  std::variant<accelerator::ScalesimMachine, accelerator::Machine> machine;
  std::string_view pad, precision;
  std::map<std::string, analysis::Binding> bindings;
  std::vector<std::pair<std::string, std::string>> set;
  std::optional<EnergyOrigin> energy;
  bool best = false;
  record::Stream<LayerRow> layers;
  TotalsRow totals;
  record::Json run;  ///< "": none
};

struct StudyDocument {
  std::string_view subject;
  std::string_view origin = "modelled";
  accelerator::Convention convention = accelerator::Convention::kOverlapped;
  std::optional<accelerator::Objective> objective;
  record::Stream<PointRow> points;
  std::optional<record::Stream<LayerRow>> layers;
};

inline std::span<const std::string_view> study_origins() {
  static constexpr std::array<std::string_view, 1> kOrigins{"modelled"};
  return kOrigins;
}
inline std::span<const std::string_view> width_sources() {
  static constexpr std::array<std::string_view, 2> kSources{"machine", "file"};
  return kSources;
}
inline bool has_front(const LayerRow& layer) { return layer.front.has_value(); }
inline bool has_profile(const PointRow& point) { return !point.run.text.empty(); }

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<accelerator::EnergyBand> {
  using T = accelerator::EnergyBand;
  static constexpr std::array fields{
      field<&T::low_pj>("low_pj", "the least", known()), field<&T::low>("low", "by which table"),
      field<&T::high_pj>("high_pj", "the most", known()), field<&T::high>("high", "by which table"),
      field<&T::tables>("tables", "all that can answer for the machine")};
};

template <>
struct record::Describe<exports::WordsRead> {
  using T = exports::WordsRead;
  static constexpr std::array fields{
      field<&T::ifmap>("ifmap", "of the M x K operand"),
      field<&T::filter>("filter", "of the K x N operand"),
      field<&T::psum>("psum", "partial sums; the scalesim convention never reads them back")};
};

template <>
struct record::Describe<exports::WordsWritten> {
  using T = exports::WordsWritten;
  static constexpr std::array fields{
      field<&T::ofmap>("ofmap",
                       "of the M x N result; in the scalesim convention with the partial sums of "
                       "every fold along K"),
      field<&T::psum>("psum", "partial sums told apart from the ofmap")};
};

template <>
struct record::Describe<exports::CostFigures> {
  using T = exports::CostFigures;
  static constexpr std::array fields{
      field<&T::padded_macs>(
          "padded_macs",
          "multiply-accumulates of the padded products: macs where nothing is padded"),
      field<&T::vector_operations>("vector_operations",
                                   "operations of the vector unit; 0 where the machine has none"),
      field<&T::folds>("folds",
                       "times that the array is filled anew; null where the layer has no "
                       "products, as for all below"),
      field<&T::compute_cycles>("compute_cycles", "cycles without stalls"),
      field<&T::stall_cycles>("stall_cycles", "cycles in which the array waits for memory"),
      field<&T::total_cycles>("total_cycles", "both"),
      field<&T::cycles_with_prefetch>("cycles_with_prefetch",
                                      "from the first word prefetched to the last one stored, as "
                                      "SCALE-Sim v3 counts; null outside its mode CALC"),
      field<&T::utilization>("utilization",
                             "multiply-accumulates per cycle and processing element"),
      field<&T::sram_used_bytes>("sram_used_bytes",
                                 "most bytes of SRAM in use at a time; in the scalesim convention "
                                 "all there are"),
      field<&T::sram_reads>("sram_reads", "words that the array asks of its buffers"),
      field<&T::sram_writes>("sram_writes", "words that leave the array"),
      field<&T::dram_reads>("dram_reads",
                            "words (elements, never bytes) that the buffers read; null where "
                            "counting them would take too long"),
      field<&T::dram_writes>("dram_writes", "words that are written"),
      field<&T::dram_read_bytes>("dram_read_bytes",
                                 "bytes read from DRAM; partial sums at the accumulator's width"),
      field<&T::dram_write_bytes>("dram_write_bytes", "bytes written to DRAM"),
      field<&T::latency_ns>("latency_ns", "ns; null where the machine has no clock"),
      field<&T::energy_pj>("energy_pj",
                           "picojoules by the table of the point; null where there is none, or "
                           "words of DRAM are not known"),
      field<&T::edp_pj_ns>("edp_pj_ns", "energy times latency"),
      field<&T::sensitivity>("sensitivity",
                             "key of the machine and the share of the latency that twice its "
                             "value takes away; empty where not asked for")};
};

template <>
struct record::Describe<exports::FrontRow> {
  using T = exports::FrontRow;
  static constexpr std::array fields{
      field<&T::dataflow>("dataflow", "what stays in the array"),
      field<&T::tile>("tile", "elements"),
      field<&T::loop_order>("loop_order", "outermost first", zero_is_null()),
      field<&T::total_cycles>("total_cycles", "of one product"),
      field<&T::latency_ns>("latency_ns", "of one product"),
      field<&T::energy_pj>("energy_pj", "null where the machine names no table")};
};

template <>
struct record::Describe<exports::LayerMemory> {
  using T = exports::LayerMemory;
  static constexpr std::array fields{
      field<&T::param_bytes>("param_bytes",
                             "bytes of its weights and constants as the model stores them; null "
                             "where there is no model, as for the four below"),
      field<&T::allocated_bytes>("allocated_bytes", "bytes of its results"),
      field<&T::padded_param_bytes>("padded_param_bytes", "the first with the filters padded"),
      field<&T::padded_allocated_bytes>("padded_allocated_bytes",
                                        "the second with the results padded"),
      field<&T::buffers>("buffers", "the tensors that cross its boundary"),
      field<&T::macs>("profiled_macs",
                      "multiply-accumulates as the source of --profile-with tells them; null as "
                      "for buffers"),
      field<&T::squares>(
          "profiled_squares",
          "sums of squares in the loops, which are multiply-accumulates of no layer"),
      field<&T::hooked_macs>("hooked_macs",
                             "as hooks counted them while the compiled network ran; null where "
                             "it did not"),
      field<&T::remark>("profile_remark",
                        "why figures differ from the closed form's, or why none are known",
                        zero_is_null())};
};

template <>
struct record::Describe<exports::LayerRow> {
  using T = exports::LayerRow;
  static constexpr std::array fields{
      field<&T::name>("name", "of the node or of the topology's row"),
      field<&T::node>("node",
                      "index of the node in ridge.analysis/1; null where there is no model"),
      field<&T::op_type>("op_type", "operator of the node", zero_is_null()),
      field<&T::gemms>("gemms", "the products that make the layer"),
      field<&T::reason>("reason", "why there are no products", zero_is_null()),
      field<&T::move>("move",
                      "how a layer that only moves data does so: docs/accelerator.md; null where "
                      "it computes, too"),
      field<&T::move_reason>("move_reason", "why it copies", zero_is_null()),
      field<&T::precision>("precision",
                           "widths that the layer is reckoned with; null of a SCALE-Sim "
                           "configuration, where a word is a byte"),
      field<&T::macs>("macs", "multiply-accumulates of the definition"),
      field<&T::params>("params", "elements of the weights it reads; null where there is no model"),
      inlined<&T::memory>(),
      field<&T::dataflow>("dataflow", "what stays in the array: outputs, weights, inputs"),
      field<&T::tile>("tile", "what the array works on at a time, in elements"),
      field<&T::loop_order>("loop_order",
                            "dimensions of the loops over tiles and streams, outermost first",
                            zero_is_null()),
      inlined<&T::figures>(),
      field<&T::bound>("bound", "what most of its time waits for; null where nothing tells"),
      field<&T::front>("front",
                       "with --pareto: the mappings of its largest product that no other beats in "
                       "both latency and energy, fastest first",
                       only_when<&exports::has_front>())};
};

template <>
struct record::Describe<exports::TotalsRow> {
  using T = exports::TotalsRow;
  static constexpr std::array fields{
      field<&T::layers>("layers", "how many, with those that have no products"),
      field<&T::macs>("macs", "of all layers"),
      field<&T::macs_without_products>(
          "macs_without_products",
          "of the layers that cost nothing here because no products are known"),
      field<&T::padded_param_bytes>("padded_param_bytes",
                                    "of all layers' parameters, as the model stores them and "
                                    "padded as the products are; null where there is no model"),
      field<&T::padded_allocated_bytes>("padded_allocated_bytes", "the same of their results"),
      inlined<&T::figures>()};
};

template <>
struct record::Describe<exports::EnergyOrigin> {
  using T = exports::EnergyOrigin;
  static constexpr std::array fields{
      field<&T::table>("table", "name of the energy table"),
      field<&T::source>("source", "its source", zero_is_null()),
      field<&T::node_nm>("node_nm", "process node in nm", known()),
      field<&T::mac_row>("mac_row", "the row that a multiply-accumulate is taken for",
                         zero_is_null()),
      field<&T::vector_row>("vector_row",
                            "the numbers whose addition and multiplication an operation of the "
                            "vector unit is the mean of; null where the table has none as wide",
                            zero_is_null()),
      field<&T::leaves_out>("leaves_out", "what the table knows nothing of"),
      field<&T::band>(
          "band", "what the shipped tables say of the same counts; null where none can answer")};
};

template <>
struct record::Describe<exports::PointRow> {
  using T = exports::PointRow;
  static constexpr std::array fields{
      field<&T::machine>("machine",
                         "as described: the keys of a machine file, or those of a SCALE-Sim "
                         "configuration",
                         untagged()),
      field<&T::pad>("pad", "multiples that M x N x K are padded to: \"none\", \"16x16x16\"",
                     on_line()),
      field<&T::precision>("precision",
                           "whose widths the operands have: the machine's, or layer by layer "
                           "those of the model's tensors",
                           one_of<&exports::width_sources>()),
      field<&T::bindings>("bindings",
                          "every free size in force, by name; an unnamed dimension is called like "
                          "`input[2]`"),
      field<&T::set>("set", "keys of the machine that differ from its file"),
      field<&T::energy>(
          "energy", "where picojoules come from; null where the machine names no table", on_line()),
      field<&T::best>("best", "no other point is both faster and thriftier"),
      field<&T::layers>("layers", "in file order", on_line(), item_lines()),
      field<&T::totals>("totals", "sums over the layers that have products", on_line()),
      field<&T::run>("run",
                     "the same as a run, a ridge.profile/1 of kind estimated with an empty host "
                     "and no weights, which verbs that take runs read; absent without a model, "
                     "and where the machine has no clock",
                     on_line(), only_when<&exports::has_profile>())};
};

template <>
struct record::Describe<exports::StudyDocument> {
  using T = exports::StudyDocument;
  static constexpr std::string_view schema = "ridge.accelerator/1";
  static constexpr std::string_view text =
      "What a network costs on an accelerator that is only described: `ridge accel ... --format "
      "json`. Every figure is modelled, by the rules of `convention`.";
  static constexpr std::array fields{
      field<&T::subject>("subject", "the model, topology or product", on_line()),
      field<&T::origin>("origin", "of every figure: by formulas, never measured",
                        one_of<&exports::study_origins>()),
      field<&T::convention>("convention", "whose rules: docs/accelerator.md"),
      field<&T::objective>("objective",
                           "what tiles, orders and dataflows were searched for, edp (energy x "
                           "latency) unless asked otherwise; without an energy table DRAM bytes "
                           "stand for the energy; null where nothing is searched"),
      field<&T::points>("points", "a machine and what the network costs on it", on_line(),
                        item_lines()),
      field<&T::layers>("layers", "those of the only point; null where there are several",
                        on_line(), item_lines())};
};

}  // namespace ridge
