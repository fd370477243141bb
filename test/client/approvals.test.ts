import assert from "node:assert/strict";
import type { Memento, Uri } from "vscode";
import { FakeFiles, fakeUri, useFakeVscode, vscode } from "../support/vscode.ts";

describe("approvals, in several windows of one workspace", () => {
  let files: FakeFiles;
  let fs: FakeFiles["fs"];
  const folder = fakeUri("/storage");
  before(useFakeVscode);
  beforeEach(() => {
    files = new FakeFiles();
    class NotFound extends Error {
      readonly code = "FileNotFound";
    }
    const readFile = async (file: Uri) => {
      if (!files.texts.has(file.path)) throw new NotFound();
      return files.fs.readFile(file);
    };
    vscode.FileSystemError = NotFound;
    vscode.Uri = { joinPath: ({ path }: Uri, name: string) => fakeUri(`${path}/${name}`) };
    fs = { ...files.fs, readFile };
    vscode.workspace = { fs };
  });

  /** A window's copy of the state of the workspace: it does not see what other windows write. */
  const copyOf = (stored: unknown): Memento & { readonly stored: () => unknown } => {
    let own = stored;
    return {
      keys: () => [],
      get: <T>(_: string, fallback?: T) => (own ?? fallback) as T, // each test stores what it reads
      update: async (_: string, value: unknown) => {
        own = value;
      },
      stored: () => own,
    };
  };
  const open = async (memory = copyOf(undefined), storage: Uri | undefined = folder) => {
    const { approvals } = await import("../../client/src/approvals.ts");
    const opened = approvals(memory, storage);
    await opened.read();
    return opened;
  };

  it("that one has revoked are not written back by another", async () => {
    const old = ["https://a.example", "https://b.example"];
    const [one, other] = [await open(copyOf(old)), await open(copyOf(old))];
    await one.revoke("https://a.example");
    await other.add("https://c.example");
    const left = ["https://b.example", "https://c.example"];
    assert.deepEqual(other.list(), left);
    assert.deepEqual((await open(copyOf(old))).list(), left);
  });

  it("that one revokes while another writes are not written back either", async () => {
    const [one, other] = [await open(), await open()];
    await one.add("https://a.example");
    const { writeFile } = fs;
    fs.writeFile = async (file, bytes) => {
      fs.writeFile = writeFile;
      await writeFile(file, bytes);
      await one.revoke("https://a.example");
    };
    await other.add("https://b.example");
    assert.deepEqual([other.list(), (await open()).list()], [["https://b.example"], ["https://b.example"]]);
  });

  it("are known to be revoked by a window that reads them again", async () => {
    const [one, other] = [await open(), await open()];
    await one.add("https://a.example");
    assert.equal(await other.read(), false, "more is not less");
    await one.revoke("https://a.example");
    assert.deepEqual([await other.read(), other.list()], [true, []]);
    assert.equal(await other.read(), false, "once");
  });

  it("do not come back because the window reads them while a person revokes them", async () => {
    const opened = await open();
    await opened.add("https://a.example");
    const { readFile } = fs;
    let goOn = (): void => undefined;
    fs.readFile = async (file: Uri) => {
      fs.readFile = readFile;
      const bytes = await readFile(file);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return bytes;
    };
    const reading = opened.read();
    const revoking = opened.revoke("https://a.example");
    await Promise.race([revoking, new Promise(setImmediate)]);
    goOn();
    await Promise.all([reading, revoking]);
    assert.deepEqual(opened.list(), []);
  });

  it("come from where earlier versions kept them, once", async () => {
    const memory = copyOf(["https://a.example", 7]);
    const opened = await open(memory);
    assert.deepEqual(opened.list(), ["https://a.example"]);
    await opened.revoke("https://a.example");
    assert.deepEqual([(await open(memory)).list(), memory.stored()], [[], undefined]);
  });

  it("are none if their file is damaged", async () => {
    files.texts.set("/storage/approvals.json", `["https://a.exam`);
    assert.deepEqual((await open(copyOf(["https://a.example"]))).list(), []);
  });

  it("last for the session if they cannot be written, and a failed revocation is an error", async () => {
    const opened = await open();
    files.failing = "write";
    await opened.add("https://a.example");
    assert.deepEqual(opened.list(), ["https://a.example"]);
    await assert.rejects(opened.revoke("https://a.example"));
    assert.deepEqual(opened.list(), []);
  });

  it("are in the state of the window if no workspace is open", async () => {
    const memory = copyOf(undefined);
    const { approvals } = await import("../../client/src/approvals.ts");
    await approvals(memory, undefined).add("https://a.example");
    assert.deepEqual(approvals(memory, undefined).list(), ["https://a.example"]);
    assert.equal(files.texts.size, 0);
  });
});
