// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/output_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>

#include "evaluation/answers/output_divergence.h"

namespace ridge::evaluation {
namespace {

/// Bytes of a file's name that come from the output's.
constexpr std::size_t kMaxTensorNameBytes = 100;

std::string file_name(std::string_view output) {
  std::string out(output.substr(0, kMaxTensorNameBytes));
  std::ranges::replace_if(
      out,
      [](unsigned char c) { return c >= 0x80 || (std::isalnum(c) == 0 && c != '-' && c != '.'); },
      '_');
  return out;
}

Error unusable(const std::string& path, std::string what) {
  return input_error("RIDGE-WB-0204", std::move(what))
      .in_file(path)
      .hint("repeat that evaluation with --save-outputs and another folder");
}

std::string_view value_bytes(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

Result<void> OutputFilesWriter::Open::write(std::string_view bytes) {
  hash.add(bytes);
  return writer->write(bytes);
}

Result<OutputFilesWriter::Open> OutputFilesWriter::opened(
    std::size_t position, const pipeline::OutputValues& first) const {
  Open out;
  out.file.output = position < request_.names.size() ? request_.names[position] : first.name;
  const bool probabilities =
      position < request_.probabilities.size() && request_.probabilities[position];
  out.file.kind = kind_of_output(first, probabilities);
  out.values = first.values.size();
  if (first.values.empty()) return out;
  const std::filesystem::path folder = std::filesystem::absolute(request_.folder);
  out.file.path =
      folder / fmt::format("{}.{}.{}.npy", request_.runtime, position, file_name(out.file.output));
  out.writer.emplace(TRY(FileWriter::create(out.file.path)));
  runtime::NpyHeader header{onnx::DataType::kFloat, {static_cast<std::int64_t>(request_.samples)}};
  header.dims.insert(header.dims.end(), first.dims.begin(), first.dims.end());
  TRY(out.write(runtime::npy_preamble(header)));
  return out;
}

Result<void> OutputFilesWriter::begin(const SampleOutputs& first) {
  std::error_code failed;
  std::filesystem::create_directories(request_.folder, failed);
  if (failed)
    return environment_error("RIDGE-WB-0203",
                             fmt::format("{}: {}", request_.folder, failed.message()))
        .hint("name a folder that can be made: --save-outputs outputs");
  for (std::size_t i = 0; i < first.size(); ++i) files_.push_back(TRY(opened(i, first[i])));
  return {};
}

Result<void> OutputFilesWriter::add(const SampleOutputs& outputs) {
  if (files_.empty()) TRY(begin(outputs));
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Open& file = files_[i];
    if (!file.writer) continue;
    if (i < outputs.size() && outputs[i].values.size() == file.values) {
      TRY(file.write(value_bytes(outputs[i].values)));
      continue;
    }
    file.writer.reset();
    file.file.path.clear();
  }
  return {};
}

Result<std::vector<accuracy::OutputFile>> OutputFilesWriter::commit() {
  std::vector<accuracy::OutputFile> out;
  for (Open& file : files_) {
    if (file.writer) {
      TRY(file.writer->commit());
      file.file.sha256 = file.hash.hex();
    }
    out.push_back(std::move(file.file));
  }
  return out;
}

Result<OutputRows> OutputRows::open(const accuracy::OutputFile& file) {
  runtime::Npy array = TRY(runtime::Npy::open(file.path));
  if (TRY(sha256_of(array.file)) != file.sha256)
    return unusable(file.path, "the file has changed since it was written");
  const std::vector<std::int64_t>& dims = array.header.dims;
  if (array.header.type != onnx::DataType::kFloat || dims.empty() || dims[0] == 0)
    return unusable(file.path, "its elements are not the outputs of samples in float32");
  return OutputRows(std::move(array), file.path);
}

Result<std::vector<float>> OutputRows::read(std::size_t sample) const {
  const std::int64_t samples = array_.header.dims[0];
  if (static_cast<std::int64_t>(sample) >= samples)
    return unusable(path_, "it has fewer samples than its evaluation");
  const std::int64_t bytes = array_.bytes / samples;
  std::vector<float> out(static_cast<std::size_t>(bytes) / sizeof(float));
  TRY(array_.file.read_at(array_.offset + static_cast<std::int64_t>(sample) * bytes,
                          std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace ridge::evaluation
