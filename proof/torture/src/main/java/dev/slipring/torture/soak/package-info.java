// SPDX-License-Identifier: Apache-2.0
/** What a long run uses of memory, threads, files and disk, and whether that grows. */
package dev.slipring.torture.soak;
