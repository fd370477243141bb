import { defaultLookupHost } from "../catalog/lookupHost.ts";
import type { ExportForm } from "../convert/exportModel.ts";
import type { ImportForm } from "../convert/forms.ts";
import type { ShellName } from "../convert/shells.ts";

/** An option of the command line. `parseArgs` reads the first three members, help and completions the others. */
interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly multiple?: true;
  /** The placeholder for the value in help. */
  readonly value?: string;
  /** The value is a path, which shells complete. */
  readonly isPath?: true;
}

export const options = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  endpoint: { type: "string", short: "e", value: "NAME|URL" },
  cell: { type: "string", short: "c", multiple: true, value: "KEY" },
  var: { type: "string", multiple: true, value: "NAME=VALUE" },
  report: { type: "string" },
  snapshot: { type: "string" },
  watch: { type: "boolean", short: "w" },
  follow: { type: "boolean" },
  trace: { type: "boolean" },
  compare: { type: "string", value: "BLOCKS" },
  "compare-endpoint": { type: "string", value: "NAME|URL" },
  record: { type: "string", value: "FILE", isPath: true },
  replay: { type: "string", value: "FILE", isPath: true },
  speedscope: { type: "string", value: "FILE", isPath: true },
  save: { type: "string", multiple: true, value: "CELL=FILE" },
  force: { type: "boolean" },
  port: { type: "string", short: "p", value: "NUMBER" },
  strict: { type: "boolean" },
  jobs: { type: "string", short: "j", value: "COUNT" },
  timeout: { type: "string", value: "SECONDS" },
  for: { type: "string", value: "TIME" },
  rows: { type: "string", value: "COUNT" },
  "allow-host": { type: "string", multiple: true, value: "HOST" },
  "allow-method": { type: "string", multiple: true, value: "NAME" },
  "allow-writes": { type: "boolean" },
  yes: { type: "boolean" },
  check: { type: "boolean" },
  block: { type: "string", value: "BLOCK" },
  range: { type: "string", value: "BLOCK..BLOCK" },
  abi: { type: "string", multiple: true, value: "FILE|SIGNATURE", isPath: true },
  function: { type: "string", value: "SIGNATURE" },
  chain: { type: "string", value: "ID" },
  lookup: { type: "string", value: "URL" },
  guess: { type: "boolean" },
  topics: { type: "string", multiple: true, value: "TOPIC,…" },
  data: { type: "string", value: "HEX" },
  json: { type: "boolean" },
  reading: { type: "string", value: "NUMBER" },
  list: { type: "boolean" },
  "dry-run": { type: "boolean" },
  from: { type: "string" },
  out: { type: "string", short: "o", value: "OUT", isPath: true },
  to: { type: "string" },
  shell: { type: "string" },
  stdio: { type: "boolean" },
  clientProcessId: { type: "string", value: "PID" },
} as const satisfies Readonly<Record<string, OptionSpec>>;
export type OptionName = keyof typeof options;

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];
export const runReports = ["text", "json", "junit"] as const;
export const checkReports = ["text", "json"] as const;
export const snapshotModes = ["check", "update"] as const;
export const importForms = [
  "curl",
  "fetch",
  "python",
  "postman",
  "insomnia",
  "har",
  "http",
  "cast",
  "json",
] as const satisfies readonly ImportForm[];
export const exportShells = ["bash", "powershell", "cmd"] as const satisfies readonly ShellName[];
export const exportForms = ["curl", "cast", "viem", "html"] as const satisfies readonly (ExportForm | "html")[];

interface CommandSpec {
  /** Its line in the list of commands. */
  readonly summary: string;
  /** The words after its name. */
  readonly usage: string;
  readonly about: string;
  /** The options that it takes, in the order of its help: what each does, and the values if it has a choice of some. */
  readonly options: Readonly<Partial<Record<OptionName, string | readonly [what: string, choices: readonly string[]]>>>;
  readonly exitCodes?: string;
}

const json = "print JSON";
const force =
  "replace an existing file that is not recognized as written by this option; files that the command reads are never replaced";

const report = { out: "write the report to this file, in UTF-8, instead of printing it", force } as const;

