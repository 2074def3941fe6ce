// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Passwords;
import dev.slipring.torture.Course;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A database of a server: an existing server, or one that the torture starts and may kill. */
final class ServerArena implements Arena {

    private static final int LANES = 8;

    /** A new server, which has little but its logs, takes a fifth of it. */
    private static final int DISK_MEBIBYTES = 1_024;

    /** How {@link Product#tables} names Slipring's tables. */
    private static final String OF_SLIPRING = "slipring[._].*";

    private final OwnServer own;
    private ServerAddress address;
    private Wire wire;

    ServerArena(ServerAddress address) {
        this.own = null;
        this.address = address;
    }

    ServerArena(OwnServer own) {
        this.own = own;
    }

    @Override
    public void open() throws IOException, InterruptedException {
        if (own != null) {
            own.create();
            address = own.address();
        }
        try {
            address.connect().close();
        } catch (SQLException e) {
            String why = Passwords.masked(String.valueOf(e.getMessage()));
            throw new StoreFailed("torture cannot connect to " + address + ": " + why, e);
        }
        wire = new Wire(address.host(), address.port());
    }

    @Override
    public String url() {
        return address.url();
    }

    @Override
    public String urlOnTheWire() {
        return wire == null ? url() : address.through(wire).url();
    }

    @Override
    public String words() throws SQLException {
        try (Connection connection = address.connect()) {
            return connection.getMetaData().getDatabaseProductName()
                    + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public Connection connect(boolean writes) throws SQLException {
        Connection connection = address.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Path journals() {
        String name = own == null ? "torture-" + address.database() : own.folder().toString();
        return Path.of(name + ".journals");
    }

    /**
     * Slipring's own tables may be there if they have no ring, as an earlier torture leaves them.
     */
    @Override
    public void checkFree() throws SQLException {
        Map<Boolean, List<String>> tables =
                tables().stream()
                        .collect(Collectors.partitioningBy(name -> name.matches(OF_SLIPRING)));
        if (!tables.get(false).isEmpty()) {
            throw taken("a table '" + tables.get(false).get(0) + "'");
        }
        if (tables.get(true).isEmpty()) {
            return;
        }
        try (Slipring slipring = Slipring.open(Options.url(address.url()).existingOnly())) {
            for (String ring : slipring.rings()) {
                throw taken("a ring '" + ring + "'");
            }
        }
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = address.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(product().tables)) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    private IllegalArgumentException taken(String what) {
        return new IllegalArgumentException(
                "there is "
                        + what
                        + " in "
                        + address
                        + " already; torture needs an empty database; drop it if nobody needs it,"
                        + " or use another database");
    }

    @Override
    public long bytes() throws IOException, SQLException {
        return own != null ? own.bytes() : Long.parseLong(read(product().bytes, 1));
    }

    /** How far the server has written its log. */
    @Override
    public Optional<String> mark() throws SQLException {
        return own == null ? Optional.empty() : Optional.of(read(product().mark, 2));
    }

    private String read(String sql, int column) throws SQLException {
        try (Connection connection = address.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(column);
        }
    }

    @Override
    public Optional<Arena> on(Path disk) {
        return Optional.ofNullable(own).map(server -> new ServerArena(server.on(disk)));
    }

    @Override
    public int diskMebibytes() {
        return DISK_MEBIBYTES;
    }

    @Override
    public boolean hasClock() {
        return true;
    }

    @Override
    public boolean forgets() {
        return product().forgets();
    }

    @Override
    public boolean isExact() {
        return product().isExact();
    }

    @Override
    public boolean hasSegments() {
        return product().hasSegments();
    }

    private Product product() {
        return Product.of(address);
    }

    @Override
    public Optional<OwnServer> server() {
        return Optional.ofNullable(own);
    }

    @Override
    public Optional<Wire> wire() {
        return Optional.ofNullable(wire);
    }

    @Override
    public void clear() throws IOException, SQLException {
        if (own != null) {
            close();
            own.delete();
            return;
        }
        try (Slipring slipring = Slipring.open(address.url());
                Connection connection = address.connect();
                Statement statement = connection.createStatement()) {
            slipring.drop(Course.RING);
            statement.execute("DROP TABLE torture_effect");
        }
    }

    @Override
    public void close() throws IOException {
        if (wire != null) {
            wire.close();
        }
        if (own != null) {
            own.close();
        }
    }
}
