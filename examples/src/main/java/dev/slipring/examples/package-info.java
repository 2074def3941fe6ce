// SPDX-License-Identifier: Apache-2.0
/**
 * Small programs that use Slipring as an application would. Each has a {@code main} that takes the
 * name of a file, or nothing.
 */
package dev.slipring.examples;
