// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/sizes/size_equations.h"
#include "analysis/sizes/size_names.h"
#include "base/suggest.h"

namespace ridge::analysis {
namespace {

bool fixed(const onnx::Dimension& d) { return d.value >= 0; }
bool named(const onnx::Dimension& d) { return !fixed(d) && !names_nothing(d.param); }

std::string slot(const graph::Value& input, std::size_t axis) {
  return fmt::format("{}[{}]", input.name, axis);
}

/// Formats a declared shape: "[batch, 3, ?]".
std::string declared_text(std::span<const onnx::Dimension> shape) {
  std::string text = "[";
  for (const onnx::Dimension& d : shape) {
    if (text.size() > 1) text += ", ";
    if (fixed(d))
      text += fmt::format("{}", d.value);
    else
      text += named(d) ? std::string(d.param) : "?";
  }
  return text + "]";
}

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", n);
  return text;
}

/// Hint "did you mean 'batch'?"; lists the candidates if none is similar.
std::string nearest_hint(std::string_view name, const std::vector<std::string>& candidates,
                         std::string_view what) {
  if (candidates.empty()) return fmt::format("the model has no {}", what);
  const std::vector<std::string> near = near_names(name, candidates);
  if (!near.empty()) return fmt::format("did you mean {}?", quoted(near));
  constexpr std::size_t kShown = 8;
  const std::vector<std::string> shown(
      candidates.begin(),
      candidates.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, candidates.size())));
  return fmt::format("the model has the {} {}{}", what, quoted(shown),
                     candidates.size() > kShown ? ", …" : "");
}

/// Value of an expression; one that is too large for an integer is unknown.
ops::Dim dim_of(const SizeExpression& expression, const Sizes& sizes, ops::DimPool& pool) {
  const bool overflowed = pool.overflowed();
  const ops::Dim out = expression.dim(
      [&](std::string_view name) {
        const auto it = sizes.values.find(name);
        if (it != sizes.values.end()) return ops::Dim(it->second.value);
        return sizes.free == FreeSizes::kSymbolic ? pool.symbol(name) : ops::Dim();
      },
      pool);
  if (overflowed || !pool.overflowed()) return out;
  pool.clear_overflow();
  return {};
}

class Binder {
 public:
  Binder(const graph::Model& model, const Bindings& bindings, ops::DimPool& pool, Arena& arena)
      : model_(model), bindings_(bindings), pool_(pool), arena_(arena), names_(model) {
    sizes_.free = bindings.free;
    for (const graph::ValueId id : model.main().inputs)
      if (model.value(id).tensor == nullptr && model.value(id).sparse == nullptr)
        inputs_.push_back(&model.value(id));
  }

  Result<Sizes> run(const std::map<std::string, std::int64_t>& defaults) {
    TRY(take_shapes());
    TRY(take_sizes());
    TRY(equations_.solve(sizes_.values, from_));
    if (sizes_.free == FreeSizes::kAsk) {
      take_defaults(defaults);
      TRY(equations_.solve(sizes_.values, from_));
      assume_leading_ones();
      TRY(equations_.solve(sizes_.values, from_));
      TRY(ask_for_the_rest());
    }
    TRY(equations_.check(sizes_.values, from_));
    TRY(check_expressions());
    make_types();
    return std::move(sizes_);
  }

 private:
  static bool is_tensor(const graph::Value& v) {
    return v.declared == nullptr || v.declared->kind == onnx::TypeKind::kNone ||
           v.declared->kind == onnx::TypeKind::kTensor ||
           v.declared->kind == onnx::TypeKind::kSparseTensor;
  }
  static bool has_shape(const graph::Value& v) {
    return v.declared != nullptr && v.declared->has_shape;
  }
  static std::span<const onnx::Dimension> shape_of(const graph::Value& v) {
    return has_shape(v) ? v.declared->shape : std::span<const onnx::Dimension>();
  }
  const std::vector<std::int64_t>* given_shape(const graph::Value& v) const {
    const auto it = bindings_.shapes.find(std::string(v.name));
    return it == bindings_.shapes.end() ? nullptr : &it->second;
  }

