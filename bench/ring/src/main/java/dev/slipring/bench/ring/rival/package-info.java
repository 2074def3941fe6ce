// SPDX-License-Identifier: Apache-2.0
/** The systems that are measured, one class each. */
package dev.slipring.bench.ring.rival;
