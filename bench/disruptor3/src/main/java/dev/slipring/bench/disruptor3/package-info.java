// SPDX-License-Identifier: Apache-2.0
/**
 * The worker pool of Disruptor 3, which Disruptor 4 no longer has. The jar holds that Disruptor
 * under another package, so that both can be measured in one place.
 */
package dev.slipring.bench.disruptor3;
