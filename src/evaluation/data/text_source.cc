// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/hash/hashed_text.h"
#include "base/hash/sha256.h"
#include "base/lines.h"
#include "base/text.h"
#include "text/byte_window.h"
#include "text/tokenizer.h"
#include "text/tokenizer_file.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxLinesBytes = std::int64_t{1} << 30;

using Values = std::vector<std::int64_t>;

template <typename Element>
void write(const Values& values, std::span<std::byte> out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto element = static_cast<Element>(values[i]);
    std::memcpy(out.data() + i * sizeof(Element), &element, sizeof(Element));
  }
}

Result<void> put_integers(const Values& values, const DataTarget& target,
                          std::span<std::byte> out) {
  const std::size_t size = target.type == onnx::DataType::kInt64 ? 8 : 4;
  const bool taken = target.type == onnx::DataType::kInt64 ||
                     target.type == onnx::DataType::kInt32 || target.type == onnx::DataType::kFloat;
  if (!taken || values.size() * size != out.size())
    return unfit_data(fmt::format("the step makes {} integers, input '{}' takes {} {}",
                                  values.size(), printable(target.original), target.shape_text(),
                                  onnx::name(target.type)))
        .hint("state the length of the input in the step; a free one is bound by --bind NAME=N");
  if (target.type == onnx::DataType::kInt64)
    write<std::int64_t>(values, out);
  else if (target.type == onnx::DataType::kInt32)
    write<std::int32_t>(values, out);
  else
    write<float>(values, out);
  return {};
}

Result<std::vector<Values>> bytes_for(std::string_view text, const pipeline::ByteWindow& window,
                                      std::span<const DataTarget> targets) {
  if (targets.size() != 1)
    return unfit_data(
        fmt::format("bytes are for models of one input, this one has {}", targets.size()));
  return std::vector<Values>{text::byte_window(text, window)};
}

/// Makes texts into the tokens, mask and segments of a model.
class TokenEncoder {
 public:
  static Result<TokenEncoder> make(pipeline::Tokens step) {
    if (step.tokenizer == nullptr) TRY(read_tokenizer(step));
    TokenEncoder out;
    out.shape_ = TRY_IN(step.file, step.tokenizer->shape_of(step));
    out.step_ = std::move(step);
    return out;
  }

  Result<std::vector<Values>> encode(std::string_view text,
                                     std::span<const DataTarget> targets) const {
    text::Encoding made = TRY(step_.tokenizer->encode(text, shape_));
    std::vector<Values> out;
    for (const DataTarget& target : targets) {
      if (target.original == step_.ids || targets.size() == 1)
        out.push_back(made.ids);
      else if (target.original == step_.mask)
        out.push_back(made.mask);
      else if (target.original == step_.types)
        out.push_back(made.types);
      else
        return unfit_data(fmt::format("input '{}' is none that the step feeds: {}, {}, {}",
                                      printable(target.original), step_.ids, step_.mask,
                                      step_.types))
            .hint("name the inputs: tokens(..., ids=\"NAME\", mask=\"NAME\", types=\"NAME\")");
    }
    return out;
  }

 private:
  TokenEncoder() = default;

  pipeline::Tokens step_;
  text::Tokenizer::Shape shape_;
};

/// Integers of a text for each input.
class Encoder {
 public:
  static Result<Encoder> make(const pipeline::Step& step) {
    if (const auto* tokens = std::get_if<pipeline::Tokens>(&step))
      return Encoder(TRY(TokenEncoder::make(*tokens)));
    return Encoder(std::get<pipeline::ByteWindow>(step));
  }

  Result<std::vector<Values>> encode(std::string_view text,
                                     std::span<const DataTarget> targets) const {
    if (const auto* window = std::get_if<pipeline::ByteWindow>(&step_))
      return bytes_for(text, *window, targets);
    return std::get<TokenEncoder>(step_).encode(text, targets);
  }

 private:
  using Own = std::variant<pipeline::ByteWindow, TokenEncoder>;
  explicit Encoder(Own step) : step_(std::move(step)) {}

  Own step_;
};

/// Base of both sources of texts.
class TextSource : public DataSource {
 public:
  explicit TextSource(Encoder encoder) : encoder_(std::move(encoder)) {}

