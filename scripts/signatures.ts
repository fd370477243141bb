/**
 * Writes `server/src/abi/signatures.txt`: the names of functions, events and errors of well-known contracts, from the
 * ABIs in packages with permissive licences. Run it with `npx tsx scripts/signatures.ts`; it takes each package by its
 * exact version from the registry that npm is configured for, into a folder that is removed at the end.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type AbiItem, itemFromJson, parseItem } from "../server/src/abi/item.ts";
import { plainOf, shapeOf, shortOf } from "../server/src/abi/signatures.ts";
import { wellKnownItems } from "../server/src/abi/wellKnownAbis.ts";
import type { JsonValue } from "../server/src/base/json.ts";
import { startOf } from "./lib/processes.mjs";

/** The path of the table, from the project's root. */
const file = "server/src/abi/signatures.txt";

interface Source {
  readonly name: string;
  readonly version: string;
  /** The licence in its `package.json`; a different one stops the script. */
  readonly licence: string;
  /** Files with ABIs: JSON, or modules that export them. Solidity is compiled. */
  readonly files: RegExp;
  readonly but?: RegExp;
}

/** The OP stack's own contracts; the same package also contains test contracts. */
const opStack = new RegExp(
  `^forge-artifacts/(${[
    "(L1|L2|Optimism|CrossDomain|SystemConfig|SuperchainConfig|GasPrice|Attestation)\\w*",
    "\\w*(Bridge|Messenger|FeeVault|Messages?Passer|DisputeGame|DisputeGameFactory|Errors)",
    "(AddressManager|AnchorStateRegistry|CrossL2Inbox|DataAvailabilityChallenge|DelayedVetoable|DelayedWETH|Drippie)",
    "(GovernanceToken|MintManager|PreimageOracle|ProtocolVersions|Proxy|ProxyAdmin|ResourceMetering|SuperchainConfig)",
  ].join("|")})\\.sol/[^/]*\\.json$`,
);

/** The more general first: of equal signatures the first names the arguments. */
const sources: readonly Source[] = [
  { name: "@openzeppelin/contracts", version: "5.7.0", licence: "MIT", files: /^build\/contracts\/.*\.json$/ },
  { name: "@openzeppelin/contracts", version: "4.9.6", licence: "MIT", files: /^build\/contracts\/.*\.json$/ },
  {
    name: "viem",
    version: "2.57.1",
    licence: "MIT",
    files: /^_esm\/(constants\/abis|account-abstraction\/constants\/abis|op-stack\/abis|tempo\/Abis)\.js$/,
  },
  { name: "@account-abstraction/contracts", version: "0.8.0", licence: "MIT", files: /^artifacts\/.*\.json$/ },
  { name: "@safe-global/safe-deployments", version: "1.37.63", licence: "MIT", files: /^dist\/assets\/.*\.json$/ },
  { name: "@uniswap/permit2-sdk", version: "1.4.0", licence: "MIT", files: /^dist\/esm\/abis\/.*\.json$/ },
  { name: "solady", version: "0.1.26", licence: "MIT", files: /^src\/(accounts|auth|tokens|utils)\/[^/]*\.sol$/ },
  { name: "seaport-types", version: "1.6.3", licence: "MIT", files: /^src\/.*\.sol$/, but: /legacy/ },
  {
    name: "@ethereum-attestation-service/eas-contracts",
    version: "1.9.0",
    licence: "MIT",
    files: /^artifacts\/contracts\/[^/]*\.sol\/[^.]*\.json$/,
  },
  { name: "@aave-dao/aave-address-book", version: "4.68.1", licence: "MIT", files: /^dist\/abis\/.*\.mjs$/ },
  { name: "@zoralabs/protocol-deployments", version: "0.7.6", licence: "MIT", files: /^dist\/index\.js$/ },
  {
    name: "@eth-optimism/contracts-bedrock",
    version: "0.17.3",
    licence: "MIT",
    files: opStack,
  },
];

type Kind = AbiItem["kind"];
const kinds = ["event", "function", "error"] as const satisfies readonly Kind[];

