// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;
import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import com.microsoft.sqlserver.jdbc.SQLServerException;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

/**
 * Sessions of SQL Server, over a connection without a server: what they send, and how they break.
 */
class SqlServerSessionTest {

    private static final String PRODUCT = "Microsoft SQL Server";

    private final SqlServerDialect dialect = new SqlServerDialect(false);
    private final List<String> sent = new ArrayList<>();
    private final Connection connection = as(Connection.class, this::ofConnection);

    /** A text that contains this fails. */
    private String failsAt = "no text";

    private SQLException failure;
    private String setting = "nothing";
    private boolean isClosed;
    private boolean saysWhether = true;
    private int isolation = Connection.TRANSACTION_READ_COMMITTED;

    private static <T> T as(Class<T> type, InvocationHandler handler) {
        ClassLoader loader = SqlServerSessionTest.class.getClassLoader();
        return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
    }

    private Object ofConnection(Object proxy, Method method, Object[] values) throws SQLException {
        return switch (method.getName()) {
            case "createStatement" -> as(Statement.class, this::ofStatement);
            case "prepareStatement" -> as(PreparedStatement.class, this::ofPrepared);
            case "isClosed" -> {
                if (!saysWhether) {
                    throw new SQLException("whatever it is");
                }
                yield isClosed;
            }
            case "getTransactionIsolation" -> isolation;
            case "setTransactionIsolation" -> {
                isolation = (int) values[0];
                sent.add("at " + isolation);
                yield null;
            }
            case "getMetaData" -> as(DatabaseMetaData.class, (it, asked, none) -> PRODUCT);
            case "getAutoCommit", "isValid" -> true;
            default -> null;
        };
    }

    private Object ofStatement(Object proxy, Method method, Object[] values) throws SQLException {
        return switch (method.getName()) {
            case "execute" -> {
                String text = (String) values[0];
                sent.add(text);
                if (text.contains(failsAt)) {
                    throw failure;
                }
                yield text.startsWith("SELECT ") || text.equals(dialect.packetQuery());
            }
            case "getResultSet" -> row();
            case "getUpdateCount" -> -1;
            case "getMoreResults" -> false;
            default -> null;
        };
    }

    private Object ofPrepared(Object proxy, Method method, Object[] values) {
        if (method.getName().startsWith("set")) {
            sent.add(method.getName() + " " + values[1]);
        }
        return switch (method.getName()) {
            case "execute", "getMoreResults" -> false;
            case "getUpdateCount" -> -1;
            default -> null;
        };
    }

    /** One row: 7 seconds of LOCK_TIMEOUT, and what is said of IMPLICIT_TRANSACTIONS. */
    private ResultSet row() {
        boolean[] first = {true};
        return as(
                ResultSet.class,
                (proxy, method, values) -> {
                    boolean next = first[0];
                    first[0] &= !method.getName().equals("next");
                    return switch (method.getName()) {
                        case "next" -> next;
                        case "getLong" -> 7_000L;
                        case "getInt" -> 1;
                        case "getString" -> setting;
                        default -> null;
                    };
                });
    }

    private JdbcTransactor transactor(boolean ours) {
        Sessions sessions = new Sessions(() -> dialect.session(connection, ours, 1 << 20), ours);
        return new JdbcTransactor(dialect, sessions, "h/db");
    }

    private static Void write(OwnWork own) {
        own.commit(new Script().run("UPDATE it SET it = 1"));
        return null;
    }

    private boolean isLostWith(SQLException error) {
        failsAt = "it";
        failure = error;
        Session session = dialect.session(connection, true, 1 << 20);
        SqlFailed failed =
                catchThrowableOfType(
                        SqlFailed.class, () -> session.run(new Script().run("SELECT it")));
        assertThat(session.isLost()).isEqualTo(failed.isConnectionLost());
        return failed.isConnectionLost();
    }

    /**
     * Errors with a severity of 20 and more close the connection, although their state is like any
     * other.
     */
    @Test
    void anErrorThatClosesTheConnectionHasLostIt() {
        SQLException error = new SQLException("fatal", "S0001", 823);
        assertThat(isLostWith(error)).isFalse();
        isClosed = true;
        assertThat(isLostWith(error)).isTrue();
        saysWhether = false;
        assertThat(isLostWith(error)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"596, true", "6005, true", "40197, true", "2627, false", "1205, false"})
    void someErrorsMeanThatItIsLost(int number, boolean lost) {
        assertThat(isLostWith(new SQLException("said", "S0001", number))).isEqualTo(lost);
    }

