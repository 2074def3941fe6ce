// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.StoreFailed;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/** The database product that a data source gives connections to. */
public final class Product {

    private Product() {}

    /**
     * Refuses a data source of another product than its dialect: the first statement would fail,
     * with an error that says nothing of that.
     *
     * @param products what the driver may call it, in upper or lower case
     * @throws StoreFailed if it is another
     */
    public static void require(Connection connection, Collection<String> products)
            throws SQLException {
        Optional<String> other = other(connection, products);
        if (other.isPresent()) {
            throw new StoreFailed(
                    "the data source is not one of "
                            + String.join(" or ", products)
                            + " but of "
                            + other.get());
        }
    }

    /** The product of a connection, where it is none of those. */
    static Optional<String> other(Connection connection, Collection<String> products)
            throws SQLException {
        return Optional.of(connection.getMetaData().getDatabaseProductName())
                .filter(product -> products.stream().noneMatch(product::equalsIgnoreCase));
    }
}
