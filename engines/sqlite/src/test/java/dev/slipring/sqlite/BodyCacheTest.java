// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** The cache of bodies keeps what is likely to be read, and no more than it may. */
class BodyCacheTest {

    private final BodyCache cache = new BodyCache();

    private static BodyCache.At at(long position) {
        return new BodyCache.At(1, 0, position);
    }

    @Test
    void forgetsWhatIsTooMuch() {
        for (int i = 0; i < 40; i++) {
            cache.keep(Map.of(at(i), body(1 << 20)));
        }
        assertThat(cache.get(at(39), 0)).isNotNull();
        assertThat(cache.get(at(24), 0)).isNotNull();
        assertThat(cache.get(at(23), 0)).isNull();
        cache.keep(Map.of(at(99), body(17 << 20)));
        assertThat(cache.get(at(99), 0)).isNull();
    }

    @Test
    void whatIsForgottenMakesRoom() {
        for (int i = 0; i < 100; i++) {
            cache.keep(Map.of(at(i), body(1 << 20)));
            if (i >= 4) {
                cache.forget(at(i));
                cache.forget(at(i));
            }
        }
        assertThat(cache.get(at(0), 0)).isNotNull();
        assertThat(cache.get(at(99), 0)).isNull();
        for (int i = 0; i < 13; i++) {
            cache.keep(Map.of(new BodyCache.At(2, 0, i), body(1 << 20)));
        }
        assertThat(cache.get(at(0), 0)).isNotNull();
        assertThat(cache.get(at(1), 0)).isNull();
    }

    /**
     * Bodies that would be pushed out of the cache before a stage comes to them are not kept, until
     * a stage has caught up.
     */
    @Test
    void keepsNothingPushedForAStageFarBehind() {
        for (int i = 0; i < 40; i++) {
            cache.keepPushed(Map.of(at(i), body(1 << 20)));
        }
        assertThat(cache.get(at(0), 0)).isNull();
        assertThat(cache.get(at(1), 0)).isNotNull();
        assertThat(cache.get(at(16), 0)).isNotNull();
        cache.keepPushed(Map.of(at(40), body(1 << 20)));
        cache.keepPushed(Map.of(new BodyCache.At(1, 1, 40), body(1 << 20)));
        assertThat(cache.get(new BodyCache.At(1, 1, 40), 0)).isNotNull();
        assertThat(cache.get(at(40), 0)).isNull();
        cache.keepPushed(Map.of(at(41), body(1 << 20)));
        assertThat(cache.get(at(41), 0)).isNotNull();
    }

    /**
     * If a file is replaced by a backup while it is open, other slots may stand at known positions.
     */
    @Test
    void aSlotOfAnotherTimeIsAnother() {
        cache.keep(Map.of(at(7), new BodyCache.Body(new byte[1], 1_000)));
        assertThat(cache.get(at(7), 1_001)).isNull();
        assertThat(cache.get(at(7), 1_000)).isNotNull();
    }

    private static BodyCache.Body body(int bytes) {
        return new BodyCache.Body(new byte[bytes], 0);
    }
}
