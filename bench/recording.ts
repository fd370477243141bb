import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { serveReplay } from "../server/src/node/recordingServer.ts";
import { printRecording, type RecordedExchange, type Recording } from "../server/src/recording/recording.ts";
import { Replay } from "../server/src/recording/replay.ts";
import { medians, type Row, round, warmMedians } from "./row.ts";
import { listening } from "./support.ts";

const dist = path.resolve("dist") + path.sep; // scripts/bench.mjs starts this in the project's folder
const count = 1000;

/** Replays beside a raw server, the size of a recording beside its answers, and the start with a large one. */
export async function recordings(): Promise<readonly Row[]> {
  return [...(await served()), size(), await start()];
}

const hex = (at: number, digits: number): string => `0x${at.toString(16).padStart(digits, "0")}`;
const balance = (at: number) => ({
  method: "eth_getBalance",
  params: [hex(at + 1, 40), "latest"],
  text: `{"jsonrpc":"2.0","id":1,"result":"${hex(at, 1)}"}`,
});

function recordingOf(
  answers: readonly { readonly method: string; readonly params: RecordedExchange["params"]; readonly text: string }[],
): Recording {
  const exchanges = answers.map(({ method, params = [], text }, at): RecordedExchange => {
    return { endpoint: "local", method, params, at, tookMs: 1, reply: { kind: "answer", body: { text } } };
  });
  return {
    startedAt: 0,
    tool: "bench",
    endpoints: { local: { site: "http://localhost", chainId: "0x1" } },
    exchanges,
    streams: [],
  };
}

/** A thousand requests, one after the other and as one batch, to a replay and to a server that only answers. */
async function served(): Promise<readonly Row[]> {
  const requests = Array.from({ length: count }, (_, at) => balance(at));
  const replay = await serveReplay(new Replay(recordingOf(requests)), 0);
  const raw = await rawServer();
  const bodies = requests.map(({ method, params }, id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const batch = `[${bodies.join()}]`;
  const ask = async (url: string, body: string): Promise<void> => {
    const answer = await (await fetch(url, { method: "POST", body })).text();
    if (!answer.includes(`"result"`)) throw new Error(answer);
  };
  const single = (url: string) => async () => {
    for (const body of bodies) await ask(url, body);
  };
  try {
    const [ours = 0, theirs = 0] = await warmMedians(9, single(replay.url), single(raw.url));
    const [batched = 0, rawBatched = 0] = await warmMedians(
      100,
      () => ask(replay.url, batch),
      () => ask(raw.url, batch),
    );
    const row = (value: number, beside: number, name: string, budget?: number): Row => ({
      area: "recording",
      name,
      value: round(value / beside),
      unit: "×",
      ...(budget !== undefined && { budget }),
      baseline: `${round(value)} ms beside a raw server's ${round(beside)} ms`,
    });
    return [row(ours, theirs, "1,000 requests to a served recording", 1.1), row(batched, rawBatched, "  as one batch")];
  } finally {
    await replay.close();
    raw.close();
  }
}

/** Answers every request with the same balance, without a delay. */
function rawServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown } | readonly { id: unknown }[]; // only this benchmark asks
    const answer = (one: { id: unknown }) => ({ jsonrpc: "2.0", id: one.id, result: "0x8ac7230489e80000" });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as { id: unknown })));
  });
  return listening(server);
}

/** An answer of logs as a node gives them: hashes and addresses that repeat a few times, and amounts that do not. */
function logs(seed: number, length: number): string {
  let state = seed + 1;
  const random = (digits: number): string => {
    let made = "";
    while (made.length < digits) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      made += state.toString(16).padStart(8, "0").slice(0, 6);
    }
    return made.slice(0, digits);
  };
  const people = Array.from({ length: 200 }, () => random(40).padStart(64, "0"));
  const any = (): string => people[Number.parseInt(random(4), 16) % people.length] ?? "";
  const result = Array.from({ length }, (_, at) => ({
    address: hex(0xdac17f, 40),
    topics: [`0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef`, `0x${any()}`, `0x${any()}`],
    data: `0x${random(16).padStart(64, "0")}`,
    blockNumber: hex(20_000_000 + (at >> 5), 1),
    blockHash: hex((at >> 5) * 7919 + seed, 64),
    transactionHash: `0x${random(64)}`,
    transactionIndex: hex(at & 31, 1),
    logIndex: hex(at & 63, 1),
    removed: false,
  }));
  return JSON.stringify({ jsonrpc: "2.0", id: 1, result });
}

const logAnswer = (seed: number, length: number) => ({
  method: "eth_getLogs",
  params: [{ fromBlock: hex(seed, 1), toBlock: hex(seed, 1) }],
  text: logs(seed, length),
});

function size(): Row {
  const answers = Array.from({ length: 10 }, (_, at) => logAnswer(at, 2000));
  const raw = answers.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const written = Buffer.byteLength(printRecording(recordingOf(answers)));
  return {
    area: "recording",
    name: "size of a recording of logs to its answers",
    value: round((100 * written) / raw),
    unit: "%",
    budget: 33.3,
    baseline: `${round(written / 1e6)} MB of ${round(raw / 1e6)} MB`,
  };
}

/** From the start of the command line to the first answer from a recording of 50 MB. */
async function start(): Promise<Row> {
  const folder = await mkdtemp(path.join(tmpdir(), "rpc-notebook-bench-"));
  try {
    const small = Array.from({ length: 10_000 }, (_, at) => balance(at));
    const large: { readonly method: string; readonly params: RecordedExchange["params"]; readonly text: string }[] = [];
    let text = "";
    const one = logAnswer(0, 4000);
    const share = printRecording(recordingOf([one])).length;
    const rest = 50_000_000 - printRecording(recordingOf(small)).length;
    for (let at = 0; at * share < rest; at++) large.push({ ...one, params: [{ fromBlock: hex(at, 1) }] });
    text = printRecording(recordingOf([...small, ...large]));
    await writeFile(path.join(folder, "big.rpc.recording.json"), text);
    await writeFile(
      path.join(folder, "a.rpc.json"),
      JSON.stringify({ cells: [{ method: "eth_getBalance", params: balance(1).params }] }),
    );
    const [node = 0, ours = 0] = await medians(
      9,
      () => exit(["-e", "0"], folder),
      () => answered([`${dist}cli.mjs`, "run", "a.rpc.json", "--replay", "big.rpc.recording.json"], folder),
    );
    return {
      area: "recording",
      name: `a cell answered from ${round(text.length / 1e6)} MB, above node`,
      value: round(ours - node),
      unit: "ms",
      budget: 300,
      baseline: `node -e 0: ${round(node)} ms`,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function exit(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, args, { stdio: "ignore", cwd }).once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${args[0]} ended with ${code}`));
    });
  });
}

/** From spawning a program to the first text that it prints. */
function answered(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], cwd });
    child.stdout.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code} and printed nothing`)));
  });
}
