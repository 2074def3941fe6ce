// SPDX-License-Identifier: Apache-2.0
/** What kind of thread runs: Java 17, for which this is compiled, knows of one kind only. */
package dev.slipring.threads;
