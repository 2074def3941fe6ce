// SPDX-License-Identifier: Apache-2.0
/** Servers that the operating system has installed, for tests that need more than a package. */
package dev.slipring.kit.server;
