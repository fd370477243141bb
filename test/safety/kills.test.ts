import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { rounds, thorough, times } from "../support/depth.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

/** Kills of each writer. */
const trials = times(20, 2);

const cells = thorough ? 40_000 : 1_000;
const answers = 10;
const answerBytes = thorough ? 800_000 : 80_000;

/** The files that a command writes, and a check that nothing in them is lost. */
interface Writer {
  readonly name: string;
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

  const writers: readonly (() => Promise<Writer>)[] = [
    async () => {
      const row = `{"method":"eth_getBalance",  "params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}`;
      const old = `{"cells":[\n${Array.from({ length: cells }, () => row).join(",\n")}\n]}\n`;
      writeFileSync(at("a.rpc.json"), old);
      assert.equal((await runCommand(["fmt", "a.rpc.json"], folder)).code, 0);
      const formatted = textOf("a.rpc.json") ?? "";
      return {
        name: `fmt of ${cells} cells`,
        args: ["fmt", "a.rpc.json"],
        prepare: () => writeFileSync(at("a.rpc.json"), old),
        state: () => stateOf("a.rpc.json", { old, new: formatted }),
        allowed: ["old", "new"],
      };
    },
    async () => {
      const list = Array.from(
        { length: answers },
        (_, n) => `{ "name": "c${n}", "method": "big_${n}", "snapshot": true }`,
      );
      writeFileSync(at("a.rpc.json"), `{ "cells": [${list.join(",")}] }`);
      const args = ["run", "a.rpc.json", "-e", server.url, "--allow-method", "big_*", "--snapshot", "update"];
      assert.equal((await runCommand(args, folder)).code, 0);
      const old = textOf("a.rpc.snapshot.json") ?? "";
      return {
        name: `snapshot of ${Math.round(old.length / 1e5) / 10} MB`,
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
    async () => {
      const one = `curl http://h -d '{"jsonrpc":"2.0","method":"eth_getBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"],"id":1}'`;
      writeFileSync(at("a.sh"), `${Array.from({ length: thorough ? 8_000 : 200 }, () => one).join("\n")}\n`);
      const args = ["import", "a.sh", "-o", "a.rpc.json"];
      assert.equal((await runCommand(args, folder)).code, 0);
      const whole = textOf("a.rpc.json") ?? "";
      return {
        name: `import of ${Math.round(whole.length / 1e5) / 10} MB`,
        args,
        prepare: () => rmSync(at("a.rpc.json"), { force: true }),
        state: () => stateOf("a.rpc.json", { new: whole }),
        allowed: ["missing", "new"],
      };
    },
    async () => {
      const entries = Array.from({ length: thorough ? 20_000 : 2_000 }, (_, n) => [`net${n}`, `http://127.0.0.1:${n}`]);
      const old = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
      writeFileSync(at("a.sh"), `curl http://h -H 'X-Team: blue' -d '{"method":"eth_chainId"}'\n`);
      const args = ["import", "a.sh", "-o", "a.rpc.json"];
      writeFileSync(at("rpc-endpoints.json"), old);
      assert.equal((await runCommand(args, folder)).code, 0);
      const extended = textOf("rpc-endpoints.json") ?? "";
      return {
        name: `endpoints of ${entries.length} entries`,
        args,
        prepare: () => {
          rmSync(at("a.rpc.json"), { force: true });
          writeFileSync(at("rpc-endpoints.json"), old);
        },
        state: () => stateOf("rpc-endpoints.json", { old, new: extended }),
        allowed: ["old", "new"],
      };
    },
  ];

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

  for (const make of writers) {
    it("are complete", async function () {
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
      if (this.test) this.test.title = `${writer.name}: ${JSON.stringify(counts)}`;
      const lost = Object.keys(counts).filter((state) => !writer.allowed.includes(state));
      writer.prepare();
      const { code, err } = await startCommandLine(writer.args, folder).ended;
      assert.deepEqual([code, writer.state()], [0, "new"], err);
      const left = readdirSync(folder).filter((name) => name.startsWith("."));
      assert.deepEqual({ lost, left }, { lost: [], left: [] }, JSON.stringify(counts));
    });
  }

  it("lose no update of two runs at once", async function () {
    const all = rounds(20, 1);
    mkdirSync(at("x"));
    const list = ["a", "b"].map((name) => `{ "name": "${name}", "method": "${name}", "snapshot": true }`);
    writeFileSync(at("x/a.rpc.json"), `{ "cells": [${list.join(",")}] }`);
    let lost = 0;
    for (const _ of all) {
      round++;
      const run = (cell: string) =>
        startCommandLine(
          ["run", "x/a.rpc.json", "-c", cell, "-e", server.url, "--allow-method", cell, "--snapshot", "update"],
          folder,
        ).ended;
      const ended = await Promise.all([run("a"), run("b")]);
      const text = textOf("x/a.rpc.snapshot.json") ?? "";
      const { cells: found } = JSON.parse(text === "" ? `{"cells":{}}` : text);
      const isNew = (key: string): boolean => Number(found[key]?.answers[0].result) === round;
      if (!ended.every(({ code }) => code === 0) || !isNew("a") || !isNew("b")) lost++;
    }
    if (this.test) this.test.title += ` (${all.length} rounds, ${lost} lost)`;
    assert.equal(lost, 0);
  });

  it("lose nothing that an editor saves during fmt", async function () {
    const all = rounds(20, 1);
    const textOfRound = (n: number): string =>
      `{"cells":[${Array.from({ length: 3000 }, () => `{"method":"eth_chainId",   "params":[${n}]}`).join(",\n")}]}`;
    let [lost, refused] = [0, 0];
    for (const n of all.map((at) => at + 1)) {
      writeFileSync(at("a.rpc.json"), textOfRound(0));
      const { ended } = startCommandLine(["fmt", "a.rpc.json"], folder);
      await new Promise((soon) => setTimeout(soon, 100 + Math.random() * 250)); // kills it at different points
      if (n % 2 === 0) writeFileSync(at("a.rpc.json"), textOfRound(n));
      else {
        writeFileSync(at("a.new"), textOfRound(n));
        renameSync(at("a.new"), at("a.rpc.json"));
      }
      if (/changed since it was read/.test((await ended).err)) refused++;
      if (JSON.parse(textOf("a.rpc.json") ?? "").cells[0].params[0] !== n) lost++;
    }
    if (this.test) this.test.title += ` (${all.length} rounds, ${refused} refused, ${lost} lost)`;
    assert.equal(lost, 0);
  });

  it("lose no endpoint of two imports at once into one folder", async function () {
    const all = rounds(20, 1);
    let lost = 0;
    for (const n of all) {
      mkdirSync(at(`r${n}`));
      const run = async (name: string) => {
        const text = `curl http://h -H 'X-Team: ${name}' -d '{"method":"eth_chainId"}'\n`;
        writeFileSync(at(`r${n}/${name}.sh`), text);
        return startCommandLine(["import", `r${n}/${name}.sh`, "-o", `r${n}/${name}.rpc.json`], folder).ended;
      };
      await Promise.all([run("red"), run("blue")]);
      const endpoints = JSON.parse(textOf(`r${n}/rpc-endpoints.json`) ?? "{}");
      const teamOf = (name: string): unknown => {
        const { endpoint } = JSON.parse(textOf(`r${n}/${name}.rpc.json`) ?? "{}");
        return endpoints[endpoint]?.headers["X-Team"];
      };
      if (teamOf("red") !== "red" || teamOf("blue") !== "blue") lost++;
    }
    if (this.test) this.test.title += ` (${all.length} rounds, ${lost} lost)`;
    assert.equal(lost, 0);
  });
});
