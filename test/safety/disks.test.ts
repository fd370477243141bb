import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writevSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Written } from "../../server/src/base/ports.ts";
import { writeFaultText } from "../../server/src/files/writeFaults.ts";
import { commandFiles, files } from "../../server/src/node/files.ts";
import { type FailingDisk, failingDisk } from "../support/failingDisk.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const written: Written = { kind: "written" };

/** What a disk of Windows, a network or a stick does, by shape: the error codes are injected into `node:fs`. */
describe("the file writer on the disks of other systems", () => {
  let project: string;
  let disk: FailingDisk | undefined;
  const platform = process.platform;
  const pretend = (value: string): void => void Object.defineProperty(process, "platform", { value });
  beforeEach(() => {
    project = temporaryFolder();
  });
  afterEach(() => {
    disk?.repair();
    disk = undefined;
    delete process.env.SystemRoot;
    pretend(platform);
  });

  const me = "ME\\me:(F)";
  const inherited = "BUILTIN\\Users:(I)(RX)";
  /** Pretends to be on Windows. @param lines - What `icacls` prints of any file; it fails if there are none. */
  const onWindows = (lines: readonly string[] = [inherited]): void => {
    pretend("win32");
    process.env.SystemRoot = temporaryFolder();
    const system = join(process.env.SystemRoot, "System32");
    mkdirSync(system);
    const output = lines.length > 0 ? lines.map((line) => `echo '${line}'`).join("\n") : "exit 5";
    writeFileSync(join(system, "icacls.exe"), `#!/bin/sh\n${output}\n`);
    chmodSync(join(system, "icacls.exe"), 0o755);
  };

  const at = (name: string): string => join(project, name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const write = (name: string, before: string | undefined, text: string): Promise<Written> => {
    assert.ok(files.write);
    return files.write(pathToFileURL(at(name)).href, { before, text, within: pathToFileURL(project).href });
  };

  describe("without hard links", () => {
    for (const code of ["EISDIR", "EINVAL", "UNKNOWN", "ENOTSUP", "EXDEV", "EPERM", "EOPNOTSUPP", "ENOSYS", "EMLINK"])
      it(`creates a file although a link fails with ${code}`, async () => {
        disk = failingDisk("linkSync", [code]);
        assert.deepEqual(await write("a.json", undefined, "new"), written);
        assert.deepEqual([disk.failed, read("a.json"), readdirSync(project)], [1, "new", ["a.json"]]);
      });

    it("replaces no file that appears meanwhile", async () => {
      disk = failingDisk("linkSync", ["EISDIR"], () => {
        if (!existsSync(at("a.json"))) writeFileSync(at("a.json"), "precious");
        return true;
      });
      assert.deepEqual(await write("a.json", undefined, "new"), { kind: "changed" });
      assert.equal(read("a.json"), "precious");
    });
  });

  describe("while another program has the file open", () => {
    for (const system of ["win32", "linux", "darwin"])
      for (const code of ["EPERM", "EACCES", "EBUSY"])
        it(`tries again after ${code} on ${system}`, async () => {
          if (system === "win32") onWindows();
          else pretend(system);
          writeFileSync(at("a.json"), "old");
          disk = failingDisk("renameSync", Array(4).fill(code));
          assert.deepEqual(await write("a.json", "old", "new"), written);
          assert.deepEqual([disk.failed, read("a.json"), readdirSync(project)], [4, "new", ["a.json"]]);
        });

    it("says so in the end, and leaves the file and nothing else", async () => {
      writeFileSync(at("a.json"), "old");
      disk = failingDisk("renameSync", Array(100).fill("EACCES"));
      assert.deepEqual(await write("a.json", "old", "new"), { kind: "failed", reason: "in-use", detail: "" });
      assert.deepEqual([read("a.json"), readdirSync(project)], ["old", ["a.json"]]);
      assert.match(writeFaultText({ reason: "in-use", detail: "" }).why, /another program has it open/);
    });

    it("gives the next write the lock that could not be deleted, before that is old", async () => {
      writeFileSync(at("a.json"), "0");
      const isLock = ([path]: readonly unknown[]): boolean => String(path).endsWith("-lock");
      disk = failingDisk("rmSync", Array(1000).fill("EBUSY"), isLock);
      assert.deepEqual(await write("a.json", "0", "1"), written);
      assert.ok(readdirSync(project).length > 1, "the lock is still there");
      for (const text of ["2", "3"]) assert.deepEqual(await write("a.json", read("a.json"), text), written);
      disk.repair();
      assert.deepEqual(await write("a.json", "3", "4"), written);
      assert.deepEqual(readdirSync(project), ["a.json"]);
    });

    it("deletes such a lock as soon as it can, so that other processes need not wait", async () => {
      writeFileSync(at("a.json"), "0");
      const isLock = ([path]: readonly unknown[]): boolean => String(path).endsWith("-lock");
      disk = failingDisk("rmSync", Array(3).fill("EBUSY"), isLock);
      assert.deepEqual(await write("a.json", "0", "1"), written);
      while (readdirSync(project).length > 1) await new Promise(setImmediate);
      assert.equal(disk.calls, 4);
    });
  });

  describe("finds the files of git however they are spelled:", () => {
    const spelled = [
      ".GIT",
      ".Git",
      "git~1",
      "GIT~2",
      ".git::$INDEX_ALLOCATION",
      ".git:$I30:$INDEX_ALLOCATION",
      ".git.",
      ".git ",
      ".git . ",
      ".g\u200cit",
    ];
    for (const name of spelled)
      it(`${JSON.stringify(name)}, as a folder, as a file, and behind a link`, async () => {
        const amongGit: Written = { kind: "failed", reason: "git", detail: "" };
        mkdirSync(at(name));
        symlinkSync(`${name}/new.json`, at("a.json"));
        for (const file of [`${name}/new.json`, name, "a.json"])
          assert.deepEqual(await write(file, undefined, "new"), amongGit, file);
        assert.deepEqual(readdirSync(at(name)), []);
      });

    it("and leaves other names alone", async () => {
      for (const name of [".gitignore", ".github", "git", "git~x", "my.git", ".git-notes"])
        assert.deepEqual(await write(name, undefined, "new"), written, name);
    });
  });

  it("compares names as the system does", () => {
    for (const [system, ignoresCase] of [
      ["win32", true],
      ["darwin", true],
      ["linux", false],
    ] as const) {
      pretend(system);
      assert.deepEqual([files.ignoresCase, commandFiles([]).ignoresCase], [ignoresCase, ignoresCase], system);
    }
  });

  describe("of Windows", () => {
    const names = [
      "aux.json",
      "CON",
      "nul.rpc.json",
      "com1.json",
      "LPT9",
      "a.json:x",
      "a.",
      "a ",
      "a?.json",
      "a\\b.json",
    ];
    it("refuses names that mean something else there", async () => {
      pretend("win32");
      for (const name of names)
        assert.deepEqual(
          await write(name, undefined, "new"),
          { kind: "failed", reason: "reserved-name", detail: "" },
          name,
        );
      assert.deepEqual(readdirSync(project), []);
      for (const name of ["auxiliary.json", "com.json", "console.json", "a.b.json", "com10.json"])
        assert.deepEqual(await write(name, undefined, "new"), written, name);
    });

    it("leaves them alone elsewhere", async () => {
      for (const name of names) assert.deepEqual(await write(name, undefined, "new"), written, name);
    });

    it("keeps a file with an access list of its own, and writes over its content", async () => {
      for (const lines of [[`a.json ${me}`, `       ${inherited}`, "", "Successfully processed 1 files"], []]) {
        writeFileSync(at("a.json"), "a long old text");
        const other = join(temporaryFolder(), "other"); // the same file
        linkSync(at("a.json"), other);
        onWindows(lines);
        for (const [before, text] of [
          ["a long old text", "new"],
          ["new", "a longer new text"],
        ] as const) {
          assert.deepEqual(await write("a.json", before, text), written);
          assert.deepEqual([read("a.json"), readFileSync(other, "utf8")], [text, text]);
        }
        assert.deepEqual(readdirSync(project), ["a.json"]);
        rmSync(at("a.json"));
      }
    });

    it("puts the old content back if the disk is full in the middle", async () => {
      writeFileSync(at("a.json"), "old");
      onWindows([`a.json ${me}`]);
      const isLonger = ([file, bytes]: readonly unknown[]): boolean => {
        if (!String(bytes).startsWith("longer")) return false;
        writevSync(Number(file), [Buffer.from("long")], 0); // as much as there is room for
        return true;
      };
      disk = failingDisk("writeSync", ["ENOSPC"], isLonger);
      const result = await write("a.json", "old", "longer than before");
      disk.repair();
      assert.deepEqual([disk.failed, result], [1, { kind: "failed", reason: "disk-full", detail: "ENOSPC" }]);
      assert.equal(read("a.json"), "old");
    });

    it("moves a new file into place where all access comes from the folder", async () => {
      writeFileSync(at("a.json"), "old");
      const other = join(temporaryFolder(), "other");
      linkSync(at("a.json"), other);
      onWindows([`a.json ${inherited}`, "       ME\\me:(I)(F)", "", "Successfully processed 1 files"]);
      assert.deepEqual(await write("a.json", "old", "new"), written);
      assert.deepEqual([read("a.json"), readFileSync(other, "utf8")], ["new", "old"]);
    });
  });
});
