# SPDX-License-Identifier: Apache-2.0
# The few commands of a clone; each is a script.
# `make profile MODEL=path.onnx THREADS=2 RUNTIME=openvino`.
MODEL ?= zoo:resnet50
THREADS ?=
RUNTIME ?= ort

.PHONY: profile build test package bench bricks-demo advice-demo eval-demo lab-demo format clean

profile:
	@scripts/profile.sh "$(MODEL)" --runtime "$(RUNTIME)" $(if $(THREADS),--threads "$(THREADS)")

build:
	@scripts/setup.sh build
	@scripts/fetch_onnxruntime.sh >/dev/null || true
	@scripts/build.sh release

test:
	@scripts/test_all.sh

package:
	@scripts/package.sh

bench:
	@scripts/setup.sh build bench
	@scripts/fetch_onnxruntime.sh >/dev/null || true
	@scripts/build.sh release --target ridge_bench
	@build/bench/ridge_bench

bricks-demo:
	@scripts/bricks_demo.sh

advice-demo:
	@[ -x build/ridge ] || $(MAKE) --no-print-directory build
	@examples/advice-demo/advice_demo.py

eval-demo:
	@[ -e build/lib/ridge/ridge_openvino.so ] || { scripts/fetch_openvino.sh >/dev/null && $(MAKE) --no-print-directory build; }
	@scripts/eval_demo.py

lab-demo:
	@scripts/setup.sh build test demo
	@[ -x build/ridge ] || $(MAKE) --no-print-directory build
	@scripts/lab_demo.py

format:
	@scripts/setup.sh check
	@scripts/check_format.sh --fix

clean:
	rm -rf build build-debug build-asan build-tsan report.html
