import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { castBinary } from "../test/support/cast.ts";
import { type LogChain, logChain, token, transferTopic } from "./commandServer.ts";
import { type Row, round } from "./row.ts";

const cli = path.resolve("dist/cli.mjs"); // scripts/bench.mjs starts this in the project's folder
/** GNU time tells how much CPU and memory a process took; without it there is only wall time. */
const gnuTime = "/usr/bin/time";

/** The largest memory of each way to read logs, in MB. */
const maxMemory = { text: 150, json: 150, save: 250 };
/** How much longer each may take than `cast logs --json`, which prints the same logs without decoding them. */
const maxRatio = { text: 0.6, json: 1.2, save: undefined };
type Way = keyof typeof maxMemory;
const titles: Readonly<Record<Way, string>> = { text: "as text", json: "as a JSON report", save: "to a file" };

/**
 * The whole command on many Transfer logs from a server on loopback, beside cast and JSON.parse.
 *
 * @param counts - A million logs need 1 GB of memory for the server.
 */
export async function commands(counts: readonly number[] = [100_000, 1_000_000]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of counts) rows.push(...(await at(count)));
  return rows;
}

async function at(count: number): Promise<readonly Row[]> {
  const chain = await logChain(count);
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-bench-"));
  try {
    const best = await bestOf(count > 100_000 ? 1 : 5, contenders(chain, folder));
    const others = ["cast", "JSON.parse", "received"].flatMap((name) => described(name, best.get(name)));
    return (["text", "json", "save"] as const).flatMap((way) => rowsOf(way, count, best, others));
  } finally {
    chain.close();
    rmSync(folder, { recursive: true });
  }
}

function rowsOf(way: Way, count: number, best: ReadonlyMap<string, Took>, others: readonly string[]): readonly Row[] {
  const [own, cast] = [best.get(way), best.get("cast")];
  if (!own || !cast) return [];
  const [budget, memory] = [maxRatio[way], maxMemory[way]];
  const hasEnded = own.code === 0;
  const name = `${count.toLocaleString("en")} logs ${titles[way]}, to cast`;
  const baseline = [...described(hasEnded ? "ours" : `ours, which ended with code ${own.code},`, own), ...others];
  return [
    {
      area: "command",
      name,
      value: round(own.seconds / cast.seconds),
      unit: "×",
      baseline: baseline.join("; "),
      ...(hasEnded && budget !== undefined && { budget }),
    },
    ...(own.megabytes === undefined
      ? []
      : [{ area: "command", name: "  peak memory", value: own.megabytes, unit: "MB", budget: memory } as const]),
  ];
}

function described(name: string, took: Took | undefined): readonly string[] {
  if (!took) return [];
  const cpu = took.cpu === undefined ? "" : `, ${took.cpu.toFixed(2)} s CPU, ${took.megabytes} MB`;
  return [`${name} ${took.seconds.toFixed(2)} s${cpu}`];
}

/** What is started for each name. */
function contenders({ url, count }: LogChain, folder: string): ReadonlyMap<string, readonly string[]> {
  const filter = { address: token, topics: [transferTopic], fromBlock: "0x1", toBlock: "latest" };
  const file = path.join(folder, "logs.rpc.json");
  writeFileSync(file, JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params: [filter] }] }));
  const run = [process.execPath, cli, "run", file, "--endpoint", url];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [filter] });
  const post = `const answer = await fetch(${JSON.stringify(url)}, { method: "POST", body: ${JSON.stringify(body)} });`;
  const script = (text: string) => [process.execPath, "--input-type=module", "-e", `${post} ${text}`];
  const saved = path.join(folder, "logs.ndjson");
  const range = ["--from-block", "1", "--to-block", "latest", "--address", token];
  const all: Record<string, readonly string[]> = {
    text: run,
    json: [...run, "--report", "json"],
    save: [...run, "--save", `logs=${saved}`],
    cast: [castBinary(), "logs", "--json", ...range, "--rpc-url", url],
    received: script("for await (const chunk of answer.body);"),
  };
  // a string cannot hold the others
  if (count <= 100_000) all["JSON.parse"] = script("JSON.parse(await answer.text());");
  return new Map(Object.entries(all));
}

/** A process, from its start to its end. */
interface Took {
  readonly seconds: number;
  readonly code: number | null;
  /** Seconds of user and system. */
  readonly cpu?: number;
  readonly megabytes?: number;
}

/** The fastest of some rounds, in turn, so that a drift of the machine hits all alike. */
async function bestOf(
  rounds: number,
  commands: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, Took>> {
  const best = new Map<string, Took>();
  for (let count = 0; count < rounds; count++)
    for (const [name, command] of commands) {
      const one = await timed(command);
      const known = best.get(name);
      if (!known || one.seconds < known.seconds) best.set(name, one);
      for (const file of command.filter((part) => part.startsWith("logs=")))
        for (const suffix of ["", ".manifest.json"]) rmSync(`${file.slice(5)}${suffix}`, { force: true });
    }
  return best;
}

function timed(command: readonly string[]): Promise<Took> {
  const [program = "", ...args] = existsSync(gnuTime) ? [gnuTime, "-f", "%U %S %M took", ...command] : command;
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stdout.resume(); // as fast as it can be read
    child.stderr.on("data", (chunk) => {
      errors = `${errors}${chunk}`.slice(-1000);
    });
    child.once("error", reject).once("close", (code) => {
      const seconds = (performance.now() - begun) / 1000;
      const [, user, system, kilobytes] = /([\d.]+) ([\d.]+) (\d+) took/.exec(errors) ?? [];
      const known = kilobytes !== undefined && { cpu: Number(user) + Number(system), megabytes: mega(kilobytes) };
      resolve({ seconds, code, ...known });
    });
  });
}

function mega(kilobytes: string): number {
  return Math.round(Number(kilobytes) / 1024);
}
