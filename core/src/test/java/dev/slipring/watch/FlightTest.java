// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.StoreFailed;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What Flight Recorder has of a ring. */
class FlightTest {

    @TempDir Path folder;

    @Test
    void everythingThatTheListenerHearsIsRecorded() throws Exception {
        Path file = folder.resolve("flight.jfr");
        Delivery delivery = new Delivery(Message.of("x"), 2, 7, 3, Instant.EPOCH);
        try (Recording recording = new Recording()) {
            recording.start();
            Watcher watcher = new Watcher("flight", Listener.NONE);
            long took = TimeUnit.SECONDS.toNanos(5);
            watcher.pushed(1, 10, took);
            watcher.full(4);
            watcher.claimed("main", List.of(delivery), took);
            watcher.settled("main", 1, 2, 3, took);
            watcher.fenced("main");
            watcher.failed("main", delivery, new IllegalStateException("no"));
            watcher.storeFailed(new StoreFailed("no disk"));
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> all =
                RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().startsWith("dev.slipring."))
                        // The recording is of the whole process.
                        .filter(event -> event.getString("ring").equals("flight"))
                        .toList();
        assertThat(all)
                .extracting(event -> event.getEventType().getName().substring(13))
                .containsExactlyInAnyOrder(
                        Arrays.stream(Listener.class.getMethods())
                                .map(method -> nameOf(method.getName()))
                                .toArray(String[]::new));
        assertThat(all)
                .filteredOn(event -> event.hasField("took") && !isFenced(event))
                .hasSize(3)
                .allSatisfy(
                        event ->
                                assertThat(event.getDuration("took"))
                                        .isEqualTo(Duration.ofSeconds(5)));
        RecordedEvent failed = one(all, "Failed");
        assertThat(failed.getString("message")).isEqualTo("2-7");
        assertThat(failed.getInt("attempt")).isEqualTo(3);
        assertThat(failed.getString("error")).contains("IllegalStateException", "no");
        assertThat(one(all, "Full").getInt("messages")).isEqualTo(4);
        assertThat(one(all, "StoreFailed").getString("error")).isEqualTo("no disk");
    }

    private static boolean isFenced(RecordedEvent event) {
        return event.hasField("fenced") && event.getBoolean("fenced");
    }

    private static RecordedEvent one(List<RecordedEvent> all, String name) {
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("dev.slipring." + name))
                .findFirst()
                .orElseThrow();
    }

    private static String nameOf(String method) {
        return switch (method) {
            case "pushed" -> "Push";
            case "full" -> "Full";
            case "claimed" -> "Claim";
            case "settled", "fenced" -> "Settle";
            case "failed" -> "Failed";
            case "storeFailed" -> "StoreFailed";
            default -> "no event of " + method;
        };
    }
}
