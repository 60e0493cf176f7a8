// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/prepared_model.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "onnx/data_type.h"
#include "record/binary.h"
#include "runtime/openvino/backend/model.h"
#include "runtime/sized.h"

namespace ridge::openvino {
namespace {

constexpr char kBlob[] = "openvino-export";

}  // namespace

Result<PreparedModel> PreparedModel::make(ov::Core& core, const Settings& settings,
                                          std::string_view onnx, const RidgeTensors& weights) {
  PreparedModel prepared;
  prepared.elements_ = ipc::Descriptor(::memfd_create("ridge-prepared", MFD_CLOEXEC));
  if (!prepared.elements_.is_open())
    return environment_error(kOutOfMemory, "OpenVINO cannot export its model: " +
                                               std::generic_category().message(errno));
  const std::shared_ptr<ov::Model> model = TRY(read_model(core, onnx, weights));
  prepared.names_ = record::to_binary(NamesRecord{ReadNames(*model).rows()});
  TRY(guarded(Phase::kLoad, [&]() -> Result<void> {
    ov::CompiledModel compiled = core.compile_model(model, "CPU", settings.properties);
    std::ofstream out(fmt::format("/proc/self/fd/{}", prepared.elements_.get()), std::ios::binary);
    compiled.export_model(out);
    out.close();
    if (out.good()) return {};
    return environment_error(kOutOfMemory,
                             "there is no memory for the model that OpenVINO exports");
  }));
  struct stat status {};
  if (::fstat(prepared.elements_.get(), &status) != 0) return bug("no export", "prepare");
  prepared.weights_.add(kBlob, static_cast<std::int32_t>(onnx::DataType::kUint8),
                        {static_cast<std::int64_t>(status.st_size)}, 0,
                        static_cast<std::uint64_t>(status.st_size));
  return prepared;
}

Result<Import> read_import(std::string_view model, const RidgeTensors& weights) {
  std::optional<NamesRecord> names = record::from_binary<NamesRecord>(model);
  if (!names || weights.count != 1)
    return input_error("RIDGE-OV-0034", "the model is none that OpenVINO prepared")
        .hint("prepare it again with this version of ridge");
  const RidgeTensor blob = runtime::row(weights.items, weights.stride, 0);
  return guarded(Phase::kLoad, [&]() -> Result<Import> {
    return Import{ReadNames(std::move(names->rows)),
                  ov::Tensor(ov::element::u8, {static_cast<std::size_t>(blob.bytes)},
                             const_cast<void*>(blob.data))};
  });
}

}  // namespace ridge::openvino
