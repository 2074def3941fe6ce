// SPDX-License-Identifier: Apache-2.0
/**
 * The journal: pushes of many threads gather, one thread writes all that has gathered in one
 * transaction, and then tells every caller that its messages are durable. Group commit, which grows
 * with load by itself (DeWitt et al., Implementation Techniques for Main Memory Database Systems,
 * 1984).
 */
package dev.slipring.journal;
