import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { updateFile } from "../../server/src/files/updateFile.ts";
import { files } from "../../server/src/node/files.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { type DiskImage, mountedImage } from "../support/diskImage.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";

const notebook = `{"cells":[{"method":"eth_big"}]}`;
const images: readonly DiskImage[] = ["exFAT", "NTFS"];

for (const image of images) {
  const disk = mountedImage(image);
  if (disk !== undefined) describe(`on a disk with ${image} that ignores case`, () => onDisk(image, disk));
}

function onDisk(image: DiskImage, disk: string): void {
  let folder: string;
  let server: HostileServer;
  before(async () => {
    server = await hostileServer(answering(() => "1"));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(disk, "p"));
  });
  const at = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const uriOf = (name: string): string => pathToFileURL(at(name)).href;
  const write = (name: string, before: string | undefined, text: string) =>
    files.write?.(uriOf(name), { before, text, within: pathToFileURL(folder).href });
  const command = async (...args: readonly string[]): Promise<void> => {
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 0, err);
  };
  const run = (...args: readonly string[]): Promise<void> =>
    command("run", "a.rpc.json", "-e", server.url, "--allow-method", "eth_big", ...args);

  it("creates and replaces a file, once for all spellings of its name", async () => {
    assert.deepEqual(await write("a.json", undefined, "1"), { kind: "written" });
    assert.deepEqual(await write("A.json", undefined, "2"), { kind: "changed" });
    assert.deepEqual(await write("A.json", "1", "2"), { kind: "written" });
    assert.deepEqual([read("a.json"), readdirSync(folder).length], ["2", 1]);
  });

  if (image === "NTFS")
    // the driver of exFAT in Debian ends when a file is deleted that another call has open
    it("loses no update of many at the same time, under two spellings", async () => {
      const all = Array.from({ length: 10 }, (_, n) => n);
      const within = pathToFileURL(folder).href;
      const results = all.map((n) => {
        const name = n % 2 === 0 ? "a.json" : "A.JSON";
        return updateFile(files, { uri: uriOf(name), name, within }, (text = "[]") => ({
          text: JSON.stringify([...JSON.parse(text), n]),
        }));
      });
      assert.deepEqual(new Set(await Promise.all(results)), new Set(["written"]));
      assert.deepEqual(new Set(JSON.parse(read("a.json"))), new Set(all));
    });

  it("writes nothing among the files of git", async () => {
    mkdirSync(at(".git"));
    if (image === "NTFS") symlinkSync(".GIT/new.json", at("a.json")); // exFAT has no links
    const names = [".GIT/new.json", ".Git/hooks.json", ...(image === "NTFS" ? ["a.json"] : [])];
    for (const name of names)
      assert.deepEqual(await write(name, undefined, "new"), { kind: "failed", reason: "git", detail: "" }, name);
    assert.deepEqual(readdirSync(at(".git")), []);
  });

  if (image === "NTFS")
    // the driver of exFAT caches a file once for each spelling
    it("runs a notebook again that is watched under another spelling", async () => {
      writeFileSync(at("a.rpc.json"), notebook);
      const controller = new AbortController();
      let printed = "";
      const heard = (text: string): void => {
        printed += text;
        const runs = printed.split("1 cell ok").length - 1;
        if (runs === 1) writeFileSync(at("a.rpc.json"), `${notebook}\n`);
        if (runs === 2) controller.abort();
      };
      const options = { signal: controller.signal, heard };
      const args = ["run", "A.rpc.json", "--watch", "-e", server.url, "--allow-method", "eth_big"];
      assert.equal((await runCommand(args, folder, options)).code, 0);
    });

  it("formats, imports, and writes snapshots and recordings", async () => {
    writeFileSync(at("a.rpc.json"), notebook);
    await command("fmt", "A.rpc.json");
    assert.notEqual(read("a.rpc.json"), notebook);
    writeFileSync(at("a.sh"), `curl ${server.url} -d '{"jsonrpc":"2.0","id":1,"method":"eth_big","params":[]}'\n`);
    await command("import", "a.sh", "-o", "b.rpc.json");
    assert.match(read("b.rpc.json"), /eth_big/);
    for (const _ of ["creates", "replaces"]) {
      await run("--snapshot", "update", "--record", "a.rpc.recording.json");
      assert.ok(existsSync(at("a.rpc.snapshot.json")) && existsSync(at("a.rpc.recording.json")));
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(".")),
      [],
    );
  });
}
