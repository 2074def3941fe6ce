// SPDX-License-Identifier: Apache-2.0
/** Servers for tests, out of packages or as the system has them, and what stands before one. */
package dev.slipring.kit.server;
