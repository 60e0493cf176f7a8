// Origins of samples for evaluations: images in a folder, elements of an array (evaluation_data.h
// states which), each made into an input of a model.
//
//   const std::unique_ptr<DataSource> source = TRY(open_source(data));
//   TRY(source->read(3, target, memory_of_sample, spans));
//
// Errors as in evaluation_data.h. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workbench/evaluation_data.h"

namespace ridge::workbench {

class DataSource {
 public:
  virtual ~DataSource() = default;
  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t sample) const = 0;
  /// Writes the sample, of target.sample_bytes, and appends the times of its steps, whose `sample`
  /// the caller sets.
  virtual Result<void> read(std::size_t sample, const DataTarget& target, std::span<std::byte> out,
                            std::vector<StepSpan>& spans) = 0;
};

Result<std::unique_ptr<DataSource>> open_source(const EvaluationData& data);

}  // namespace ridge::workbench