  Result<void> set(const std::string& name, std::int64_t value, const std::string& flag) {
    const auto [it, fresh] = sizes_.values.try_emplace(name, Binding{value, false});
    if (fresh) {
      from_[name] = flag;
      return {};
    }
    if (it->second.value == value) return {};
    return input_error("RIDGE-ANA-0107",
                       fmt::format("size '{}' is set to {} by {}, but to {} by {}", name,
                                   it->second.value, from_[name], value, flag))
        .hint("a size name has one value for all inputs; use the same value in both");
  }

  /// Sets a name, or adds an equation for the expression that it is.
  Result<void> set_dimension(const std::string& name, std::int64_t value, const std::string& flag) {
    if (auto expression = names_.expression(name)) {
      equations_.add(name, std::move(*expression), value, flag);
      return {};
    }
    return set(name, value, flag);
  }

  Result<void> take_shapes() {
    for (const auto& [name, dims] : bindings_.shapes) {
      const auto it = std::find_if(inputs_.begin(), inputs_.end(),
                                   [&](const graph::Value* v) { return v->name == name; });
      if (it == inputs_.end()) {
        std::vector<std::string> names;
        for (const graph::Value* v : inputs_) names.emplace_back(v->name);
        return input_error("RIDGE-ANA-0104",
                           fmt::format("--shape refers to the unknown input '{}'", name))
            .hint(nearest_hint(name, names, "inputs"));
      }
      TRY_IN(fmt::format("input '{}'", name), take_shape(**it, dims));
    }
    return {};
  }

