// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import com.tngtech.archunit.lang.syntax.elements.ClassesThat;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Stream;

/** Dependencies point one way, as ARCHITECTURE.md draws them. */
class ArchitectureTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.slipring");

    private static final String[] CORE = {
        "dev.slipring",
        "dev.slipring.graph..",
        "dev.slipring.engine..",
        "dev.slipring.ledger..",
        "dev.slipring.journal..",
        "dev.slipring.ring..",
        "dev.slipring.threads..",
        "dev.slipring.waiting..",
        "dev.slipring.watch.."
    };

    private static final String[] ENGINES = {
        "dev.slipring.memory..",
        "dev.slipring.sqlite..",
        "dev.slipring.postgresql..",
        "dev.slipring.jdbc.."
    };

    private static final Set<String> INSIDE =
            Set.of(
                    "dev.slipring.engine",
                    "dev.slipring.ledger",
                    "dev.slipring.journal",
                    "dev.slipring.threads",
                    "dev.slipring.waiting",
                    "dev.slipring.watch");

    @Test
    void coreNeedsNothingButTheJdk() {
        whatIsIn(CORE).needsOnly("java..", "javax.sql..", "jdk.jfr..");
    }

    @Test
    void theRingBetweenThreadsKnowsOnlyTheGraph() {
        whatIsIn("dev.slipring.ring..")
                .needsOnly("java..", "dev.slipring.graph..", "dev.slipring.threads..");
    }

    @Test
    void threadsKnowNobody() {
        whatIsIn("dev.slipring.threads..").needsOnly("java..");
    }

    @Test
    void theGraphKnowsNobody() {
        whatIsIn("dev.slipring.graph..").needsOnly("java..");
    }

    @Test
    void theLedgerKnowsTheSeamButNotTheJournal() {
        whatIsIn("dev.slipring.ledger..")
                .needsNone(
                        "dev.slipring.journal..", "dev.slipring.waiting..", "dev.slipring.watch..");
    }

    @Test
    void enginesSeeOnlyTheSeamAndTheLedger() {
        whatIsIn(with(ENGINES, "dev.slipring.sql.."))
                .needsNone(
                        "dev.slipring.journal..",
                        "dev.slipring.waiting..",
                        "dev.slipring.watch..",
                        "dev.slipring.cli..",
                        "dev.slipring.bench..",
                        "dev.slipring.torture..",
                        "dev.slipring.kit..");
    }

    @Test
    void enginesDoNotKnowEachOther() {
        check(
                SlicesRuleDefinition.slices()
                        .matching("dev.slipring.(memory|sqlite|postgresql|jdbc)..")
                        .should()
                        .notDependOnEachOther());
    }

    /**
     * The adversary depends on no engine: what it does to the place of one is in a class of its
     * own.
     */
    @Test
    void theAdversaryKnowsNoEngine() {
        whatIsIn("dev.slipring.torture..")
                .needsNone(
                        with(
                                ENGINES,
                                "dev.slipring.ledger..",
                                "dev.slipring.journal..",
                                "dev.slipring.bench.."));
    }

    /**
     * Examples and adapters do without the inside of Slipring, so that users can write their own.
     */
    @Test
    void adaptersAndExamplesUseWhatUsersUse() {
        whatIsIn("dev.slipring.json..", "dev.slipring.micrometer..", "dev.slipring.examples..")
                .needsOnly(
                        "java..",
                        "com.fasterxml.jackson..",
                        "io.micrometer..",
                        "dev.slipring",
                        "dev.slipring.graph..",
                        "dev.slipring.ring..");
    }

    /**
     * The methods that applications call have no types of the inside. Only {@code Slipring.store}
     * and {@code over}, which are for tools and tests, name the store.
     */
    @Test
    void whatUsersCallNamesNothingOfTheInside() {
        ArchCondition<JavaMethod> outside =
                new ArchCondition<>("name no type of the inside") {
                    @Override
                    public void check(JavaMethod method, ConditionEvents events) {
                        method.getAllInvolvedRawTypes().stream()
                                .filter(type -> INSIDE.contains(type.getPackageName()))
                                .filter(type -> !type.isEquivalentTo(Store.class))
                                .map(type -> method.getFullName() + " names " + type.getName())
                                .forEach(fault -> events.add(violated(method, fault)));
                    }
                };
        check(
                methods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAPackage("dev.slipring")
                        .and()
                        .areDeclaredInClassesThat()
                        .arePublic()
                        .and()
                        .arePublic()
                        .should(outside));
    }

    @Test
    void toolsStandOnTop() {
        check(
                layeredArchitecture()
                        .consideringOnlyDependenciesInLayers()
                        .layer("core")
                        .definedBy(CORE)
                        .layer("engines")
                        .definedBy(ENGINES)
                        .layer("what engines in SQL share")
                        .definedBy("dev.slipring.sql..")
                        .layer("bench")
                        .definedBy("dev.slipring.bench..")
                        .layer("torture")
                        .definedBy("dev.slipring.torture..")
                        .layer("tools")
                        .definedBy("dev.slipring.cli..")
                        .whereLayer("tools")
                        .mayNotBeAccessedByAnyLayer()
                        .whereLayer("torture")
                        .mayOnlyBeAccessedByLayers("tools")
                        .whereLayer("bench")
                        .mayOnlyBeAccessedByLayers("tools")
                        .whereLayer("what engines in SQL share")
                        .mayOnlyBeAccessedByLayers("engines")
                        .whereLayer("engines")
                        .mayOnlyBeAccessedByLayers("bench", "tools"));
    }

    private static Packages whatIsIn(String... packages) {
        return new Packages(packages);
    }

    /** The classes of some packages, and what they may depend on. */
    private record Packages(String... names) {

        /** On nothing but themselves and these. */
        void needsOnly(String... others) {
            check(depend().resideOutsideOfPackages(with(names, others)));
        }

        void needsNone(String... others) {
            check(depend().resideInAnyPackage(others));
        }

        private ClassesThat<ClassesShouldConjunction> depend() {
            return noClasses().that().resideInAnyPackage(names).should().dependOnClassesThat();
        }
    }

    private static String[] with(String[] packages, String... more) {
        return Stream.concat(Stream.of(packages), Stream.of(more)).toArray(String[]::new);
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
