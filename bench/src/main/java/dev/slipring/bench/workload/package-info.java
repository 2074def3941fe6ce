// SPDX-License-Identifier: Apache-2.0
/** What is measured: each workload says what is pushed, by how many, and who takes it. */
package dev.slipring.bench.workload;
