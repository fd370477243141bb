import type { ExportForm } from "../convert/exported.ts";
import type { ImportForm } from "../convert/forms.ts";

/** What there is, in a sentence each. */
export const commands = {
  run: "Run the cells of notebooks and print decoded results",
  check: "Check notebooks without sending anything",
  fmt: "Lay notebooks out afresh, changing nothing but white space",
  decode: "Say what call data, a log, a revert or other bytes are",
  probe: "Find out what an endpoint does: its limits, its methods, its pending state",
  audit: "Hold pre-confirmed state against sealed blocks, and report what differs",
  import: "Make a notebook of curl, Postman, .http or cast requests",
  export: "Write requests as curl, cast or viem code",
  completions: "Print the script by which a shell completes these commands",
  lsp: "Serve an editor over standard input and output",
} as const;
export type CommandName = keyof typeof commands;

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const flags = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  endpoint: { type: "string", short: "e" },
  var: { type: "string", multiple: true },
  cell: { type: "string", short: "c", multiple: true },
  report: { type: "string" },
  "allow-writes": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "allow-method": { type: "string", multiple: true },
  timeout: { type: "string" },
  for: { type: "string" },
  rows: { type: "string" },
  snapshot: { type: "string" },
  watch: { type: "boolean", short: "w" },
  jobs: { type: "string", short: "j" },
  compare: { type: "string" },
  "compare-endpoint": { type: "string" },
  check: { type: "boolean" },
  abi: { type: "string", multiple: true },
  function: { type: "string" },
  topics: { type: "string", multiple: true },
  data: { type: "string" },
  json: { type: "boolean" },
  from: { type: "string" },
  out: { type: "string", short: "o" },
  to: { type: "string" },
  stdio: { type: "boolean" },
  clientProcessId: { type: "string" },
} as const;
export type Flag = keyof typeof flags;

/** Which flags each command takes, beside `--help`. */
export const taken: Readonly<Record<CommandName, readonly Flag[]>> = {
  run: [
    "endpoint",
    "var",
    "cell",
    "report",
    "snapshot",
    "watch",
    "jobs",
    "compare",
    "compare-endpoint",
    "allow-writes",
    "allow-host",
    "allow-method",
    "timeout",
    "for",
    "rows",
  ],
  check: ["report"],
  fmt: ["check"],
  decode: ["abi", "function", "topics", "data", "endpoint", "json", "allow-host", "timeout"],
  probe: ["endpoint", "json", "allow-host"],
  audit: ["endpoint", "for", "json", "allow-host"],
  import: ["from", "out"],
  export: ["to", "cell"],
  completions: [],
  lsp: ["stdio", "clientProcessId"],
};

export const reports = {
  run: ["text", "json", "junit"],
  check: ["text", "json"],
} as const;
export const snapshots = ["check", "update"] as const;

/** What a flag takes, where that is a choice. */
export function choicesOf(command: CommandName, flag: Flag): readonly string[] {
  switch (flag) {
    case "report":
      return command === "run" || command === "check" ? reports[command] : [];
    case "snapshot":
      return snapshots;
    case "from":
      return importForms;
    case "to":
      return exportForms;
    default:
      return [];
  }
}

/** Flags whose value is a file or a folder. Others that take one take what no shell knows. */
export const fileFlags: readonly Flag[] = ["abi", "out"];

export const importForms: readonly ImportForm[] = ["curl", "postman", "http", "cast", "json"];
export const exportForms: readonly ExportForm[] = ["curl", "cast", "viem"];
