# SPDX-License-Identifier: Apache-2.0
"""Parses T-SQL with ScriptDom, resolves its names with DacFx, and says what is refused.

Neither knows what locks, sessions and other collations do with a statement. The rules of `Rules`
are about what servers refuse that these two take, and about what a server may do by itself.
"""

import pathlib
import re
import sys
import tempfile

import clr_loader
import pythonnet


def load():
    """Starts .NET and makes Microsoft's libraries known to it."""
    site = pathlib.Path(clr_loader.__file__).parent.parent
    with tempfile.NamedTemporaryFile("w", suffix=".runtimeconfig.json") as config:
        config.write(
            '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.0"}}}'
        )
        config.flush()
        runtime = clr_loader.get_coreclr(
            runtime_config=config.name, dotnet_root=site / "dotnetcore2/bin"
        )
        pythonnet.set_runtime(runtime)
        pythonnet.load()
    import clr

    tools = site / "mssqlcli/mssqltoolsservice/bin"
    sys.path.append(str(tools))
    for name in ("TransactSql.ScriptDom", "Dac", "Dac.Extensions"):
        clr.AddReference(str(tools / f"Microsoft.SqlServer.{name}.dll"))


def batches(text):
    """The batches of a script: a line GO ends each. Those that only say something are left out."""
    for batch in re.split(r"(?im)^\s*GO\s*$", text):
        if re.sub(r"(?m)--.*$", "", batch).strip():
            yield batch.strip()


class Rules:
    """What no statement and no table may do; each says what is wrong, in words."""

    SETTINGS = {"QUOTED_IDENTIFIER", "ANSI_NULLS", "ANSI_PADDING"}
    HINTS = {"ROWLOCK", "UPDLOCK", "READPAST", "READCOMMITTEDLOCK", "REPEATABLEREAD"}
    HINTED = re.compile(
        r"\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:dbo\.)?(\w+)(?:\s+(?:AS\s+)?\w+)?"
        r"\s+WITH\s*\(([\w\s,]+)\)",
        re.IGNORECASE,
    )

    def __init__(self):
        self.on_disk = set()
        self.in_memory = set()
        self.rows_only = set()
        self.settings = set()

    def begin_script(self):
        """Whoever runs a script may have any settings."""
        self.settings = set()

    def look(self, batch):
        """What is wrong with a batch."""
        text = re.sub(r"(?s)--[^\n]*|/\*.*?\*/|N?'(?:''|[^'])*'", " ", batch)
        for names, state in re.findall(r"\bSET\s+([A-Z_,\s]+?)\s+(ON|OFF)\b", text):
            named = set(re.split(r"\s*,\s*", names))
            self.settings = self.settings | named if state == "ON" else self.settings - named
        yield from self.of_tables(text)
        yield from self.of_hints(text)
        made = re.search(r"\bCREATE\s+(TABLE|PROCEDURE)\s+dbo\.slipring_(\w+)", text)
        missing = self.SETTINGS - self.settings
        if made and missing:
            yield f"it keeps settings that nobody has made: {', '.join(sorted(missing))}"
        if re.search(r"\bCREATE\s+PROCEDURE\s+dbo\.slipring", text):
            if re.search(r"\bBEGIN\s+TRAN", text) and "@@OPTIONS & 2" not in text:
                yield "with IMPLICIT_TRANSACTIONS its transaction is within another"

    def of_tables(self, text):
        for name, rest in re.findall(r"\bCREATE\s+TABLE\s+dbo\.(\w+)(.*)", text, re.DOTALL):
            (self.in_memory if "MEMORY_OPTIMIZED" in rest else self.on_disk).add(name)
        for name in re.findall(
            r"ALTER\s+TABLE\s+dbo\.(\w+)\s+SET\s+\(LOCK_ESCALATION = DISABLE\)", text
        ):
            self.rows_only.add((name, "a table"))
        for name in re.findall(
            r"ALTER\s+INDEX\s+ALL\s+ON\s+dbo\.(\w+)\s+SET\s+\(ALLOW_PAGE_LOCKS = OFF\)", text
        ):
            self.rows_only.add((name, "a page"))
        return []

    def of_hints(self, text):
        for table, words in self.HINTED.findall(text):
            hints = set(re.split(r"[\s,]+", words.strip().upper()))
            if hints - self.HINTS:
                yield f"{table}: hints that nothing here needs: {', '.join(sorted(hints))}"
            if "ROWLOCK" not in hints:
                yield f"{table}: a lock on a page is not skipped; say ROWLOCK"
            if "READPAST" in hints and "READCOMMITTEDLOCK" not in hints:
                yield f"{table}: READPAST over versions of rows is refused (650)"
            if table in self.in_memory:
                yield f"{table}: a table in memory takes no hints of locks"

    def at_the_end(self):
        """What is missing of the whole schema."""
        for table in sorted(self.on_disk):
            for size in ("a page", "a table"):
                if (table, size) not in self.rows_only:
                    yield f"{table}: a lock on many rows may become one on {size}"


