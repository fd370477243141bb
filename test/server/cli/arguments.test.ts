import assert from "node:assert/strict";
import { readArguments } from "../../../server/src/cli/main.ts";
import { UsageError } from "../../../server/src/cli/terminal.ts";

const words = (line: string): readonly string[] => (line === "" ? [] : line.split(" "));

/** What is typed, and members of what is read from it. */
const read: readonly (readonly [line: string, wanted: object])[] = [
  ["", { name: "help", topic: undefined }],
  ["--help", { name: "help", topic: undefined }],
  ["help", { name: "help", topic: undefined }],
  ["help run", { name: "help", topic: "run" }],
  ["run -h", { name: "help", topic: "run" }],
  ["--version", { name: "version" }],
  ["-V", { name: "version" }],
  ["lsp --stdio", { name: "lsp" }],
  ["lsp", { name: "lsp" }],
  ["lsp --stdio --clientProcessId=7", { name: "lsp" }],
  ["check a.rpc.json b.json --report json", { name: "check", files: ["a.rpc.json", "b.json"], report: "json" }],
  ["import a.sh -o a.rpc.json --from curl", { name: "import", files: ["a.sh"], out: "a.rpc.json", from: "curl" }],
  ["import", { name: "import", files: [], out: undefined, from: undefined }],
  ["export a.rpc.json --to viem -c 1", { name: "export", files: ["a.rpc.json"], to: "viem", cell: "1" }],
  ["run a", { name: "run", files: ["a"], report: "text", endpoint: undefined, variables: [], cells: [] }],
  ["run a", { allowWrites: false, allowMethods: [], allowHosts: [], timeout: undefined, stream: {}, jobs: 4 }],
  ["run a", { snapshot: undefined, watch: false, follow: false, force: false, compare: undefined, record: undefined }],
  ["run -e local a.rpc.json", { files: ["a.rpc.json"], endpoint: "local" }],
  ["run a --endpoint=http://h --timeout 0.5", { endpoint: "http://h", timeout: 0.5 }],
  ["run a --var a=1 --var b=x=y --var c=", { variables: Object.entries({ a: "1", b: "x=y", c: "" }) }],
  ["run a --for 10s --rows 5", { stream: { forMs: 10_000, rows: 5 } }],
  ["run a --for 1.5", { stream: { forMs: 1500 } }],
  ["run a --for 500ms", { stream: { forMs: 500 } }],
  ["run a -c one --cell 2", { cells: ["one", "2"] }],
  ["run a --allow-writes --allow-host h:1 --allow-host i", { allowWrites: true, allowHosts: ["h:1", "i"] }],
  ["run a --compare pending,latest", { compare: { tags: ["pending", "latest"] } }],
  ["run a --compare 4,0x5,latest-6,LATEST", { compare: { tags: ["0x4", "0x5", "latest - 6", "latest"] } }],
  ["find-when a b --range latest-5000..latest", { range: ["latest - 5000", "latest"] }],
  ["run a --compare-endpoint local", { compare: { with: "local" } }],
  ["run a --snapshot check --report junit -j 2", { snapshot: "check", report: "junit", jobs: 2 }],
  ["run a --snapshot=update -w", { snapshot: "update", watch: true }],
  ["run a --follow --for 2m", { follow: true, stream: { forMs: 120_000 } }],
  ["run -- -odd.rpc.json", { files: ["-odd.rpc.json"] }],
  ["probe local", { name: "probe", target: "local", endpoint: undefined, json: false, allowHosts: [] }],
  ["probe a -e local --json --allow-host h", { target: "a", endpoint: "local", json: true, allowHosts: ["h"] }],
  ["explain", { name: "explain", text: undefined, reading: undefined, dryRun: false, json: false, follow: false }],
  ["explain -", { name: "explain", text: undefined }],
  ["explain block 17 -e local", { text: "block 17", endpoint: "local" }],
  ["explain 0x12 --reading 2 --dry-run --json", { text: "0x12", reading: 2, dryRun: true, json: true }],
  ["explain 0x12 --follow", { follow: true }],
  ["decode", { name: "decode", text: undefined, abis: [], called: undefined, log: undefined, json: false }],
  ["decode -", { name: "decode", text: undefined }],
  ["decode 0x12 --abi a.json --abi b.json --json", { text: "0x12", abis: ["a.json", "b.json"], json: true }],
  ["decode --topics 0x1,0x2 --data 0x3", { log: { topics: ["0x1", "0x2"], data: "0x3" } }],
  ["decode --topics 0x1 0x2", { log: { topics: ["0x1", "0x2"], data: "0x" } }],
  ["decode 0x1 --function f", { text: "0x1", called: "f" }],
  ["trace a 1 name", { name: "run", files: ["a"], cells: ["1", "name"], trace: true, report: "text" }],
  ["trace a --json", { name: "run", cells: [], trace: true, report: "json" }],
  ["run a --trace", { trace: true }],
  ["completions zsh", { name: "completions", shell: "zsh" }],
];