const runOptions = {
  endpoint: "send all requests there; allows requests to its host",
  cell: "run this cell and the cells that it refers to: a name, or a number from 1; repeatable",
  var: "set a variable; a value that is JSON is read as JSON; repeatable",
  report: ["text for people (default); json or junit for programs", runReports],
  snapshot: [
    "check: compare the results with the snapshot beside each notebook, and fail if they differ, as every run does if the environment says CI=true; update: write that snapshot, NAME.rpc.snapshot.json",
    snapshotModes,
  ],
  watch:
    "run a notebook again each time it is saved, until Ctrl-C. With --allow-writes, each save sends its transactions and other writes again",
  follow:
    "if the one cell that runs explains a recent transaction: continue until it is final, until Ctrl-C, or for the time of --for",
  trace:
    "show the calls inside each eth_call, eth_estimateGas and eth_simulateV1, and inside each transaction that a cell asks about by its hash: traces of the endpoint where it serves them; elsewhere computed on this machine, from state that the endpoint gives, and compared with its answers",
  lookup: `look up the names of contracts that the project does not have at this host, which learns the chain and their addresses: a server of Sourcify's API (--lookup alone: ${defaultLookupHost})`,
  compare: "send each request at these blocks and show the results side by side: pending,latest,safe,finalized",
  "compare-endpoint": "send each request there as well, and show both results side by side",
  record: "keep every request and answer in this file, NAME.rpc.recording.json, with secrets masked",
  replay:
    "answer from this recording and send nothing. With --compare RECORDING and without FILE: print what differs between the two recordings",
  speedscope: "write the calls of the traces (callTracer, trace_*) with their gas to this file, for speedscope.app",
  save: "run only this cell and write all its logs (eth_getLogs, any range) to a file while they arrive: NAME.parquet, NAME.csv or NAME.ndjson, the last two with a manifest beside them. The same command goes on where an earlier one ended; repeatable",
  range:
    "with --save: the first and the last block, in place of those of the cell. {from} and {to} in the name of the file are these numbers, so that several processes write a file each",
  ...report,
  jobs: "the number of notebooks that run at once (default 4; with --allow-writes 1)",
  timeout: "the most that one exchange may take (default 30)",
  for: "end subscriptions after 10s, 500ms or 2m; without it they stream until Ctrl-C",
  rows: "print this many rows of a table, at most 200 (default 20 on a terminal), and end each subscription after as many",
  "allow-host":
    "allow requests to a host that a notebook or a project file names, with the secrets and environment variables that they name. HTTPS only, unless HOST begins with http:// or is this machine. Without a port, HOST means port 443, and on this machine 80: for a local node write 127.0.0.1:8545. Repeatable",
  "allow-method": "allow a method that is not known to only read (zks_* for a namespace); repeatable",
  "allow-writes":
    "allow methods that sign, broadcast or change the node, and all methods that are not known to only read. With --watch they are sent again at each save",
  yes: "allow cells to send more than 500 requests (`each`), and --save to read more than 500 answers or 1 GB",
} as const;