class Check:
    """What was read so far, and what was refused of it."""

    def __init__(self):
        from Microsoft.SqlServer.Dac.Model import SqlServerVersion, TSqlModel, TSqlModelOptions
        from Microsoft.SqlServer.TransactSql.ScriptDom import TSql150Parser

        self.parser = TSql150Parser(True)
        options = TSqlModelOptions()
        # A database may tell an A from an a, also in names.
        options.Collation = "Latin1_General_100_BIN2"
        self.model = TSqlModel(SqlServerVersion.Sql150, options)
        self.rules = Rules()
        self.read = 0
        self.refused = []
        self.trusted = set()

    def refuse(self, where, what):
        self.refused.append(f"{where}: {what}")

    def add(self, where, batch):
        """Parses a batch, and takes what it creates in a database into the model."""
        from System.IO import StringReader

        self.read += 1
        errors = list(self.parser.Parse(StringReader(batch), None)[1])
        for error in errors:
            self.refuse(where, f"line {error.Line}: {error.Message} ({error.Number})")
        for wrong in self.rules.look(batch):
            self.refuse(where, wrong)
        bare = re.sub(r"(?m)--.*$", "", batch).strip()
        if not errors and re.match(r"(?i)CREATE (TABLE|SEQUENCE|PROCEDURE)\b", bare):
            try:
                self.model.AddObjects(batch)
            except Exception as error:
                self.refuse(where, str(error).split("\n   at ")[0].strip())

    def resolve(self):
        """Resolves every name of the model. What the server itself brings is not in it."""
        for wrong in self.rules.at_the_end():
            self.refuse("schema", wrong)
        for message in self.model.Validate():
            text = message.Message
            names = re.findall(r"(?:\[[^\]]*\](?:\.|::)?)+", text.split(" reference to ", 1)[-1])
            system = [name for name in names if name.startswith("[sys].")]
            if names and len(system) == len(names):
                self.trusted.update(".".join(name.split(".")[:2]) for name in system)
            else:
                self.refuse("names", f"{text} ({message.Prefix}{message.Number})")


def main(arguments):
    end = arguments.index("--")
    load()
    check = Check()
    for script in map(pathlib.Path, arguments[:end]):
        check.rules.begin_script()
        for batch in batches(script.read_text("utf-8")):
            check.add(script.name, batch)
    for statement in sorted(pathlib.Path(arguments[end + 1]).glob("*.sql")):
        check.add(statement.name, statement.read_text("utf-8"))
    check.resolve()
    for line in check.refused:
        print(line)
    trusted = ", ".join(sorted(check.trusted))
    print(f"{check.read} batches and statements, {len(check.refused)} refusals")
    print(f"taken on trust, as the server's own: {trusted or 'nothing'}")
    return 1 if check.refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
