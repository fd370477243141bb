import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { rounds, some, thorough, times } from "../support/depth.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

/** Kills of each writer. */
const trials = times(20, 2);

const cells = thorough ? 40_000 : 1_000;
const answers = 10;
const answerBytes = thorough ? 800_000 : 80_000;

/** The files that a command writes, and a check that nothing in them is lost. */
interface Writer {
  readonly args: readonly string[];
  /** Writes the files before each run. */
  prepare(): void;
  /** The state of the files: one of `allowed`, any other state is a loss. */
  state(): string;
  readonly allowed: readonly string[];
}

describe(`files whose writer is killed (${trials} times each)`, function () {
  this.timeout(3_600_000);
  let folder: string;
  let server: HostileServer;
  let round = 0;
  before(async () => {
    buildCommandLine();
    server = await hostileServer(answering(() => `${round}`.padStart(answerBytes, "0")));
  });
  after(() => server.close());
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const at = (name: string): string => join(folder, name);
  const textOf = (name: string): string | undefined => {
    try {
      return readFileSync(at(name), "utf8");
    } catch {
      return undefined;
    }
  };
  const stateOf = (name: string, known: Readonly<Record<string, string>>): string => {
    const text = textOf(name);
    if (text === undefined) return "missing";
    const found = Object.entries(known).find(([, one]) => one === text)?.[0];
    return found ?? (text === "" ? "empty" : "torn");
  };

  const writers: Readonly<Record<string, () => Promise<Writer>>> = {
    fmt: async () => {
      const row = `{"method":"eth_getBalance",  "params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}`;
      const old = `{"cells":[\n${Array.from({ length: cells }, () => row).join(",\n")}\n]}\n`;
      writeFileSync(at("a.rpc.json"), old);
      assert.equal((await runCommand(["fmt", "a.rpc.json"], folder)).code, 0);
      const formatted = textOf("a.rpc.json") ?? "";
      return {
        args: ["fmt", "a.rpc.json"],
        prepare: () => writeFileSync(at("a.rpc.json"), old),
        state: () => stateOf("a.rpc.json", { old, new: formatted }),
        allowed: ["old", "new"],
      };
    },
    "a snapshot": async () => {
      const list = Array.from(
        { length: answers },
        (_, n) => `{ "name": "c${n}", "method": "big_${n}", "snapshot": true }`,
      );
      writeFileSync(at("a.rpc.json"), `{ "cells": [${list.join(",")}] }`);
      const args = ["run", "a.rpc.json", "-e", server.url, "--allow-method", "big_*", "--snapshot", "update"];
      assert.equal((await runCommand(args, folder)).code, 0);
      const old = textOf("a.rpc.snapshot.json") ?? "";
      return {
        args,
        prepare: () => {
          writeFileSync(at("a.rpc.snapshot.json"), old);
          round++;
        },
        state() {
          const state = stateOf("a.rpc.snapshot.json", { old });
          if (state !== "torn") return state;
          try {
            const { cells: found } = JSON.parse(textOf("a.rpc.snapshot.json") ?? "");
            const all = Object.values(found as Record<string, { answers: { result: string }[] }>);
            const isNew = all.length === answers && all.every(({ answers: [one] }) => Number(one?.result) === round);
            return isNew ? "new" : "mixed";
          } catch {
            return "torn";
          }
        },
        allowed: ["old", "new"],
      };
    },
    "an import": async () => {
      const one = `curl http://h -d '{"jsonrpc":"2.0","method":"eth_getBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"],"id":1}'`;
      writeFileSync(at("a.sh"), `${Array.from({ length: thorough ? 8_000 : 200 }, () => one).join("\n")}\n`);
      const args = ["import", "a.sh", "-o", "a.rpc.json"];
      assert.equal((await runCommand(args, folder)).code, 0);
      const whole = textOf("a.rpc.json") ?? "";
      return {
        args,
        prepare: () => rmSync(at("a.rpc.json"), { force: true }),
        state: () => stateOf("a.rpc.json", { new: whole }),
        allowed: ["missing", "new"],
      };
    },
    endpoints: async () => {
      const entries = Array.from({ length: thorough ? 20_000 : 2_000 }, (_, n) => [`net${n}`, `http://127.0.0.1:${n}`]);
      const old = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
      writeFileSync(at("a.sh"), `curl http://h -H 'X-Team: blue' -d '{"method":"eth_chainId"}'\n`);
      const args = ["import", "a.sh", "-o", "a.rpc.json"];
      writeFileSync(at("rpc-endpoints.json"), old);
      assert.equal((await runCommand(args, folder)).code, 0);
      const extended = textOf("rpc-endpoints.json") ?? "";
      return {
        args,
        prepare: () => {
          rmSync(at("a.rpc.json"), { force: true });
          writeFileSync(at("rpc-endpoints.json"), old);
        },
        state: () => stateOf("rpc-endpoints.json", { old, new: extended }),
        allowed: ["old", "new"],
      };
    },
  };

  /** Milliseconds from the first change in the folder to the end of the process. */
  async function durationOfWrite({ args }: Writer): Promise<readonly [whole: number, writing: number]> {
    const begun = performance.now();
    let first = 0;
    const watcher = watch(folder, () => {
      first ||= performance.now();
    });
    await startCommandLine(args, folder).ended;
    watcher.close();
    const end = performance.now();
    return [end - begun, end - (first || end)];
  }

  /** Kills every third process at any time, the others soon after they begin to write. */
  async function kill(writer: Writer, ordinal: number, whole: number, writing: number): Promise<void> {
    const { child, ended } = startCommandLine(writer.args, folder);
    const timers: NodeJS.Timeout[] = [];
    const killIn = (ms: number): void => void timers.push(setTimeout(() => child.kill("SIGKILL"), ms));
    const watcher = watch(folder, () => {
      if (timers.length === 0) killIn(Math.random() * writing * (ordinal % 3 === 1 ? 0.3 : 1));
    });
    if (ordinal % 3 === 0) killIn(Math.random() * whole);
    await ended;
    watcher.close();
    for (const timer of timers) clearTimeout(timer);
  }

  for (const [what, make] of some(Object.entries(writers), 1)) {
    it(`are complete: ${what}`, async () => {
      const writer = await make();
      writer.prepare();
      const [whole, writing] = await durationOfWrite(writer);
      const counts: Record<string, number> = {};
      for (const ordinal of rounds(trials, trials)) {
        writer.prepare();
        await kill(writer, ordinal, whole, writing);
        const state = writer.state();
        counts[state] = (counts[state] ?? 0) + 1;
      }
      const lost = Object.keys(counts).filter((state) => !writer.allowed.includes(state));
      writer.prepare();
      const { code, err } = await startCommandLine(writer.args, folder).ended;
      assert.deepEqual([code, writer.state()], [0, "new"], err);
      const left = readdirSync(folder).filter((name) => name.startsWith("."));
      assert.deepEqual({ lost, left }, { lost: [], left: [] }, JSON.stringify(counts));
    });
  }

  /** Rounds in which two commands, or a command and an editor, write at the same time; each returns what was lost. */
  const races: Readonly<Record<string, (n: number) => Promise<object>>> = {
    "no update of two runs at once": async (n) => {
      round++;
      mkdirSync(at("x"), { recursive: true });
      const list = ["a", "b"].map((name) => `{ "name": "${name}", "method": "${name}", "snapshot": true }`);
      if (n === 0) writeFileSync(at("x/a.rpc.json"), `{ "cells": [${list.join(",")}] }`);
      const options = ["-e", server.url, "--snapshot", "update", "--allow-method"];
      const codes = await together((cell) => ["run", "x/a.rpc.json", "-c", cell, ...options, cell]);
      const { cells: found } = JSON.parse(textOf("x/a.rpc.snapshot.json") || `{"cells":{}}`);
      const results = ["a", "b"].map((key) => Number(found[key]?.answers[0].result));
      return codes.every((code) => code === 0) && results.every((result) => result === round) ? {} : { codes, results };
    },
    "nothing that an editor saves during fmt": async (n) => {
      const textOfRound = (text: number): string =>
        `{"cells":[${Array(3000).fill(`{"method":"eth_chainId",   "params":[${text}]}`).join(",\n")}]}`;
      writeFileSync(at("a.rpc.json"), textOfRound(-1));
      const { ended } = startCommandLine(["fmt", "a.rpc.json"], folder);
      await new Promise((soon) => setTimeout(soon, 100 + Math.random() * 250)); // at any point of its work
      writeFileSync(at("a.new"), textOfRound(n));
      if (n % 2 === 0) writeFileSync(at("a.rpc.json"), textOfRound(n));
      else renameSync(at("a.new"), at("a.rpc.json"));
      const { err } = await ended;
      return JSON.parse(textOf("a.rpc.json") ?? "").cells[0].params[0] === n ? {} : { err };
    },
    "no endpoint of two imports at once into one folder": async (n) => {
      mkdirSync(at(`r${n}`));
      const codes = await together((name) => {
        writeFileSync(at(`r${n}/${name}.sh`), `curl http://h -H 'X-Team: ${name}' -d '{"method":"eth_chainId"}'\n`);
        return ["import", `r${n}/${name}.sh`, "-o", `r${n}/${name}.rpc.json`];
      });
      const endpoints = JSON.parse(textOf(`r${n}/rpc-endpoints.json`) ?? "{}");
      const teams = ["a", "b"].map((name) => {
        const { endpoint } = JSON.parse(textOf(`r${n}/${name}.rpc.json`) ?? "{}");
        return endpoints[endpoint]?.headers["X-Team"];
      });
      return teams.join() === "a,b" ? {} : { codes, teams };
    },
  };
  const together = (argsOf: (name: string) => readonly string[]): Promise<readonly (number | null)[]> =>
    Promise.all(["a", "b"].map(async (name) => (await startCommandLine(argsOf(name), folder).ended).code));
  for (const [what, race] of Object.entries(races))
    it(`lose ${what}`, async () => {
      for (const n of rounds(20, 1)) assert.deepEqual(await race(n), {}, `round ${n}`);
    });
});
