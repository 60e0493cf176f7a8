// The child process with the real ONNX Runtime, where it is there.
#include "runtime/runtime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ridge::runtime {
namespace {

TEST(ThinPath, Runs) {
  const char* path = std::getenv("THIN_MODEL");
  if (path == nullptr) GTEST_SKIP();
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const std::string model = text.str();
  std::vector<Weight> weights;
  std::ifstream list(std::string(path) + ".weights");
  std::string line;
  std::uint64_t seed = 1;
  while (std::getline(list, line)) {
    std::istringstream fields(line);
    Weight w;
    fields >> w.name;
    std::int64_t d;
    while (fields >> d) w.dims.push_back(d);
    w.elements = SeededTensor{seed++, 0, 0.02F};
    weights.push_back(std::move(w));
  }
  Options options;
  if (const char* t = std::getenv("THIN_THREADS")) options.threads = std::stoul(t);
  if (std::getenv("THIN_JSON")) options.entries = {{"ridge.observer", "off"}};
  if (std::getenv("THIN_PIN")) for (unsigned i = 0; i < options.threads; ++i) options.cpus.push_back(i);
  auto runtime = Runtime::spawn(options);
  ASSERT_TRUE(runtime.ok()) << runtime.error().text();
  std::cout << runtime->info().version << " " << runtime->info().library << " notes: " << runtime->info().notes << "\n";
  auto loaded = runtime->load({model, weights, Dump::kStructure});
  ASSERT_TRUE(loaded.ok()) << loaded.error().text();
  std::cout << "load " << loaded->load.count * 1e-6 << " ms prepare " << loaded->prepare.count * 1e-6 << " dump " << loaded->graph.model.size() << " tensors " << loaded->graph.tensors.size() << "\n";
  std::vector<InputSpec> specs;
  for (auto& t : loaded->graph.inputs) specs.push_back({t.name, t.type, t.dims, 30000, 7, ""});
  auto inputs = Inputs::make(specs);
  ASSERT_TRUE(inputs.ok()) << inputs.error().text();
  auto set = runtime->set_inputs(loaded->session, *inputs);
  ASSERT_TRUE(set.ok()) << set.error().text();
  Plan plan;
  plan.budget = {1'000'000'000};
  auto m = runtime->measure(loaded->session, plan, [](const Progress& p) { std::cout << "progress " << p.rounds_done << " " << p.elapsed.count * 1e-6 << "\n"; });
  ASSERT_TRUE(m.ok()) << m.error().text();
  for (auto& s : m->samples) std::cout << int(s.mode) << " r" << s.round << " " << s.wall.count * 1e-6 << " ms cpu " << s.cpu.count * 1e-6 << " foreign " << s.foreign_cpus << " stolen " << s.stolen_cpus << "\n";
  for (auto& r : m->profiled) {
    std::int64_t sum = 0, window = 0;
    for (auto& e : r.events) sum += e.exclusive_ns, window += e.window_ns;
    std::cout << "run " << r.sample << " events " << r.events.size() << " sum " << sum * 1e-6 << " window " << window * 1e-6 << " model_run " << r.model_run_ns * 1e-6 << "\n";
  }
  std::cout << m->kernels.size() << " kernels, first " << m->kernels[0].name << " " << m->kernels[0].type << " " << m->kernels[0].implementation << " " << m->kernels[0].output_shapes << "\n";
  auto facts = runtime->kernel_facts(loaded->session);
  ASSERT_TRUE(facts.ok()) << facts.error().text();
  std::cout << facts->size() << " facts " << (*facts)[0].activation_bytes << " " << (*facts)[0].parameter_bytes << " " << (*facts)[0].output_bytes << "\n";
  auto out = runtime->outputs(loaded->session);
  ASSERT_TRUE(out.ok()) << out.error().text();
  std::cout << out->tensors.size() << " " << out->tensors[0].type.name << " " << out->tensors[0].bytes.size() << "\n";
}

}  // namespace
}  // namespace ridge::runtime
