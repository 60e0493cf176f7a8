#include "runtime/ort/lane.h"

namespace ridge::ort {

void Lane::release() {
  for (OrtValue*& value : results_) {
    if (value != nullptr) of_.library->api().ReleaseValue(value);
    value = nullptr;
  }
}

Result<void> Lane::run(const Feed& feed) {
  release();
  return of_.library->check(
      of_.library->api().Run(of_.session, of_.options, feed.names.data(), feed.values.data(),
                             feed.values.size(), of_.wanted->data(), of_.wanted->size(),
                             results_.data()),
      Phase::kRun);
}

Result<RidgeTensors> Lane::outputs() {
  list_.clear();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i] == nullptr) continue;  // an optional output that does not exist
    TRY(list_.add_value(*of_.library, (*of_.output_names)[i], results_[i]));
  }
  return list_.view();
}

}  // namespace ridge::ort
