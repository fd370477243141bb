import assert from "node:assert/strict";
import { readArguments, UsageError } from "../../../server/src/cli/arguments.ts";

const words = (line: string): readonly string[] => (line === "" ? [] : line.split(" "));
const plain = {
  name: "run",
  files: ["a.rpc.json"],
  report: "text",
  endpoint: undefined,
  variables: [],
  cells: [],
  allowWrites: false,
  allowHosts: [],
  timeout: undefined,
};

describe("the arguments", () => {
  for (const [line, want] of [
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
    [
      "check a.rpc.json b.rpc.json --report json",
      { name: "check", files: ["a.rpc.json", "b.rpc.json"], report: "json" },
    ],
    ["run a.rpc.json", plain],
    ["run -e local a.rpc.json", { ...plain, endpoint: "local" }],
    ["run a.rpc.json --endpoint=http://h --timeout 0.5", { ...plain, endpoint: "http://h", timeout: 0.5 }],
    [
      "run a.rpc.json --var a=1 --var b=x=y --var c=",
      {
        ...plain,
        variables: [
          ["a", "1"],
          ["b", "x=y"],
          ["c", ""],
        ],
      },
    ],
    ["run a.rpc.json -c one --cell 2", { ...plain, cells: ["one", "2"] }],
    [
      "run a.rpc.json --allow-writes --allow-host h:1 --allow-host i",
      { ...plain, allowWrites: true, allowHosts: ["h:1", "i"] },
    ],
    ["run -- -odd.rpc.json", { ...plain, files: ["-odd.rpc.json"] }],
  ] as const) {
    it(`take: ${line}`, () => assert.deepEqual(readArguments(words(line)), want));
  }

  for (const [line, message, hint] of [
    ["run", "No file.", "Name one: `rpc-notebook run FILE.rpc.json`."],
    ["rum a", "No command is called `rum`.", "Did you mean `run`?"],
    ["toString", "No command is called `toString`.", "See `rpc-notebook --help`."],
    ["a.rpc.json", "No command is called `a.rpc.json`.", "To run a notebook: `rpc-notebook run a.rpc.json`."],
    ["run a --endpont x", "No option is called --endpont.", "Did you mean --endpoint?"],
    ["run a -x", "No option is called -x.", "See `rpc-notebook --help`."],
    ["check a --endpoint x", "`check` takes no --endpoint.", "See `rpc-notebook check --help`."],
    ["lsp a.rpc.json", "`lsp` takes no file.", "The editor opens them."],
    ["run a --report xml", "--report xml is not known.", "It takes text or json."],
    ["run a --timeout 0", "--timeout 0 is not a time.", "Give seconds: --timeout 30."],
    ["run a --timeout=-1", "--timeout -1 is not a time.", "Give seconds: --timeout 30."],
    ["run a --var =x", "--var =x has no value.", "Write --var name=value."],
    ["run a -c", "Option '-c, --cell <value>' argument missing.", "See `rpc-notebook --help`."],
    ["run --cell -- a", "Option '--cell' argument is ambiguous.", "See `rpc-notebook --help`."],
    ["--allow-writes", "No command.", "See `rpc-notebook --help`."],
  ] as const) {
    it(`do not take: ${line}`, () =>
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
