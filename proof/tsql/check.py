# SPDX-License-Identifier: Apache-2.0
"""Parses T-SQL with ScriptDom, resolves its names with DacFx, and says what is refused."""

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


class Check:
    """What was read so far, and what was refused of it."""

    def __init__(self):
        from Microsoft.SqlServer.Dac.Model import SqlServerVersion, TSqlModel, TSqlModelOptions
        from Microsoft.SqlServer.TransactSql.ScriptDom import TSql150Parser

        self.parser = TSql150Parser(True)
        self.model = TSqlModel(SqlServerVersion.Sql150, TSqlModelOptions())
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
        bare = re.sub(r"(?m)--.*$", "", batch).strip()
        if not errors and re.match(r"(?i)CREATE (TABLE|SEQUENCE|PROCEDURE)\b", bare):
            try:
                self.model.AddObjects(batch)
            except Exception as error:
                self.refuse(where, str(error).split("\n   at ")[0].strip())

    def resolve(self):
        """Resolves every name of the model. What the server itself brings is not in it."""
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
