// SPDX-License-Identifier: Apache-2.0
/** What people and programs read: tables, JSON lines, progress. */
package dev.slipring.cli.show;
