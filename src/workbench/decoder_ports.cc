#include "workbench/decoder_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/binding.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::workbench {
namespace {

using graph::Model;
using graph::Value;
using onnx::DataType;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Text that the pattern's "*" stands for; nullopt: the name does not match.
std::optional<std::string_view> match(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return name == pattern ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (name.size() < before.size() + after.size() || !name.starts_with(before) ||
      !name.ends_with(after))
    return std::nullopt;
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

bool paired(const std::vector<StatePattern>& patterns, std::string_view output,
            std::string_view input) {
  return std::ranges::any_of(patterns, [&](const StatePattern& p) {
    const auto of_output = match(p.output, output), of_input = match(p.input, input);
    return of_output && of_input && *of_output == *of_input;
  });
}

std::vector<const Value*> inputs_of(const Model& model) {
  std::vector<const Value*> out;
  for (const graph::ValueId id : model.main().inputs)
    if (model.value(id).tensor == nullptr) out.push_back(&model.value(id));
  return out;
}

std::vector<std::string> outputs_of(const Model& model) {
  std::vector<std::string> out;
  for (const graph::ValueId id : model.main().outputs) out.emplace_back(model.value(id).name);
  return out;
}

bool has_shape(const Value& value) {
  return value.declared != nullptr && value.declared->kind == onnx::TypeKind::kTensor &&
         value.declared->has_shape;
}

bool is_integer(const Value& value) {
  return has_shape(value) && value.declared->shape.size() == 2 &&
         (value.declared->elem_type == DataType::kInt64 ||
          value.declared->elem_type == DataType::kInt32);
}

const Value* input_named(const Model& model, std::string_view name) {
  for (const Value* input : inputs_of(model))
    if (input->name == name) return input;
  return nullptr;
}

/// The axis of a cache that has as many places as there are tokens.
std::int32_t growing_axis(const Value& input, const std::string& batch) {
  std::vector<std::int32_t> free;
  for (std::size_t axis = 0; has_shape(input) && axis < input.declared->shape.size(); ++axis) {
    const std::string name = analysis::free_size(input, axis);
    if (name.empty() || name == batch) continue;
    if (contains(lower(name), "past") || contains(lower(name), "seq"))
      return static_cast<std::int32_t>(axis);
    free.push_back(static_cast<std::int32_t>(axis));
  }
  return free.empty() ? -1 : free.back();
}

/// Takes the roles that names and types give; returns the inputs that have none.
std::vector<const Value*> take_roles(const Model& model, DecoderPorts& ports) {
  std::vector<const Value*> left, integers;
  for (const Value* input : inputs_of(model)) {
    const std::string name = lower(input->name);
    if (!is_integer(*input)) {
      const bool flag = input->declared != nullptr && input->declared->elem_type == DataType::kBool;
      if (flag && contains(name, "use_cache") && ports.has_cache.empty())
        ports.has_cache = std::string(input->name);
      else
        left.push_back(input);
    } else if (contains(name, "position") && ports.positions.empty()) {
      ports.positions = std::string(input->name);
    } else if (contains(name, "mask") && ports.mask.empty()) {
      ports.mask = std::string(input->name);
    } else if ((contains(name, "ids") || contains(name, "token")) && ports.ids.empty()) {
      ports.ids = std::string(input->name);
    } else {
      integers.push_back(input);
    }
  }
  if (ports.ids.empty() && integers.size() == 1) {
    ports.ids = std::string(integers[0]->name);
    integers.clear();
  }
  left.insert(left.end(), integers.begin(), integers.end());
  return left;
}

Error no_role(std::string message) { return input_error("RIDGE-WB-0201", std::move(message)); }

Result<void> take_ids(const Model& model, DecoderPorts& ports) {
  if (ports.ids.empty())
    return no_role("no input of the decoder has the token ids")
        .hint("it is an integer tensor [batch, tokens] whose name contains 'ids' or 'token'");
  const onnx::Dimension& tokens = input_named(model, ports.ids)->declared->shape[1];
  ports.one_token = tokens.value == 1;
  return {};
}

/// The scores are an output that is no part of the cache.
Result<void> take_logits(const Model& model, DecoderPorts& ports) {
  std::vector<std::string> left;
  for (const std::string& output : outputs_of(model))
    if (std::ranges::find(ports.state, output, &runtime::StatePair::output) == ports.state.end())
      left.push_back(output);
  const auto logits = std::ranges::find(left, "logits");
  if (logits == left.end() && left.size() != 1)
    return no_role("none of the decoder's outputs is known to be the scores of the next token")
        .evidence(fmt::format("outputs that are not paired: {}",
                              shorten(printable(fmt::format("{}", fmt::join(left, ", "))), 300)))
        .hint("it is the one named 'logits', or the only one that is no part of the cache");
  ports.logits = logits != left.end() ? *logits : left[0];
  return {};
}

std::string batch_of(const Model& model, const DecoderPorts& ports) {
  return analysis::free_size(*input_named(model, ports.ids), 0);
}

std::string copy_name(const std::vector<attribution::Port>& ports, std::string_view original) {
  const auto at = std::ranges::find(ports, original, &attribution::Port::original_name);
  return std::string(at == ports.end() ? original : at->name);
}

/// An input of the copy, with its type.
runtime::TokenInput token_input(const std::string& name, const analysis::Resolved& resolved,
                                const attribution::Canonical& copy) {
  if (name.empty()) return {};
  const Value* input = input_named(resolved.model(), name);
  return {copy_name(copy.inputs, name), input->declared->elem_type};
}

}  // namespace

std::vector<StatePattern> default_state() {
  return {{"present.*", "past_key_values.*"},
          {"present_key_values.*", "past_key_values.*"},
          {"present.*", "past.*"},
          {"present_*", "past_*"},
          {"present*", "past*"}};
}

Result<std::vector<StatePattern>> parse_state(std::string_view text) {
  std::vector<StatePattern> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view pair = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = pair.find('=');
    const std::string_view output = trimmed(pair.substr(0, equals));
    const std::string_view input =
        equals == std::string_view::npos ? "" : trimmed(pair.substr(equals + 1));
    const auto stars = [](std::string_view t) { return std::ranges::count(t, '*'); };
    if (output.empty() || input.empty() || stars(output) > 1 || stars(output) != stars(input))
      return usage_error("RIDGE-WB-0200", fmt::format("'{}' does not pair outputs with inputs",
                                                      shorten(printable(pair), 60)))
          .hint("write OUTPUT=INPUT, with at most one * in both: --state 'present.*=past.*'");
    out.push_back({std::string(output), std::string(input)});
  }
  return out;
}

