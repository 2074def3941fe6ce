// SPDX-License-Identifier: Apache-2.0
/** What people type, read: stages, durations, sizes, times. */
package dev.slipring.cli.text;
