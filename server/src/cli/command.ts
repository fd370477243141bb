import { isAddress, isWord } from "../base/hex.ts";
import { listed, oneLine } from "../base/text.ts";
import { type CommandName, checkReports, exportForms, exportShells, importForms, shells } from "./commands.ts";
import {
  blockNamed,
  blockRange,
  choice,
  count,
  duration,
  filesOf,
  hosts,
  lookupUrl,
  reportOptions,
  seconds,
  type Words,
} from "./optionValues.ts";
import type { Values } from "./parseOptions.ts";
import { runOptions } from "./runOptions.ts";
import { UsageError } from "./terminal.ts";

/** A command with its options, other than help and version. */
export type ActingCommand = Readonly<ReturnType<typeof readCommand>>;
export type CheckOptions = Readonly<ReturnType<typeof checkOptions>>;
export type FormatOptions = Readonly<ReturnType<typeof formatOptions>>;
export type DecodeOptions = Readonly<ReturnType<typeof decodeOptions>>;
export type ExplainOptions = Readonly<ReturnType<typeof explainOptions>>;
export type ProbeOptions = Readonly<ReturnType<typeof probeOptions>>;
export type AuditOptions = Readonly<ReturnType<typeof auditOptions>>;
export type StorageOptions = Readonly<ReturnType<typeof storageOptions>>;
export type FindWhenOptions = Readonly<ReturnType<typeof findWhenOptions>>;
export type VerifyOptions = Readonly<ReturnType<typeof verifyOptions>>;
export type ContractsOptions = Readonly<ReturnType<typeof contractsOptions>>;
export type ImportOptions = Readonly<ReturnType<typeof importOptions>>;
export type ServeOptions = Readonly<ReturnType<typeof serveOptions>>;
type AnyExport = Readonly<ReturnType<typeof exportOptions>>;
export type ExportOptions = Exclude<AnyExport, { readonly to: "html" }>;
export type HtmlOptions = Extract<AnyExport, { readonly to: "html" }>;

/**
 * Reads what a command needs from its options and the other words.
 *
 * @throws {@link UsageError}
 */
export function readCommand(name: CommandName, values: Values, words: Words) {
  switch (name) {
    case "run":
      return { name, ...runOptions(values, words) };
    case "check":
      return { name, ...checkOptions(values, filesOf(name, words)) };
    case "fmt":
      return { name, ...formatOptions(values, filesOf(name, words)) };
    case "decode":
      return { name, ...decodeOptions(values, words) };
    case "explain":
      return { name, ...explainOptions(values, words) };
    case "probe":
      return { name, ...probeOptions(values, words, name) };
    case "audit":
      return { name, ...auditOptions(values, words) };
    case "storage":
      return { name, ...storageOptions(values, words) };
    case "find-when":
      return { name, ...findWhenOptions(values, words) };
    case "trace":
      return namesTransaction(words)
        ? {
            name: "explain" as const,
            ...explainOptions({ ...values, trace: true, reading: "1" }, hashOnly(values, words)),
            needsCalls: true,
          }
        : { name: "run" as const, ...traceOptions(values, words) };
    case "verify":
      return { name, ...verifyOptions(values, words) };
    case "contracts":
      return { name, ...contractsOptions(values, words) };
    case "import":
      return { name, ...importOptions(values, words) };
    case "export":
      return { name, ...exportOptions(values, filesOf(name, words)) };
    case "serve":
      return { name, ...serveOptions(values, words) };
    case "completions":
      return { name, shell: shellNamed(words) };
    case "lsp":
      if (words.length > 0) throw new UsageError("`lsp` takes no file.", { hint: "The editor opens them." });
      return { name };
  }
}

function checkOptions(values: Values, files: Words) {
  return { files, report: choice("report", values.report ?? "text", checkReports), ...reportOptions(values) };
}

function formatOptions({ check = false }: Values, files: Words) {
  return { files, check };
}

