// SPDX-License-Identifier: Apache-2.0
/**
 * JSON, by Jackson: {@link dev.slipring.json.JsonCodec} reads and writes the bodies of messages,
 * {@link dev.slipring.json.SlipringModule} writes surveys, messages and dead letters for pages and
 * scripts.
 */
package dev.slipring.json;
