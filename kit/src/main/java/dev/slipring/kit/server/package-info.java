// SPDX-License-Identifier: Apache-2.0
/**
 * Servers for tests, from packages or as installed on the system, and a proxy to put before one.
 */
package dev.slipring.kit.server;