    /**
     * The driver's error about a lost connection has neither a number nor a state. Other errors of
     * the client's side have none either, and lose nothing.
     */
    @Test
    void aDriverThatCouldNotConnectAgainHasLostIt() {
        SQLServerException ofDriver =
                catchThrowableOfType(
                        SQLServerException.class,
                        () -> new SQLServerDriver().connect("jdbc:sqlserver://h;=", null));
        assertThat(ofDriver.getSQLState()).isNull();
        assertThat(isLostWith(ofDriver)).isTrue();
        assertThat(isLostWith(new SQLException("no rows"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"S0001, 596, true", "HY008, 0, false"})
    void aCommitThatNobodyHeardOfIsUnknown(String state, int number, boolean closes) {
        failsAt = "COMMIT TRANSACTION";
        failure = new SQLException("said", state, number);
        isClosed = closes;
        assertThatThrownBy(() -> transactor(true).persist(SqlServerSessionTest::write))
                .isInstanceOf(OutcomeUnknown.class);
        assertThat(sent.stream().filter(text -> text.contains(failsAt))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        Connection.TRANSACTION_READ_UNCOMMITTED + ", READ UNCOMMITTED",
        Connection.TRANSACTION_READ_COMMITTED + ", READ COMMITTED",
        Connection.TRANSACTION_REPEATABLE_READ + ", REPEATABLE READ",
        Connection.TRANSACTION_SERIALIZABLE + ", SERIALIZABLE",
        ISQLServerConnection.TRANSACTION_SNAPSHOT + ", SNAPSHOT"
    })
    void aPoolGetsItsConnectionBackAsItWas(int level, String words) {
        isolation = level;
        transactor(false).persist(SqlServerSessionTest::write);
        assertThat(sent.get(sent.size() - 1))
                .endsWith("SET LOCK_TIMEOUT 7000;\nSET TRANSACTION ISOLATION LEVEL " + words);
        transactor(false)
                .read(
                        rows -> {
                            assertThat(sent.get(sent.size() - 1)).contains("BEGIN TRANSACTION");
                            return null;
                        });
        assertThat(sent.get(sent.size() - 1))
                .endsWith("SET LOCK_TIMEOUT 7000;\nSET TRANSACTION ISOLATION LEVEL " + words);
    }

    /**
     * There a query waits for writers, although versions of rows are kept: for the open push of a
     * caller, which waits for that query, until the LOCK_TIMEOUT of the pool, which is none.
     */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE,
                ISQLServerConnection.TRANSACTION_SNAPSHOT
            })
    void aPoolIsLookedIntoAtReadCommitted(int level) {
        isolation = level;
        DataSource pool = as(DataSource.class, (it, asked, none) -> connection);
        Opening opening = new Opening(null, pool, InstantSource.system(), true, false);
        new Opener(dialect, opening).open().close();
        assertThat(sent)
                .startsWith("at " + Connection.TRANSACTION_READ_COMMITTED)
                .endsWith("at " + level)
                .anyMatch(text -> text.contains("slipring_schema"));
        assertThat(isolation).isEqualTo(level);
    }

    /**
     * To change a table waits for whoever uses it, for a second only, and keeps all others waiting
     * meanwhile.
     */
    @Test
    void aSchemaThatAnotherProcessHasMadeMeanwhileIsLeftAlone() {
        Session session = dialect.session(connection, true, 1 << 20);
        dialect.migrate(session, dialect.scripts(), () -> sent.add("made"));
        assertThat(sent)
                .containsExactly(SqlServerMigration.lock(), "made", SqlServerMigration.unlock());
    }

    /** What else it becomes is a setting of the driver (sendStringParametersAsUnicode). */
    @Test
    void aTextGoesAsNvarchar() {
        Session session = dialect.session(connection, true, 1 << 20);
        session.run(new Script().run("UPDATE it SET it = ?, n = ?", "\u65e5\u672c", 7));
        assertThat(sent).containsExactly("setNString \u65e5\u672c", "setInt 7");
    }

    /**
     * Each transaction would be one within another that nobody commits, and all that was pushed
     * would be gone with the connection.
     */
    @Test
    void aPoolThatBeginsTransactionsByItselfIsRefused() {
        setting = "IMPLICIT_TRANSACTIONS ON";
        DataSource pool = as(DataSource.class, (it, asked, none) -> connection);
        Opening opening = new Opening(null, pool, InstantSource.system(), true, false);
        assertThatThrownBy(() -> new Opener(dialect, opening).open())
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a connection of the data source has " + setting);
        assertThat(sent).anyMatch(text -> text.contains("@@OPTIONS & 2 = 2"));
    }

    /** UPDLOCK would keep others from the gaps beside them where the caller is SERIALIZABLE. */
    @Test
    void whatALockOfACallerGuardsAlreadyIsReadWithoutAnother() {
        Work joined =
                new Work(dialect) {
                    @Override
                    int piece() {
                        return 1;
                    }

                    @Override
                    void run(Script script) {}

                    @Override
                    void look(Script script) {}

                    @Override
                    boolean isJoined() {
                        return true;
                    }
                };
        assertThat(dialect.select("state", "slipring_aside", "position = 1", joined.guarded()))
                .contains("READCOMMITTEDLOCK")
                .doesNotContain("UPDLOCK");
    }

    /** READPAST is for READ COMMITTED and REPEATABLE READ; elsewhere UPDLOCK does not help it. */
    @ParameterizedTest
    @CsvSource({
        Connection.TRANSACTION_READ_UNCOMMITTED + ", true",
        Connection.TRANSACTION_READ_COMMITTED + ", false",
        Connection.TRANSACTION_REPEATABLE_READ + ", false",
        Connection.TRANSACTION_SERIALIZABLE + ", true",
        ISQLServerConnection.TRANSACTION_SNAPSHOT + ", true"
    })
    void aCallerWhoMayNotSkipWaitsForTheLaneThatHeWants(int level, boolean waits) {
        isolation = level;
        assertThat(dialect.guest().mayLeaveOut(connection)).isEqualTo(!waits);
    }
}