Result<DecoderPorts> decoder_ports(const Model& model, const std::vector<StatePattern>& patterns) {
  DecoderPorts out;
  const std::vector<const Value*> left = take_roles(model, out);
  TRY(take_ids(model, out));
  const std::vector<std::string> outputs = outputs_of(model);
  for (const Value* input : left) {
    const auto output = std::ranges::find_if(
        outputs, [&](const std::string& name) { return paired(patterns, name, input->name); });
    if (output == outputs.end())
      return no_role(fmt::format("the decoder's input '{}' is not known to be a part of its cache",
                                 printable(input->name)))
          .hint("pair it with an output: --state 'present.*=past.*'");
    out.past.push_back({std::string(input->name), growing_axis(*input, batch_of(model, out))});
    out.state.push_back({*output, std::string(input->name)});
  }
  if (out.past.empty())
    return no_role("the decoder has no cache: none of its inputs is paired with an output")
        .hint("export it with one, and pair them if need be: --state 'present.*=past.*'");
  TRY(take_logits(model, out));
  return out;
}

Result<DecoderPorts> prefill_ports(const Model& model, const DecoderPorts& decoder,
                                   const std::vector<StatePattern>& patterns) {
  DecoderPorts out;
  const std::vector<const Value*> left = take_roles(model, out);
  if (!left.empty())
    return no_role(fmt::format("the input '{}' of the model for prompts has no known role",
                               printable(left[0]->name)))
        .hint("it takes ids, positions and a mask; a model with a cache runs prompts without it");
  TRY(take_ids(model, out));
  const std::vector<std::string> outputs = outputs_of(model);
  for (const PastPort& past : decoder.past) {
    const auto output = std::ranges::find_if(
        outputs, [&](const std::string& name) { return paired(patterns, name, past.name); });
    if (output == outputs.end())
      return no_role(fmt::format("no output of the model for prompts is the decoder's '{}'",
                                 printable(past.name)))
          .hint("pair them: --state 'present.*=past.*'");
    out.state.push_back({*output, past.name});
  }
  TRY(take_logits(model, out));
  return out;
}

