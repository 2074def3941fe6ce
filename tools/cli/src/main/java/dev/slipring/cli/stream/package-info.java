// SPDX-License-Identifier: Apache-2.0
/** Messages as lines: from a stream into a ring, and from a ring to a stream. */
package dev.slipring.cli.stream;
