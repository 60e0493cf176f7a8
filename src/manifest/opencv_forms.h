// SPDX-License-Identifier: Apache-2.0
// OpenCV and NumPy code as steps, one statement after another. Functions that the code defines are
// followed where they are called; the types that NumPy gives each result are kept track of, since
// they decide how numbers are rounded. Thread rule: pure.
//
// Worked example:
//   img = cv2.imread(dataset[int(data)])          decode, BGR
//   img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)    RGB; a second one makes it BGR again
//   img = cv2.resize(img, (32, 32))               resize method=opencv_linear
//   img = np.asarray(img, dtype='float32') / 255  cast float32, normalize divide=255
//   img = img.transpose([2, 0, 1])                layout CHW
#pragma once

#include "base/result.h"
#include "manifest/code_program.h"
#include "manifest/step_spec.h"

namespace ridge::manifest {

Result<std::vector<StepSpec>> opencv_steps(const CodeProgram& program, const CodeFunction& entry);

}  // namespace ridge::manifest
