import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { contenders, type Logs, logSets, logsOf } from "./decodeContenders.ts";
import { medians, type Row, round } from "./row.ts";

/** Reading 50 events takes the libraries minutes, so they read a part, and their times are scaled up. */
const part = 50;

/** 100,000 logs: ours next to parsing alone, and next to the libraries that people decode with. */
export async function decode(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, { declarations }] of Object.entries(logSets)) {
    const logs = logsOf(declarations);
    rows.push(...(await times(name, logs)), ...memory(name, logs.text));
  }
  return rows;
}

async function times(set: string, logs: Logs): Promise<readonly Row[]> {
  const one = set === "one event";
  const share = one ? 1 : part;
  const sample: Logs = { ...logs, values: logs.values.slice(0, logs.values.length / share) };
  const { parse, everything, table, ours, viem, viemMany, ethers } = contenders;
  const [parsed = 0, all = 0, shown = 0] = await medians(
    5,
    () => parse(logs),
    () => everything(logs),
    () => table(logs),
  );
  const [decoded = 0, ...slow] = await medians(
    3,
    () => ours(logs),
    () => viem(sample),
    () => viemMany(sample),
    () => ethers(sample),
  );
  const size = `JSON.parse of ${round(logs.text.length / 1e6)} MB in ${round(parsed)} ms`;
  const [byViem = 0, byViemMany = 0, byEthers = 0] = slow.map((time) => time * share);
  const faster = (name: string, time: number, budget?: number): Row => ({
    area: "decode",
    name: `${set}: decode alone, faster than ${name}`,
    value: round(time / decoded),
    unit: "×",
    ...(budget !== undefined && { budget, atLeast: true }),
    baseline: `${round(decoded)} ms beside ${round(time)} ms${one ? "" : ", reckoned from 2,000 logs"}`,
  });
  return [
    {
      area: "decode",
      name: `${set}: parse and decode every log`,
      value: round(all / parsed),
      unit: "×",
      baseline: `${round(all)} ms beside ${size}`,
    },
    {
      area: "decode",
      name: `${set}: parse, count, and the rows that are shown`,
      value: round(shown / parsed),
      unit: "×",
      budget: 1.5,
      baseline: `${round(shown)} ms beside ${size}`,
    },
    faster("viem decodeEventLog", byViem, one ? 20 : undefined),
    faster("viem parseEventLogs", byViemMany),
    faster("ethers parseLog", byEthers),
  ];
}

/** Peak memory of a process that does one task with all logs and keeps the result. */
function memory(set: string, text: string): readonly Row[] {
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-bench-"));
  const file = path.join(folder, "logs.json");
  writeFileSync(file, text);
  const peak = (contender: string): number => {
    const options = [`--peak=${contender}`, `--set=${set}`, `--file=${file}`];
    const child = spawnSync(process.execPath, [process.argv[1] ?? "", ...options], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(`Measuring ${contender} failed: ${child.stderr}`);
    return Math.round(Number(child.stdout) / 1024);
  };
  try {
    const baseline = `${peak("nothing")} MB with the text alone`;
    const few = set === "50 events" ? ", 10,000 logs" : "";
    return Object.entries(names).map(([contender, name]) => ({
      area: "decode",
      name: `${set}: peak memory of ${name}${name.startsWith("JSON.parse and") ? few : ""}`,
      value: peak(contender),
      unit: "MB",
      baseline,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** By contender; each begins with the text. */
const names: Readonly<Partial<Record<keyof typeof contenders, string>>> = {
  parse: "JSON.parse",
  kept: "parsing and decoding every log",
  table: "parsing and the rows that are shown",
  viem: "JSON.parse and viem decodeEventLog",
  viemMany: "JSON.parse and viem parseEventLogs",
  ethers: "JSON.parse and ethers parseLog",
};
