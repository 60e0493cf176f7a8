// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/sizes/shape_text.h"
#include "base/checked.h"
#include "base/list.h"
#include "base/number.h"

namespace ridge::cli {
namespace {

constexpr std::size_t kMaxValues = 1024;
constexpr std::size_t kMaxPoints = 4096;

Error invalid_sizes(std::string_view flag, std::string_view text, std::string_view why,
                    std::string_view instead) {
  return usage_error("RIDGE-CLI-0101", fmt::format("{} {}: {}", flag, text, why))
      .hint(fmt::format("write it as {}", instead));
}

constexpr std::string_view kBindForm =
    "--bind batch=8,sequence=128, several values as batch=1,2,4 or sequence=64..1024:*2, names in "
    "step as height@width=224,256";
constexpr std::string_view kRangeForm = "64..1024:*2 or 64..256:+64";
constexpr std::string_view kShapeForm = "--shape input=1x3x224x224";

struct Range {
  std::int64_t first = 0, last = 0, step = 1;
  bool multiplied = false;

  std::optional<std::int64_t> after(std::int64_t value) const {
    return multiplied ? checked_mul(value, step) : checked_add(value, step);
  }
};

/// "64..1024:*2" or "64..1024:+64"; without a step, ":+1".
std::optional<Range> parse_range(std::string_view text) {
  Range range;
  const std::size_t dots = text.find("..");
  const std::size_t colon = std::min(text.find(':', dots), text.size());
  const std::string_view step = colon == text.size() ? "+1" : text.substr(colon + 1);
  if (step.empty() || (step[0] != '+' && step[0] != '*')) return std::nullopt;
  range.multiplied = step[0] == '*';
  range.first = whole_number(text.substr(0, dots)).value_or(-1);
  range.last = whole_number(text.substr(dots + 2, colon - dots - 2)).value_or(-1);
  range.step = whole_number(step.substr(1)).value_or(0);
  const std::int64_t min_step = range.multiplied ? 2 : 1;
  const std::int64_t least = range.multiplied ? 1 : 0;  // 0 times a step remains 0
  if (range.first < least || range.last < range.first || range.step < min_step) return std::nullopt;
  return range;
}

Result<void> add_range(std::string_view bind, std::string_view text,
                       std::vector<std::int64_t>& values) {
  const std::vector<std::int64_t> more = TRY(range_values("--bind", bind, text));
  if (values.size() + more.size() > kMaxValues)
    return invalid_sizes("--bind", bind, fmt::format("more than {} values", kMaxValues), kBindForm);
  values.insert(values.end(), more.begin(), more.end());
  return {};
}

Result<void> add_value(std::string_view bind, std::string_view text,
                       std::vector<std::int64_t>& values) {
  if (text.find("..") != std::string_view::npos) return add_range(bind, text, values);
  const auto value = whole_number(text);
  if (!value)
    return invalid_sizes("--bind", bind,
                         text.empty() ? "missing value" : fmt::format("invalid integer '{}'", text),
                         kBindForm);
  if (*value < 0)
    return invalid_sizes("--bind", bind, fmt::format("a size must be at least 0, not {}", *value),
                         kBindForm);
  if (values.size() == kMaxValues)
    return invalid_sizes("--bind", bind, fmt::format("more than {} values", kMaxValues), kBindForm);
  values.push_back(*value);
  return {};
}

/// Names that an item begins with, and the values of each so far.
struct Names {
  std::vector<std::string> names;
  std::vector<std::vector<std::int64_t>> values;
};

Result<Names> bound_names(std::string_view bind, std::string_view text, const SizeFlags& flags) {
  Names out;
  for (const std::string_view name : split(text, "@")) {
    if (name.empty()) return invalid_sizes("--bind", bind, "missing name before '='", kBindForm);
    const bool again = std::ranges::find(out.names, name) != out.names.end();
    if (again || flags.sizes.contains(std::string(name)))
      return invalid_sizes("--bind", bind, fmt::format("'{}' is given twice", name), kBindForm);
    out.names.emplace_back(name);
  }
  out.values.resize(out.names.size());
  return out;
}

/// Adds the values of an item: one text for all names, or one for each, where a single value is
/// repeated beside a range.
///
/// Example: for sequence@past, "1@128..512:*2" adds 1, 1, 1 and 128, 256, 512.
Result<void> add_step(std::string_view bind, std::string_view item, Names& to) {
  const std::vector<std::string_view> texts = split(item, "@");
  if (texts.size() != 1 && texts.size() != to.names.size())
    return invalid_sizes(
        "--bind", bind,
        fmt::format("'{}' has {} values for {} names", item, texts.size(), to.names.size()),
        kBindForm);
  std::vector<std::vector<std::int64_t>> step(to.names.size());
  std::size_t most = 1;
  for (std::size_t i = 0; i < step.size(); ++i) {
    TRY(add_value(bind, texts[texts.size() == 1 ? 0 : i], step[i]));
    most = std::max(most, step[i].size());
  }
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i].size() == 1) step[i].resize(most, step[i][0]);
    if (step[i].size() != most)
      return invalid_sizes("--bind", bind,
                           fmt::format("'{}' has {} values of '{}', but {} of another name", item,
                                       step[i].size(), to.names[i], most),
                           kBindForm);
    if (to.values[i].size() + most > kMaxValues)
      return invalid_sizes("--bind", bind, fmt::format("more than {} values", kMaxValues),
                           kBindForm);
    to.values[i].insert(to.values[i].end(), step[i].begin(), step[i].end());
  }
  return {};
}

