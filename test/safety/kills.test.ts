import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, type Ended, startCommandLine } from "../support/commandLine.ts";
import { rounds, some, thorough } from "../support/depth.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { killedAt } from "../support/killedAt.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const row = `{"method":"eth_getBalance",  "params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}`;
const curl = (header = ""): string => `curl http://h ${header} -d '${row}'\n`;
const snapshots = (...names: readonly string[]): string =>
  JSON.stringify({ cells: names.map((name) => ({ name, method: name, snapshot: true })) });

interface Writer {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The file that must never be torn or lost. */
  readonly written: string;
}

describe("files whose writer is killed", function () {
  this.timeout(300_000);
  let folder: string;
  let server: HostileServer;
  let round = 0;
  before(async () => {
    buildCommandLine();
    server = await hostileServer(answering(() => `${round}`.padStart(10_000, "0")));
  });
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const at = (name: string): string => join(folder, name);
  const textOf = (name: string): string | undefined =>
    readdirSync(folder).includes(name)
      ? readFileSync(at(name), "utf8").replaceAll(/(?<="at": )".*"/g, '""')
      : undefined;

  const writers: Readonly<Record<string, () => Writer>> = {
    fmt: () => ({
      args: ["fmt", "a.rpc.json"],
      files: { "a.rpc.json": `{"cells":[\n${row}\n]}\n` },
      written: "a.rpc.json",
    }),
    "a snapshot": () => ({
      args: ["run", "a.rpc.json", "-e", server.url, "--allow-method", "big_*", "--snapshot", "update"],
      files: {
        "a.rpc.json": snapshots("big_a", "big_b"),
        "a.rpc.snapshot.json": `{ "rpcNotebookSnapshot": 1, "cells": {} }\n`,
      },
      written: "a.rpc.snapshot.json",
    }),
    "an import": () => ({
      args: ["import", "a.sh", "-o", "a.rpc.json"],
      files: { "a.sh": curl().repeat(100) },
      written: "a.rpc.json",
    }),
    endpoints: () => ({
      args: ["import", "a.sh", "-o", "a.rpc.json"],
      files: { "a.sh": curl("-H 'X-Team: blue'"), "rpc-endpoints.json": `{ "mine": "http://127.0.0.1:1" }\n` },
      written: "rpc-endpoints.json",
    }),
  };

  const prepare = ({ files, written }: Writer): void => {
    rmSync(at(written), { force: true });
    rmSync(at("a.rpc.json"), { force: true }); // an import replaces no notebook
    for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  };
  const ends = async ({ args }: Writer): Promise<void> => {
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 0, err);
  };
  /** Kills a writer, and returns how it ended. */
  async function kill(writer: Writer, change: number, whole: string | undefined): Promise<Ended> {
    const ended = await killedAt(change, writer.args, folder);
    const text = textOf(writer.written);
    assert.ok(text === writer.files[writer.written] || text === whole, `before change ${change}: ${text}`);
    return ended;
  }
  /** Runs the writer once more, which leaves nothing behind. */
  async function goesOn(writer: Writer, whole: string | undefined): Promise<void> {
    prepare(writer);
    await ends(writer);
    assert.equal(textOf(writer.written), whole);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(".")),
      [],
    );
  }

  for (const [what, make] of some(Object.entries(writers), 1)) {
    it(`are complete, before and within each change that it makes: ${what}`, async () => {
      const writer = make();
      prepare(writer);
      await ends(writer);
      const whole = textOf(writer.written);
      for (let change = 1, isWhole = false; !isWhole; change += thorough ? 1 : 4) {
        folder = temporaryFolder(); // a process looks into each once for what others left
        prepare(writer);
        isWhole = (await kill(writer, change, whole)).code === 0;
        assert.ok(!isWhole || change > 9, `${change} changes`);
        await goesOn(writer, whole);
      }
    });
  }

  it("are complete after several kills one after the other", async () => {
    const writer = writers.fmt?.() ?? assert.fail();
    for (const _ of rounds(4, 1)) {
      prepare(writer);
      await ends(writer);
      const whole = textOf(writer.written);
      folder = temporaryFolder();
      prepare(writer);
      for (let kills = 0; kills < 3; kills++) await kill(writer, 1 + Math.floor(Math.random() * 14), whole);
      await goesOn(writer, whole);
    }
  });

  /** Rounds in which two commands, or a command and an editor, write at the same time; each returns what was lost. */
  const races: Readonly<Record<string, (n: number) => Promise<object>>> = {
    "no update of two runs at once": async (n) => {
      round++;
      if (n === 0) writeFileSync(at("a.rpc.json"), snapshots("a", "b"));
      const options = ["-e", server.url, "--snapshot", "update", "--allow-method"];
      const codes = await together((cell) => ["run", "a.rpc.json", "-c", cell, ...options, cell]);
      const { cells: found } = JSON.parse(textOf("a.rpc.snapshot.json") || `{"cells":{}}`);
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
      folder = join(folder, `r${n}`);
      mkdirSync(folder);
      const codes = await together((name) => {
        writeFileSync(at(`${name}.sh`), curl(`-H 'X-Team: ${name}'`));
        return ["import", `${name}.sh`, "-o", `${name}.rpc.json`];
      });
      const endpoints = JSON.parse(textOf("rpc-endpoints.json") ?? "{}");
      const teams = ["a", "b"].map((name) => {
        const { endpoint } = JSON.parse(textOf(`${name}.rpc.json`) ?? "{}");
        return endpoints[endpoint]?.headers["X-Team"];
      });
      return teams.join() === "a,b" ? {} : { codes, teams };
    },
  };
  const together = (argsOf: (name: string) => readonly string[]): Promise<readonly (number | null)[]> =>
    Promise.all(["a", "b"].map(async (name) => (await startCommandLine(argsOf(name), folder).ended).code));
  for (const [what, race] of Object.entries(races))
    it(`lose ${what}`, async () => {
      for (const n of rounds(5, 1)) assert.deepEqual(await race(n), {}, `round ${n}`);
    });
});
