// SPDX-License-Identifier: Apache-2.0
/** What a long run takes of memory, threads, files and disk, and whether that stays flat. */
package dev.slipring.torture.soak;
