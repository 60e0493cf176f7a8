// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/queue.h"

#include <gtest/gtest.h>

namespace ridge::lab::slurm {
namespace {

/// As squeue of Slurm 22.05.8 printed it for an array of six tasks, other keys left out.
constexpr std::string_view k2205 = R"({"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [],
"jobs": [
 {"job_id": 2, "array_job_id": 1, "array_task_id": 0, "array_task_string": "",
  "job_state": "RUNNING", "state_reason": "None", "name": "ridge-x", "nodes": "n1"},
 {"job_id": 3, "array_job_id": 1, "array_task_id": 1, "array_task_string": "",
  "job_state": "COMPLETED", "state_reason": "None", "name": "ridge-x", "nodes": "n2"},
 {"job_id": 1, "array_job_id": 1, "array_task_id": null, "array_task_string": "2-3,5",
  "job_state": "PENDING", "state_reason": "Resources", "name": "ridge-x", "nodes": ""},
 {"job_id": 7, "array_job_id": 0, "array_task_id": null, "array_task_string": "",
  "job_state": "PENDING", "state_reason": "PartitionConfig", "name": "other", "nodes": ""}
]})";

/// The form of numbers and states since Slurm 23.02 (data_parser/v0.0.39).
constexpr std::string_view k2302 = R"({"jobs": [
 {"array_job_id": {"set": true, "infinite": false, "number": 8},
  "array_task_id": {"set": true, "infinite": false, "number": 4}, "array_task_string": "",
  "job_state": ["TIMEOUT"], "state_reason": "TimeLimit", "name": "ridge-y"},
 {"array_job_id": {"set": true, "infinite": false, "number": 8},
  "array_task_id": {"set": true, "infinite": false, "number": 5}, "array_task_string": "",
  "job_state": ["RUNNING", "COMPLETING"], "state_reason": "None", "name": "ridge-y"},
 {"array_job_id": {"set": true, "infinite": false, "number": 8},
  "array_task_id": {"set": false, "infinite": false, "number": 0}, "array_task_string": "6-9%2",
  "job_state": ["PENDING"], "state_reason": "Priority", "name": "ridge-y"}
]})";

TEST(SlurmQueue, TasksHaveTheStateOfTheirOwnJobOrOfTheRestOfTheArray) {
  const Queue queue = read_queue(k2205).value();
  EXPECT_EQ(queue.task("ridge-x", 0).state, TaskState::kRunning);
  EXPECT_EQ(queue.task("ridge-x", 0).id, "1_0");
  EXPECT_EQ(queue.task("ridge-x", 1).state, TaskState::kEnded);
  for (const int task : {2, 3, 5})
    EXPECT_EQ(queue.task("ridge-x", task).state, TaskState::kWaiting);
  EXPECT_EQ(queue.task("ridge-x", 3).id, "1_3");
  EXPECT_EQ(queue.task("ridge-x", 3).reason, "Resources");
  EXPECT_EQ(queue.task("ridge-x", 4).state, TaskState::kAbsent);
  EXPECT_EQ(queue.task("ridge-y", 0).state, TaskState::kAbsent);
  EXPECT_FALSE(queue.knows("ridge-y"));
}

TEST(SlurmQueue, NewerVersionsHaveListsOfStatesAndNumbersInObjects) {
  const Queue queue = read_queue(k2302).value();
  EXPECT_EQ(queue.task("ridge-y", 4).state, TaskState::kOverTime);
  EXPECT_EQ(queue.task("ridge-y", 5).state, TaskState::kRunning);
  EXPECT_EQ(queue.task("ridge-y", 9).state, TaskState::kWaiting);
  EXPECT_EQ(queue.task("ridge-y", 9).id, "8_9");
  EXPECT_EQ(queue.task("ridge-y", 10).state, TaskState::kAbsent);
}

TEST(SlurmQueue, AListOfTasksThatWasCutStandsForAll) {
  const Queue queue = read_queue(R"({"jobs": [{"array_job_id": 8, "array_task_id": null,
    "array_task_string": "1-3,5,...", "job_state": "PENDING", "name": "a"}]})")
                          .value();
  EXPECT_EQ(queue.task("a", 900).state, TaskState::kWaiting);
}

TEST(SlurmQueue, WhatIsNoListOfJobsIsNamed) {
  for (const std::string_view text :
       {"", "squeue: error", "[]", "{}", R"({"jobs": 7})", R"({"jobs": [{"name": "x"}]})",
        R"({"jobs": [{"job_state": []}]})", R"({"jobs": [7]})"}) {
    const auto queue = read_queue(text);
    ASSERT_FALSE(queue.ok()) << text;
    EXPECT_EQ(queue.error().code(), "RIDGE-LAB-0308") << text;
  }
}

TEST(SlurmQueue, SomeReasonsNeverEnd) {
  EXPECT_TRUE(waits_forever("PartitionConfig"));
  EXPECT_FALSE(waits_forever("Resources"));
  EXPECT_FALSE(waits_forever(""));
}

}  // namespace
}  // namespace ridge::lab::slurm
