// SPDX-License-Identifier: Apache-2.0
package dev.slipring.examples;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Orders and their messages in one database. An order and its message are stored together or not at
 * all. A message changes the stock exactly once, since its done is in the same transaction.
 */
public final class Shop {

    private Shop() {}

    /** Sells rings, calls one sale off, and shows what is left. */
    public static void main(String[] args) throws SQLException {
        if (args.length != 1) {
            System.err.println("name the file of a new database, as /tmp/shop.db");
            System.exit(2);
        }
        System.out.println(sell(args[0], 5) + " of 10 rings are left");
    }

    /**
     * Sells this many of ten rings, and calls one more sale off; returns how many rings are left.
     */
    static int sell(String file, int count) throws SQLException {
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            tables(connection);
            Ring orders = slipring.create(RingSpec.named("orders"));
            for (int i = 0; i < count; i++) {
                order(orders, connection, "ring");
                connection.commit();
            }
            order(orders, connection, "ring");
            connection.rollback();
            ship(orders, connection);
            return stock(connection);
        }
    }

    private static void tables(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE sale (id INTEGER PRIMARY KEY, item TEXT)");
            sql.execute("CREATE TABLE stock (item TEXT PRIMARY KEY, count INTEGER)");
            sql.execute("INSERT INTO stock VALUES ('ring', 10)");
        }
        connection.setAutoCommit(false);
    }

    /** Stores an order and its message in the caller's transaction, which may commit or not. */
    private static void order(Ring orders, Connection connection, String item) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("INSERT INTO sale (item) VALUES (?)")) {
            sql.setString(1, item);
            sql.executeUpdate();
        }
        orders.join(connection).push(Message.of(item));
    }

    private static void ship(Ring orders, Connection connection) throws SQLException {
        boolean more = true;
        while (more) {
            try (Claim claim = orders.stage("main").claim(100, Duration.ZERO)) {
                for (Delivery delivery : claim.deliveries()) {
                    ship(orders, connection, claim, delivery);
                }
                more = !claim.isEmpty();
            }
        }
    }

    /**
     * Changes the stock and reports done in one transaction; if it fails, the message comes again.
     */
    private static void ship(Ring orders, Connection connection, Claim claim, Delivery delivery)
            throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("UPDATE stock SET count = count - 1 WHERE item = ?")) {
            sql.setString(1, delivery.text());
            sql.executeUpdate();
            orders.join(connection).done(claim, delivery);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    private static int stock(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT count FROM stock")) {
            row.next();
            return row.getInt(1);
        }
    }
}
