// SPDX-License-Identifier: Apache-2.0
/** Reads what people type: stages, durations, sizes, times. */
package dev.slipring.cli.text;