  Result<void> take_shape(const graph::Value& input, const std::vector<std::int64_t>& dims) {
    if (!has_shape(input)) return {};
    const auto declared = shape_of(input);
    const std::string given = fmt::format("--shape {}={}", input.name, fmt::join(dims, "x"));
    if (declared.size() != dims.size())
      return input_error("RIDGE-ANA-0105",
                         fmt::format("{} has {} dimensions, the file declares {}: {}", given,
                                     dims.size(), declared.size(), declared_text(declared)))
          .hint("give one number per dimension");
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (fixed(declared[i]) && declared[i].value != dims[i] && declared[i].value != 0)
        return input_error(
                   "RIDGE-ANA-0106",
                   fmt::format("{} has {} as dimension {}, the file fixes it at {}: {}", given,
                               dims[i], i, declared[i].value, declared_text(declared)))
            .hint("export the model with this dimension free, or keep the file's size");
      if (named(declared[i])) TRY(set_dimension(std::string(declared[i].param), dims[i], given));
    }
    return {};
  }

  Result<void> take_sizes() {
    const std::set<std::string, std::less<>>& known = names_.all();
    for (const auto& [name, binding] : bindings_.sizes) {
      const auto expression = names_.expression(name);
      const bool of_known =
          expression && std::ranges::all_of(expression->names(), [&](const std::string& n) {
            return known.contains(n);
          });
      if (!known.contains(name) && !of_known)
        return input_error("RIDGE-ANA-0103",
                           fmt::format("--bind refers to the unknown size '{}'", name))
            .hint(nearest_hint(name, {known.begin(), known.end()}, "free sizes"));
      TRY(set_dimension(names_.spelled(name), binding.value,
                        fmt::format("--bind {}={}", name, binding.value)));
    }
    return {};
  }

  void take_defaults(const std::map<std::string, std::int64_t>& defaults) {
    for (const graph::Value* v : inputs_) {
      for (const onnx::Dimension& d : shape_of(*v)) {
        const auto it = named(d) ? defaults.find(std::string(d.param)) : defaults.end();
        if (it == defaults.end() || sizes_.values.contains(it->first)) continue;
        sizes_.values[it->first] = {it->second, true};
        sizes_.notes.push_back(
            fmt::format("'{}' defaults to {}, the network's default; set it with --bind {}=N",
                        it->first, it->second, it->first));
      }
    }
  }

  /// The name that decides a leading dimension and has no value; nullopt if there is none, or more
  /// than one.
  std::optional<std::string> open_leading(const graph::Value& input) const {
    std::optional<std::string> open;
    for (const std::string& name : names_.of(free_size(input, 0))) {
      if (sizes_.values.contains(name)) continue;
      if (open) return std::nullopt;
      open = name;
    }
    return open;
  }

  void assume_leading_ones() {
    std::vector<const graph::Value*> plain_first = inputs_;
    std::ranges::stable_partition(plain_first, [&](const graph::Value* v) {
      return shape_of(*v).empty() || !names_.expression(free_size(*v, 0));
    });
    constexpr std::size_t kShown = 8;
    std::size_t assumed = 0;
    for (const graph::Value* v : plain_first) {
      const auto shape = shape_of(*v);
      if (given_shape(*v) != nullptr || shape.empty() || fixed(shape[0])) continue;
      const std::optional<std::string> free = open_leading(*v);
      if (!free) continue;
      const std::string& name = *free;
      sizes_.values.try_emplace(name, Binding{1, true});
      if (++assumed > kShown) continue;
      sizes_.notes.push_back(
          fmt::format("'{}', the leading dimension of input '{}', is free and defaults to 1; set "
                      "it with --bind {}=N",
                      name, v->name, name));
    }
    if (assumed > kShown)
      sizes_.notes.push_back(
          fmt::format("{} more leading dimensions are free and default to 1", assumed - kShown));
  }

  /// Names without a value that a dimension needs; none if its expression as a whole is set.
  std::vector<std::string> open_names(const graph::Value& input, std::size_t axis) const {
    std::vector<std::string> open = names_of_axis(names_, input, axis);
    std::erase_if(open, [&](const std::string& name) { return sizes_.values.contains(name); });
    if (open.size() > 1 && equations_.sets(free_size(input, axis))) open.clear();
    return open;
  }

  std::string asked_text(const graph::Value& input, std::size_t axis,
                         const std::string& name) const {
    const std::string shape = declared_text(shape_of(input));
    if (!named(shape_of(input)[axis]))
      return fmt::format("dimension {} of input '{}', {}", axis, input.name, shape);
    const std::string several = equations_.several(name, sizes_.values);
    return fmt::format("'{}' ({}dimension {} of input '{}', {}{}{})", name,
                       free_size(input, axis) == name ? "" : "in ", axis, input.name, shape,
                       several.empty() ? "" : "; ", several);
  }

  /// Every expression in the shape of an input must be a size.
  Result<void> check_expressions() const {
    for (const graph::Value* v : inputs_) {
      const auto shape = shape_of(*v);
      for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::string text = free_size(*v, i);
        const auto expression = text.empty() ? std::nullopt : names_.expression(text);
        if (!expression || std::ranges::any_of(expression->names(), [&](const std::string& name) {
              return !sizes_.values.contains(name);
            }))
          continue;
        const auto size = expression->evaluate(value_in(sizes_.values));
        if (size && *size >= 0) continue;
        return input_error(
                   "RIDGE-ANA-0110",
                   fmt::format("dimension {} of input '{}', '{}', is {} with {}", i, v->name, text,
                               size ? fmt::format("{}", *size) : "no whole number",
                               values_text(*expression, sizes_.values)))
            .hint("choose sizes for which every dimension is a whole number, at least 0");
      }
    }
    return {};
  }

  Result<void> ask_for_the_rest() {
    std::set<std::string> asked;
    std::vector<std::string> what, names, shapes, arrays;
    for (const graph::Value* v : inputs_) {
      if (given_shape(*v) != nullptr || !is_tensor(*v)) continue;
      const std::size_t before = what.size();
      if (!has_shape(*v)) {
        what.push_back(fmt::format("the shape of input '{}'", v->name));
        shapes.push_back(fmt::format("--shape {}=NxNxN", v->name));
        arrays.push_back(fmt::format("--input {}=FILE.npy", v->name));
        continue;
      }
      bool unnamed = false;
      for (std::size_t i = 0; i < shape_of(*v).size(); ++i) {
        const onnx::Dimension& d = shape_of(*v)[i];
        if (fixed(d)) continue;
        for (const std::string& name : open_names(*v, i)) {
          if (!asked.insert(name).second) continue;
          if (named(d)) names.push_back(name);
          unnamed = unnamed || !named(d);
          what.push_back(asked_text(*v, i, name));
        }
      }
      if (unnamed) shapes.push_back("--shape " + shape_template(*v));
      if (what.size() > before) arrays.push_back(fmt::format("--input {}=FILE.npy", v->name));
    }
    if (what.empty()) return {};
    return input_error("RIDGE-ANA-0101", what.size() == 1
                                             ? fmt::format("a size is free: {}", what[0])
                                             : fmt::format("{} sizes are free: {}", what.size(),
                                                           fmt::join(what, "; ")))
        .hint(flags_hint(names, shapes) + (bindings_.takes_arrays ? arrays_hint(arrays) : ""));
  }

  /// Template such as "input=1x3xNxN": known sizes are filled in.
  std::string shape_template(const graph::Value& input) const {
    std::string text = std::string(input.name) + "=";
    const auto shape = shape_of(input);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (i > 0) text += "x";
      const ops::Dim size = fixed(shape[i]) ? ops::Dim(shape[i].value) : bound_size(input, i);
      text += size.known() ? fmt::format("{}", size.value()) : "N";
    }
    return text;
  }

  /// Size of a free dimension; unknown if it has none yet.
  ops::Dim bound_size(const graph::Value& input, std::size_t axis) const {
    const std::string name = free_size(input, axis);
    if (const auto it = sizes_.values.find(name); it != sizes_.values.end())
      return ops::Dim(it->second.value);
    const auto expression = names_.expression(name);
    const auto size = expression ? expression->evaluate(value_in(sizes_.values)) : std::nullopt;
    return size ? ops::Dim(*size) : ops::Dim();
  }

  static std::string arrays_hint(std::vector<std::string> flags) {
    constexpr std::size_t kShown = 3;
    const bool more = flags.size() > kShown;
    if (more) flags.resize(kShown);
    return fmt::format(", or pass {} with {}: {}{}", flags.size() == 1 ? "an array" : "arrays",
                       flags.size() == 1 ? "its sizes" : "their sizes", fmt::join(flags, " "),
                       more ? " …" : "");
  }

  static std::string flags_hint(const std::vector<std::string>& names,
                                const std::vector<std::string>& shapes) {
    std::string flags;
    for (const std::string& n : names)
      flags += fmt::format("{}{}=N", flags.empty() ? "--bind " : ",", n);
    for (const std::string& s : shapes) flags += (flags.empty() ? "" : " ") + s;
    return fmt::format("set {} with {}", names.size() + shapes.size() == 1 ? "it" : "them", flags);
  }

  void make_types() {
    for (const graph::ValueId id : model_.main().inputs) {
      const graph::Value& v = model_.value(id);
      ops::Type type;
      if (v.tensor == nullptr && v.sparse == nullptr) {
        type = declared_type(v.declared, sizes_, pool_, arena_);
        set_expressions(v, type);
        if (const auto* given = given_shape(v)) {
          const std::span<ops::Dim> dims = arena_.array<ops::Dim>(given->size());
          for (std::size_t i = 0; i < given->size(); ++i) dims[i] = ops::Dim((*given)[i]);
          type.shape = {dims.data(), static_cast<std::int32_t>(dims.size())};
        } else {
          bind_unnamed(v, type);
        }
        note_empty(v, type);
      }
      sizes_.inputs.push_back(type);
    }
  }

  /// Dimensions that are expressions. declared_type() does not know all names of sizes.
  void set_expressions(const graph::Value& input, ops::Type& type) {
    const auto shape = shape_of(input);
    std::vector<ops::Dim> dims(type.shape.span().begin(), type.shape.span().end());
    bool changed = false;
    for (std::size_t i = 0; i < std::min(dims.size(), shape.size()); ++i) {
      const auto expression = named(shape[i]) ? names_.expression(shape[i].param) : std::nullopt;
      if (!expression || sizes_.values.contains(shape[i].param)) continue;
      dims[i] = dim_of(*expression, sizes_, pool_);
      changed = true;
    }
    if (changed) type.shape.dims = arena_.copy(dims).data();
  }

  /// Binds dimensions without a name, which are addressed by input and axis.
  void bind_unnamed(const graph::Value& input, ops::Type& type) {
    const auto shape = shape_of(input);
    std::vector<ops::Dim> dims(type.shape.span().begin(), type.shape.span().end());
    bool changed = false;
    for (std::size_t i = 0; i < shape.size() && i < dims.size(); ++i) {
      if (fixed(shape[i]) || named(shape[i])) continue;
      if (const auto it = sizes_.values.find(slot(input, i)); it != sizes_.values.end())
        dims[i] = ops::Dim(it->second.value);
      else if (sizes_.free == FreeSizes::kSymbolic)
        dims[i] = pool_.symbol(slot(input, i));
      else
        continue;
      changed = true;
    }
    if (changed) type.shape.dims = arena_.copy(dims).data();
  }

  void note_empty(const graph::Value& input, const ops::Type& type) {
    const auto declared = shape_of(input);
    const bool empty = std::ranges::any_of(declared, [](const auto& d) { return d.value == 0; });
    if (given_shape(input) != nullptr || !type.shape.ranked() || !empty) return;
    sizes_.notes.push_back(fmt::format(
        "input '{}' has no elements: the file declares {}; set its shape with --shape {}={}",
        input.name, declared_text(shape_of(input)), input.name,
        fmt::join(std::vector<std::string_view>(shape_of(input).size(), "N"), "x")));
  }

  const graph::Model& model_;
  const Bindings& bindings_;
  ops::DimPool& pool_;
  Arena& arena_;
  std::vector<const graph::Value*> inputs_;  // inputs without a default value
  Sizes sizes_;
  std::map<std::string, std::string> from_;  // the flag that set each name
  SizeNames names_;
  SizeEquations equations_;  // expressions that flags give a value
};

}  // namespace

