// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <span>

#include "base/checked.h"
#include "base/csv.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::accelerator {
namespace {

constexpr std::size_t kMaxLayers = 100'000;
constexpr std::int64_t kMaxOfADimension = 1 << 24;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out = csv_fields(line);
  while (!out.empty() && out.back().empty()) out.pop_back();  // rows end with a comma
  return out;
}

constexpr std::array<std::string_view, 8> kConvFields = {
    "ifmap height", "ifmap width", "filter height", "filter width",
    "channels",     "filters",     "stride",        "second stride"};
constexpr std::array<std::string_view, 4> kGemmFields = {"M", "N", "K", "count"};

Result<std::vector<std::int64_t>> numbers(std::span<const std::string_view> fields,
                                          std::span<const std::string_view> names) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = whole_number(fields[i]);
    if (!value || *value < 1 || *value > kMaxOfADimension)
      return input_error("RIDGE-ACC-0103",
                         fmt::format("{} is '{}'", names[i], shorten(fields[i], 40)))
          .hint(fmt::format("expected a whole number from 1 to {}", kMaxOfADimension));
    out.push_back(*value);
  }
  return out;
}

WindowAxis file_axis(std::int64_t size, std::int64_t filter, std::int64_t stride) {
  return {.size = size,
          .filter = filter,
          .out = ceil_div(size - filter + stride, stride),
          .stride = stride};
}

Result<Gemm> file_convolution(const std::vector<std::int64_t>& v) {
  const std::array<std::string_view, 2> kSides = {"height", "width"};
  for (std::size_t i = 0; i < 2; ++i)
    if (v[2 + i] > v[i])
      return input_error("RIDGE-ACC-0104",
                         fmt::format("the filter's {} {} is larger than the ifmap's, {}", kSides[i],
                                     v[2 + i], v[i]))
          .hint("topologies have no padding field: use the size of the padded ifmap");
  Gemm g;
  g.window.channels = v[4];
  g.window.axes[1] = file_axis(v[0], v[2], v[6]);
  g.window.axes[2] = file_axis(v[1], v[3], v.size() > 7 ? v[7] : v[6]);
  g.m = g.window.axes[1].out * g.window.axes[2].out;
  g.n = v[5];
  g.k = v[2] * v[3] * v[4];
  return g;
}

/// Checks that no product of sizes exceeds 64 bits.
Result<void> check_size(const Gemm& g) {
  const auto a = checked_mul(g.m, g.k), b = checked_mul(g.k, g.n), c = checked_mul(g.m, g.n);
  if (a && b && c && *a <= kMaxElements && *b <= kMaxElements && *c <= kMaxElements &&
      checked_mul(*a, g.n) && checked_mul(*a * g.n, g.count))
    return {};
  return input_error("RIDGE-ACC-0105",
                     fmt::format("a product of {} x {} x {} is too large", g.m, g.n, g.k))
      .hint(fmt::format("each matrix may have up to {} elements", kMaxElements));
}

/// Sparsity in the last field of a row of v3, "2:4"; removes the field. 1:1 if there is none.
Result<Sparsity> take_sparsity(std::vector<std::string_view>& fields) {
  const std::string_view text = fields.back();
  const std::size_t colon = text.find(':');
  if (fields.size() < 2 || colon == std::string_view::npos) return Sparsity();
  fields.pop_back();
  const auto kept = whole_number(trimmed(text.substr(0, colon)));
  const auto of = whole_number(trimmed(text.substr(colon + 1)));
  if (!kept || !of || *kept < 1 || *of < *kept || *of > kMaxOfADimension)
    return input_error("RIDGE-ACC-0108", fmt::format("the sparsity is '{}'", shorten(text, 40)))
        .hint("expected N:M, of each M rows of the filter N that are not zero: 2:4");
  return *kept == *of ? Sparsity() : Sparsity{*kept, *of};
}

