// SPDX-License-Identifier: Apache-2.0
/**
 * Measures rings beside other queues on the same engine, in the same run, in turns.
 *
 * <pre>
 *     workload --&gt; trials --&gt; rounds, in turns --&gt; raw rows --&gt; medians --&gt; table
 * </pre>
 */
package dev.slipring.bench;
