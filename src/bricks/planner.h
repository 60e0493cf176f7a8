// SPDX-License-Identifier: Apache-2.0
// Cuts models into bricks: each piece is checked alone in the runtime, and grows until it runs the
// kernels that it runs inside its model.
//
//   Planner planner(loader, {.layers = 1}, std::move(plan), save);
//   const Network network = TRY(loader.load(resolved));
//   planner.survey(network);                      // with `joined`: all models before the first add
//   TRY(planner.add({.name = "resnet50", ...}, network));
//   planner.plan()
//
// A piece that is known (equal key) needs no check, so planning a second model of the same family
// loads few bricks. Pieces like one that cannot be a brick (likeness.h) are not loaded either.
//
// Pieces are taken from the first layer on: one starts where the one before ends and has `layers`
// layers, or ends at the next place where a single tensor crosses. If its brick runs other kernels
// alone, it is tried with other donors, then with the layers after it, the pieces before it, or
// both, until the kernels agree. If nothing helps, its first layers are left over, with the
// reason. A model of brief kernels is a piece of its own (whole.h).
//
// With `joined`, the longest known brick is taken wherever it occurs, else the rest of the layer's
// sequence (sequences.h), half of it, and so on; at last the piece starts with `layers` as above.
//
//   layers Reshape, MatMul + Add, Add: inside the model one Reshape serves the model and the matrix
//   product, alone the product has a Reshape of its own. Pieces: {Reshape}, then not {MatMul, Add},
//   but {Reshape, MatMul, Add} in place of the first, then {Add}.
//
// Errors: the loader's of the environment class (no runtime), and `save`'s. A brick that the
// runtime rejects or crashes on counts as one with other kernels. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bricks/form/content.h"
#include "bricks/form/form.h"
#include "bricks/loader.h"
#include "bricks/plan.h"
#include "bricks/sequences.h"

namespace ridge::bricks {

/// Size of the pieces to begin with.
struct Granularity {
  std::uint32_t layers = 1;   ///< 0: up to the next place where a single tensor crosses
  bool brief_models = false;  ///< models of brief kernels are one brick (whole.h)
  /// Most layers of a sequence that is one brick (sequences.h); 0: sequences are not looked for.
  std::uint32_t joined = 0;
};

/// Default of the program: pieces that later models can have too.
inline constexpr Granularity kAutomatic{.layers = 1, .brief_models = true};
/// For a set of models to which none is added: the fewest bricks.
inline constexpr Granularity kSequences{.layers = 1, .brief_models = true, .joined = 8};

/// Limits on a piece that grows: pieces before it that it takes in, and steps forward.
inline constexpr std::uint32_t kMaxBack = 4, kMaxForward = 8;

class Planner {
 public:
  /// Stores the model of a new brick under its file name.
  using Save =
      std::function<Result<FileDigest>(const onnx::Document& model, const std::string& file)>;
  /// Called before each piece with the layers done, for a progress line.
  using OnProgress = std::function<void(std::uint32_t done, std::uint32_t total)>;

  Planner(Loader& loader, Granularity granularity, Plan plan, Save save);

  /// Looks for sequences in a model. Layers that no surveyed model has are not joined.
  void survey(const Network& network);
  /// Adds a model, which replaces one of the same name. Fills its counts.
  Result<void> add(PlannedModel model, const Network& network, const OnProgress& progress = {});
  const Plan& plan() const { return plan_; }
  /// Number of bricks that were loaded to check them.
  std::uint32_t checked() const { return checked_; }

 private:
  struct Candidate {
    Piece piece;
    Form form;
  };
  /// A brick of the model that is being added.
  struct Pending {
    Brick brick;
    std::shared_ptr<const onnx::Document> model;
  };
  Result<std::vector<Candidate>> cut(const Network& network, const std::string& model,
                                     const OnProgress& progress);
  Result<std::optional<Candidate>> grow(const Network& network, const Cutter& cutter,
                                        std::vector<Candidate>& before, std::uint32_t at,
                                        std::uint32_t first, std::string& why);
  /// Finds a known brick or a part of a sequence that starts at layer `at`.
  Result<std::optional<Candidate>> join(const Network& network, const Cutter& cutter,
                                        std::uint32_t at, std::uint32_t sequence_end);
  enum class Try : std::uint8_t { kKnown, kAny };
  Result<std::optional<Candidate>> try_piece(const Network& network, const Piece& piece, Try bricks,
                                             std::string& why);
  bool is_known(const std::string& key) const;
  std::uint32_t first_length(const Cutter& cutter, std::uint32_t at, std::uint32_t layers) const;
  /// Returns why the piece cannot be used; "" if its brick is in the plan or pending.
  Result<std::string> check(const Network& network, const Candidate& candidate);
  Result<std::string> check_alone(const Network& network, const Candidate& candidate);
  void remove(const std::string& model);
  void follow_models();

  Loader& loader_;
  Granularity granularity_;
  Plan plan_;
  Save save_;
  std::unordered_map<std::string, std::size_t> brick_of_;  ///< by key: position in plan_.bricks
  std::unordered_map<std::string, Pending> pending_;       ///< by key
  std::unordered_map<std::string, std::string> rejected_;  ///< by likeness(): why
  Sequences sequences_;
  Contents known_;  ///< contents of all bricks so far
  std::uint32_t checked_ = 0;
};

}  // namespace ridge::bricks
