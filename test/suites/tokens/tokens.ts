import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { thorough } from "../../support/depth.ts";

/** A token, as creation code. */
export interface Token {
  readonly code: string;
  /** It is used behind a proxy. */
  readonly proxied?: boolean;
}

/** A token of a published package: the contract `T`, and what it imports. */
interface Packaged {
  readonly source: string;
  readonly solc?: string;
  readonly proxied?: boolean;
}

const folder = fileURLToPath(new URL(".", import.meta.url));
const cache = path.join(folder, "../../../.cache/tokens");
const require = createRequire(import.meta.url);

const named = 'ERC20("T", "T")';
const plain = (file: string, base = "ERC20"): string =>
  `import "${file}"; contract T is ${base} { constructor() ${named} {} }`;
const old = "openzeppelin-2.5.1/token/ERC20";
const upgradeable = "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";

/** Published tokens, by the package's name and version. */
const packaged: Readonly<Record<string, Packaged>> = {
  "openzeppelin-2.5.1": {
    source: `import "${old}/ERC20.sol"; import "${old}/ERC20Detailed.sol"; contract T is ERC20, ERC20Detailed("T", "T", 18) {}`,
    solc: "0.5.17",
  },
  "openzeppelin-3.4.2": { source: plain("openzeppelin-3.4.2/token/ERC20/ERC20.sol"), solc: "0.7.6" },
  "openzeppelin-4.0.0": { source: plain("openzeppelin-4.0.0/token/ERC20/ERC20.sol") },
  "openzeppelin-4.9.6": { source: plain("openzeppelin-4.9.6/token/ERC20/ERC20.sol") },
  "openzeppelin-4.9.6 votes": {
    source: `import "openzeppelin-4.9.6/token/ERC20/extensions/ERC20Votes.sol"; contract T is ERC20Votes { constructor() ${named} ERC20Permit("T") {} }`,
  },
  "openzeppelin-4.9.6 snapshots": {
    source: plain("openzeppelin-4.9.6/token/ERC20/extensions/ERC20Snapshot.sol", "ERC20Snapshot"),
  },
  "openzeppelin-5.1.0": { source: plain("openzeppelin-5.1.0/token/ERC20/ERC20.sol") },
  "openzeppelin-5.1.0 permit": {
    source: `import "openzeppelin-5.1.0/token/ERC20/extensions/ERC20Permit.sol"; contract T is ERC20Permit { constructor() ${named} ERC20Permit("T") {} }`,
  },
  "openzeppelin-5.1.0 ERC4626": {
    source: `import "openzeppelin-5.1.0/token/ERC20/extensions/ERC4626.sol"; contract A is ERC20 { constructor() ERC20("A", "A") {} } contract T is ERC4626 { constructor() ${named} ERC4626(new A()) {} }`,
  },
  "openzeppelin-upgradeable-4.9.6": {
    source: `import "${upgradeable}"; contract T is ERC20Upgradeable {}`,
    proxied: true,
  },
  "openzeppelin-upgradeable-4.9.6 after 50 slots": {
    source: `import "${upgradeable}"; import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol"; contract T is OwnableUpgradeable, ERC20Upgradeable {}`,
    proxied: true,
  },
  "openzeppelin-upgradeable-5.1.0": {
    source: `import "openzeppelin-upgradeable-5.1.0/token/ERC20/ERC20Upgradeable.sol"; contract T is ERC20Upgradeable {}`,
    proxied: true,
  },
  "solady-0.1.26": {
    source: `import "solady/src/tokens/ERC20.sol"; contract T is ERC20 { function name() public pure override returns (string memory) { return "T"; } function symbol() public pure override returns (string memory) { return "T"; } }`,
  },
  "solady-0.1.26 WETH": { source: 'import "solady/src/tokens/WETH.sol"; contract T is WETH {}' },
  "solidstate-0.0.59": {
    source: `import "@solidstate/contracts/token/ERC20/SolidStateERC20.sol"; contract T is SolidStateERC20 { constructor() { _setDecimals(18); } }`,
  },
};

/** Where imports of packages that name each other lie here: the upgradeable contracts import `@openzeppelin/contracts`. */
function placeOf(file: string, { source }: Packaged): string {
  const version = source.includes("openzeppelin-upgradeable-5.1.0") ? "5.1.0" : "4.9.6";
  return file
    .replace("@openzeppelin/contracts-upgradeable/", `openzeppelin-upgradeable-${version}/`)
    .replace("@openzeppelin/contracts/", `openzeppelin-${version}/`);
}

/** The tokens that are written here; in a thorough run also those of published packages. Compiled once, and kept in `.cache/`. */
export function tokens(): Readonly<Record<string, Token>> {
  const own = kept("own", readFileSync(path.join(folder, "Tokens.sol"), "utf8"), ownTokens);
  if (!thorough) return own;
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  if (!existsSync(path.join(folder, "node_modules")))
    throw new Error("Install the tokens: npm ci --prefix test/suites/tokens");
  return { ...kept("packaged", lock + JSON.stringify(packaged), packagedTokens), ...own };
}

