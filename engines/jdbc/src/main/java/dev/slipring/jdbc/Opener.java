// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.sql.Lender;
import dev.slipring.sql.Lent;
import dev.slipring.sql.Product;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/** Opens a store on a server. */
final class Opener {

    private static final long LEAST_PACKET = 64 << 10;

    private final Dialect dialect;
    private final Opening opening;

    /** What the server said when a thread last connected; 0 if it was not asked yet. */
    private volatile long packet;

    Opener(Dialect dialect, Opening opening) {
        this.dialect = dialect;
        this.opening = opening;
    }

    Store open() {
        ServerUrl url = opening.url() == null ? null : dialect.url(opening.url());
        String server = url == null ? "(data source)" : url.address();
        Sessions sessions = new Sessions(() -> session(url), url != null);
        JdbcTransactor transactor = new JdbcTransactor(dialect, sessions, server);
        boolean opened = false;
        try {
            int installed = JdbcSchema.checked(JdbcSchema.installed(transactor), server);
            opening.checkThere(installed, server);
            if (opening.migrate()) {
                JdbcSchema.migrate(transactor);
            } else if (installed < JdbcSchema.CURRENT) {
                transactor.require(JdbcSchema::require);
            }
            opened = true;
            return new JdbcStore(transactor);
        } catch (SqlFailed failed) {
            throw dialect.trouble().explain(failed, server);
        } finally {
            if (!opened) {
                sessions.close();
            }
        }
    }

    private Session session(ServerUrl url) throws SQLException {
        if (url == null) {
            return borrowed(Lender.lend(opening.dataSource()::getConnection));
        }
        Connection connection = dialect.connect(url);
        boolean useful = false;
        try {
            Session session = dialect.session(connection, true, packet());
            Script greeting = new Script();
            dialect.greeting().forEach(greeting::run);
            askPacket(greeting, connection);
            session.run(greeting);
            checkPacket(url);
            useful = true;
            session.packet(packet());
            return session;
        } finally {
            if (!useful) {
                connection.close();
            }
        }
    }

    /** Asks what the server takes at once; the driver may send less. */
    private void askPacket(Script ask, Connection connection) {
        long most = mostSent(dialect, connection);
        ask.read(dialect.packetQuery(), row -> packet = Math.min(most, row.getLong(1)));
    }

    /** How many bytes the driver sends at once; refuses too few. */
    static long mostSent(Dialect dialect, Connection connection) {
        long most = dialect.mostSent(connection);
        if (most < LEAST_PACKET) {
            throw new StoreFailed(
                    "the driver sends at most "
                            + most
                            + " bytes at once; leave out its option maxAllowedPacket, or set it to"
                            + " 65536 or more");
        }
        return most;
    }

    private void checkPacket(ServerUrl url) {
        if (packet < LEAST_PACKET) {
            throw new StoreFailed(
                    "the server "
                            + url
                            + " takes at most "
                            + packet
                            + " bytes at once; set max_allowed_packet to 64K or more (1M is"
                            + " usual)");
        }
    }

    /** A connection of the user's pool, to which it goes back if it is of no use. */
    private Session borrowed(Connection connection) throws SQLException {
        if (packet == 0) {
            requireProduct(connection);
        }
        // Else a transaction that we begin would be one inside of another that nobody commits.
        Lent lent = Lent.of(connection, open -> dialect.guest().isOpen(plain(open)));
        boolean useful = false;
        try {
            OptionalInt level = dialect.guest().level(connection);
            if (level.isPresent()) {
                lent.at(level.getAsInt());
            }
            if (packet == 0) {
                dialect.guest().wrongOption(connection).ifPresent(Opener::refuse);
                Session session = plain(connection);
                dialect.guest().lentSetting().ifPresent(query -> checkGuest(session, query));
                checkIsolation(connection);
                Script ask = new Script();
                askPacket(ask, connection);
                session.run(ask);
            }
            useful = true;
            Session session = dialect.session(connection, false, packet);
            session.giveBackTo(lent);
            return session;
        } finally {
            if (!useful) {
                lent.close();
            }
        }
    }

    private Session plain(Connection connection) {
        return dialect.session(connection, false, LEAST_PACKET);
    }

    private void requireProduct(Connection connection) throws SQLException {
        boolean useful = false;
        try {
            Product.require(connection, dialect.products());
            useful = true;
        } finally {
            if (!useful) {
                connection.close();
            }
        }
    }

    /**
     * What is read outside of a transaction must not be something that its writer may still take
     * back.
     */
    private static void checkIsolation(Connection connection) throws SQLException {
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw new StoreFailed(
                    "a connection of the data source has the isolation level READ UNCOMMITTED; let"
                            + " the data source give connections at READ COMMITTED or above");
        }
    }

    /** Asks the first connection of a pool for all that come. */
    private static void checkGuest(Session session, String query) {
        Answer<String> has = new Answer<>("a limit of no rows", row -> row.getString(1));
        session.run(new Script().read(query, has));
        if (!has.value().equals("nothing")) {
            refuse(has.value());
        }
    }

    private static void refuse(String has) {
        throw new StoreFailed(
                "a connection of the data source has "
                        + has
                        + "; let the data source give connections without it");
    }

    private long packet() {
        return packet == 0 ? LEAST_PACKET : packet;
    }
}
