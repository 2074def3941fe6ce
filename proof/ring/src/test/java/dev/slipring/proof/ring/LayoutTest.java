// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Fields that are written often are 128 bytes away from all others: no two of them share a pair of
 * cache lines, wherever Java places them.
 */
class LayoutTest {

    private static final int DISTANCE = 128;

    /** Fields that are there only to keep a distance. */
    private static boolean isPadding(String field) {
        return field.matches("[a-c][0-9a-f]?");
    }

    private static List<FieldLayout> fields(Class<?> type) {
        return StreamSupport.stream(ClassLayout.parseClass(type).fields().spliterator(), false)
                .filter(field -> !isPadding(field.name()))
                .toList();
    }

    private static void isApart(Class<?> type, List<String> together) {
        Map<Boolean, List<FieldLayout>> parts =
                fields(type).stream()
                        .collect(Collectors.partitioningBy(f -> together.contains(f.name())));
        assertThat(parts.get(true)).as(type + " " + together).hasSize(together.size());
        for (FieldLayout hot : parts.get(true)) {
            for (FieldLayout other : parts.get(false)) {
                assertThat(Math.abs(hot.offset() - other.offset()))
                        .as(type.getSimpleName() + ": " + hot.name() + " and " + other.name())
                        .isGreaterThanOrEqualTo(DISTANCE);
            }
            assertThat(hot.offset()).isGreaterThanOrEqualTo(DISTANCE);
            assertThat(ClassLayout.parseClass(type).instanceSize() - hot.offset())
                    .isGreaterThanOrEqualTo(DISTANCE);
        }
    }

    @Test
    void sequences() {
        for (Class<?> type :
                List.of(SPSequence.class, SCSequence.class, MPSequence.class, MCSequence.class)) {
            isApart(type, List.of("value"));
            isApart(type, List.of("limit", "slack"));
        }
    }

    /**
     * The number up to which all is done is in an array, far from the array's length and from what
     * follows the array.
     */
    @Test
    void seen() throws ReflectiveOperationException {
        Class<?> type = MPSequence.class.getSuperclass();
        Field field = type.getDeclaredField("seen");
        Field place = type.getDeclaredField("SEEN");
        field.setAccessible(true);
        place.setAccessible(true);
        ClassLayout array = ClassLayout.parseInstance(field.get(new MPSequence(1)));
        long offset = array.instanceSize() - array.fields().iterator().next().size();
        offset += place.getInt(null) * (long) Long.BYTES;
        assertThat(offset).isGreaterThanOrEqualTo(DISTANCE);
        assertThat(array.instanceSize() - offset).isGreaterThanOrEqualTo(DISTANCE);
    }

    @Test
    void bells() throws ClassNotFoundException {
        isApart(
                Class.forName("dev.slipring.ring.Bell"),
                List.of("wakeAt", "waiters", "errands", "due"));
    }
}
