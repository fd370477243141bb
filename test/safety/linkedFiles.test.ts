import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { sharedChain } from "../support/sharedChain.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const rich = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const marker = "fromElsewhere";
const abi = JSON.stringify([{ type: "function", name: marker, inputs: [], outputs: [], stateMutability: "view" }]);
const calling = { method: "eth_call", params: [{ to: rich, data: { function: marker, args: [] } }, "latest"] };
const chainId = { method: "eth_chainId", params: [] };

/** A file that a notebook names, or that is looked for around it, and what shows whether it was read. */
interface Reader {
  readonly file: string;
  readonly text: string;
  readonly beside?: Readonly<Record<string, string>>;
  readonly notebook: object;
  readonly command?: readonly string[];
  /** What the command prints if it has read the file. */
  readonly shows?: string;
  /** What it prints if not. */
  readonly lacks?: string;
}

const readers: Readonly<Record<string, Reader>> = {
  "an ABI that the header names": {
    file: "abi.json",
    text: abi,
    notebook: { abi: "abi.json", cells: [] },
    lacks: "bad-abi",
  },
  "a folder that foundry.toml names": {
    file: "build/made/A.json",
    text: JSON.stringify({ abi: JSON.parse(abi) }),
    beside: { "foundry.toml": `[profile.default]\nout = "build/made"\n` },
    notebook: { cells: [calling] },
    lacks: "unknown-function",
  },
  "an OpenRPC document": {
    file: "methods.json",
    text: JSON.stringify({ openrpc: "1.3.0", methods: [{ name: "x_y", params: [] }] }),
    notebook: { openrpc: "methods.json", cells: [] },
    lacks: "bad-openrpc",
  },
  "a descriptor": {
    file: "words.json",
    text: JSON.stringify({ context: 1 }),
    notebook: { descriptors: "words.json", cells: [] },
    shows: "context",
  },
  "a folder of descriptors": {
    file: "words/one.json",
    text: "{",
    notebook: { descriptors: "words", cells: [] },
    shows: "one.json",
  },
  "names of addresses": {
    file: "rpc-labels.json",
    text: JSON.stringify({ [rich]: marker }),
    notebook: { cells: [] },
    command: ["explain", rich],
    shows: marker,
  },
  "values of the environment": {
    file: ".env",
    text: "VALUE=0x12\n",
    notebook: { cells: [{ method: "web3_sha3", params: ["{{$dotenv.VALUE}}"] }] },
    lacks: "VALUE",
  },
  endpoints: {
    file: "rpc-endpoints.json",
    text: JSON.stringify({ [marker]: "http://127.0.0.1:9" }),
    notebook: { endpoint: marker, cells: [] },
    lacks: "unknown-endpoint",
  },
  "endpoints of Foundry": {
    file: "foundry.toml",
    text: `[rpc_endpoints]\n${marker} = "http://127.0.0.1:9"\n`,
    notebook: { endpoint: marker, cells: [] },
    lacks: "unknown-endpoint",
  },
  "a recording": {
    file: "a.rpc.recording.json",
    text: "{}",
    beside: { "rpc-endpoints.json": JSON.stringify({ x: { replay: "a.rpc.recording.json" } }) },
    notebook: { endpoint: "x", cells: [chainId] },
    command: ["run", "a.rpc.json"],
    lacks: "a link leads out",
  },
  "a snapshot": {
    file: "a.rpc.snapshot.json",
    text: "{",
    notebook: { cells: [chainId] },
    command: ["run", "a.rpc.json", "--snapshot", "check"],
    lacks: "a link leads out",
  },
};

describe("a file of a project", () => {
  const chain = sharedChain();
  for (const [what, reader] of Object.entries(readers)) {
    it(`is read through a link that stays in the project: ${what}`, () => tried(reader, "inside"));
    it(`is not read through a link that leads out: ${what}`, () => tried(reader, "outside"));
  }

  async function tried(
    { file, text, beside = {}, notebook, command = ["check", "a.rpc.json"], shows, lacks }: Reader,
    place: "inside" | "outside",
  ): Promise<void> {
    const project = temporaryFolder();
    const isRead = place === "inside";
    const holder = isRead ? join(project, "real") : temporaryFolder();
    const folder = dirname(file);
    mkdirSync(join(project, ".git"));
    write(holder, { [file]: text });
    write(project, { ...beside, "a.rpc.json": JSON.stringify(notebook) });
    const linked = folder === "." ? file : folder;
    mkdirSync(join(project, dirname(linked)), { recursive: true });
    symlinkSync(join(holder, linked), join(project, linked));
    const chosen = command[0] === "check" || "endpoint" in notebook ? [] : ["-e", chain.url];
    const { out, err } = await runCommand([...command, ...chosen], project);
    if (shows !== undefined) assert.equal((out + err).includes(shows), isRead, out + err);
    if (lacks !== undefined) assert.equal((out + err).includes(lacks), !isRead, out + err);
  }
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
