// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments of the texts that the idea comes from, repeated: queue tables as Kejser, Adkin
 * and the MongoDB text describe them, in stored procedures, beside the ring.
 */
package dev.slipring.bench.sources;