 protected:
  Result<void> encode(std::string_view text, std::span<const DataTarget> targets,
                      const SampleInputs& out) {
    const std::vector<Values> inputs = TRY(encoder_.encode(text, targets));
    for (std::size_t i = 0; i < inputs.size(); ++i)
      TRY(put_integers(inputs[i], targets[i], out[i]));
    return {};
  }
  static std::int64_t now() { return steady_clock().now().count; }
  static void add_spans(std::int64_t begin, std::int64_t read, std::vector<StepSpan>& spans) {
    spans.push_back({.sample = 0, .step = StepSpan::kRead, .begin_ns = begin, .end_ns = read});
    spans.push_back({.sample = 0, .step = 0, .begin_ns = read, .end_ns = now()});
  }

 private:
  Encoder encoder_;
};

class TextFiles final : public TextSource {
 public:
  TextFiles(std::vector<std::string> paths, Encoder encoder, HashFiles hash)
      : TextSource(std::move(encoder)), paths_(std::move(paths)), hash_(hash) {}
  std::size_t size() const override { return paths_.size(); }
  std::string name(std::size_t sample) const override {
    return std::filesystem::path(paths_[sample]).filename().string();
  }
  Result<void> read(std::size_t sample, std::span<const DataTarget> targets,
                    const SampleInputs& out, std::vector<StepSpan>& spans) override {
    const std::int64_t begin = now();
    const std::string bytes = TRY(read_file(paths_[sample], kMostTextBytes));
    const std::int64_t read = now();
    TRY(encode(bytes, targets, out));
    add_spans(begin, read, spans);
    // After the step: the time of hashing is none of the application's.
    if (hash_ == HashFiles::kYes) file_sha256_ = sha256_of(bytes);
    return {};
  }

 private:
  std::vector<std::string> paths_;
  HashFiles hash_;
};

/// A sample for each line of a file.
class TextLines final : public TextSource {
 public:
  TextLines(std::vector<std::string> lines, Encoder encoder)
      : TextSource(std::move(encoder)), lines_(std::move(lines)) {}
  static Result<std::unique_ptr<DataSource>> open(const File& file, const EvaluationData& data,
                                                  Encoder encoder) {
    if (file.size() > kMaxLinesBytes)
      return unfit_data("a file of lines has more than 1 GiB").in_file(data.source);
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    TRY(file.read_at(0, std::as_writable_bytes(std::span(text))));
    text = TRY(text_of_file(std::move(text), data.source));
    std::vector<std::string> lines;
    for (Lines reader(text); reader.next();) lines.emplace_back(reader.line());
    return std::unique_ptr<DataSource>(
        std::make_unique<TextLines>(std::move(lines), std::move(encoder)));
  }
  std::size_t size() const override { return lines_.size(); }
  std::string name(std::size_t sample) const override { return fmt::format("{}", sample + 1); }
  Result<void> read(std::size_t sample, std::span<const DataTarget> targets,
                    const SampleInputs& out, std::vector<StepSpan>& spans) override {
    const std::int64_t begin = now();
    TRY(encode(lines_[sample], targets, out));
    add_spans(begin, begin, spans);
    return {};
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace

bool is_text(const EvaluationData& data) {
  return !data.steps.empty() && pipeline::takes_text(data.steps[0]);
}

Result<std::string> read_tokenizer(pipeline::Tokens& step) {
  HashedText read = TRY(read_hashed_text(step.file, text::kMaxTokenizerBytes));
  step.tokenizer =
      std::make_shared<text::Tokenizer>(TRY_IN(step.file, text::read_tokenizer(read.text)));
  return std::move(read.sha256);
}

Result<std::unique_ptr<DataSource>> open_texts(const EvaluationData& data, DataFiles files,
                                               HashFiles hash) {
  if (data.steps.size() != 1)
    return unfit_data("a model of texts has one step").hint("bytes(...) or tokens(...), alone");
  Encoder encoder = TRY(Encoder::make(data.steps[0]));
  if (!files.file)
    return std::unique_ptr<DataSource>(
        std::make_unique<TextFiles>(std::move(files.samples), std::move(encoder), hash));
  if (!data.source.ends_with(".txt"))
    return unfit_data("samples of a model of texts are a folder, or the lines of a .txt")
        .in_file(data.source);
  return TextLines::open(*files.file, data, std::move(encoder));
}

}  // namespace ridge::evaluation
