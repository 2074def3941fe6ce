// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.StoreFailed;

import java.time.InstantSource;
import java.util.Objects;

import javax.sql.DataSource;

/**
 * How a store is to be opened.
 *
 * @param url the URL, or null if there is a data source
 * @param dataSource where connections come from, or null if there is a URL
 * @param clock the clock of stores that have none of their own
 * @param migrate whether to make or upgrade the schema
 * @param existing whether to refuse a store that is not there yet, where opening would make it
 */
public record Opening(
        String url, DataSource dataSource, InstantSource clock, boolean migrate, boolean existing) {

    /** Opens what a URL names, and makes what is not there. */
    public static Opening of(String url) {
        return new Opening(url, null, InstantSource.system(), true, false);
    }

    public Opening {
        Objects.requireNonNull(clock, "clock");
        if ((url == null) == (dataSource == null)) {
            throw new IllegalArgumentException("a store is opened by a URL or by a data source");
        }
    }

    /**
     * Refuses a place without a schema where the store is to be there already.
     *
     * @param version the version of the schema that is there; 0 if there is none
     * @param place where, in words
     * @throws StoreFailed if so
     */
    public void checkThere(int version, String place) {
        if (migrate && existing && version == 0) {
            throw new StoreFailed(
                    "there is no schema of Slipring in "
                            + place
                            + " yet; 'slipring create' or 'slipring push' makes it");
        }
    }

    /**
     * Refuses to work with a schema of an older version, as is there where it is not upgraded,
     * or with none.
     *
     * @param installed the version of the schema that is there; 0 if there is none
     * @param current the version that the engine works with
     * @param place where, in words
     * @throws StoreFailed if so
     */
    public static void requireCurrent(int installed, int current, String place) {
        if (installed < current) {
            throw new StoreFailed(
                    place
                            + " has "
                            + (installed == 0 ? "no schema of Slipring" : "schema " + installed)
                            + ", this Slipring works with schema "
                            + current
                            + "; run 'slipring migrate apply'");
        }
    }

    /** Where the store is, without the password of the URL. */
    @Override
    public String toString() {
        return "Opening["
                + (url == null ? "a data source" : Passwords.maskedUrl(url))
                + ", migrate="
                + migrate
                + "]";
    }
}