Result<TopologyLayer> layer_of(std::vector<std::string_view> fields) {
  TopologyLayer layer{std::string(fields[0]), {}};
  const Sparsity sparsity = TRY(take_sparsity(fields));
  const std::span values = std::span(fields).subspan(1);
  if (values.size() == 3) {
    const auto v = TRY(numbers(values, kGemmFields));
    layer.gemm = matrix_product(v[0], v[1], v[2]);
  } else if (values.size() == 7 || values.size() == 8) {
    auto v = TRY(numbers(values, kConvFields));
    const bool depthwise = layer.name.find("DP") != std::string::npos;
    const std::int64_t channels = v[4];
    if (depthwise) v[4] = 1;
    layer.gemm = TRY(file_convolution(v));
    if (depthwise) layer.gemm.count = channels;
  } else {
    Error error = input_error(
        "RIDGE-ACC-0102",
        fmt::format("{} fields after the name: expected 3 (M, N, K), or 7 or 8 (convolution)",
                    values.size()));
    return std::move(error).hint(
        fields[0].find(';') != std::string_view::npos
            ? "separate fields with commas, not semicolons"
            : fmt::format("fields of a convolution: {}", fmt::join(kConvFields, ", ")));
  }
  TRY(check_size(layer.gemm));
  layer.gemm.sparsity = sparsity;
  return layer;
}

}  // namespace

Result<Gemm> parse_gemm(std::string_view text) {
  const std::vector<std::string_view> fields = fields_of(text);
  if (fields.size() != 3 && fields.size() != 4)
    return usage_error("RIDGE-ACC-0107",
                       fmt::format("invalid matrix product '{}'", shorten(text, 40)))
        .hint("write M,N,K or M,N,K,count: 3136,64,576");
  const auto v = TRY(numbers(fields, kGemmFields));
  const Gemm g = matrix_product(v[0], v[1], v[2], v.size() > 3 ? v[3] : 1);
  TRY(check_size(g));
  return g;
}

Result<std::vector<TopologyLayer>> read_topology(std::string_view text) {
  std::vector<TopologyLayer> out;
  Lines lines(text);
  if (!lines.next())
    return input_error("RIDGE-ACC-0101", "the topology is empty")
        .hint("the first line contains the column names, each further line one layer");
  while (lines.next()) {
    const std::vector<std::string_view> fields = fields_of(lines.line());
    if (fields.empty()) continue;
    if (out.size() == kMaxLayers)
      return input_error("RIDGE-ACC-0106", fmt::format("more than {} layers", kMaxLayers));
    Result<TopologyLayer> layer = layer_of(fields);
    if (!layer.ok()) return std::move(layer).error().in(lines.place());
    out.push_back(std::move(*layer));
  }
  if (out.empty())
    return input_error("RIDGE-ACC-0101", "the topology has no layers")
        .hint("the first line contains the column names, each further line one layer");
  return out;
}

namespace {

/// Reads the keys of a .cfg, in any case; ignores unknown keys.
class Config {
 public:
  explicit Config(std::string_view text) : lines_(text) {}