/** What is typed, the mistake, and what to do. */
const refused = `
probe                           | Nothing to probe. | Name an endpoint or a notebook: \`rpc-notebook probe local\`.
probe a b                       | \`probe\` takes one endpoint. | Run \`probe\` once for each.
run a --compare latest          | --compare needs at least two blocks. | Separate blocks by commas: --compare pending,latest,safe,finalized.
run a --compare latest,x        | --compare x is not a block. | Separate blocks by commas: --compare pending,latest,safe,finalized.
run a --compare latest,safe -w  | A comparison does not work with --watch, --snapshot or --report junit. | Leave them out: it has its own report.
run a --trace --compare latest,safe | --trace does not work with a comparison. | Leave out one of them.
trace                           | No file. | Name a notebook, or the hash of a transaction: \`rpc-notebook trace FILE.rpc.json CELL\`.
run                             | No file. | Name one: \`rpc-notebook run FILE.rpc.json\`.
rum a                           | Unknown command \`rum\`. | Did you mean \`run\`?
toString                        | Unknown command \`toString\`. | The commands are run, check, fmt, decode, explain, probe, audit, storage, find-when, trace, verify, contracts, import, export, serve, completions and lsp. See \`rpc-notebook --help\`.
a.rpc.json                      | Unknown command \`a.rpc.json\`. | To run a notebook: \`rpc-notebook run a.rpc.json\`.
run a --endpont x               | Unknown option --endpont. | Did you mean --endpoint?
run a -x                        | Unknown option -x. | See \`rpc-notebook run --help\`.
lsp --foo                       | Unknown option --foo. | See \`rpc-notebook lsp --help\`.
run a --watch=3                 | --watch takes no value. | Write only --watch.
check a --endpoint x            | \`check\` takes no --endpoint. | See \`rpc-notebook check --help\`.
lsp a.rpc.json                  | \`lsp\` takes no file. | The editor opens them.
run a --report xml              | --report xml is not supported. | Write text, json or junit.
check a --report junit          | --report junit is not supported. | Write text or json.
run a --snapshot write          | --snapshot write is not supported. | Write check or update.
run a --jobs 0                  | --jobs 0 is not a count. | Write a number from 1 to 999.
run a --follow -w               | --follow does not work with --watch, --record or --replay. | Leave out one of them.
run a -w --report json          | --watch works only with --report text. | Leave out one of them.
completions                     | No shell. | Name bash, zsh or fish: \`rpc-notebook completions bash\`.
completions tcsh                | No completions for tcsh. | Name bash, zsh or fish: \`rpc-notebook completions bash\`.
import a --from soap            | --from soap is not supported. | Write curl, fetch, python, postman, insomnia, har, http, cast or json.
export a                        | No format. | Add --to curl, cast, viem or html.
export a --to java              | --to java is not supported. | Write curl, cast, viem or html.
export a b --to curl            | \`export\` takes one file. | Export one file at a time.
export a --to curl -c 1 -c 2    | \`export\` takes one --cell. | Without it, all cells are written.
run a --timeout 0               | --timeout 0 is not a time. | Write seconds: --timeout 30.
run a --timeout=-1              | --timeout -1 is not a time. | Write seconds: --timeout 30.
run a --var =x                  | --var =x has no value. | Write --var name=value.
run a -c                        | --cell has no value. | Write --cell VALUE, or --cell=VALUE if the value begins with a dash.
run --cell -- a                 | --cell has no value. | Write --cell VALUE, or --cell=VALUE if the value begins with a dash.
run -c -- a                     | -c has no value. | Write -c VALUE, or -c=VALUE if the value begins with a dash.
--allow-writes                  | No command. | See \`rpc-notebook --help\`.
`;

describe("arguments", () => {
  it("are read", () => {
    for (const [line, wanted] of read) {
      const command = new Map<string, unknown>(Object.entries(readArguments(words(line))));
      for (const [name, value] of Object.entries(wanted))
        assert.deepEqual(command.get(name), value, `${line}: ${name}`);
    }
  });

  for (const row of refused.trim().split("\n")) {
    const [line = "", message, hint] = row.split(/ *\| /);
    it(`are refused: ${line}`, () =>
      assert.throws(
        () => readArguments(words(line)),
        (error) => {
          assert.ok(error instanceof UsageError);
          assert.deepEqual([error.message, error.hint], [message, hint]);
          return true;
        },
      ));
  }
});
