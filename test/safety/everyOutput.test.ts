import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countCases } from "../../scripts/lib/caseCounts.mjs";
import { commands, optionsOf } from "../../server/src/cli/commands.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { some } from "../support/depth.ts";
import { cases, echoNotebook, echoServer, leaked, openedText, secrets } from "../support/echo.ts";
import { fastClock } from "../support/fastClock.ts";
import type { HostileServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

/** Options that say what a command reads, sends or allows. Every other option is a way in which a command shows something. */
const inputs: readonly string[] =
  `help endpoint cell var force port strict jobs timeout for rows allow-host allow-method
  allow-writes yes range block abi function topics data reading from stdio clientProcessId check
  chain lookup`.split(/\s+/);

/** Every way in which the command line shows something, as its table of commands and options has them. */
const outputs: readonly string[] = Object.keys(commands).flatMap((command) => [
  command,
  ...optionsOf(command as keyof typeof commands)
    .filter(({ name }) => !inputs.includes(name))
    .flatMap(({ name, choices }) =>
      choices.length > 0 ? choices.map((choice) => `${command} --${name} ${choice}`) : [`${command} --${name}`],
    ),
]);

interface Row {
  readonly args: readonly string[];
  /** The file that is looked at in place of what is printed. */
  readonly file?: string;
  readonly input?: string;
  /** Runs before, with the same values. */
  readonly before?: readonly string[];
  /** What it shows here comes from the user's files alone. */
  readonly isQuiet?: true;
}

const hash = `0x${"ab".repeat(32)}`;
const address = `0x${"12".repeat(20)}`;
const own = (...args: readonly string[]): Row => ({ args });
const quiet = (...args: readonly string[]): Row => ({ args, isQuiet: true });
const run = (...options: readonly string[]): Row => own("run", "echo.rpc.json", ...options);
const record = ["run", "echo.rpc.json", "--record", "a.rpc.recording.json"];
const page = ["export", "echo.rpc.json", "--to", "html"];
const update = ["run", "drift.rpc.json", "--snapshot", "update"];
const inFile = ({ args, ...row }: Row): Row => ({
  ...row,
  args: [...args, "--out", "report.txt", "--force"],
  file: "report.txt",
});
const shell = (name: string): Row => own("export", "literal.rpc.json", "--to", "curl", "--shell", name);
const explain = (...options: readonly string[]): Row => own("explain", hash, "-e", "echo", ...options);
const storage = (...options: readonly string[]): Row => own("storage", "Vault", address, "-e", "echo", ...options);
const findWhen = (...options: readonly string[]): Row =>
  own("find-when", "find.rpc.json", "1", "-e", "echo", "--range", "1..4", ...options);

const trace = (...options: readonly string[]): Row => own("trace", "find.rpc.json", "1", ...options);

const noValue = "shows what the user's own files contain, and reads no value of the host";
const rows: Readonly<Record<string, Row | string>> = {
  run: "is `run --report text`",
  "run --report text": run("--report", "text", "--rows", "200"),
  "run --report json": run("--report", "json"),
  "run --report junit": run("--report", "junit"),
  "run --snapshot update": { args: update, file: "drift.rpc.snapshot.json" },
  "run --snapshot check": { args: ["run", "drift.rpc.json", "--snapshot", "check"], before: update },
  "run --watch": run("--watch"),
  "run --follow": own("run", "young.rpc.json", "--follow", "--for", "1s"),
  "run --trace": own("run", "find.rpc.json", "--trace"),
  "run --compare": run("--compare", "latest,safe"),
  "run --compare-endpoint": run("--compare-endpoint", "other"),
  "run --record": { args: record, file: "a.rpc.recording.json" },
  "run --replay": { args: ["run", "echo.rpc.json", "--replay", "a.rpc.recording.json"], before: record },
  "run --speedscope": { args: ["run", "trace.rpc.json", "--speedscope", "a.json"], file: "a.json" },
  "run --save": "test/server/save/saveLogs.test.ts",
  "run --out": inFile(run("--report", "json")),
  check: "is `check --report text`",
  "check --report text": quiet("check", "literal.rpc.json", "--report", "text"),
  "check --report json": quiet("check", "literal.rpc.json", "--report", "json"),
  "check --out": inFile(quiet("check", "literal.rpc.json")),
  fmt: quiet("fmt", "--check", "literal.rpc.json"),
  decode: noValue,
  "decode --json": noValue,
  "decode --out": noValue,
  explain: explain(),
  "explain --out": inFile(explain()),
  "explain --json": explain("--json"),
  "explain --list": quiet("explain", hash, "--list"),
  "explain --dry-run": quiet("explain", hash, "--dry-run"),
  "explain --trace": explain("--trace"),
  "explain --follow": explain("--follow", "--for", "1s"),
  probe: own("probe", "echo"),
  "probe --json": own("probe", "echo", "--json"),
  "probe --out": inFile(own("probe", "echo")),
  audit: quiet("audit", "echo", "--for", "1s"),
  "audit --json": quiet("audit", "echo", "--for", "1s", "--json"),
  "audit --out": inFile(quiet("audit", "echo", "--for", "1s")),
  storage: storage(),
  "storage --out": inFile(storage()),
  "storage --json": storage("--json"),
  "storage --compare": storage("--compare", "0x1"),
  "find-when": findWhen(),
  "find-when --json": findWhen("--json"),
  "find-when --out": inFile(findWhen()),
  trace: trace(),
  "trace --json": trace("--json"),
  "trace --out": inFile(trace()),
  "trace --replay": "shows the same as without it",
  contracts: quiet("contracts", "add", address, "-e", "echo", "--lookup", "http://127.0.0.1:9"),
  "contracts --out": quiet(
    "contracts",
    "source",
    address,
    "-e",
    "echo",
    "--lookup",
    "http://127.0.0.1:9",
    "--out",
    "x",
  ),
  "contracts --guess": quiet("contracts", "add", address, "-e", "echo", "--lookup", "http://127.0.0.1:9", "--guess"),
  verify: "shows a file that the user has, and hashes that are hex",
  "verify --json": "shows the same",
  import: noValue,
  "import --out": noValue,
  "export --to curl": own("export", "literal.rpc.json", "--to", "curl"),
  "export --to cast": own("export", "literal.rpc.json", "--to", "cast"),
  "export --shell bash": shell("bash"),
  "export --shell powershell": shell("powershell"),
  "export --shell cmd": shell("cmd"),
  "export --to viem": own("export", "literal.rpc.json", "--to", "viem"),
  "export --to html": "is the file of `export --out`",
  "export --out": { args: [...page, "--out", "page.html"], file: "page.html" },
  "export --replay": "is another source of the same page",
  export: "needs --to",
  serve: "gives the answers of a recording to a program, as they are in its file",
  completions: "prints a script that is the same for everyone",
  lsp: "test/safety/secrets.test.ts",
};

/** Strings of a contract, for `storage`. */
const layout = {
  storage: Array.from({ length: 40 }, (_, at) => ({
    astId: at,
    contract: "Vault.sol:Vault",
    label: `note${at}`,
    offset: 0,
    slot: String(at),
    type: "t_string_storage",
  })),
  types: { t_string_storage: { encoding: "bytes", label: "string", numberOfBytes: "32" } },
};

describe("every output of the command line", function () {
  this.timeout(300_000);
  let server: HostileServer;
  const folders = { sent: "", unsent: "" };
  before(async () => {
    server = await echoServer();
    for (const kind of ["sent", "unsent"] as const) {
      const folder = temporaryFolder();
      folders[kind] = folder;
      const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
      const values = Object.keys(secrets).map((name) => [`x-${name}`, `{{$secret.${name}}}`]);
      const never = { url: "http://127.0.0.1:1/", headers: kind === "sent" ? Object.fromEntries(values) : {} };
      write("rpc-endpoints.json", { echo: server.url, other: server.url, never });
      writeFileSync(join(folder, "echo.rpc.json"), echoNotebook(false, "echo"));
      write("literal.rpc.json", {
        endpoint: "echo",
        cells: cases.map(({ payload }) => ({ method: "x_y", params: [payload] })),
      });
      write("drift.rpc.json", {
        endpoint: "echo",
        cells: cases.map(({ name }) => ({ name, method: "web3_clientVersion", params: [] })),
      });
      mkdirSync(join(folder, "out/Vault.sol"), { recursive: true });
      writeFileSync(join(folder, "foundry.toml"), "");
      write("out/Vault.sol/Vault.json", { abi: [], storageLayout: layout });
      write("young.rpc.json", {
        endpoint: "echo",
        cells: [{ method: "eth_getTransactionByHash", params: [hash], explain: true }],
      });
      write("find.rpc.json", {
        endpoint: "echo",
        cells: [{ method: "eth_call", params: [{ to: address }, "latest"], expect: { result: "0x1" } }],
      });
      write("trace.rpc.json", {
        endpoint: "echo",
        cells: [{ method: "debug_traceTransaction", params: [hash, { tracer: "callTracer" }] }],
      });
    }
  });
  after(() => server.close());

  it("has a row here", () => assert.deepEqual(Object.keys(rows).toSorted(), [...outputs].toSorted()));

  const shown = async (kind: keyof typeof folders, { args, file, input, before }: Row) => {
    const variables = Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [`RPC_NOTEBOOK_SECRET_${name}`, value]),
    );
    const ending = new AbortController();
    const heard = args.includes("--watch") ? () => ending.abort() : undefined;
    if (before) await runCommand(before, folders[kind], { variables });
    const { out, err } = await runCommand(args, folders[kind], {
      variables,
      signal: ending.signal,
      clock: fastClock(args[0] === "storage" ? 1 : undefined), // the search for contracts has a limit by the clock
      ...(input !== undefined && { input }),
      ...(heard && { heard }),
    });
    const text = file === undefined ? out : readFileSync(join(folders[kind], file), "utf8");
    if (file?.endsWith(".json") || /--json|--report json/.test(args.join(" "))) JSON.parse(text); // it stays JSON
    return file === undefined ? out + err : openedText(text);
  };
  for (const [name, row] of some(Object.entries(rows), 20))
    if (typeof row !== "string")
      it(`${name}: shows no secret in any form`, async () => {
        const [masked, raw] = [await shown("sent", row), await shown("unsent", row)];
        const seen = cases.filter((one) => leaked(one, raw) !== undefined);
        countCases(seen.length);
        assert.ok(row.isQuiet || seen.length > 0, `without the mask, it shows none: ${raw.slice(0, 500)}`);
        const leaks = cases.filter((one) => leaked(one, masked) !== undefined);
        assert.deepEqual(
          leaks.map(({ secret, encoding }) => ({ secret, encoding })),
          [],
        );
      });
});