  Result<ScalesimMachine> read() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty() || line[0] == '#' || line[0] == ';' || line[0] == '[') continue;
      Result<void> taken = take(line);
      if (!taken.ok()) return std::move(taken).error().in(lines_.place());
    }
    for (const auto& [key, given] : {std::pair{"ArrayHeight", rows_},
                                     {"ArrayWidth", columns_},
                                     {"IfmapSramSzkB", ifmap_},
                                     {"FilterSramSzkB", filter_},
                                     {"OfmapSramSzkB", ofmap_},
                                     {"Dataflow", dataflow_}})
      if (!given)
        return input_error("RIDGE-ACC-0113", fmt::format("{} is missing", key))
            .hint("a SCALE-Sim configuration has it in [architecture_presets]");
    TRY(check_version3());
    if (!calculated_) machine_.bandwidth = bandwidth_;
    return machine_;
  }

 private:
  Result<void> take(std::string_view line) {
    const std::size_t divider = line.find_first_of(":=");
    if (divider == std::string_view::npos)
      return input_error("RIDGE-ACC-0111",
                         fmt::format("'{}' is not of the form 'key: value'", shorten(line, 40)));
    const std::string key = lower(trimmed(line.substr(0, divider)));
    const std::string_view value = trimmed(line.substr(divider + 1));
    for (const Number& n : numbers())
      if (key == lower(n.name)) return number(n, value);
    if (key == "bandwidth") {
      const std::string_view first = trimmed(value.substr(0, value.find(',')));
      return number({"Bandwidth", 1, &bandwidth_, nullptr}, first);  // SCALE-Sim uses the first
    }
    if (key == "dataflow") return dataflow(value);
    if (key == "interfacebandwidth") return mode(value);
    return take_version3(key, value);
  }

  /// Keys that only v3 has.
  Result<void> take_version3(std::string_view key, std::string_view value) {
    constexpr std::string_view kUnmodeled[] = {"OptimizedMapping", "UseRamulatorTrace",
                                               "IfmapCustomLayout", "FilterCustomLayout"};
    if (key == "sparsitysupport") {
      machine_.version3 = true;
      machine_.sparse = is_true(value);
    }
    for (const std::string_view name : kUnmodeled) {
      if (key != lower(name)) continue;
      machine_.version3 = true;
      if (is_true(value)) unmodeled_.push_back(name);
    }
    return {};
  }

  /// Error for what v3 would compute and the convention does not.
  Result<void> check_version3() const {
    for (const std::string_view name : unmodeled_) {
      // v3 reads OptimizedMapping only where sparsity is supported.
      if (name == "OptimizedMapping" && !machine_.sparse) continue;
      return not_modeled(fmt::format("{}: true", name), fmt::format("{}: false", name));
    }
    if (calculated_) return {};
    if (machine_.sparse)
      return not_modeled("SparsitySupport: true in mode USER", "InterfaceBandwidth: CALC");
    for (const auto& [name, value] : {std::pair{"IfmapSRAMBankBandwidth", ifmap_bank_},
                                      {"FilterSRAMBankBandwidth", filter_bank_}})
      if (value != 0 && value != bandwidth_)
        return not_modeled(fmt::format("{}, other than Bandwidth, in mode USER", name),
                           fmt::format("{}: {}", name, bandwidth_));
    return {};
  }
  static Error not_modeled(const std::string& what, const std::string& instead) {
    return input_error("RIDGE-ACC-0116", what + " is not modeled")
        .hint(fmt::format("of SCALE-Sim v3, N:M sparsity per layer in mode CALC is: write {}",
                          instead));
  }

  static std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
  }
  static bool is_true(std::string_view text) {
    const std::string word = lower(text);
    return word == "true" || word == "yes" || word == "on" || word == "1";
  }

  /// Key of a whole number in units of `unit`; `given` may be null.
  struct Number {
    std::string_view name;
    std::int64_t unit;
    std::int64_t* out;
    bool* given;
  };
  std::array<Number, 7> numbers() {
    return {Number{"ArrayHeight", 1, &machine_.rows, &rows_},
            {"ArrayWidth", 1, &machine_.columns, &columns_},
            {"IfmapSramSzkB", 1024, &machine_.sram_bytes.ifmap, &ifmap_},
            {"FilterSramSzkB", 1024, &machine_.sram_bytes.filter, &filter_},
            {"OfmapSramSzkB", 1024, &machine_.sram_bytes.ofmap, &ofmap_},
            {"IfmapSRAMBankBandwidth", 1, &ifmap_bank_, nullptr},
            {"FilterSRAMBankBandwidth", 1, &filter_bank_, nullptr}};
  }
  static Result<void> number(const Number& n, std::string_view text) {
    const auto value = whole_number(text);
    constexpr std::int64_t kMax = 1 << 20;
    if (!value || *value < 1 || *value > kMax)
      return input_error("RIDGE-ACC-0112",
                         fmt::format("{} is '{}': expected a whole number from 1 to {}", n.name,
                                     shorten(text, 40), kMax));
    *n.out = *value * n.unit;
    if (n.given != nullptr) *n.given = true;
    return {};
  }

  Result<void> dataflow(std::string_view text) {
    const auto found = find_word<Dataflow>(text);
    if (!found)
      return input_error(
          "RIDGE-ACC-0114",
          fmt::format("invalid Dataflow '{}': expected os, ws or is", shorten(text, 40)));
    machine_.dataflow = *found;
    dataflow_ = true;
    return {};
  }

  Result<void> mode(std::string_view text) {
    if (text != "CALC" && text != "USER")
      return input_error(
          "RIDGE-ACC-0115",
          fmt::format("invalid InterfaceBandwidth '{}': expected CALC or USER", shorten(text, 40)));
    calculated_ = text == "CALC";
    return {};
  }

  Lines lines_;
  ScalesimMachine machine_;
  std::int64_t bandwidth_ = 10;  ///< SCALE-Sim's own default
  std::int64_t ifmap_bank_ = 0, filter_bank_ = 0;
  std::vector<std::string_view> unmodeled_;
  bool rows_ = false, columns_ = false, ifmap_ = false, filter_ = false, ofmap_ = false,
       dataflow_ = false, calculated_ = true;
};

}  // namespace

Result<ScalesimMachine> read_scalesim_config(std::string_view text) { return Config(text).read(); }

}  // namespace ridge::accelerator
