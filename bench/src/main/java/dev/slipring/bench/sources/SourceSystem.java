// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.List;

/**
 * A queue as a text describes it, in the words of one engine.
 *
 * @param name what it is called in the rows
 * @param tables the statements that make it, empty or with all slots free
 * @param push statements that push one message until a time
 * @param pop statements that take one message until a time
 */
record SourceSystem(String name, List<String> tables, String push, String pop) {}