analysis::Bindings sizes_of(const Model& model, const DecoderPorts& ports, const RunSizes& run,
                            analysis::Bindings given) {
  const auto set = [&](const std::string& input, std::size_t axis, std::int64_t size) {
    const Value* value = input.empty() ? nullptr : input_named(model, input);
    if (value == nullptr || given.shapes.contains(input)) return;
    const std::string name = analysis::free_size(*value, axis);
    if (!name.empty()) given.sizes.try_emplace(name, analysis::Binding{.value = size});
  };
  set(ports.ids, 0, run.batch);
  set(ports.ids, 1, run.tokens);
  const std::string batch = batch_of(model, ports);
  for (const PastPort& past : ports.past) {
    if (past.axis >= 0) set(past.name, static_cast<std::size_t>(past.axis), run.cache);
    const Value& value = *input_named(model, past.name);
    for (std::size_t axis = 0; has_shape(value) && axis < value.declared->shape.size(); ++axis)
      if (axis == 0 || analysis::free_size(value, axis) == batch) set(past.name, axis, run.batch);
  }
  set(ports.positions, 0, run.batch);
  set(ports.positions, 1, run.tokens);
  set(ports.mask, 0, run.batch);
  set(ports.mask, 1, run.cache + run.tokens);
  return given;
}

runtime::Decoder decoder_of(const DecoderPorts& ports, const analysis::Resolved& resolved,
                            const attribution::Canonical& copy,
                            const attribution::Canonical& inputs_of) {
  runtime::Decoder out;
  out.ids = token_input(ports.ids, resolved, copy);
  out.positions = token_input(ports.positions, resolved, copy);
  out.mask = token_input(ports.mask, resolved, copy);
  if (!ports.has_cache.empty()) out.has_cache = copy_name(copy.inputs, ports.has_cache);
  out.logits = copy_name(copy.outputs, ports.logits);
  for (const PastPort& past : ports.past) {
    const auto port = std::ranges::find(copy.inputs, past.name, &attribution::Port::original_name);
    runtime::StateInput& state = out.past.emplace_back();
    state.name = copy_name(copy.inputs, past.name);
    state.axis = past.axis;
    if (port == copy.inputs.end()) continue;
    const ops::Type& type = resolved.type(port->value);
    state.type = type.dtype;
    for (const ops::Dim d : type.shape.span()) state.dims.push_back(d.known() ? d.value() : 0);
    if (past.axis >= 0) state.dims[static_cast<std::size_t>(past.axis)] = 0;
  }
  for (const runtime::StatePair& pair : ports.state)
    out.state.push_back(
        {copy_name(copy.outputs, pair.output), copy_name(inputs_of.inputs, pair.input)});
  return out;
}

Result<std::int64_t> vocabulary_of(const DecoderPorts& ports, const analysis::Resolved& resolved) {
  for (const graph::ValueId id : resolved.model().main().outputs) {
    if (resolved.model().value(id).name != ports.logits) continue;
    const auto dims = resolved.type(id).shape.span();
    if (!dims.empty() && dims.back().known() && dims.back().value() > 0) return dims.back().value();
  }
  return no_role(fmt::format("the size of the vocabulary is unknown: the last axis of '{}'",
                             printable(ports.logits)));
}

}  // namespace ridge::workbench
