// SPDX-License-Identifier: Apache-2.0
/** Measures the ring between threads beside those of others, each run in a Java of its own. */
package dev.slipring.bench.ring;
