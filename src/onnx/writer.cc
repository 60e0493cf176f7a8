// SPDX-License-Identifier: Apache-2.0
#include "onnx/writer.h"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <span>
#include <vector>

#include "base/checked.h"
#include "base/file_writer.h"
#include "onnx/encoder.h"
#include "onnx/kept_fields.h"
#include "onnx/model_writer.h"

namespace ridge::onnx {
namespace {

/// Limit of protobuf's own readers (2 GiB - 1 byte).
constexpr std::int64_t kLargestWritten = 0x7fffffff;
constexpr std::string_view kTooLarge = "RIDGE-ONNX-0401";
constexpr std::string_view kZeros(
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    64);

/// Describes the model twice and passes its bytes to `sink`; `placed` receives the tensors stored
/// outside.
Result<void> encode(const Document& document, const WriteOptions& options,
                    const Encoder::Sink& sink, std::vector<PlacedTensor>& placed) {
  Encoder out;
  WeightLocator locator(document);
  std::optional<KeptFields> kept;
  if (options.original != nullptr && options.original->file != nullptr)
    kept = TRY(KeptFields::of(*options.original));
  ModelWriter writer(out, locator, options, kept ? &*kept : nullptr);
  writer.model(document.model);
  if (out.size() > kLargestWritten) {
    return input_error(kTooLarge,
                       fmt::format("the model would take {} bytes; protobuf readers stop at 2 GiB",
                                   out.size()))
        .hint("write the weights beside it (external data)");
  }
  placed = writer.take_placed();
  out.begin_writing(sink);
  writer.model(document.model);
  return out.finish();
}

Result<void> write_zeros(FileWriter& out, std::int64_t count) {
  for (; count > 0; count -= static_cast<std::int64_t>(kZeros.size())) {
    TRY(out.write(kZeros.substr(
        0, static_cast<std::size_t>(std::min<std::int64_t>(count, std::ssize(kZeros))))));
  }
  return {};
}

Result<void> write_data(FileWriter& out, const Document& document,
                        std::span<const PlacedTensor> placed) {
  WeightLocator locator(document);
  std::int64_t at = 0;
  for (const PlacedTensor& p : placed) {
    TRY(write_zeros(out, p.offset - at));
    TRY(stream(locator, *p.tensor, [&](std::span<const std::byte> part) {
      return out.write({reinterpret_cast<const char*>(part.data()), part.size()});
    }));
    at = p.offset + p.bytes;
  }
  return {};
}

Result<void> check_data_name(const std::string& location) {
  TRY(check_location(location));
  if (location.find('/') == std::string::npos) return {};
  return input_error("RIDGE-ONNX-0402",
                     fmt::format("the data file '{}' must lie beside the model", location))
      .hint("give a file name without folders");
}

Result<void> write(const Document& document, const std::string& path, const WriteOptions& options) {
  const bool beside = options.weights == Weights::kExternal;
  if (beside) TRY(check_data_name(options.location));
  FileWriter model = TRY(FileWriter::create(path, options.durability));
  std::vector<PlacedTensor> placed;
  TRY(encode(
      document, options, [&](std::string_view part) { return model.write(part); }, placed));
  if (beside && !placed.empty()) {
    const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
    FileWriter data =
        TRY(FileWriter::create(path.substr(0, name) + options.location, options.durability));
    TRY(write_data(data, document, placed));
    TRY(data.commit());
  }
  return model.commit();
}

}  // namespace

Result<void> write_file(const Document& document, const std::string& path,
                        const WriteOptions& options) try {
  if (options.weights != Weights::kWhereItFits) return write(document, path, options);
  WriteOptions chosen = options;
  chosen.weights = Weights::kInline;
  Result<void> inside = write(document, path, chosen);
  if (inside.ok() || inside.error().code() != kTooLarge) return inside;
  chosen.weights = Weights::kExternal;
  return write(document, path, chosen);
} catch (const std::bad_alloc&) {
  return environment_error("RIDGE-ONNX-0404", "out of memory while writing the model")
      .in_file(path);
}

Result<std::string> write_bytes(const Document& document, const WriteOptions& options) try {
  if (options.weights == Weights::kExternal || options.weights == Weights::kWhereItFits) {
    return bug("there is no file for the weights to lie beside", "onnx::write_bytes");
  }
  std::string bytes;
  std::vector<PlacedTensor> placed;
  const auto append = [&](std::string_view part) { return bytes += part, Result<void>(); };
  TRY(encode(document, options, append, placed));
  return bytes;
} catch (const std::bad_alloc&) {
  return environment_error("RIDGE-ONNX-0404", "out of memory while writing the model");
}

}  // namespace ridge::onnx
