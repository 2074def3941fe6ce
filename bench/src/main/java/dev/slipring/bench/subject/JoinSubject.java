// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;

/** A queue whose push can take part in a caller's transaction. */
public interface JoinSubject extends Subject {

    /** Pushes a body when the transaction commits, or not at all. Thread-safe. */
    void push(Connection transaction, byte[] body) throws Exception;
}
