// SPDX-License-Identifier: Apache-2.0
/**
 * The queues under test: rings, and the baselines beside which they are measured. A workload only
 * sees a {@link dev.slipring.bench.subject.Subject}, so all of them do the same work.
 */
package dev.slipring.bench.subject;