function decodeOptions(values: Values, words: Words) {
  const { topics, data } = values;
  if (data !== undefined && !topics)
    throw new UsageError("--data is the data of a log, and needs --topics.", {
      hint: "Call data needs no option: `rpc-notebook decode 0x…`.",
    });
  const typed = topics && [...topics, ...words].flatMap((text) => text.match(/[^\s,"'[\]]+/g) ?? []); // spaces separate too
  const [text, ...more] = typed ? [] : words;
  if (more.length > 0)
    throw new UsageError("`decode` takes one value at a time.", {
      hint: "Put JSON in single quotes: '{ \"topics\": … }'.",
    });
  return {
    /** `undefined` for standard input. */
    text: text === "-" ? undefined : text,
    /** Paths of files, and signatures. */
    abis: values.abi ?? [],
    /** The function that returned the data. */
    called: values.function,
    /** Topics and data of a log, as typed. */
    log: typed && { topics: typed, data: data ?? "0x" },
    json: values.json ?? false,
    ...reportOptions(values),
  };
}

function explainOptions(values: Values, words: Words) {
  const { reading, list = false, "dry-run": dryRun = false, follow = false, endpoint, abi = [], json = false } = values;
  return {
    /** `undefined` for standard input. */
    text: words.length === 0 || (words.length === 1 && words[0] === "-") ? undefined : words.join(" "),
    /** The number of a reading, from 1. */
    reading: reading === undefined ? undefined : count("reading", reading, 99),
    list,
    dryRun,
    /** A young transaction is followed until it is final. */
    follow,
    /** The calls inside are computed where they are not served. */
    trace: values.trace ?? false,
    /** It fails without them. */
    needsCalls: false,
    stream: values.for === undefined ? {} : { forMs: duration(values.for) },
    endpoint,
    /** Paths of files, and signatures. */
    abis: abi,
    json,
    ...reportOptions(values),
    allowHosts: hosts(values),
    timeout: seconds(values),
  };
}

function probeOptions(values: Values, [target, ...others]: Words, command: "probe" | "audit") {
  if (target === undefined)
    throw new UsageError(`Nothing to ${command}.`, {
      hint: `Name an endpoint or a notebook: \`rpc-notebook ${command} local\`.`,
    });
  if (others.length > 0)
    throw new UsageError(`\`${command}\` takes one endpoint.`, { hint: `Run \`${command}\` once for each.` });
  const { endpoint, json = false } = values;
  return { target, endpoint, json, allowHosts: hosts(values), ...reportOptions(values) };
}

function auditOptions(values: Values, words: Words) {
  return { ...probeOptions(values, words, "audit"), forMs: duration(values.for ?? "1m") };
}

function storageOptions(values: Values, words: Words) {
  const hasFile = words[0]?.endsWith(".json") === true;
  const [contract, address, ...others] = hasFile ? words.slice(1) : words;
  if (contract === undefined || address === undefined)
    throw new UsageError("No contract and address.", { hint: "Write `rpc-notebook storage Vault 0x…`." });
  if (others.length > 0) throw new UsageError("`storage` takes one contract.", { hint: "Run it once for each." });
  const { compare, block: first = "latest", endpoint, json = false } = values;
  const blocks = [first, ...(compare === undefined ? [] : [compare])].map((block) => blockNamed(block));
  return {
    notebook: hasFile ? words[0] : undefined,
    contract,
    address,
    blocks,
    endpoint,
    json,
    allowHosts: hosts(values),
    ...reportOptions(values),
  };
}

function findWhenOptions(values: Values, [notebook, cell, ...others]: Words) {
  if (notebook === undefined || cell === undefined || others.length > 0)
    throw new UsageError("`find-when` takes a notebook and one of its cells.", {
      hint: "Write `rpc-notebook find-when FILE CELL --range earliest..latest`.",
    });
  const { range = "earliest..latest", endpoint, json = false } = values;
  return {
    notebook,
    cell,
    range: blockRange(range),
    endpoint,
    json,
    allowHosts: hosts(values),
    ...reportOptions(values),
  };
}

/** Whether words are the hash of a transaction, or the page of one; others are files and cells. */
function namesTransaction(words: Words): boolean {
  const text = words.join(" ").trim();
  if (isWord(text) || /^https?:\/\/\S+\/tx\/0x[0-9a-f]{64}\b/i.test(text)) return true;
  const digits = text.replace(/\s/g, "").replace(/^0x/i, "");
  if (!/^[0-9a-f]{32,}$/i.test(digits)) return false;
  const wrong = digits.length === 64 ? "is not written as one" : `has ${digits.length} hex digits`;
  throw new UsageError(`This is not the hash of a transaction: it ${wrong}.`, {
    hint: "A hash is 0x and 64 hex digits, without spaces.",
  });
}

/** A transaction is traced without a notebook, as by `explain --trace`. */
function hashOnly({ replay, var: given }: Values, words: Words): Words {
  if (replay !== undefined || given !== undefined)
    throw new UsageError("--replay and --var need a notebook.", { hint: "Name a file and a cell instead of a hash." });
  return words;
}

function traceOptions({ json = false, abi, ...values }: Values, [file, ...cell]: Words) {
  if (file === undefined)
    throw new UsageError("No file.", {
      hint: "Name a notebook, or the hash of a transaction: `rpc-notebook trace FILE.rpc.json CELL`.",
    });
  if (abi !== undefined)
    throw new UsageError("--abi needs the hash of a transaction.", {
      hint: 'Add the file to "abi" of the notebook, or name a hash instead of a file.',
    });
  return {
    ...runOptions({ ...values, cell, trace: true, ...(json && { report: "json" }) }, [file]),
    needsCalls: true,
    hasJson: true,
  };
}

function verifyOptions({ endpoint, json = false }: Values, files: Words) {
  if (files.length === 0) throw new UsageError("No file.", { hint: "Name one: `rpc-notebook verify NAME.ndjson`." });
  return { files, endpoint, json };
}

function contractsOptions(
  { endpoint, chain, lookup, out, guess = false, ...values }: Values,
  [verb, ...addresses]: Words,
) {
  if ((verb !== "add" && verb !== "source") || addresses.length === 0)
    throw new UsageError("`contracts` needs `add` or `source`, and an address.", {
      hint: `Write \`rpc-notebook contracts ${verb === "source" ? verb : "add"} 0x…\`.`,
    });
  const wrongOption = verb === "add" ? out !== undefined && "--out" : guess && "--guess";
  if (wrongOption !== false)
    throw new UsageError(`\`contracts ${verb}\` has no ${wrongOption}.`, { hint: "Leave it out." });
  const wrong = addresses.find((address) => !isAddress(address));
  if (wrong !== undefined)
    throw new UsageError(`${oneLine(wrong, 80)} is not an address.`, { hint: "Write 0x and 40 hex digits." });
  if (chain !== undefined && !/^[1-9]\d{0,14}$/.test(chain))
    throw new UsageError(`--chain ${oneLine(chain, 40)} is not a chain id.`, { hint: "Write a number: --chain 8453." });
  return {
    verb,
    /** The folder for source files. */
    out,
    addresses: [...new Set(addresses.map((address) => address.toLowerCase()))],
    chainId: chain === undefined ? undefined : BigInt(chain),
    endpoint,
    /** Whether a contract that nobody has verified is guessed from its code. */
    guess,
    /** Without a slash at the end; `undefined` for the usual one. */
    api: lookup === undefined ? undefined : lookupUrl(lookup),
    allowHosts: hosts(values),
  };
}

function importOptions({ from, out }: Values, files: Words) {
  return { files, out, from: from === undefined ? undefined : choice("from", from, importForms) };
}

function exportOptions(values: Values, words: Words) {
  const [file = "", ...others] = words;
  const { to, out, shell, cell = [] } = values;
  if (others.length > 0) throw new UsageError("`export` takes one file.", { hint: "Export one file at a time." });
  if (to === undefined) throw new UsageError("No format.", { hint: `Add --to ${listed(exportForms, "or")}.` });
  const form = choice("to", to, exportForms);
  if (shell !== undefined && form !== "curl" && form !== "cast")
    throw new UsageError("--shell works only with --to curl and --to cast.", { hint: "Leave out one of them." });
  if (form === "html") {
    const options = runOptions({ ...values, for: values.for ?? "10s" }, words);
    return { ...options, reportFile: undefined, to: form, out };
  }
  const wrongOption = Object.keys(values).find((option) => !/^(?:to|shell|cell|out|force)$/.test(option));
  if (wrongOption !== undefined)
    throw new UsageError(`--${wrongOption} works only with --to html.`, {
      hint: "The other formats send nothing.",
    });
  if (cell.length > 1)
    throw new UsageError("`export` takes one --cell.", { hint: "Without it, all cells are written." });
  return {
    files: [file],
    to: form,
    shell: shell === undefined ? undefined : choice("shell", shell, exportShells),
    cell: cell[0],
    ...reportOptions(values),
  };
}

function serveOptions({ port = "8545", strict = false, endpoint }: Values, [file, ...others]: Words) {
  if (file === undefined)
    throw new UsageError("No recording.", {
      hint: "Make one: `rpc-notebook run FILE.rpc.json --record NAME.rpc.recording.json`.",
    });
  if (others.length > 0) throw new UsageError("`serve` takes one recording.", { hint: "Start it once for each." });
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port ${port} is not a port.`, { hint: "Write a number from 0 to 65535." });
  return { files: [file], port: Number(port), strict, endpoint };
}

function shellNamed([word, ...others]: Words) {
  const found = shells.find((shell) => shell === word);
  if (found && others.length === 0) return found;
  const hint = `Name ${listed(shells, "or")}: \`rpc-notebook completions bash\`.`;
  throw new UsageError(word === undefined ? "No shell." : `No completions for ${word}.`, { hint });
}
