import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants, hostname } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { pathToFileURL } from "node:url";
import type { Written } from "../../server/src/base/ports.ts";
import { updateFile, writingIf } from "../../server/src/files/updateFile.ts";
import { files } from "../../server/src/node/files.ts";
import { machine, systemFault } from "../../server/src/node/processes.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const written: Written = { kind: "written" };
const changed: Written = { kind: "changed" };

describe("the file writer", () => {
  let top: string;
  let project: string;
  beforeEach(() => {
    top = temporaryFolder();
    project = join(top, "project");
    mkdirSync(project);
  });

  const at = (name: string): string => join(project, name);
  const write = (name: string, before: string | undefined, text: string, within = project): Promise<Written> => {
    assert.ok(files.write);
    return files.write(pathToFileURL(at(name)).href, { before, text, within: pathToFileURL(within).href });
  };
  const put = (name: string, text = "old"): void => writeFileSync(at(name), text);
  const read = (name: string): string => readFileSync(at(name), "utf8");

  describe("replaces a file as a whole", () => {
    it("keeps its mode and its owner, and leaves no other file behind", async () => {
      put("a.json");
      chmodSync(at("a.json"), 0o640);
      assert.deepEqual(await write("a.json", "old", "new"), written);
      assert.equal(read("a.json"), "new");
      const { mode, uid } = statSync(at("a.json"));
      assert.deepEqual([mode & 0o777, uid], [0o640, process.getuid?.() ?? 0]);
      assert.deepEqual(readdirSync(project), ["a.json"]);
    });

    it("gives a new file the usual mode, and leaves the bytes of an open file as they are", async () => {
      put("other");
      assert.deepEqual(await write("a.json", undefined, "new"), written);
      const { mode, ino } = statSync(at("a.json"));
      assert.equal(mode, statSync(at("other")).mode);
      await write("a.json", "new", "newer");
      assert.notEqual(statSync(at("a.json")).ino, ino);
    });

    it("writes files with long names, and any text", async () => {
      const name = `${"ü".repeat(120)}.json`;
      const text = `\ufeff{}\r\n\u{1f600}`;
      assert.deepEqual(await write(name, undefined, text), written);
      assert.deepEqual(await write(name, text, `${text}!`), written);
      assert.equal(read(name), `${text}!`);
      assert.deepEqual(readdirSync(project), [name]);
    });
  });

  it("writes, lengthens and removes nothing in a workspace that is not trusted at that time", async () => {
    put("a.json");
    let isTrusted = false;
    const { write: replace, grow, remove } = writingIf(() => isTrusted, files);
    assert.ok(replace && grow && remove);
    const [uri, within] = [pathToFileURL(at("a.json")).href, pathToFileURL(project).href];
    const refused = { kind: "failed", reason: "untrusted", detail: "" };
    assert.deepEqual(await replace(uri, { before: "old", text: "new", within }), refused);
    assert.deepEqual(await grow(uri, within), refused);
    assert.deepEqual(await remove(uri, { before: "old", within }), refused);
    assert.equal(read("a.json"), "old");
    isTrusted = true;
    assert.deepEqual(await replace(uri, { before: "old", text: "new", within }), written);
  });

  describe("does not overwrite changes that it has not read", () => {
    it("leaves a file that changed, and one that appeared", async () => {
      put("a.json", "edited");
      assert.deepEqual(await write("a.json", "old", "new"), changed);
      assert.deepEqual(await write("a.json", undefined, "new"), changed);
      assert.equal(read("a.json"), "edited");
      assert.deepEqual(await write("gone.json", "old", "new"), changed);
      assert.deepEqual(readdirSync(project), ["a.json"]);
    });

    it("creates a file once, even if several try at the same time", async () => {
      const all = await Promise.all(Array.from({ length: 20 }, (_, n) => write("a.json", undefined, `text ${n}`)));
      assert.equal(all.filter(({ kind }) => kind === "written").length, 1);
      assert.equal(all.filter(({ kind }) => kind === "changed").length, 19);
      assert.equal(read("a.json"), `text ${all.findIndex(({ kind }) => kind === "written")}`);
    });

    it("loses no update of many at the same time", async () => {
      put("a.json", "[]");
      const uri = pathToFileURL(at("a.json")).href;
      const file = { uri, name: "a.json", within: pathToFileURL(project).href };
      const add = (n: number) =>
        updateFile(files, file, (text = "[]") => ({ text: JSON.stringify([...JSON.parse(text), n]) }));
      const all = Array.from({ length: 30 }, (_, n) => n);
      assert.deepEqual(new Set(await Promise.all(all.map(add))), new Set(["written"]));
      assert.deepEqual(
        JSON.parse(read("a.json")).sort((a: number, b: number) => a - b),
        all,
      );
    });
  });

  describe("follows links only inside the project", () => {
    const leadsOut = (result: Written): boolean => result.kind === "failed" && result.reason === "leads-out";

    it("writes to the target of a link, and keeps the link", async () => {
      mkdirSync(at("data"));
      put("data/real.json");
      symlinkSync("data/real.json", at("a.json"));
      symlinkSync("data", at("folder"));
      symlinkSync("a.json", at("twice.json"));
      assert.deepEqual(await write("a.json", "old", "1"), written);
      assert.deepEqual(await write("twice.json", "1", "2"), written);
      assert.deepEqual(await write("folder/real.json", "2", "3"), written);
      assert.equal(read("data/real.json"), "3");
      assert.equal(readlinkSync(at("a.json")), "data/real.json");
      assert.ok(lstatSync(at("folder")).isSymbolicLink() && lstatSync(at("twice.json")).isSymbolicLink());
    });

    it("creates the target of a dangling link", async () => {
      symlinkSync("real.json", at("a.json"));
      assert.deepEqual(await write("a.json", undefined, "new"), written);
      assert.deepEqual([read("real.json"), readlinkSync(at("a.json"))], ["new", "real.json"]);
    });

    it("refuses links that lead out: to files and folders, dangling, through others, by whole paths", async () => {
      writeFileSync(join(top, "out.json"), "old");
      for (const [target, link, file] of [
        ["../out.json", "a.json", "a.json"],
        ["../none.json", "a.json", "a.json"],
        ["../none/none.json", "a.json", "a.json"],
        ["/rpc-notebook-none.json", "a.json", "a.json"],
        ["..", "folder", "folder/a.json"],
        ["../none", "folder", "folder/a.json"],
        ["../project/../out.json", "a.json", "a.json"],
      ] as const) {
        symlinkSync(target, at(link));
        for (const before of ["old", undefined]) assert.ok(leadsOut(await write(file, before, "new")), target);
        assert.deepEqual([readdirSync(top).sort(), readdirSync(project)], [["out.json", "project"], [link]], target);
        assert.equal(readFileSync(join(top, "out.json"), "utf8"), "old");
        rmSync(at(link));
      }
    });

    it("refuses a link into the files of git", async () => {
      mkdirSync(at(".git/hooks"), { recursive: true });
      symlinkSync(".git/hooks/pre-commit", at("a.json"));
      symlinkSync(".git", at("folder"));
      const amongGit: Written = { kind: "failed", reason: "git", detail: "" };
      assert.deepEqual(await write("a.json", undefined, "new"), amongGit);
      assert.deepEqual(await write("folder/config", undefined, "new"), amongGit);
      assert.deepEqual(readdirSync(at(".git/hooks")), []);
      put(".gitignore");
      assert.deepEqual(await write(".gitignore", "old", "new"), written);
    });

    it("refuses a chain of links that leads out, and links in a circle", async () => {
      symlinkSync("b.json", at("a.json"));
      symlinkSync("../out.json", at("b.json"));
      assert.ok(leadsOut(await write("a.json", undefined, "new")));
      symlinkSync("c.json", at("c.json"));
      assert.deepEqual(await write("c.json", undefined, "new"), { kind: "failed", reason: "other", detail: "ELOOP" });
      assert.deepEqual(readdirSync(top), ["project"]);
    });

    it("recognizes a project behind a link", async () => {
      symlinkSync("project", join(top, "link"));
      put("a.json");
      assert.deepEqual(await write("a.json", "old", "new", join(top, "link")), written);
      assert.deepEqual(await write("../link/b.json", undefined, "new"), written);
    });

    it("does not follow links with the names of its own files", async () => {
      put("a.json");
      writeFileSync(join(top, "out"), "precious");
      symlinkSync("../out", at(".a.json.rpc-notebook-lock"));
      utimesSync(join(top, "out"), 1, 1);
      spawnSync("touch", ["-h", "-d", "2001-01-01", at(".a.json.rpc-notebook-lock")]);
      assert.deepEqual(await write("a.json", "old", "new"), written);
      assert.equal(readFileSync(join(top, "out"), "utf8"), "precious");
    });
  });

  describe("reports why it did not write, and changes nothing:", () => {
    const failed = (reason: string, detail = ""): unknown => ({ kind: "failed", reason, detail });

    it("to a path that is a folder, and in a folder that does not exist", async () => {
      mkdirSync(at("a.json"));
      put("b.json");
      assert.deepEqual(await write("a.json", "old", "new"), failed("not-a-file"));
      for (const [name, reason, detail] of [
        ["none/a.json", "no-folder", "ENOENT"],
        ["b.json/a.json", "no-folder", "ENOTDIR"],
        [`${"a".repeat(300)}.json`, "name-too-long", "ENAMETOOLONG"],
      ] as const)
        assert.deepEqual(await write(name, undefined, "new"), failed(reason, detail));
    });

    it("to a pipe or a device, at once", async () => {
      const pipe = spawnSync("mkfifo", [at("a.json")]).status === 0;
      if (!pipe) symlinkSync("/dev/null", at("a.json"));
      assert.deepEqual(await write("a.json", "old", "new"), failed("not-a-file"));
    });

    it("over a quota, for which Node has no name", () => {
      const error = Object.assign(new Error("Unknown"), {
        code: "Unknown system error",
        errno: -constants.errno.EDQUOT,
      });
      assert.equal(systemFault(error).reason, "quota");
    });

    it("more than it would read again", async () => {
      assert.deepEqual(
        await write("a.json", undefined, "x".repeat(64 * 1024 * 1024 + 1)),
        failed("too-large", "67 MB"),
      );
      assert.deepEqual(readdirSync(project), []);
    });
  });

  describe("is not blocked by processes that were killed", () => {
    const dead = spawnSync(process.execPath, ["-e", "0"]).pid;
    const lock = ".a.json.rpc-notebook-lock";
    const madeAt = new Date();
    afterEach(() => mock.restoreAll());

    /** Writes in place of the old text while another process has the lock. */
    function beginWriting() {
      let isDone = false;
      const ended = write("a.json", "old", "new").finally(() => {
        isDone = true;
      });
      return {
        ended,
        async waits(): Promise<void> {
          while (readdirSync(project).length < 3) await new Promise(setImmediate); // its temporary file
          for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
          assert.deepEqual([isDone, read("a.json")], [false, "old"]);
        },
      };
    }

    it("breaks their locks at once, and locks with impossible process ids", async () => {
      const pids = [dead, 0, -1, "99999999999999999999", "NaN"];
      mock.method(Date, "now", () => madeAt.getTime()); // no lock gets old
      for (const [pid, ...left] of [
        ...pids.map((pid) => [pid, lock, `${lock}-break`]),
        [dead, `${lock}-break`],
        [dead, `${lock}-break-break`],
        [dead, `${lock}-break`, `${lock}-break-break`],
      ]) {
        put("a.json");
        for (const name of left) {
          put(`${name}`, `${machine} ${pid} 0123`);
          utimesSync(at(`${name}`), madeAt, madeAt);
        }
        assert.deepEqual(await write("a.json", "old", "new"), written, `${pid}`);
        assert.deepEqual(readdirSync(project), ["a.json"]);
      }
    });

    it("waits for a lock that may just be written", async () => {
      put("a.json");
      put(lock, "");
      utimesSync(at(lock), madeAt, madeAt);
      let age = 900;
      mock.method(Date, "now", () => madeAt.getTime() + age);
      const writing = beginWriting();
      await writing.waits();
      age = 1100;
      assert.deepEqual(await writing.ended, written);
    });

    it("does not read, follow or empty a file in the place of a lock", async () => {
      const makers: Readonly<Record<string, () => void>> = {
        "a link to a device": () => symlinkSync("/dev/zero", at(lock)),
        "a dangling link": () => symlinkSync("/nonexistent", at(lock)),
        "a pipe": () => void spawnSync("mkfifo", [at(lock)]),
        "a large file": () => {
          put(lock);
          truncateSync(at(lock), 1e9);
        },
      };
      for (const [what, make] of Object.entries(makers)) {
        put("a.json");
        make();
        spawnSync("touch", ["-h", "-d", "2001-01-01", at(lock)]);
        assert.deepEqual(await write("a.json", "old", "new"), written, what);
        assert.deepEqual(readdirSync(project), ["a.json"], what);
      }
    });

    it("does not remove a folder in the place of a lock, and names it", async () => {
      put("a.json");
      mkdirSync(at(lock));
      const { now } = performance;
      let passed = 0;
      performance.now = () => now.call(performance) + 1000 * passed++;
      const ended = await write("a.json", "old", "new").finally(() => {
        performance.now = now;
      });
      assert.deepEqual(ended, { kind: "failed", reason: "busy", detail: lock });
      assert.deepEqual(readdirSync(project), [lock, "a.json"]);
    });

    it("breaks locks that are old, from another machine or empty", async () => {
      for (const token of ["00000000 1 0123", `${machine} ${process.pid} 0123`, "", "nonsense"]) {
        put("a.json");
        put(lock, token);
        utimesSync(at(lock), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
        assert.deepEqual(await write("a.json", "old", "new"), written, token);
        assert.deepEqual(readdirSync(project), ["a.json"]);
      }
    });

    it("waits for the lock of a running process", async () => {
      put("a.json");
      put(lock, `${machine} ${process.pid} 0123`);
      const writing = beginWriting();
      await writing.waits();
      rmSync(at(lock));
      assert.deepEqual(await writing.ended, written);
    });

    it("removes their files, and no others", async () => {
      const suffix = "0123456789ab.rpc-notebook-tmp";
      const left = [`.a.json.${machine}-${dead}-${suffix}`, `.gone.json.${machine}-${dead}-${suffix}`];
      const kept = [
        `.a.json.${machine}-${process.pid}-${suffix}`,
        `.a.json.00000000-${dead}-${suffix}`,
        "notes.rpc-notebook-tmp",
        ".a.json.tmp",
      ];
      mkdirSync(at(`.folder.${machine}-${dead}-${suffix}`));
      writeFileSync(join(top, "precious"), "precious");
      symlinkSync("../precious", at(`.link.${machine}-${dead}-${suffix}`));
      const old = `.b.json.00000000-1-${suffix}`;
      for (const name of [...left, ...kept, old]) put(name);
      utimesSync(at(old), 1, 1);
      assert.deepEqual(await write("a.json", undefined, "new"), written, hostname());
      assert.deepEqual(readdirSync(project).sort(), ["a.json", `.folder.${machine}-${dead}-${suffix}`, ...kept].sort());
      assert.equal(readFileSync(join(top, "precious"), "utf8"), "precious");
    });
  });

  it("ignores URIs of other schemes", async () => {
    for (const uri of ["untitled:a", "http://127.0.0.1/a", "vscode-vfs://x/a.json", "nonsense"]) {
      const result = await files.write?.(uri, { before: undefined, text: "", within: pathToFileURL(project).href });
      assert.equal(result?.kind, "failed", uri);
    }
    assert.ok(!existsSync("a"));
  });
});
