// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/**
 * A query of what a server has waited for since it was started: name, how often, nanoseconds, and
 * nanoseconds of it in which nothing but a core was missing; the last two may be null.
 *
 * @param kind what sort of thing is waited for
 * @param sql the query
 */
record WaitQuery(String kind, String sql) {}