const table = {
  run: {
    summary: "Run the cells of notebooks and print decoded results",
    usage: "FILE… [options]",
    about: "Runs the cells of each notebook in the order of their references and prints decoded results.",
    options: runOptions,
    exitCodes: "0 success, 1 a request, an expectation or a snapshot failed, 2 wrong usage",
  },
  check: {
    summary: "Check notebooks without sending anything",
    usage: "FILE… [options]",
    about:
      "Checks notebooks as the editor does, with the endpoint files that they read, and sends nothing. FILE can also be an rpc-endpoints.json.",
    options: { report: ["text for people (default); json for programs", checkReports], ...report },
    exitCodes: "0 no errors, 1 errors, 2 wrong usage",
  },
  fmt: {
    summary: "Format notebooks; only white space changes",
    usage: "FILE… [options]",
    about: "Formats notebooks: short lists on one line, everything else one member per line. Only white space changes.",
    options: { check: "write nothing; name the files that would change" },
    exitCodes: "0 all are formatted, 1 some would change (with --check) or could not be written, 2 wrong usage",
  },
  decode: {
    summary: "Decode call data, a log, a revert or other bytes",
    usage: "[DATA] [options]",
    about:
      "Identifies DATA and decodes it: call data with the calls inside, a log as JSON, revert data, code that creates a contract, a topic or a selector. JSON can also be an answer, an error, a transaction, a call object, a receipt, a simulation or a block. Without DATA it is read from standard input. The contracts of the project around the working folder are known. Nothing is sent. For the hash of a transaction use `explain`.",
    options: {
      abi: 'an artifact, an ABI, or "function f(uint256 id)"; takes precedence over known declarations; repeatable',
      function: 'DATA is the return data of this function: "balanceOf(address) returns (uint256)", or only its name',
      topics: "the topics of a log, instead of DATA",
      data: "the data of that log",
      json,
      ...report,
    },
    exitCodes: "0 decoded, 1 not decoded completely, 2 wrong usage",
  },
  explain: {
    summary: "Identify any text, and run requests about it",
    usage: "TEXT [options]",
    about:
      "Recognizes TEXT: the hash of a transaction or a block, an address, a block number, a topic, a selector, call data, revert data, JSON of a log, a receipt or a transaction, a signed transaction (which is never sent), a request of another tool, a block explorer page, or an error message of a library. Prints the best reading and runs its requests. Without TEXT, or with -, it is read from standard input. Recognizing it sends nothing.",
    options: {
      endpoint: "send the requests there; allows requests to its host",
      list: "list all readings, and send nothing",
      reading: "run this one of the list, from 1",
      "dry-run": "print the cells of the reading, and send nothing",
      follow:
        "for the hash of a recent transaction: continue until it is final, until Ctrl-C, or for the time of --for",
      for: "end --follow after 10s, 500ms or 2m",
      trace:
        "for the hash of a transaction: if the endpoint serves no trace, replay its block on this machine to show the calls inside; this takes many requests. Calls of other readings are traced too",
      abi: 'an artifact, an ABI, or "error Poor(uint256 needed)"; takes precedence over known declarations; repeatable',
      "allow-host": "allow those requests to a host that a project file or TEXT names",
      timeout: "the most that one exchange may take (default 30)",
      json,
      ...report,
    },
    exitCodes: "0 success, 1 a request failed or nothing was recognized, 2 wrong usage",
  },
  probe: {
    summary: "Find out what an endpoint supports: limits, methods, pending state",
    usage: "ENDPOINT|FILE [options]",
    about:
      "Finds out what an endpoint supports, with about two hundred small requests: chain, client, batches, eth_simulateV1, overrides, eth_getBlockReceipts, how many blocks eth_getLogs takes, and for each method that can read pre-confirmed state whether `pending` is ahead of `latest`. Nothing is broadcast. For a notebook, the endpoint of its header is probed.",
    options: {
      endpoint: "probe this one instead of the notebook's endpoint",
      "allow-host": "allow requests to a host that the notebook or a project file names",
      json,
      ...report,
    },
    exitCodes: "0 probed, 1 the endpoint did not answer, 2 wrong usage",
  },
  audit: {
    summary: "Compare pre-confirmed state with sealed blocks, and report each divergence",
    usage: "ENDPOINT|FILE [options]",
    about: `Records what an endpoint shows as pre-confirmed, compares it with each sealed block and reports each divergence:
  missing     was shown, and is in no block
  extra       is in a block, and was not shown before
  different   is in its block with another status, gas, contract or log
  late        is in a later block than the one that it was shown in
Without a WebSocket, \`extra\` cannot be detected. Ctrl-C ends the audit and prints the report. Nothing is broadcast.`,
    options: {
      for: "duration: 30s, 10m, 1h (default 1m). Then it waits until what was shown is sealed, which takes a block or two",
      endpoint: "audit this one instead of the notebook's endpoint",
      "allow-host": "allow requests to a host that the notebook or a project file names",
      json,
      ...report,
    },
    exitCodes: "0 no divergence, 1 a divergence or the endpoint did not answer, 2 wrong usage",
  },
  storage: {
    summary: "List what a contract stores, by the names of its variables",
    usage: "[FILE] CONTRACT ADDRESS [options]",
    about:
      'Reads the variables of a contract in batches of eth_getStorageAt, by the storage layout that its compiler has written: Foundry with `extra_output = ["storageLayout"]`, Hardhat with `storageLayout` in `outputSelection`. CONTRACT is a name such as Vault, or src/Vault.sol:Vault. ADDRESS can be a label or a variable of the notebook FILE. Mappings are read for the keys that have names there.',
    options: {
      block: "a tag or a number (default latest)",
      compare: "read this block too, and list first what differs",
      endpoint: "ask this one instead of the notebook's endpoint",
      "allow-host": "allow requests to a host that the notebook or a project file names",
      json,
      ...report,
    },
    exitCodes: "0 read, 1 the endpoint did not answer or there is no layout or contract, 2 wrong usage",
  },
  "find-when": {
    summary: "Find the first block at which what a cell expects holds",
    usage: "FILE CELL [options]",
    about:
      "Bisects a range of blocks: it sends the request of a cell that has `expect` at most ⌈log₂ n⌉ + 2 times for n blocks, and one request for each tag in the range. It says so if the answers show that the expectation does not stay true. CELL is a name, or a number from 1. The endpoint needs the state of old blocks.",
    options: {
      range: "the first and the last block, numbers or tags (default earliest..latest)",
      endpoint: "ask this one instead of the notebook's endpoint; allows requests to its host",
      "allow-host": "allow requests to the host that the notebook or a project file names",
      json,
      ...report,
    },
    exitCodes: "0 found, 1 not found or the endpoint did not answer, 2 wrong usage",
  },
  trace: {
    summary: "Show the calls inside a call, also on endpoints that serve no traces",
    usage: "FILE [CELL…] | HASH [options]",
    about:
      "Runs cells and shows the calls inside each eth_call, eth_estimateGas and eth_simulateV1, where a revert began, and which storage changes. If the endpoint serves no debug_ methods, they are computed on this machine and compared with its answers. For a transaction, its whole block is replayed. CELL is a name, or a number from 1; without it all cells run. The addresses and slots that calls needed are kept in your cache folder, in rpc-notebook/trace-keys-…",
    options: {
      endpoint: runOptions.endpoint,
      var: runOptions.var,
      replay: "answer from this recording and send nothing",
      abi: 'with HASH: an artifact, an ABI, or "function f(uint256 id)"; takes precedence over known declarations; repeatable',
      "allow-host": runOptions["allow-host"],
      timeout: runOptions.timeout,
      json,
      ...report,
    },
    exitCodes: "0 calls are shown, 1 no calls, a failure, or the endpoint contradicts itself, 2 wrong usage",
  },
  verify: {
    summary: "Check files of logs that run --save wrote",
    usage: "FILE… [options]",
    about:
      "Checks a file of `run --save` against its manifest: blocks that are missing, rows that are missing, were added, changed, appear twice or are out of order. With --endpoint it also compares the hashes of the first and the last block of each piece, and asks for the logs of up to five pieces again: one answer each. --json prints an object for one file, and a list for several.",
    options: {
      endpoint: "compare block hashes and some of the logs with this endpoint; allows requests to its host",
      json,
    },
    exitCodes: "0 nothing is wrong, 1 something is or the endpoint did not answer, 2 wrong usage",
  },
  contracts: {
    summary: "Add ABIs of verified contracts to the project, or show their sources, by address",
    usage: "add|source ADDRESS… [options]",
    about:
      "Asks a lookup host for the verified sources of each contract, and of the implementation of a proxy. `add` writes contracts/NAME.json. Every notebook of the project then decodes and completes with it, without a network. The host learns the chain and the addresses. With an endpoint, the ABI is compared with the code of the contract. `source` prints the source files, those of an implementation first, and keeps them in your cache folder.",
    options: {
      out: "with `source`: write the files to this folder, one folder per contract address. Files with different content are not replaced",
      guess:
        "with `add`: guess the functions and events of a contract that nobody has verified from its code, and mark everything as guessed",
      endpoint: "ask this one for the chain, the code and the implementation; allows requests to its host",
      chain: "the chain id; without it, and without --endpoint, the endpoint of the folder is asked",
      lookup: `the lookup host: a server of Sourcify's API (default ${defaultLookupHost})`,
      "allow-host": "allow requests to a host that a project file names",
    },
    exitCodes: "0 all were added or shown, 1 a contract is not verified or could not be written, 2 wrong usage",
  },
  import: {
    summary: "Make a notebook from requests of other tools and code",
    usage: "[FILE…] [options]",
    about:
      "Makes a notebook from requests written for another tool: curl and cast commands in any text, JavaScript, Python, a Postman or Insomnia collection, HAR, a .http file, or requests as JSON. Without FILE they are read from standard input. Nothing is sent. Anything that looks like a key or a password, in addresses, headers, bodies and comments, is replaced by {{$secret.NAME}}.",
    options: {
      from: ["the format of the text, if it is not detected", importForms],
      out: "the notebook (NAME.rpc.json), or the folder for several files. Without it the notebook is printed. Endpoints with headers or keys are added to the rpc-endpoints.json beside it. An existing notebook is never replaced",
    },
    exitCodes: "0 everything was read, 1 something could not be read or written, 2 wrong usage",
  },
  export: {
    summary: "Write requests as code, or a notebook with results as HTML",
    usage: "FILE --to curl|cast|viem|html [options]",
    about: `Writes a notebook in another format.

curl, cast, viem: the requests, as commands for a shell or a TypeScript module. Nothing is sent. Addresses that contain a key, and secrets, become environment variables. Commands are for one kind of shell; in another one, text of the notebook can become a command.
html: the notebook with its results, as one page that needs no network. The cells are run first, as \`run\` does it and under the same rules: add --replay to send nothing. Secrets are masked. Every other option except --cell, --out and --force is only for html.`,
    options: {
      to: ["the format", exportForms],
      shell: [
        "for curl and cast: where the commands will run. bash is any POSIX shell; powershell is Windows PowerShell and PowerShell 7. The default is the shell of this system",
        exportShells,
      ],
      cell: "only this cell (with viem and html, and the cells that it refers to): a name, or a number from 1. With html it can be repeated, and the other cells have no results",
      out: "write to this file, in UTF-8, instead of printing",
      force,
      endpoint: runOptions.endpoint,
      var: runOptions.var,
      replay: "answer from this recording and send nothing",
      timeout: runOptions.timeout,
      for: "end subscriptions after 10s, 500ms or 2m (default 10s)",
      "allow-host": runOptions["allow-host"],
      "allow-method": runOptions["allow-method"],
      "allow-writes": runOptions["allow-writes"].replace(/ With --watch.*/, ""),
    },
    exitCodes:
      "0 everything was written, 1 something could not be written, or with html a request or an expectation failed, 2 wrong usage",
  },
  serve: {
    summary: "Answer other programs from a recording, as a node would",
    usage: "RECORDING [options]",
    about:
      "Answers JSON-RPC over HTTP and WebSocket, on this machine only, from a recording that `run --record` made: a node for the tests of other programs. Subscriptions deliver what was recorded, at the recorded times. Prints each request that was not recorded. Ctrl-C ends it.",
    options: {
      port: "the port (default 8545); 0 for any free one",
      endpoint: "the endpoint of the recording that answers, if it has several",
      strict:
        "give each recorded answer once, and only to exactly the same request. Without it, answers repeat, and one for `latest` also serves `pending`, `safe` and `finalized`",
    },
    exitCodes: "0 ended, 1 the port is in use, 2 wrong usage",
  },
  completions: {
    summary: "Print the completion script for a shell",
    usage: "bash|zsh|fish",
    about: `Prints the script that makes a shell complete commands, options and files.

  bash   rpc-notebook completions bash > ~/.local/share/bash-completion/completions/rpc-notebook
  zsh    rpc-notebook completions zsh > a folder of $fpath/_rpc-notebook
  fish   rpc-notebook completions fish > ~/.config/fish/completions/rpc-notebook.fish`,
    options: {},
  },
  lsp: {
    summary: "Start the language server on standard input and output",
    usage: "[options]",
    about: "Serves any editor that supports the Language Server Protocol, over standard input and output.",
    options: {
      stdio: "the only transport, and the default",
      clientProcessId: "end when the process with this id ends",
    },
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
export type CommandName = keyof typeof table;

/** The commands with their options. Parsing, help and completions read this table. */
export const commands: Readonly<Record<CommandName, CommandSpec>> = table;

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commands, word);
}

export type CommandOption = ReturnType<typeof optionsOf>[number];

/** The options of a command. `choices` is empty if the values cannot be listed. */
export function optionsOf(command: CommandName) {
  const taken = { ...commands[command].options, help: "print this help" };
  return Object.entries(taken).map(([name, use]) => {
    const [what, choices]: readonly [string, readonly string[]] = typeof use === "string" ? [use, []] : use;
    const spec: OptionSpec = options[name as OptionName]; // a key of the table
    const { short, type, isPath = false, value = choices.length > 0 ? choices.join("|") : undefined } = spec;
    return { name, short, takesValue: type === "string", value, choices, isPath, what };
  });
}
