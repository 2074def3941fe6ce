// SPDX-License-Identifier: Apache-2.0
/** The shapes that are measured, each with its drawing. */
package dev.slipring.bench.ring.topology;
