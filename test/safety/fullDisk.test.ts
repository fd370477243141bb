import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, type Ended, type Restrictions, startCommandLine } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const isRoot = process.getuid?.() === 0;
/** Root may write everything, so the command runs as another user. */
const otherUser: Restrictions = isRoot ? { uid: 65534 } : {};

const row = `{"method":"eth_getBalance",  "params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}`;
const curl = `curl http://h -H 'X-Team: blue' -d '${row}'\n`;

type AddTest = (title: string, test: () => Promise<void>) => void;
const omit: AddTest = () => {};
const asRoot: AddTest = isRoot ? it : omit;
/** Mounts a separate disk for a test. If that is not possible, `ulimit` shows much the same. */
const inDisk: AddTest = canMount() ? it : omit;

describe("a file that cannot be written", () => {
  let folder: string;
  let server: HostileServer;
  before(async () => {
    buildCommandLine();
    server = await hostileServer(answering(() => "9".repeat(60_000)));
  });
  beforeEach(() => {
    folder = temporaryFolder();
    chmodSync(folder, 0o755);
  });

  const long = Array.from({ length: 1000 }, () => row).join(",\n");
  /** The content of the file before the command is small; `undefined` if the command creates the file. */
  const writers = {
    fmt: { file: "a.rpc.json", args: ["fmt", "a.rpc.json"], before: `{"cells":[${long}]}`, beside: {} },
    "a snapshot": {
      file: "a.rpc.snapshot.json",
      args: ["run", "a.rpc.json", "-e", "{url}", "--allow-method", "eth_big", "--snapshot", "update"],
      before: `{ "rpcNotebookSnapshot": 1, "cells": {} }\n`,
      beside: { "a.rpc.json": `{ "cells": [{ "method": "eth_big" }] }` },
    },
    "an import": {
      file: "b.rpc.json",
      args: ["import", "a.sh", "-o", "b.rpc.json"],
      before: undefined,
      beside: { "a.sh": `curl http://h -d '${row}'\n`.repeat(400) },
    },
    "an endpoint": {
      file: "rpc-endpoints.json",
      args: ["import", "a.sh", "-o", "b.rpc.json"],
      before: `${JSON.stringify({ other: `http://h/${"x".repeat(30_000)}` })}\n`,
      beside: { "a.sh": curl },
    },
  };
  type Writer = (typeof writers)[keyof typeof writers];
  const argsOf = ({ args }: Writer): readonly string[] => args.map((arg) => (arg === "{url}" ? server.url : arg));

  function prepare({ file, before, beside }: Writer, at = folder): void {
    mkdirSync(at, { recursive: true });
    for (const [name, text] of Object.entries(beside)) writeFileSync(join(at, name), text);
    if (before !== undefined) writeFileSync(join(at, file), before);
  }

  /** Does work on a disk of its own. */
  async function onDisk(size: string, work: (disk: string) => Promise<unknown>): Promise<void> {
    const disk = join(folder, "disk");
    mkdirSync(disk, { recursive: true });
    assert.equal(spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk]).status, 0);
    try {
      await work(disk);
    } finally {
      spawnSync("umount", [disk]);
    }
  }

  const state = (at: string): unknown => readdirSync(at).map((name) => [name, readFileSync(join(at, name), "utf8")]);

  /** Runs a command that must fail with a sentence and leave every file as it was, save those that it may create. */
  async function fails(writer: Writer, why: RegExp, restrictions?: Restrictions, at = folder): Promise<Ended> {
    const unchanged = (): unknown => readdirSync(at).filter((name) => name !== "b.rpc.json" || writer.file === name);
    const [before, names] = [state(at), unchanged()];
    const ended = await (restrictions
      ? startCommandLine(argsOf(writer), at, {}, restrictions).ended
      : runCommand(argsOf(writer), at));
    assert.equal(ended.code, 1, ended.err);
    const old = writer.before === undefined ? "Nothing was created\\." : "Its old content is unchanged\\.";
    assert.match(ended.err, new RegExp(`^✗ ${writer.file} was not written: ${why.source}\\. ${old}`, "m"));
    assert.doesNotMatch(ended.err, /\bbug\b|^\s+at |E[A-Z]{4}/m);
    assert.deepEqual(unchanged(), names, "nothing is left behind");
    if (writer !== writers["an endpoint"]) assert.deepEqual(state(at), before);
    if (writer.before !== undefined) assert.equal(readFileSync(join(at, writer.file), "utf8"), writer.before);
    return ended;
  }

  for (const [name, writer] of Object.entries(writers)) {
    inDisk(`is reported and does not change: ${name}, on a full disk`, () =>
      onDisk("512k", async (disk) => {
        prepare(writer, disk);
        fill(disk);
        await fails(writer, /the disk is full/, undefined, disk);
      }),
    );

    it(`is not written if a link leads out of the project: ${name}`, async () => {
      const project = join(folder, "project");
      prepare(writer, project);
      mkdirSync(join(project, ".git"));
      const { file, before } = writer;
      rmSync(join(project, file), { force: true });
      if (before !== undefined) writeFileSync(join(folder, "out.json"), before);
      symlinkSync("../out.json", join(project, file));
      const { code, err } = await runCommand(argsOf(writer), project);
      const isNew = before === undefined;
      const isRead = name === "a snapshot"; // before it is written
      assert.equal(code, isNew || isRead ? 2 : 1, err); // an import does not replace a link either
      if (!isNew)
        assert.match(
          err,
          /✗ \S+ (cannot be used: a link leads out|was not written: a link leads out of .*out\.json\.)/,
        );
      assert.deepEqual(readdirSync(folder).sort(), isNew ? ["project"] : ["out.json", "project"]);
      if (!isNew) assert.equal(readFileSync(join(folder, "out.json"), "utf8"), before);
    });
  }

  // what follows is decided where all of them write, so one of them shows it
  it("is reported and does not change at the largest size that a file may have", async () => {
    prepare(writers["an import"]);
    await fails(writers["an import"], /it would be larger than this system allows/, { limit: "ulimit -f 16" });
  });

  it("is reported and does not change without permission for the folder, or for the file", async () => {
    prepare(writers.fmt);
    chmodSync(folder, 0o555);
    await fails(writers.fmt, /you have no permission/, otherUser);
    chmodSync(folder, 0o777);
    chmodSync(join(folder, writers.fmt.file), 0o444);
    await fails(writers.fmt, /you have no permission/, otherUser);
  });

  inDisk("is reported and does not change on a disk that is read-only", () =>
    onDisk("1m", async (disk) => {
      prepare(writers.fmt, disk);
      assert.equal(spawnSync("mount", ["-o", "remount,ro", disk]).status, 0);
      await fails(writers.fmt, /the disk is read-only/, undefined, disk);
    }),
  );

  it("is complete, and nothing is left behind, after Ctrl-C and SIGTERM during a write", async () => {
    const { file, before } = writers.fmt;
    for (const signals of some([["SIGINT", "SIGINT"], ["SIGTERM"], ["SIGHUP"]] as const, 1)) {
      prepare(writers.fmt);
      const { child, ended } = startCommandLine(argsOf(writers.fmt), folder);
      const watcher = watch(folder, () => {
        watcher.close();
        for (const signal of signals) child.kill(signal);
      });
      await ended;
      watcher.close();
      assert.deepEqual(readdirSync(folder), [file], signals.join());
      const text = readFileSync(join(folder, file), "utf8");
      if (text !== before) JSON.parse(text);
    }
  });

  it("is reported for a snapshot that a dangling link would create elsewhere", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    writeFileSync(join(project, "a.rpc.json"), `{ "cells": [{ "method": "eth_big" }] }`);
    symlinkSync("../planted.json", join(project, "a.rpc.snapshot.json"));
    const args = ["run", "a.rpc.json", "-e", server.url, "--allow-method", "eth_big", "--snapshot", "update"];
    for (const [more, told] of [
      [[], /1 cell ok/],
      [["--report", "json"], /"ok": false,[\s\S]*"fault": "a\.rpc\.snapshot\.json was not written: /],
      [["--report", "junit"], /errors="1"[\s\S]*<error message="a\.rpc\.snapshot\.json was not written: /],
    ] as const) {
      const { code, out, err } = await runCommand([...args, ...more], project);
      assert.equal(code, 1, err);
      assert.match(out, told);
      assert.match(
        err,
        /✗ a\.rpc\.snapshot\.json was not written: a link leads out of the project, to \S+\. Nothing was created\./,
      );
    }
    assert.deepEqual(readdirSync(folder), ["project"]);
  });

  it("is reported when standard output is that file", async () => {
    writeFileSync(join(folder, "a.rpc.json"), `{"cells":[${long}]}`);
    const limit = `ulimit -f 16; exec > out`;
    const { code, err } = await startCommandLine(["export", "a.rpc.json", "--to", "curl"], folder, {}, { limit }).ended;
    assert.equal(code, 1);
    assert.equal(
      err,
      "✗ The output is not complete: it would be larger than this system allows.\n  Make it smaller.\n",
    );
  });

  asRoot("gives a group nothing that everyone does not have, if it cannot keep the owner", async () => {
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, "a.rpc.json"), `{"cells":[${row}]}`);
    chownSync(join(folder, "a.rpc.json"), 0, 0);
    chmodSync(join(folder, "a.rpc.json"), 0o676);
    const { code, err } = await startCommandLine(["fmt", "a.rpc.json"], folder, {}, otherUser).ended;
    assert.equal(code, 0, err);
    const { uid, mode } = statSync(join(folder, "a.rpc.json"));
    assert.deepEqual([uid, mode & 0o777], [otherUser.uid, 0o666]);
  });
});

function canMount(): boolean {
  const disk = temporaryFolder();
  const isMounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status === 0;
  if (isMounted) spawnSync("umount", [disk]);
  return isMounted;
}

function fill(disk: string): void {
  spawnSync("sh", ["-c", "cat /dev/zero > filler"], { cwd: disk });
}
