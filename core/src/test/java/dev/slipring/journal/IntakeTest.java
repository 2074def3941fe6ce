// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Where pushes gather: what goes wrong there loses none of them. */
class IntakeTest {

    private final Intake intake = new Intake("r", 1 << 20);

    private static Entry entry(int number) {
        return new Entry(List.of(Message.of("" + number)), 1_000_000_000L, null);
    }

    /** A target that finds no memory for the third. */
    private static final class Short extends ArrayDeque<Entry> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean add(Entry entry) {
            if (size() == 2) {
                throw new OutOfMemoryError("for a test");
            }
            return super.add(entry);
        }
    }

    @Test
    void whatFindsNoMemoryIsTakenTheNextTime() {
        List<Entry> entries = IntStream.range(0, 5).mapToObj(IntakeTest::entry).toList();
        entries.forEach(intake::add);
        ArrayDeque<Entry> target = new Short();
        assertThatThrownBy(() -> intake.drainTo(target)).isInstanceOf(OutOfMemoryError.class);
        assertThat(target).containsExactlyElementsOf(entries.subList(0, 2));
        assertThat(intake.hasMore()).isTrue();
        assertThat(intake.first()).isSameAs(entries.get(2));
        List<Entry> rest = new ArrayList<>();
        intake.drainTo(rest);
        assertThat(rest).containsExactlyElementsOf(entries.subList(2, 5));
        assertThat(intake.hasMore()).isFalse();
    }
}
