// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.SlipringException;
import dev.slipring.graph.NoSuchStage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is told to people who look at the log. */
class WatcherTest {

    private static final Logger LOGGER = Logger.getLogger("dev.slipring");

    private final List<LogRecord> records = new ArrayList<>();
    private Error failure;
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    records.add(record);
                    if (failure != null) {
                        throw failure;
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void leave() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    @Test
    void onlyAFaultOfTheProgramIsToldWithItsPlace() {
        tell(new NoSuchStage("no stage 'b'"));
        tell(new SlipringException("no connection"));
        tell(null);
        assertThat(records)
                .hasSize(3)
                .allSatisfy(record -> assertThat(record.getThrown()).isNull());
        tell(new IllegalStateException("a mistake"));
        tell(new AssertionError("a mistake"));
        assertThat(records.subList(3, 5))
                .allSatisfy(record -> assertThat(record.getThrown()).isNotNull());
        assertThat(records)
                .allSatisfy(
                        record -> assertThat(record.getMessage()).isEqualTo("ring r: it broke"));
    }

    @Test
    void whatAHandlerThrowsIsLoggedOnceForABatch() {
        List<Delivery> told = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void failed(String ring, String stage, Delivery it, Throwable error) {
                        told.add(it);
                    }
                };
        Exception first = new IllegalStateException("no mail today");
        Exception second = new IllegalStateException("no mail today");
        List<Delivery> batch = List.of(delivery(7, 1), delivery(8, 1), delivery(9, 2));
        new Watcher("r", listener).failed("mail", batch, it -> it.position() < 9 ? first : second);
        assertThat(told).isEqualTo(batch);
        assertThat(records)
                .allSatisfy(it -> assertThat(it.getLoggerName()).isEqualTo("dev.slipring.handlers"))
                .extracting(LogRecord::getMessage, LogRecord::getThrown)
                .containsExactlyInAnyOrder(
                        tuple("ring r, stage mail: 2 messages failed, the first is 0-7", first),
                        tuple("ring r, stage mail: message 0-9 failed, attempt 2", second));
    }

    private static Delivery delivery(long position, int attempt) {
        return new Delivery(Message.of("m"), 0, position, attempt, Instant.EPOCH);
    }

    /** Other languages do not declare what they throw. */
    @Test
    void whateverAListenerThrowsChangesNothing() {
        IOException thrown = new IOException("not declared");
        Listener listener =
                new Listener() {
                    @Override
                    public void pushed(String ring, int messages, long bytes, Duration took) {
                        WatcherTest.<RuntimeException>undeclared(thrown);
                    }
                };
        new Watcher("r", listener).pushed(1, 10, 0);
        assertThat(records)
                .singleElement()
                .satisfies(record -> assertThat(record.getThrown()).isSameAs(thrown));
    }

    /** An executor that is shut down interrupts a thread while a listener waits on it. */
    @Test
    void anInterruptThatEndsAListenerIsKept() {
        Listener listener =
                new Listener() {
                    @Override
                    public void fenced(String ring, String stage) {
                        WatcherTest.<RuntimeException>undeclared(new InterruptedException());
                    }
                };
        new Watcher("r", listener).fenced("main");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** A log that can open no more files must not end who works with the ring. */
    @Test
    void whateverALogThrowsChangesNothing() {
        failure = new NoClassDefFoundError("by plan");
        List<SlipringException> told = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        told.add(error);
                        throw new IllegalStateException("by plan");
                    }
                };
        SlipringException error = new SlipringException("no connection");
        new Watcher("r", listener).storeFailed(error);
        assertThat(told).containsExactly(error);
        assertThat(records).hasSize(2);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void undeclared(Exception e) throws E {
        throw (E) e;
    }

    private static void tell(Throwable cause) {
        new Watcher("r", Listener.NONE).storeFailed(new SlipringException("it broke", cause));
    }
}
