// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

import java.nio.file.Path;

/** A data source whose dialect is given as that of another product. */
class WrongDialectTest {

    @ParameterizedTest
    @CsvSource({
        "postgresql, PostgreSQL",
        "mariadb, MariaDB or MySQL",
        "mysql, MariaDB or MySQL",
        "sqlserver, Microsoft SQL Server"
    })
    void isRefusedInWords(String dialect, String products, @TempDir Path folder) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve("test.db"));
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(source, dialect)))
                .isInstanceOf(StoreFailed.class)
                .hasMessage("the data source is not one of " + products + " but of SQLite");
    }
}
