// SPDX-License-Identifier: Apache-2.0
/** The commands: one class each, named after it, and what they share. */
package dev.slipring.cli;