void keep(Names names, SizeFlags& flags) {
  if (names.names.size() > 1) flags.together.push_back(names.names);
  for (std::size_t i = 0; i < names.names.size(); ++i)
    flags.sizes[names.names[i]] = std::move(names.values[i]);
}

Result<void> add_bind(std::string_view bind, SizeFlags& flags) {
  Names names;
  for (std::string_view item : bind_items(bind)) {
    const std::size_t equals = item.rfind('=');
    if (equals != std::string_view::npos) {
      keep(std::move(names), flags);
      names = TRY(bound_names(bind, item.substr(0, equals), flags));
      item.remove_prefix(equals + 1);
    }
    if (names.names.empty())
      return invalid_sizes("--bind", bind, fmt::format("expected name=value, got '{}'", item),
                           kBindForm);
    TRY(add_step(bind, item, names));
  }
  keep(std::move(names), flags);
  return {};
}

Result<void> add_shape(std::string_view shape, SizeFlags& flags) {
  const std::size_t equals = shape.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    return invalid_sizes("--shape", shape, "missing name of the input", kShapeForm);
  const auto [it, fresh] = flags.shapes.try_emplace(std::string(shape.substr(0, equals)));
  if (!fresh)
    return invalid_sizes("--shape", shape, fmt::format("'{}' is given twice", it->first),
                         kShapeForm);
  it->second = TRY(analysis::shape_from(shape.substr(equals + 1), [&](const std::string& why) {
    return invalid_sizes("--shape", shape, why, kShapeForm);
  }));
  return {};
}

}  // namespace

void add_size_flags(Flags& flags, std::vector<std::string>& binds, std::vector<std::string>& shapes,
                    std::string bind_help) {
  flags.add("--bind", binds, std::move(bind_help)).single();
  flags.add("--shape", shapes, "shape of an input: input=1x3x224x224; repeatable").single();
}

std::vector<std::string_view> bind_items(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t first = 0;
  int open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')' && open > 0) --open;
    if (text[at] != ',' || open > 0) continue;
    parts.push_back(text.substr(first, at - first));
    first = at + 1;
  }
  parts.push_back(text.substr(first));
  return parts;
}

Result<std::vector<std::int64_t>> range_values(std::string_view flag, std::string_view written,
                                               std::string_view text) {
  const std::optional<Range> range = parse_range(text);
  if (!range)
    return invalid_sizes(flag, written, fmt::format("invalid range '{}'", text),
                         flag == "--bind" ? kBindForm : kRangeForm);
  std::vector<std::int64_t> values;
  for (std::optional<std::int64_t> v = range->first; v && *v <= range->last; v = range->after(*v)) {
    if (values.size() == kMaxValues)
      return usage_error("RIDGE-CLI-0101", fmt::format("{} {}: '{}' has more than {} values", flag,
                                                       written, text, kMaxValues))
          .hint("give a larger step");
    values.push_back(*v);
  }
  return values;
}

bool SizeFlags::sweep() const {
  return std::any_of(sizes.begin(), sizes.end(),
                     [](const auto& size) { return size.second.size() > 1; });
}

Result<SizeFlags> parse_sizes(const std::vector<std::string>& binds,
                              const std::vector<std::string>& shapes) {
  SizeFlags flags;
  for (const std::string& bind : binds) TRY(add_bind(bind, flags));
  for (const std::string& shape : shapes) TRY(add_shape(shape, flags));
  return flags;
}

Result<analysis::Bindings> single_point(const SizeFlags& flags) {
  analysis::Bindings point;
  point.shapes = flags.shapes;
  for (const auto& [name, values] : flags.sizes) {
    if (values.size() != 1)
      return usage_error(
                 "RIDGE-CLI-0102",
                 fmt::format("--bind {}: {} values, but this verb takes one", name, values.size()))
          .hint(
              "'ridge analyze', 'profile' and 'roofline' take several; run this verb once per "
              "value");
    point.sizes[name] = {values[0], false};
  }
  return point;
}

Result<std::vector<analysis::Bindings>> sweep_points(const SizeFlags& flags) {
  std::vector<analysis::Bindings> points(1);
  points[0].shapes = flags.shapes;
  std::set<std::string> done;
  for (const auto& [name, values] : flags.sizes) {
    if (done.contains(name)) continue;
    const auto group = std::ranges::find_if(flags.together, [&, &name = name](const auto& names) {
      return std::ranges::find(names, name) != names.end();
    });
    const std::vector<std::string> names =
        group == flags.together.end() ? std::vector{name} : *group;
    done.insert(names.begin(), names.end());
    if (points.size() * values.size() > kMaxPoints)
      return usage_error("RIDGE-CLI-0103",
                         fmt::format("the sweep has more than {} points", kMaxPoints))
          .hint("give fewer values to --bind");
    std::vector<analysis::Bindings> more;
    for (const analysis::Bindings& point : points) {
      for (std::size_t step = 0; step < values.size(); ++step) {
        more.push_back(point);
        for (const std::string& each : names)
          more.back().sizes[each] = {flags.sizes.at(each)[step], false};
      }
    }
    points = std::move(more);
  }
  return points;
}

}  // namespace ridge::cli
