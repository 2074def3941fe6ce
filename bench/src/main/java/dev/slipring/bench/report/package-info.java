// SPDX-License-Identifier: Apache-2.0
/** What was measured, as rows, tables, files and plots. */
package dev.slipring.bench.report;
