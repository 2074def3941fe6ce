// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@link TextTest} runs what the text shows: nothing more, nothing less, in its order. */
class QuotedTextTest {

    /** The snippets and graphs as they are printed there, slips and all. */
    private static final List<String> PRINTED =
            List.of(
                    """
                    a.then(b).then(c).then(d)
                    a -> b -> c -> d
                    """,
                    """
                    a.then(FanOut.to(b).and(c)).then(d)
                         +--> B -->+
                    A -->| |--> D
                    +--> C -->+
                    """,
                    """
                    a.then(FanOut.to(FanOut.to(b).and(c)).and(d.then(e)).then(f)
                            +--> B -->+
                    +-> | |
                    | +--> C -->+
                    A-->| |--> F
                    | |
                    +-> D -> E -->+
                    """,
                    """
                    // You can add as many sequences into fan out as you like.
                    // Sequences can be added either up front or subscribe/unsubscribe on the fly.
                    FanOut fanOut = new FanOut();

                    // ordinary producer sequence
                    Sequence seqProducer = new SPSequence(queue.getCapacity());
                    // daisy chain producer and fan out and loop back producer
                    seqProducer.then(fanOut).then(seqProducer);

                    // meanwhile in another thread ....
                    ...

                    // Add individual consumer sequences later as needed.
                    // This is thread safe non-blocking operation that can be performed \
                    from any thread.
                    // It is important to use current producer position as consumer \
                    starting point when subscribing on the fly.
                    Sequence consumer1 = fanOut.addAndGet(new SCSequence(seqProducer.current()));

                    // do something useful with consumer1 sequence
                    ...

                    // remove sequence from fanOut to unsubscribe
                    fanOut.remove(consumer1);
                    """,
                    """
                    A -> B -> A
                    A.then(B).then(A)
                    """,
                    """
                    // loop until there is work to do
                    // consumer thread may be able to rely on producer to
                    // publish "special" message to indicate end of stream.
                    while (true) {

                    // Non-blocking call. Method returns immediately either with zero-based
                    // ring queue index or negative long indicating one of following:
                    // -1 = queue is empty
                    // -2 = there was a contest for queue index and this thread has lost
                    long cursor = sequence.next();
                    if (cursor < 0) {
                    // negative cursor is an error
                    // thread has a choice of things to do:
                    // - busy spin
                    // - yield/park
                    // - work on something else
                    LockSupport.parkNanos(1);
                    continue;
                    }

                    // write to queue
                    try {
                    queue.get(cursor).value;
                    } finally {
                    // releasing cursor promptly is important
                    sequence.done(cursor);
                    }
                    }
                    """,
                    """
                    while (running) {
                    long cursor = sequence.next();

                    if (cursor < 0) {
                    LockSupport.parkNanos(1);
                    continue;
                    }

                    // get max index sequence can reach
                    long available = sequence.available();

                    // look thru queue elements without using sequence
                    while (cursor < available) {
                    queue.get(cursor++);
                    }

                    // calling done() only once per batch can yield significant performance benefit
                    sequence.done(available - 1);
                    }
                    """);

    /** The printed text with its two slips mended, and without what it leaves to the reader. */
    private static String mended() {
        return String.join("", PRINTED)
                .replace("and(d.then(e)).then(f)", "and(d.then(e))).then(f)")
                .replace(
                        "queue.get(cursor).value;",
                        "queue.get(cursor).value = message(left, cursor);")
                .replaceAll("(?m)^\\.\\.\\.$", "")
                // An expression that stands alone is a statement with a semicolon.
                .replaceAll("(?m)^([aA]\\.then.*)$", "$1;");
    }

    /** What matters of a snippet: not how its lines are broken. */
    private static String bare(String snippet) {
        return snippet.replaceAll("(?m)^\\s*// ?", "").replaceAll("\\s+", "");
    }

    @Test
    void theSnippetsStandThereAsPrinted() throws IOException {
        StringBuilder run = new StringBuilder();
        boolean quoting = false;
        for (String line :
                Files.readAllLines(Path.of("src/test/java/dev/slipring/ring/TextTest.java"))) {
            if (line.strip().equals("// text:") || line.strip().equals("// :text")) {
                assertThat(quoting).as(line).isEqualTo(line.strip().equals("// :text"));
                quoting = !quoting;
            } else if (quoting) {
                run.append(line).append('\n');
            }
        }
        assertThat(bare(run.toString())).isEqualTo(bare(mended()));
    }
}
