import { isHex, isWord, toQuantity, toWord } from "../base/hex.ts";
import { type JsonValue, parseJson, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { castArguments, castSignature } from "./castArguments.ts";
import { failedImport, type ImportPart, type Note, type Target } from "./importModel.ts";
import type { Quoted, Word } from "./words.ts";

interface Made {
  readonly method: string;
  readonly params: readonly JsonValue[];
  readonly note?: string;
}

/** Says why a command is not a request, in a sentence. */
interface Refused {
  readonly refused: string;
}

/** The arguments of a subcommand, without its options. */
interface CastArguments {
  readonly args: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Returns the first value of an option, by any of its names. */
  option(...names: readonly string[]): string | undefined;
}

/** Options without a value; any other option takes the next word. */
const flags: ReadonlySet<string> = new Set(
  "-j --json -e --ether --full -f2 --flashbots --no-proxy --insecure -k --raw -w2 --unlocked --async --cast-async --legacy --blob --trace --disassemble --debug --quick --create --confirmations2 --to-uint --compute-address --no-rate-limit -q --quiet -v -vv -vvv -vvvv -vvvvv --ledger -l --trezor -t2 --interactive -i --aws --gcp --subscribe --md --disable-labels --with-local-artifacts".split(
    " ",
  ),
);

/** Reads a `cast` command as the request that it sends. @param stdin - Its raw parameters, if it has none. */
export function readCast(
  program: Word,
  words: readonly Word[],
  stdin: Quoted | undefined,
  name: string | undefined,
): ImportPart {
  const [subcommand, ...rest] = words;
  const typed = readOptions(rest);
  const isPiped = stdin && typed.options.has("--raw") && typed.args.length === 1;
  const given = isPiped ? { ...typed, args: [...typed.args, stdin.text] } : typed;
  const { start: at } = program.span;
  if (!subcommand) return failedImport("This `cast` has no subcommand.", at);
  const read = Object.hasOwn(subcommands, subcommand.text) ? subcommands[subcommand.text] : undefined;
  const ens = subcommand.text === "rpc" ? undefined : ensName(given);
  const made: Made | Refused =
    ens !== undefined
      ? { refused: `\`${ens}\` is a name of ENS. Write its address instead.` }
      : (read?.(given) ?? {
          refused: `\`cast ${subcommand.text}\` ${read ? "lacks an argument" : "does not send one request that is known here"}, so it is left out.`,
        });
  if ("refused" in made) return failedImport(made.refused, subcommand.span.start);
  const notes: Note[] = made.note ? [{ at: subcommand.span.start, severity: "note", what: made.note }] : [];
  const { method, params } = made;
  const body = printJson(params.length > 0 ? { method, params } : { method });
  return {
    entries: [{ kind: "request", body, name, command: "cast", target: targetOf(given, rest, at) }],
    notes: [...notes, ...lostOptions(given, at)],
  };
}

/** Returns the name of ENS that is written where a subcommand takes an address. */
function ensName({ args: [first], option }: CastArguments): string | undefined {
  const addresses = [first, option("-f", "--from"), option("--address"), option("--erc20")];
  return addresses.find((one) => one !== undefined && /^[^\s./]+(?:\.[^\s./]+)*\.eth$/.test(one));
}

function targetOf(given: CastArguments, words: readonly Word[], at: number): Target | undefined {
  const url = given.option("-r", "--rpc-url");
  if (url === undefined) return undefined;
  const headers = (given.options.get("--rpc-headers") ?? []).flatMap((text) => {
    const [, name, value] = /^([^:\s]+)\s*:\s*([\s\S]*)$/.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  const jwt = given.option("--jwt-secret");
  const all = jwt === undefined ? headers : [...headers, { name: "Authorization", value: `Bearer ${jwt}` }];
  return {
    url,
    isName: isAlias(url),
    headers: all,
    at: words.find(({ text }) => text.endsWith(url))?.span.start ?? at,
  };
}

/** A name of `[rpc_endpoints]` in `foundry.toml`, or of a chain. */
function isAlias(url: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(url) && url !== "localhost";
}

function readOptions(words: readonly Word[]): CastArguments {
  const args: string[] = [];
  const options = new Map<string, readonly string[]>();
  const add = (name: string, value: string): void => void options.set(name, [...(options.get(name) ?? []), value]);
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? "";
    if (text === "--") {
      args.push(...words.slice(i + 1).map((word) => word.text));
      break;
    }
    const [, long, value] = /^(--[\w-]+)=([\s\S]*)$/.exec(text) ?? [];
    if (long !== undefined) add(long, value ?? "");
    else if (!/^-(?:-[a-z]|[A-Za-z]$)/.test(text)) args.push(text);
    else if (flags.has(text)) add(text, "");
    else add(text, words[++i]?.text ?? "");
  }
  return { args, options, option: (...names) => names.flatMap((name) => options.get(name) ?? [])[0] };
}

const ownOptions: ReadonlySet<string> = new Set(
  "-r --rpc-url --rpc-headers --jwt-secret -B --block -b -j --json -e --ether --erc20 --full --raw --from -f --value --gas-limit --gas-price --data --from-block --to-block --address -q --quiet --unlocked --etherscan-api-key --etherscan-key --chain -c -k --insecure --trace".split(
    " ",
  ),
);
const secretOptions =
  /^--(?:private-key|private-keys|mnemonic|mnemonic-passphrase|password|keystore|account|etherscan)/;

function lostOptions({ options }: CastArguments, at: number): readonly Note[] {
  return [...options.keys()].flatMap((name): readonly Note[] => {
    if (ownOptions.has(name) || name in overridden) return [];
    const what = secretOptions.test(name)
      ? `\`${name}\` is left out: a notebook has no keys.`
      : `\`${name}\` has no counterpart here, so it is left out.`;
    return [{ at, severity: "note", what }];
  });
}

type Subcommand = (given: CastArguments) => Made | Refused | undefined;

const call =
  (method: string): Subcommand =>
  (given) => {
    const [to, signature, ...args] = given.args;
    if (to === undefined) return undefined;
    if (given.options.has("--create")) return { refused: "A call that creates a contract is left out." };
    const data = given.option("--data") ?? (isHex(signature) ? signature : undefined);
    const called = data === undefined && signature !== undefined ? functionCall(signature, args) : { data };
    if ("refused" in called) return called;
    const amount = given.option("--value");
    const quantities = { gas: given.option("--gas-limit"), gasPrice: given.option("--gas-price") };
    const request: Record<string, JsonValue> = { to };
    const from = given.option("-f", "--from");
    if (from !== undefined) request.from = from;
    for (const [key, value] of Object.entries(quantities)) if (value !== undefined) request[key] = amountOf(value);
    if (amount !== undefined) request.value = amountOf(amount);
    if (called.data !== undefined) request.data = called.data;
    const overrides = overridesOf(given);
    if ("refused" in overrides) return overrides;
    return { method, params: [request, blockOf(given), ...overrides.params] };
  };

/** The members of an account that `cast call` overrides, by option: `ADDRESS:VALUE`, or `ADDRESS:SLOT:VALUE`. */
const overridden: Readonly<Record<string, string>> = {
  "--override-balance": "balance",
  "--override-nonce": "nonce",
  "--override-code": "code",
  "--override-state": "state",
  "--override-state-diff": "stateDiff",
};

/** @see https://getfoundry.sh/cast/reference/call */
function overridesOf({ options }: CastArguments): { readonly params: readonly JsonValue[] } | Refused {
  const accounts: Record<string, Record<string, JsonValue>> = {};
  for (const [option, member] of Object.entries(overridden))
    for (const text of (options.get(option) ?? []).flatMap((one) => one.split(","))) {
      const [address = "", ...rest] = text.trim().split(":");
      const isSlot = member.startsWith("state");
      if (!/^0x[\da-f]{40}$/i.test(address) || rest.length !== (isSlot ? 2 : 1) || rest.includes(""))
        return {
          refused: `\`${option}\` is not read: expected an address and ${isSlot ? "a slot and a value" : "a value"}, with \`:\` between them.`,
        };
      const account = accounts[address] ?? {};
      accounts[address] = account;
      const [first = "", second = ""] = rest;
      if (isSlot) account[member] = { ...Object(account[member]), [slotWord(first)]: slotWord(second) };
      else account[member] = member === "code" ? first : block(first);
    }
  return { params: Object.keys(accounts).length > 0 ? [accounts] : [] };
}

/** A slot or its value, in decimal or hex, as the 32 bytes that nodes take. */
function slotWord(text: string): string {
  return /^(?:\d+|0x[\da-f]{1,64})$/i.test(text) ? toWord(BigInt(text)) : text;
}

function functionCall(signature: string, args: readonly string[]): { readonly data: JsonValue } | Refused {
  const item = castSignature(signature);
  if (!item) return { refused: `\`${signature.slice(0, 100)}\` is not a signature of a function.` };
  if (item.inputs.length !== args.length)
    return { refused: `The function takes ${plural(item.inputs.length, "argument")}, not ${args.length}.` };
  return { data: { function: item.text, ...(args.length > 0 && { args: castArguments(item.inputs, args) }) } };
}

/** `1ether`, `30gwei`, `0x10`, `21000` */
function amountOf(text: string): JsonValue {
  if (/^\d+$/.test(text)) return toQuantity(BigInt(text));
  return text.replace(/^([\d.]+)([A-Za-z]+)$/, (all, digits: string, unit: string) =>
    /^0x/i.test(all) ? all : `${digits} ${unit}`,
  );
}

function block(text: string | undefined): JsonValue {
  if (text === undefined) return "latest";
  return /^\d+$/.test(text) ? toQuantity(BigInt(text)) : text;
}

function blockOf(given: CastArguments): JsonValue {
  return block(given.option("-B", "--block", "-b"));
}

/** A request with an account and a block. */
const account =
  (method: string, note?: string): Subcommand =>
  (given) => {
    const [address] = given.args;
    return address === undefined ? undefined : { method, params: [address, blockOf(given)], ...(note && { note }) };
  };

const plain =
  (method: string): Subcommand =>
  () => ({ method, params: [] });

const byHash =
  (method: string): Subcommand =>
  ({ args: [hash, field] }) =>
    hash === undefined ? undefined : { method, params: [hash], ...(field !== undefined && only(field)) };

const only = (field: string): { readonly note: string } => ({
  note: `The result is the whole object, with \`${field}\` in it.`,
});

const ofBlock: Subcommand = (given) => {
  const [which, second] = given.args;
  const field = given.option("-f", "--field") ?? second;
  const full = given.options.has("--full");
  const byHash = isWord(which);
  const method = byHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  return { method, params: [block(which), full], ...(field !== undefined && only(field)) };
};

const slotOf =
  (slot: string): Subcommand =>
  (given) => {
    const [address] = given.args;
    return address === undefined ? undefined : { method: "eth_getStorageAt", params: [address, slot, blockOf(given)] };
  };

const signing = (what: string): Refused => ({
  refused: `\`cast ${what}\` signs with a key, which a notebook does not have. Sign it with \`cast\`, and send it with \`eth_sendRawTransaction\`.`,
});

/** @see https://getfoundry.sh/cast/reference/cast */
const subcommands: Readonly<Record<string, Subcommand>> = {
  "access-list": call("eth_createAccessList"),
  admin: slotOf("0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103"),
  age: (given) => withNote(ofBlock(given), "The age of a block is in its `timestamp`."),
  balance: (given) => {
    const token = given.option("--erc20");
    const [holder] = given.args;
    if (token === undefined || holder === undefined) return account("eth_getBalance")(given);
    const data = { function: "balanceOf(address) returns (uint256)", args: [holder] };
    return { method: "eth_call", params: [{ to: token, data }, blockOf(given)] };
  },
  "base-fee": (given) => withNote(ofBlock(given), "The base fee is `baseFeePerGas` of the block."),
  block: ofBlock,
  "block-number": (given) => (given.args.length > 0 ? ofBlock(given) : { method: "eth_blockNumber", params: [] }),
  call: call("eth_call"),
  "chain-id": plain("eth_chainId"),
  client: plain("web3_clientVersion"),
  code: account("eth_getCode"),
  codehash: account("eth_getCode", "The result is the code instead of its hash."),
  codesize: account("eth_getCode", "The result is the code instead of its size."),
  estimate: call("eth_estimateGas"),
  "gas-price": plain("eth_gasPrice"),
  implementation: slotOf("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"),
  logs: (given) => logs(given),
  nonce: account("eth_getTransactionCount"),
  proof: (given) => {
    const [address, ...slots] = given.args;
    return address === undefined
      ? undefined
      : { method: "eth_getProof", params: [address, slots.map((slot) => block(slot)), blockOf(given)] };
  },
  publish: ({ args: [raw] }) => (raw === undefined ? undefined : { method: "eth_sendRawTransaction", params: [raw] }),
  receipt: byHash("eth_getTransactionReceipt"),
  rpc: (given) => rpc(given),
  send: (given) => {
    if (!given.options.has("--unlocked") || given.option("-f", "--from") === undefined) return signing("send");
    const made = call("eth_sendTransaction")(given);
    return made && "params" in made ? { ...made, params: made.params.slice(0, 1) } : made;
  },
  storage: (given) => {
    const [address, slot] = given.args;
    if (address === undefined || slot === undefined) return undefined;
    return { method: "eth_getStorageAt", params: [address, block(slot), blockOf(given)] };
  },
  mktx: () => signing("mktx"),
  wallet: () => signing("wallet"),
  tx: byHash("eth_getTransactionByHash"),
};

function withNote(made: Made | Refused | undefined, note: string): Made | Refused | undefined {
  return made && "method" in made ? { ...made, note } : made;
}

function rpc({ args, options }: CastArguments): Made | Refused | undefined {
  const [method, ...rest] = args;
  if (method === undefined) return undefined;
  if (!options.has("--raw")) return { method, params: rest.map((text) => parseJson(text) ?? text) };
  const params = parseJson(rest.join(" "));
  if (Array.isArray(params)) return { method, params };
  return { refused: "The text after `--raw` is not a JSON array of parameters." };
}

function logs(given: CastArguments): Made | Refused {
  const [first, ...rest] = given.args;
  const filter: Record<string, JsonValue> = {};
  const address = given.option("--address");
  if (address !== undefined) filter.address = address;
  filter.fromBlock = block(given.option("--from-block") ?? "earliest");
  filter.toBlock = block(given.option("--to-block"));
  if (first === undefined) return { method: "eth_getLogs", params: [filter] };
  if (isHex(first))
    return { method: "eth_getLogs", params: [{ ...filter, topics: [first, ...rest].map((topic) => topic || null) }] };
  const event = castSignature(/^event\s/.test(first) ? first : `event ${first}`);
  if (!event) return { refused: `\`${first.slice(0, 100)}\` is not a signature of an event.` };
  const indexed = event.inputs.filter((input) => input.indexed);
  if (rest.length > indexed.length)
    return {
      refused: "The signature of the event must say which arguments are `indexed`: only those can be searched for.",
    };
  const args = rest.map((text, at) =>
    text === "" ? null : (castArguments(indexed.slice(at, at + 1), [text])[0] ?? null),
  );
  return { method: "eth_getLogs", params: [{ ...filter, event: event.text, ...(args.length > 0 && { args }) }] };
}