std::vector<std::string> free_sizes(const graph::Model& model, std::size_t axis) {
  const SizeNames names(model);
  std::vector<std::string> out;
  // Of expressions, only one of a single name; "2*batch" is set by the batch.
  for (const bool plain : {true, false}) {
    for (const graph::ValueId id : model.main().inputs) {
      const graph::Value& input = model.value(id);
      const bool shaped = input.declared != nullptr && input.declared->has_shape;
      if (input.tensor != nullptr || input.sparse != nullptr || !shaped ||
          input.declared->shape.size() <= axis)
        continue;
      const std::string size = free_size(input, axis);
      if (size.empty() || plain == names.expression(size).has_value()) continue;
      std::vector<std::string> of = names.of(size);
      if (of.size() == 1 && std::ranges::find(out, of[0]) == out.end()) out.push_back(of[0]);
    }
  }
  return out;
}

std::string free_size(const graph::Value& input, std::size_t axis) {
  return size_name(input, axis);
}

ops::Dim Sizes::dim(std::string_view name, ops::DimPool& pool) const {
  if (names_nothing(name)) return {};
  if (const auto it = values.find(name); it != values.end()) return ops::Dim(it->second.value);
  const auto is_size = [&](std::string_view n) { return values.contains(n); };
  if (const auto expression = parse_size(name, is_size)) return dim_of(*expression, *this, pool);
  return free == FreeSizes::kSymbolic ? pool.symbol(name) : ops::Dim();
}

