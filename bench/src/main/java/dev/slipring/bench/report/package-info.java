// SPDX-License-Identifier: Apache-2.0
/** The results as rows, tables, files and plots. */
package dev.slipring.bench.report;