/** What `make` returns, from an earlier run if its source is the same. */
function kept<Value>(name: string, source: string, make: () => Value): Value {
  const made = readFileSync(fileURLToPath(import.meta.url), "utf8");
  const file = path.join(
    cache,
    `${name}-${createHash("sha256").update(made).update(source).digest("hex").slice(0, 16)}.json`,
  );
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const value = make();
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, JSON.stringify(value));
  return value;
}

function ownTokens(): Readonly<Record<string, Token>> {
  const contracts = compiled(
    "Tokens.sol",
    readFileSync(path.join(folder, "Tokens.sol"), "utf8"),
    require("solc"),
    () => "",
  );
  const codes = Object.entries(contracts).map(([name, code]) => [name, { code }] as const);
  return { ...Object.fromEntries(codes), VyperLike: { code: creationOf(vyperLike()) } };
}

function packagedTokens(): Readonly<Record<string, Token>> {
  const all = Object.entries(packaged).map(([name, token]) => {
    const { T: code = "" } = compiled("T.sol", token.source, compilerOf(token.solc), (file) => readImport(file, token));
    return [name, { code, ...(token.proxied && { proxied: true }) }] as const;
  });
  return Object.fromEntries(all);
}

type Compiler = { readonly compile: (input: string, callbacks: object) => string };

function compilerOf(version: string | undefined): Compiler {
  if (version === undefined) return require("solc");
  return require("solc/wrapper")(require(path.join(folder, "node_modules", `solc-${version}`, "soljson.js")));
}

/** A file of a package; old ones compile with the nearest compiler that there is. */
function readImport(file: string, token: Packaged): string {
  const text = readFileSync(path.join(folder, "node_modules", placeOf(file, token)), "utf8");
  return token.solc === "0.7.6" ? text.replace(/pragma solidity[^;]+;/, "pragma solidity >=0.6.0 <0.8.0;") : text;
}

/** The creation code of each contract of a file, by name. */
function compiled(
  file: string,
  source: string,
  compiler: Compiler,
  read: (file: string) => string,
): Readonly<Record<string, string>> {
  const input = {
    language: "Solidity",
    sources: { [file]: { content: source } },
    settings: { optimizer: { enabled: true, runs: 1 }, outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
  };
  const callbacks = { import: (name: string) => ({ contents: read(name) }) };
  const { contracts, errors = [] } = JSON.parse(compiler.compile(JSON.stringify(input), callbacks));
  for (const { severity, formattedMessage } of errors) if (severity === "error") throw new Error(formattedMessage);
  const codes = Object.entries<{ evm: { bytecode: { object: string } } }>(contracts[file]);
  return Object.fromEntries(codes.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]));
}

/** Maps as Vyper keeps them: keccak256(slot . key), for two keys once more. */
function vyperLike(): string {
  return assembled(`
    0x00 CALLDATALOAD 0xe0 SHR
    DUP1 0x70a08231 EQ @balance JUMPI DUP1 0xdd62ed3e EQ @allowance JUMPI DUP1 0x313ce567 EQ @decimals JUMPI 0x00 0x00 REVERT
    :balance 0x03 0x00 MSTORE 0x04 CALLDATALOAD 0x20 MSTORE 0x40 0x00 SHA3 SLOAD 0x00 MSTORE 0x20 0x00 RETURN
    :allowance 0x04 0x00 MSTORE 0x04 CALLDATALOAD 0x20 MSTORE 0x40 0x00 SHA3 0x00 MSTORE 0x24 CALLDATALOAD 0x20 MSTORE
      0x40 0x00 SHA3 SLOAD 0x00 MSTORE 0x20 0x00 RETURN
    :decimals 0x12 0x00 MSTORE 0x20 0x00 RETURN`);
}

const opcodes: Readonly<Record<string, string>> = {
  ...{ EQ: "14", SHR: "1c", SHA3: "20", CALLDATALOAD: "35", MSTORE: "52", SLOAD: "54" },
  ...{ JUMPI: "57", JUMPDEST: "5b", DUP1: "80", RETURN: "f3", REVERT: "fd" },
};

/** Assembles opcodes, with `@name` for a place and `:name` where it is. */
function assembled(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const bytes = (word: string): number => (word.startsWith("0x") ? word.length / 2 : word.startsWith("@") ? 3 : 1);
  const places = new Map<string, number>();
  let at = 0;
  for (const word of words) {
    if (word.startsWith(":")) places.set(word.slice(1), at);
    at += bytes(word);
  }
  const code = words.map((word) => {
    if (word.startsWith(":")) return opcodes.JUMPDEST;
    if (word.startsWith("@")) return `61${(places.get(word.slice(1)) ?? 0).toString(16).padStart(4, "0")}`;
    if (word.startsWith("0x")) return `${(0x5e + word.length / 2).toString(16)}${word.slice(2)}`;
    return opcodes[word];
  });
  return code.join("");
}

/** Creation code that returns the code after it. */
function creationOf(runtime: string): string {
  return `0x61${(runtime.length / 2).toString(16).padStart(4, "0")}80600a3d393df3${runtime}`;
}
