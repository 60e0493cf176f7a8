// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/submission.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/slurm/describe.h"
#include "lab/slurm/slurm.h"
#include "record/toml.h"

namespace ridge::lab::slurm {
namespace {

const Partition kPartition{.partition = "short", .constraint = "avx512", .folder = "/shared/a b"};

Job job_of(std::vector<Point> points) {
  return {.program = "/opt/ridge", .flags = {"--threads", "1;2"}, .points = std::move(points)};
}

Point point_of(const std::string& key, const Needs& needs = {}) {
  return {"bench", "my $(matrix).toml", key, "batch=" + key, needs};
}

TEST(SlurmSubmission, PointsOfEqualNeedsAreOneArray) {
  const Needs large{.features = {"fast"}, .memory = Bytes{3'000'000'000}, .cpus = 4};
  const auto text =
      planned_text(kPartition, job_of({point_of("1"), point_of("2", large), point_of("4")}));
  ASSERT_TRUE(text.ok()) << text.error().text();
  EXPECT_EQ(*text,
            "sbatch --parsable --no-requeue --export=ALL --ntasks=1 --nodes=1 "
            "--job-name=ridge-NUMBER --array=0-1 "
            "'--output=/shared/a b/submissions/NUMBER/%a.out' --time=60 --exclusive "
            "--partition=short --constraint=avx512 '/shared/a b/job.sh' '/shared/a b' NUMBER 10 "
            "/opt/ridge --threads '1;2'\n"
            "  0: ridge bench --request my $(matrix).toml --point 1  # batch=1\n"
            "  1: ridge bench --request my $(matrix).toml --point 4  # batch=4\n"
            "sbatch --parsable --no-requeue --export=ALL --ntasks=1 --nodes=1 "
            "--job-name=ridge-NUMBER --array=0-0 "
            "'--output=/shared/a b/submissions/NUMBER/%a.out' --time=60 --exclusive "
            "--partition=short '--constraint=avx512&fast' --mem=2862M --cpus-per-task=4 "
            "'/shared/a b/job.sh' '/shared/a b' NUMBER 10 /opt/ridge --threads '1;2'\n"
            "  0: ridge bench --request my $(matrix).toml --point 2  # batch=2\n");
}

TEST(SlurmSubmission, AChoiceOfFeaturesStaysAChoice) {
  Partition part = kPartition;
  part.constraint = "n1|n2";
  part.folder = "/100%";
  const auto arguments =
      sbatch_arguments(part, job_of({}), {"000001", "j", part.folder, 1, {{"fast"}, {}, {}}});
  EXPECT_EQ(std::ranges::count(arguments, "--constraint=(n1|n2)&fast"), 1);
  EXPECT_EQ(std::ranges::count(arguments, "--output=/100%%/submissions/000001/%a.out"), 1);
}

TEST(SlurmSubmission, AnArrayHasAThousandTasksAtMost) {
  std::vector<Point> points(2'001, point_of("1"));
  Job job = job_of(points);
  const std::string text = planned_text(kPartition, job).value();
  EXPECT_NE(text.find("--array=0-999 "), std::string::npos);
  EXPECT_NE(text.find("--array=0-0 "), std::string::npos);
}

TEST(SlurmSubmission, WhatIsNoNameOfSlurmIsRefused) {
  Partition part = kPartition;
  part.partition = "a b";
  EXPECT_EQ(check(part).error().text(),
            "error: 'a b' is no partition of Slurm\n"
            "  at character 2\n"
            "  hint: scontrol show partition, and scontrol show node, list the names\n"
            "  [RIDGE-LAB-0300]\n");
  part = kPartition;
  part.constraint = "fast; rm -rf";
  EXPECT_EQ(check(part).error().code(), "RIDGE-LAB-0300");
  for (const std::string feature : {"a&b", "", "x y"})
    EXPECT_EQ(check(point_of("1", {.features = {feature}})).error().code(), "RIDGE-LAB-0300");
  EXPECT_EQ(check(point_of("")).error().code(), "RIDGE-LAB-0300");
  EXPECT_EQ(check(point_of("a\nb")).error().code(), "RIDGE-LAB-0300");
}

TEST(SlurmPartition, IsReadFromAFile) {
  const auto part = record::read_toml<Partition>(
      "partition = \"short\"\nconstraint = \"avx512\"\nfolder = \"/shared/a b\"\n");
  ASSERT_TRUE(part.ok()) << part.error().text();
  EXPECT_EQ(*part, kPartition);
  EXPECT_FALSE(record::read_toml<Partition>("partition = \"short\"\n").ok());
  EXPECT_EQ(record::read_toml<Partition>("folder = \"/f\"\nqos = \"a,b\"\n").error().code(),
            "RIDGE-LAB-0300");
}

}  // namespace
}  // namespace ridge::lab::slurm