/** @returns The text of the table. */
async function table(folder: string): Promise<string> {
  const { events, functions, errors } = wellKnownItems;
  const seen = new Set([...events, ...functions, ...errors].map(shapeOf)); // those are always there
  const sections: string[] = [];
  for (const source of sources) {
    const items = (await itemsOf(source, folder)).filter((item) => !seen.has(shapeOf(item)) && seen.add(shapeOf(item)));
    const parts = kinds.flatMap((kind) => part(kind, items));
    if (parts.length > 0) sections.push([`@ ${source.name} ${source.version} ${source.licence}`, ...parts].join("\n"));
    console.log(`${source.name}@${source.version}: ${items.length}`);
  }
  return `${[...head, ...sections].join("\n")}\n`;
}

const head: readonly string[] = [
  "# Written by scripts/signatures.ts; do not edit. A package, its version and licence stand before what is from it.",
  "# First four bytes of topic 0 or the selector, name, arguments, what is returned. Short types: a address, b bytes,",
  "# i int256, s string, t bool, u uint256, w bytes32; a star says that an argument is indexed.",
];

function part(kind: Kind, items: readonly AbiItem[]): readonly string[] {
  const lines = items.filter((item) => item.kind === kind).map((item) => `${item.hash.slice(2, 10)} ${shortOf(item)}`);
  return lines.length === 0 ? [] : [kind, ...lines.sort()];
}

async function itemsOf(source: Source, folder: string): Promise<readonly AbiItem[]> {
  const root = unpacked(source, folder);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => source.files.test(name) && !source.but?.test(name))
    .sort();
  if (files.length === 0) throw new Error(`${source.name} has no such files.`);
  const solidity = files.filter((name) => name.endsWith(".sol"));
  const found: JsonValue[] = [...compiled(source.name, root, solidity)];
  for (const name of files) {
    const full = path.join(root, name);
    if (name.endsWith(".json")) found.push(JSON.parse(readFileSync(full, "utf8")));
    else if (!name.endsWith(".sol")) found.push({ ...(await import(pathToFileURL(full).href)) });
  }
  return found.flatMap((value) => entries(value)).flatMap((entry) => readable(entry) ?? []);
}

/** @returns The folder of the package. */
function unpacked({ name, version, licence }: Source, folder: string): string {
  const into = path.join(folder, `${name}-${version}`);
  mkdirSync(into, { recursive: true });
  const npm = startOf("npm", ["pack", "--silent", "--pack-destination", into, `${name}@${version}`]);
  const packed = execFileSync(npm.file, npm.args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    ...npm.options,
  });
  execFileSync("tar", ["xzf", path.join(into, packed.trim()), "-C", into]);
  const root = path.join(into, "package");
  const said = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).license;
  if (said !== licence) throw new Error(`The licence of ${name}@${version} is ${said}.`);
  return root;
}

interface Solc {
  compile(input: string): string;
}

/** The ABIs of Solidity files, without compiling code. */
function compiled(name: string, root: string, files: readonly string[]): readonly JsonValue[] {
  if (files.length === 0) return [];
  const solc: Solc = createRequire(import.meta.url)("solc"); // has no types
  const sources = Object.fromEntries(
    files.map((one) => [`${name}/${one}`, { content: readFileSync(path.join(root, one), "utf8") }]),
  );
  const settings = { outputSelection: { "*": { "*": ["abi"] } } };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
  const failed = output.errors?.find(({ severity }: { readonly severity: string }) => severity === "error");
  if (failed) throw new Error(failed.formattedMessage);
  return Object.values(output.contracts);
}

/** Finds items of JSON ABIs at any depth of a value. */
function entries(value: JsonValue, depth = 0): readonly JsonValue[] {
  if (typeof value !== "object" || value === null || depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((one) => (isEntry(one) ? [one] : entries(one, depth + 1)));
  return Object.values(value).flatMap((one) => entries(one, depth + 1));
}

function isEntry(value: JsonValue): boolean {
  const { type, name, inputs } = Object(value);
  return kinds.some((kind) => kind === type) && typeof name === "string" && Array.isArray(inputs);
}

/** Left out: types that only a compiler knows, anonymous events, and names that would not come back the same. */
function readable(entry: JsonValue): AbiItem | undefined {
  const item = itemFromJson(entry, "");
  if (!item || item.anonymous) return undefined;
  const back = parseItem(plainOf(item.kind, shortOf(item)), "");
  return back && back.hash === item.hash && shapeOf(back) === shapeOf(item) ? item : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-signatures-"));
  try {
    const text = await table(folder);
    writeFileSync(file, text);
    console.log(`${file}: ${Buffer.byteLength(text)} bytes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
