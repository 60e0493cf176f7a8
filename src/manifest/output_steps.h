// SPDX-License-Identifier: Apache-2.0
// Steps of manifests that follow the run, in the words of `--post`.
//
//   output_steps_text(pipeline.after);    // "softmax drop_first(1) argsort labels(\"words.txt\")"
//
//   softmax(axis=1)                 softmax, along the last axis of scores
//   drop_first(count=N)             drop_first(N): the first columns are no classes
//   argsort, argsort(top=N)         argsort, top(N); labels_url, labels: a labels step behind it
//   labels(path=FILE)               labels("FILE"); labels at a URL are left out
//   boxes(order=yxyx, ...)          boxes(corners_y_first, shares, ...); xyxy: corners. height and
//                                   width: coordinates in pixels. skip_class=0: first_class=1;
//                                   skip_class=-1, stop_below, min_score: a least score. Models
//                                   of manifests have suppressed boxes already: overlap=1.
//   masks(kind=semantic, reduce=argmax, axis=1)    masks(chw)
//   image(from=CHW, order=HWC, scale=N)            image(chw, multiply=N)
//
// Errors (input class), with the line of the manifest: RIDGE-MAN-0082 for a step that has no such
// form: masks of instances, masks in the size of the file, another axis. Pure function.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "manifest/step_spec.h"

namespace ridge::manifest {

Result<std::string> output_steps_text(std::span<const StepSpec> after);

/// File of class names that the steps name; "" for none, or a URL.
std::string class_names_of(std::span<const StepSpec> after);

}  // namespace ridge::manifest