Result<Sizes> bind_sizes(const graph::Model& model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults, ops::DimPool& pool,
                         Arena& arena) {
  return Binder(model, bindings, pool, arena).run(defaults);
}

ops::Type declared_type(const onnx::TypeInfo* declared, const Sizes& sizes, ops::DimPool& pool,
                        Arena& arena) {
  ops::Type type;
  if (declared == nullptr) return type;
  if (declared->kind == onnx::TypeKind::kSequence || declared->kind == onnx::TypeKind::kOptional) {
    const bool optional = declared->kind == onnx::TypeKind::kOptional;
    const onnx::TypeInfo* element = declared->element;
    const bool sequence =
        optional && element != nullptr && element->kind == onnx::TypeKind::kSequence;
    if (sequence) element = element->element;
    const bool nested = element != nullptr && element->kind != onnx::TypeKind::kTensor;
    if (!nested) type = declared_type(element, sizes, pool, arena);
    type.container = sequence   ? ops::Container::kOptionalSequence
                     : optional ? ops::Container::kOptional
                                : ops::Container::kSequence;
    return type;
  }
  if (declared->kind == onnx::TypeKind::kMap) {
    type.container = ops::Container::kMap;
    return type;
  }
  type.dtype = declared->elem_type;
  if (!declared->has_shape) return type;
  const std::span<ops::Dim> dims = arena.array<ops::Dim>(declared->shape.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const onnx::Dimension& d = declared->shape[i];
    dims[i] = fixed(d) ? ops::Dim(d.value) : sizes.dim(d.param, pool);
  }
  type.shape = {dims.data(), static_cast<std::int32_t>(dims.size())};
  return type;
}

}  // namespace ridge::analysis
