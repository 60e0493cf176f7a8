// SPDX-License-Identifier: Apache-2.0
#include "generation/decoder_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "analysis/sizes/binding.h"
#include "base/list.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::generation {
namespace {

using graph::Model;
using graph::Value;
using onnx::DataType;

/// Text that the pattern's "*" stands for; nullopt: the name does not match.
std::optional<std::string_view> match(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return name == pattern ? std::optional(std::string_view()) : std::nullopt;
  // The ends may not overlap: "past*st" does not match "past", though it begins and ends so.
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

std::vector<std::string> outputs_of(const Model& model) {
  std::vector<std::string> out;
  for (const graph::ValueId id : model.main().outputs) out.emplace_back(model.value(id).name);
  return out;
}

const Value* input_named(const Model& model, std::string_view name) {
  for (const Value* input : free_inputs(model))
    if (input->name == name) return input;
  return nullptr;
}

/// The output that a pattern pairs with the input; nullptr: none.
const Value* output_for(const Model& model, const std::vector<StatePattern>& patterns,
                        std::string_view input) {
  for (const graph::ValueId id : model.main().outputs)
    if (paired(patterns, model.value(id).name, input)) return &model.value(id);
  return nullptr;
}

std::span<const onnx::Dimension> declared_shape(const Value& value) {
  return value.declared->shape;
}

std::size_t rank_of(const Value& value) {
  return has_shape(value) ? declared_shape(value).size() : 0;
}

/// Whether both declare this axis as the same size or name.
bool same_size(const Value& a, const Value& b, std::size_t axis) {
  if (axis >= rank_of(a) || axis >= rank_of(b)) return false;
  const onnx::Dimension &of_a = declared_shape(a)[axis], &of_b = declared_shape(b)[axis];
  return of_a.value >= 0 ? of_a.value == of_b.value
                         : !of_a.param.empty() && of_a.param == of_b.param;
}

/// The axis of a cache that has as many places as there are tokens: the one whose name says so, the
/// one that its output has in another size, the last but one as exporters lay caches out, or the
/// last that is free.
std::int32_t growing_axis(const Value& input, const Value* output, const std::string& batch) {
  // Example: past [batch, 8, past_len, 64] grows along axis 2, by its name. [batch, 8, n, 64] with
  // the output [batch, 8, m, 64] too: n is not m. [batch, 8, ?, 64] too: the last but one.
  std::vector<std::size_t> free;
  for (std::size_t axis = 0; axis < rank_of(input); ++axis) {
    const std::string name = analysis::free_size(input, axis);
    if (name.empty() || name == batch) continue;
    if (declared_shape(input)[axis].param == name &&
        (contains(lower(name), "past") || contains(lower(name), "seq")))
      return static_cast<std::int32_t>(axis);
    free.push_back(axis);
  }
  if (free.empty()) return -1;
  if (output != nullptr && rank_of(*output) == rank_of(input))
    for (const std::size_t axis : free)
      if (declared_shape(input)[axis].param.size() > 0 &&
          declared_shape(*output)[axis].param.size() > 0 && !same_size(input, *output, axis))
        return static_cast<std::int32_t>(axis);
  const std::size_t inner = rank_of(input) >= 2 ? rank_of(input) - 2 : 0;
  const bool usual = inner > 0 && std::ranges::find(free, inner) != free.end();
  return static_cast<std::int32_t>(usual ? inner : free.back());
}

/// The axis of a cache of one size that has its places: the largest between batch and head size.
std::int32_t fixed_axis(const Value& input) {
  if (rank_of(input) < 3) return -1;
  const auto inner = declared_shape(input).subspan(1, rank_of(input) - 2);
  const auto largest = std::ranges::max_element(inner, {}, &onnx::Dimension::value);
  return static_cast<std::int32_t>(largest - inner.begin()) + 1;
}

Error no_role(std::string message) { return input_error("RIDGE-WB-0201", std::move(message)); }

bool of_encoder(std::string_view name) {
  return contains(lower(name), "encoder") || contains(lower(name), "cross");
}

/// Elements that keys, values and states have.
bool may_be_state(const Value& input) {
  const onnx::DataType type =
      input.declared == nullptr ? DataType::kUndefined : input.declared->elem_type;
  return type != DataType::kInt64 && type != DataType::kInt32 && type != DataType::kBool;
}

/// An input without a role: what could give it one.
Error unknown_input(const Model& model, const Value& input, const DecoderPorts& ports) {
  const std::string name = printable(input.name);
  if (of_encoder(input.name) && may_be_state(input)) {
    const bool cache = rank_of(input) >= 4;
    return no_role(fmt::format("nothing gives the input '{}', {}, which is of an encoder", name,
                               shape_text(input)))
        .hint(fmt::format("give its elements: --input '{}=FILE.npy'{}", name,
                          cache ? ", or name the model that runs prompts and writes it: --prefill "
                                  "MODEL"
                                : ""));
  }
  for (const graph::ValueId id : model.main().outputs) {
    const Value& output = model.value(id);
    const bool free = std::ranges::find(ports.state, std::string(output.name),
                                        &runtime::StatePair::output) == ports.state.end() &&
                      output.name != "logits";
    if (!free || !may_be_state(input) || rank_of(input) < 2 || rank_of(output) != rank_of(input) ||
        output.declared->elem_type != input.declared->elem_type)
      continue;
    return no_role(
               fmt::format("the decoder's input '{}' is not known to be a part of its cache", name))
        .hint(fmt::format("pair it with the output that it continues: --state '{}={}'",
                          printable(output.name), name));
  }
  return no_role(fmt::format("the decoder's input '{}', {}, has no known meaning", name,
                             shape_text(input)))
      .hint(fmt::format("give its value, which every run gets: --input '{0}=0' or --input "
                        "'{0}=FILE.npy'",
                        name));
}

/// Adds an input with its meaning; false: it has none, or one that another input has.
bool take(DecoderPorts& ports, InputPort port) {
  const bool ids =
      port.means == runtime::RunMeaning::kIds || port.means == runtime::RunMeaning::kEmbeddings;
  if (ids && !ports.ids.empty()) return false;
  if (ids) ports.ids = port.name;
  if (port.means == runtime::RunMeaning::kPlaces && ports.positions.empty() && !port.in_place)
    ports.positions = port.name;
  if (port.means == runtime::RunMeaning::kMask && ports.mask.empty()) ports.mask = port.name;
  ports.in_place = ports.in_place || port.in_place;
  ports.inputs.push_back(std::move(port));
  return true;
}

/// Takes the roles of all inputs but the cache; returns those that have none.
Result<std::vector<const Value*>> take_inputs(const Model& model, const GivenInputs& given,
                                              DecoderPorts& ports) {
  std::vector<const Value*> left;
  for (const Value* input : free_inputs(model)) {
    std::optional<InputPort> port = TRY(input_port(model, *input, given));
    if (!port || !take(ports, *std::move(port))) left.push_back(input);
  }
  const auto integers = [](const Value* v) { return rank_of(*v) == 2 && !may_be_state(*v); };
  if (ports.ids.empty() && std::ranges::count_if(left, integers) == 1) {
    const auto only = std::ranges::find_if(left, integers);
    InputPort port{.name = std::string((*only)->name), .type = (*only)->declared->elem_type};
    port.dims = {runtime::kBatchAxis, runtime::kTokensAxis};
    for (std::size_t i = 0; i < port.dims.size(); ++i)
      if (analysis::free_size(**only, i).empty()) port.dims[i] = declared_shape(**only)[i].value;
    take(ports, std::move(port));
    left.erase(only);
  }
  return left;
}

Result<void> check_given_ports(const GivenInputs& given, const Model& model, const Model* other) {
  for (const auto& [name, source] : given.sources)
    if (input_named(model, name) == nullptr &&
        (other == nullptr || input_named(*other, name) == nullptr)) {
      std::vector<std::string> names;
      for (const Value* input : free_inputs(model)) names.emplace_back(printable(input->name));
      return usage_error("RIDGE-WB-0231", fmt::format("--input gives a value to '{}', which is no "
                                                      "input of the decoder",
                                                      printable(name)))
          .hint(shorten(fmt::format("its inputs are: {}", fmt::join(names, ", ")), 300));
    }
  return {};
}

Result<void> take_ids(DecoderPorts& ports) {
  const auto is_ids = [&](const InputPort& port) { return port.name == ports.ids; };
  const auto ids = std::ranges::find_if(ports.inputs, is_ids);
  if (ports.ids.empty() || ids == ports.inputs.end())
    return no_role("no input of the decoder has the token ids")
        .hint("it is an integer tensor [batch, tokens] whose name contains 'ids' or 'token'");
  const bool embedded = ids->means == runtime::RunMeaning::kEmbeddings;
  const std::int64_t tokens = ids->dims[embedded ? 1 : ids->dims.size() - 1];
  if (tokens > 1)
    return no_role(fmt::format("the decoder takes {} tokens at once, no more and no fewer: its "
                               "input '{}' is fixed",
                               tokens, printable(ports.ids)))
        .hint("export it with a free number of tokens, or with one");
  ports.one_token = tokens == 1;
  return {};
}

/// The scores are an output that is no part of the cache.
Result<void> take_logits(const Model& model, DecoderPorts& ports,
                         const std::vector<std::string>& kept) {
  std::vector<std::string> left;
  for (const std::string& output : outputs_of(model))
    if (std::ranges::find(ports.state, output, &runtime::StatePair::output) == ports.state.end() &&
        std::ranges::find(kept, output) == kept.end())
      left.push_back(output);
  const auto logits = std::ranges::find(left, "logits");
  if (logits == left.end() && left.size() != 1)
    return no_role("none of the decoder's outputs is known to be the scores of the next token")
        .evidence(fmt::format("outputs that are not paired: {}",
                              shorten(printable(fmt::format("{}", fmt::join(left, ", "))), 300)))
        .hint(
            "it is the one named 'logits', or the only one that is no part of the cache; pair "
            "the others with inputs: --state 'present.*=past.*'");
  ports.logits = logits != left.end() ? *logits : left[0];
  return {};
}

std::string batch_of(const Model& model, const DecoderPorts& ports) {
  const Value* ids = ports.ids.empty() ? nullptr : input_named(model, ports.ids);
  return ids == nullptr || rank_of(*ids) < 2 ? "" : analysis::free_size(*ids, 0);
}

/// The output of a cache must be what its input takes, as far as the file fixes both.
Result<void> check_pair(const Value& input, const Value& output, std::int32_t axis) {
  if (!has_shape(input) || !has_shape(output)) return {};
  bool differ = rank_of(input) != rank_of(output);
  for (std::size_t i = 0; !differ && i < rank_of(input); ++i) {
    const std::int64_t in = declared_shape(input)[i].value, out = declared_shape(output)[i].value;
    differ = static_cast<std::int32_t>(i) != axis && in >= 0 && out >= 0 && in != out;
  }
  if (!differ) return {};
  return no_role(fmt::format("the output '{}', {}, cannot be the next run's '{}', {}",
                             printable(output.name), shape_text(output), printable(input.name),
                             shape_text(input)))
      .hint(
          "export the decoder with an output of past and new tokens together, and with a free "
          "length or as many places as its input: what a run writes is handed over as it is");
}

Result<void> take_state(const Model& model, const Value& input, const Value& output,
                        DecoderPorts& ports) {
  PastPort past{.name = std::string(input.name)};
  past.axis = growing_axis(input, &output, batch_of(model, ports));
  if (past.axis >= 0 && ports.in_place &&
      same_size(input, output, static_cast<std::size_t>(past.axis)))
    ports.free_room = true;
  TRY(check_pair(input, output, past.axis));
  if (past.axis < 0 && (ports.in_place || rank_of(input) >= 4)) {
    past.axis = fixed_axis(input);
    if (past.axis >= 0)
      past.places = declared_shape(input)[static_cast<std::size_t>(past.axis)].value;
  }
  ports.past.push_back(std::move(past));
  ports.state.push_back({std::string(output.name), std::string(input.name)});
  return {};
}

/// True if GroupQueryAttention alone reads this part of the cache, and writes its output.
bool is_one_buffer(const Model& model, std::string_view input, std::string_view output) {
  const Value* value = input_named(model, input);
  const auto id = static_cast<graph::ValueId>(value - model.values().data());
  const auto readers = model.consumers(id);
  if (readers.size() != 1) return false;
  const graph::Node node = model.node(readers[0]);
  constexpr std::size_t kPastKey = 3, kPastValue = 4, kPresentKey = 1, kPresentValue = 2;
  const auto is = [&](std::size_t in, std::size_t out) {
    return node.inputs.size() > in && node.inputs[in] == id && node.outputs.size() > out &&
           node.outputs[out] != graph::kNone && model.value(node.outputs[out]).name == output;
  };
  return node.op_type == "GroupQueryAttention" &&
         (is(kPastKey, kPresentKey) || is(kPastValue, kPresentValue));
}

/// Takes what follows from all parts of the cache.
void take_room(const Model& model, DecoderPorts& ports) {
  ports.one_buffer = std::ranges::all_of(ports.past, [&](const PastPort& past) {
    const auto pair = std::ranges::find(ports.state, past.name, &runtime::StatePair::input);
    return !past.kept && past.axis >= 0 && past.places == 0 && pair != ports.state.end() &&
           is_one_buffer(model, past.name, pair->output);
  });
  std::int64_t least = 0, windows = 0;
  for (const PastPort& past : ports.past) {
    if (past.places == 0) continue;
    least = least == 0 ? past.places : std::min(least, past.places);
    ++windows;
  }
  if (ports.in_place) ports.room = least;
  for (InputPort& input : ports.inputs) {
    if (input.means != runtime::RunMeaning::kMask || windows == 0) continue;
    if (input.dims.back() == runtime::kKeysAxis && ports.in_place) input.dims.back() = ports.room;
    input.newest_last = !ports.in_place;
  }
}

std::string copy_name(const std::vector<attribution::Port>& ports, std::string_view original) {
  const auto at = std::ranges::find(ports, original, &attribution::Port::original_name);
  return std::string(at == ports.end() ? original : at->name);
}

}  // namespace

std::vector<StatePattern> default_state() {
  return {{"present.*", "past_key_values.*"},
          {"present_key_values.*", "past_key_values.*"},
          {"present.*", "past.*"},
          {"present_*", "past_*"},
          {"present*", "past*"},
          {"*_out", "*_in"},
          {"new_*", "*"},
          {"updated_*", "*"}};
}

Result<std::vector<StatePattern>> parse_state(std::string_view text) {
  std::vector<StatePattern> out;
  for (const std::string_view item : items(text)) {
    const std::string_view pair = trimmed(item);
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

Result<DecoderPorts> decoder_ports(const Model& model, const std::vector<StatePattern>& patterns,
                                   const GivenInputs& given, const Model* prompts) {
  TRY(check_given_ports(given, model, prompts));
  DecoderPorts out;
  GivenInputs all = given;
  all.encoder = out.encoder = TRY(encoder_tokens(model, given));
  if (all.encoder == 0 && prompts != nullptr)
    all.encoder = out.encoder = TRY(encoder_tokens(*prompts, given));
  const std::vector<const Value*> left = TRY(take_inputs(model, all, out));
  TRY(take_ids(out));
  const bool branches = std::ranges::any_of(out.inputs, [](const InputPort& port) {
    return port.means == runtime::RunMeaning::kHasCache;
  });
  std::vector<std::string> kept;
  for (const Value* input : left) {
    const Value* output = output_for(model, patterns, input->name);
    const Value* of_prompt =
        prompts == nullptr ? nullptr : output_for(*prompts, patterns, input->name);
    if (of_encoder(input->name) && (of_prompt != nullptr || (branches && output != nullptr))) {
      PastPort past{.name = std::string(input->name), .kept = true};
      past.axis = growing_axis(*input, nullptr, batch_of(model, out));
      out.past.push_back(std::move(past));
      if (output != nullptr) out.state.push_back({std::string(output->name), out.past.back().name});
    } else if (output != nullptr && !of_encoder(input->name)) {
      TRY(take_state(model, *input, *output, out));
    } else {
      return unknown_input(model, *input, out);
    }
  }
  if (std::ranges::all_of(out.past, &PastPort::kept))
    return no_role("the decoder has no cache: none of its inputs is paired with an output")
        .hint("export it with one, and pair them if need be: --state 'present.*=past.*'");
  for (const std::string& output : outputs_of(model))
    if (of_encoder(output)) kept.push_back(output);
  TRY(take_logits(model, out, kept));
  take_room(model, out);
  return out;
}

Result<DecoderPorts> prefill_ports(const Model& model, const DecoderPorts& decoder,
                                   const std::vector<StatePattern>& patterns,
                                   const GivenInputs& given) {
  DecoderPorts out;
  GivenInputs all = given;
  all.encoder = out.encoder = decoder.encoder;
  const std::vector<const Value*> left = TRY(take_inputs(model, all, out));
  if (!left.empty())
    return no_role(fmt::format("the input '{}' of the model for prompts, {}, has no known meaning",
                               printable(left[0]->name), shape_text(*left[0])))
        .hint(
            fmt::format("give its value: --input '{}=FILE.npy'; a model with a cache runs prompts "
                        "without --prefill",
                        printable(left[0]->name)));
  TRY(take_ids(out));
  for (const PastPort& past : decoder.past) {
    const Value* output = output_for(model, patterns, past.name);
    if (output == nullptr)
      return no_role(fmt::format("no output of the model for prompts is the decoder's '{}'",
                                 printable(past.name)))
          .hint("pair them: --state 'present.*=past.*'");
    out.state.push_back({std::string(output->name), past.name});
  }
  TRY(take_logits(model, out, {}));
  return out;
}

void give_room(DecoderPorts& ports, std::int64_t tokens) {
  if (!ports.free_room) return;
  ports.room = tokens;
  for (PastPort& past : ports.past)
    if (!past.kept && past.axis >= 0) past.places = tokens;
  for (InputPort& input : ports.inputs)
    if (input.means == runtime::RunMeaning::kMask && input.dims.back() == runtime::kKeysAxis)
      input.dims.back() = tokens;
}

analysis::Bindings sizes_of(const Model& model, const DecoderPorts& ports, const RunSizes& run,
                            analysis::Bindings given) {
  const auto set = [&](const std::string& input, std::size_t axis, std::int64_t size) {
    const Value* value = input_named(model, input);
    if (value == nullptr || axis >= rank_of(*value) || given.shapes.contains(input)) return;
    const std::string name = analysis::free_size(*value, axis);
    if (!name.empty()) given.sizes.try_emplace(name, analysis::Binding{.value = size});
  };
  for (const InputPort& input : ports.inputs) {
    if (input.means == runtime::RunMeaning::kGiven)
      given.shapes.try_emplace(input.name, input.dims);
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      const std::int64_t size = input.dims[axis];
      set(input.name, axis,
          size == runtime::kBatchAxis    ? run.batch
          : size == runtime::kTokensAxis ? run.tokens
          : size == runtime::kKeysAxis   ? run.cache + run.tokens
                                         : size);
    }
  }
  const std::string batch = batch_of(model, ports);
  for (const PastPort& past : ports.past) {
    const std::int64_t places = past.kept         ? ports.encoder
                                : past.places > 0 ? past.places
                                                  : run.cache;
    const bool grows = past.axis >= 0 && !past.kept && past.places == 0;
    if (past.axis >= 0 && places > 0) set(past.name, static_cast<std::size_t>(past.axis), places);
    if (const auto shape = given.shapes.find(past.name); grows && shape != given.shapes.end())
      if (static_cast<std::size_t>(past.axis) < shape->second.size())
        shape->second[static_cast<std::size_t>(past.axis)] = run.cache;
    const Value* value = input_named(model, past.name);
    for (std::size_t axis = 0; value != nullptr && axis < rank_of(*value); ++axis)
      if (axis == 0 || analysis::free_size(*value, axis) == batch) set(past.name, axis, run.batch);
  }
  return given;
}

runtime::Decoder decoder_of(const DecoderPorts& ports, const analysis::Resolved& resolved,
                            const attribution::Canonical& copy,
                            const attribution::Canonical& inputs_of) {
  runtime::Decoder out;
  for (const InputPort& input : ports.inputs)
    out.inputs.push_back({copy_name(copy.inputs, input.name), input.type, input.means, input.dims,
                          input.newest_last, input.elements});
  out.logits = copy_name(copy.outputs, ports.logits);
  for (const PastPort& past : ports.past) {
    const auto port = std::ranges::find(copy.inputs, past.name, &attribution::Port::original_name);
    runtime::StateInput& state = out.past.emplace_back();
    state.name = copy_name(copy.inputs, past.name);
    state.places = past.places;
    state.kept = past.kept;
    state.axis = past.kept || past.places > 0 ? -1 : past.axis;
    if (port == copy.inputs.end()) continue;
    const ops::Type& type = resolved.type(port->value);
    state.type = type.dtype;
    for (const ops::Dim d : type.shape.span()) state.dims.push_back(d.known() ? d.value() : 0);
    if (state.axis >= 0) state.dims[static_cast<std::size_t>(state.axis)] = 0;
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

}  // namespace ridge::generation
