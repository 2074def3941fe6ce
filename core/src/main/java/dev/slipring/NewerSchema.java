// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** The store's schema was made by a newer Slipring, whose rules this one does not know. */
public class NewerSchema extends StoreFailed {

    private static final long serialVersionUID = 1L;

    private final int installed;
    private final int current;

    /**
     * With where it is, and its version.
     *
     * @param place the store, in words
     * @param installed the version in the store
     * @param current the version that this engine works with
     */
    public NewerSchema(String place, int installed, int current) {
        super(
                place
                        + " was written by a newer Slipring: schema "
                        + installed
                        + ", this one knows "
                        + current
                        + "; upgrade Slipring");
        this.installed = installed;
        this.current = current;
    }

    /** The version in the store. */
    public int installed() {
        return installed;
    }

    /** The version that this engine works with. */
    public int current() {
        return current;
    }
}
