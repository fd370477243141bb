import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { mock } from "node:test";
import { pathToFileURL } from "node:url";
import { killTree, onPath, ownTree, run, startOf } from "../../scripts/lib/processes.mjs";
import { thorough } from "../support/depth.ts";

/** Writes its process id, and again at each signal; ends after five. */
const code = `let left = 5; const say = () => { console.log(process.pid); if (--left === 0) process.exit(); };
process.on("SIGUSR2", say); setInterval(() => {}, 1000); say();`;

describe("a stage", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("may take as long as it wants while it writes", async () => {
    const onOutput = (pid: string): void => {
      mock.timers.tick(3_000);
      if (pid !== "") process.kill(Number(pid), "SIGUSR2");
    };
    const { ok, output } = await run(process.execPath, ["-e", code], { maxSilenceMs: 4_000, onOutput });
    assert.deepEqual([ok, output.trim().split("\n").length], [true, 5], output);
  });

  it("is ended when it is silent, with what it wrote and the reason", async () => {
    const onOutput = (): void => queueMicrotask(() => mock.timers.tick(4_000));
    const { ok, output } = await run(process.execPath, ["-e", code], { maxSilenceMs: 4_000, onOutput });
    assert.equal(ok, false);
    assert.match(output, /^\d+\n\n\S+ wrote nothing for 4 seconds and was ended\.\n$/);
  });

  it("fails when its program does", async () => {
    assert.deepEqual(await run(process.execPath, ["-e", "process.exit(3)"]), { ok: false, output: "" });
    const missing = await run("no-such-program", []);
    assert.equal(missing.ok, false);
    assert.match(missing.output, /^no-such-program did not start: /);
  });
});

it("a run ends what it started, if the npm that started it is killed", async () => {
  const processes = new URL("../../scripts/lib/processes.mjs", import.meta.url).href;
  const stage = "console.log(process.pid); setInterval(() => {}, 1000);";
  const all = `const { endChildrenOnSignal, run } = await import(${JSON.stringify(processes)});
    endChildrenOnSignal();
    await run(process.execPath, ["-e", ${JSON.stringify(stage)}], { onOutput: (text) => process.stdout.write(text) });`;
  const args = JSON.stringify(["--input-type=module", "-e", all]);
  const npm = `require("child_process").spawn(process.execPath, ${args}, { stdio: "inherit" })`;
  const child = spawn(process.execPath, ["-e", npm], { stdio: ["ignore", "pipe", "inherit"] });
  const [pid] = await once(child.stdout.setEncoding("utf8"), "data");
  child.kill("SIGKILL");
  await once(child.stdout, "close"); // the run has ended as well
  assert.throws(() => process.kill(Number(pid), 0), { code: "ESRCH" });
});

describe("a program on Windows", () => {
  let folder: string;
  const system = (more: Record<string, string> = {}) => ({
    platform: "win32",
    env: { PATH: `C:\\nowhere;${folder}`, PATHEXT: ".EXE;.CMD", ComSpec: "C:\\cmd.exe", ...more },
  });

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "with a space-"));
    for (const name of ["npm.CMD", "nvim.EXE", "code", "code.CMD"]) writeFileSync(path.join(folder, name), "");
  });
  after(() => rmSync(folder, { recursive: true }));

  it("is found with an ending of PATHEXT", () => {
    const found = ["npm", "nvim", "code", "chromium"].filter((name) => onPath(name, system()));
    assert.deepEqual(found, ["npm", "nvim", "code"]);
    assert.equal(onPath("npm", { platform: "linux", env: { PATH: folder } }), false);
    assert.equal(onPath("code", { platform: "linux", env: { PATH: folder } }), true);
  });

  it("is started by the command prompt if it is a batch file", () => {
    const line = `""${path.join(folder, "code.CMD")}" "--wait" "a folder""`;
    assert.deepEqual(startOf("code", ["--wait", "a folder"], system()), {
      file: "C:\\cmd.exe",
      args: ["/d", "/s", "/c", line],
      options: { windowsVerbatimArguments: true },
    });
    assert.deepEqual(startOf("nvim", ["x"], system()), { file: "nvim", args: ["x"], options: {} });
    for (const hostile of ['a" & calc', "%PATH%"]) assert.throws(() => startOf("npm", [hostile], system()));
  });

  it("is npm of this Node, if npm started this", () => {
    const cli = "/lib/node_modules/npm/bin/npm-cli.js";
    for (const platform of ["win32", "linux"]) {
      const start = startOf("npm", ["ci"], { platform, env: { PATH: "", npm_execpath: cli } });
      assert.deepEqual(start, { file: process.execPath, args: [cli, "ci"], options: {} });
    }
    const other = startOf("npm", ["ci"], { platform: "linux", env: { npm_execpath: "/usr/bin/yarn.js" } });
    assert.equal(other.file, "npm");
  });

  it("has no process group and no window", () => {
    assert.deepEqual(ownTree("win32"), { detached: false, windowsHide: true });
    assert.equal(ownTree("linux").detached, true);
  });

  it("is ended by taskkill, with all that it started", async () => {
    const said = path.join(folder, "said");
    execFileSync("mkfifo", [said]);
    writeFileSync(path.join(folder, "taskkill"), `#!/bin/sh\necho "$@" > '${said}'\n`);
    chmodSync(path.join(folder, "taskkill"), 0o755);
    const { PATH } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    killTree(4711, "SIGTERM", "win32");
    process.env.PATH = PATH;
    assert.equal(await readFile(said, "utf8"), "/pid 4711 /t /f\n");
  });

  it("ends when what started it has ended, though it has the same parent", () => {
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    const processes = new URL("../../scripts/lib/processes.mjs", import.meta.url).href;
    const orphan = `Object.defineProperty(process, "ppid", { get: () => ${ended} });
      const { endWithParent } = await import(${JSON.stringify(processes)});
      endWithParent();
      setInterval(() => {}, 1000);`;
    const limits = { timeout: 60_000, killSignal: "SIGKILL" } as const;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", orphan], limits);
    assert.equal(signal, "SIGTERM");
  });
});

describe("the files of the project", () => {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
  const code = files.filter((file) => /\.m?[jt]s$/.test(file) && file !== "test/scripts/processes.test.ts");

  it("start and end programs only in the way that works on each system", () => {
    const ways = [
      /\b(?:spawn|spawnSync|execFile|execFileSync|fork|command)\(\s*["'`](?:npm|npx|code|anvil)["'`].*/g,
      /\b(?:exec|execSync)\(\s*["'`](?:npm|npx|code|anvil)\b.*/g,
      /\bkill\(\s*-.*|\bdetached: true.*/g,
    ];
    const lines = code.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return ways.flatMap((way) => text.match(way) ?? []).map((found) => `${file}: ${found.trim()}`);
    });
    assert.deepEqual(lines, [
      "devchain/anvil.ts: detached: true,", // with windowsHide, and ended by its own id
      "scripts/lib/processes.mjs: kill(-leader, signal);",
    ]);
  });

  it("address files in the way that works on each system", () => {
    const paths =
      /\bimport\((?:path\.)?(?:join|resolve)\(|\bimport\(`\$\{|\bimport\.meta\.url\)\.pathname|`file:\/\/\$\{/;
    const lines = code.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => paths.test(line)),
    );
    assert.deepEqual(lines, []);
  });

  describe("in a fresh clone", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "clone-"));
    after(() => rmSync(folder, { recursive: true }));
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
    before(() =>
      git("clone", "--quiet", "--config", "core.autocrlf=true", "--depth=1", pathToFileURL(process.cwd()).href, "."),
    );

    it("come as they are, also with Git for Windows", () => {
      const changed = git("ls-files", "--eol")
        .split("\n")
        .filter((line) => /w\/(?:crlf|mixed)/.test(line));
      assert.deepEqual(changed, []);
    });

    it("find out what must be installed", async () => {
      const install: typeof import("../../scripts/lib/install.mjs") = await import(
        pathToFileURL(path.join(folder, "scripts/lib/install.mjs")).href
      );
      const all = [install.packages, install.testPackages, ...Object.values(install.testComponents).flat()];
      const missing = all.filter((component) => !component.isThere()).map(({ name }) => name);
      for (const { name } of [install.packages, install.testPackages]) assert.ok(missing.includes(name), name);
    });

    it("install it first, with each command of the README", async () => {
      const [cache, registry] = [path.join(folder, ".cache/npm"), "http://127.0.0.1:1"]; // nothing can be installed
      const env = { npm_config_cache: cache, npm_config_offline: "true", npm_config_registry: registry };
      for (const command of thorough ? ["build", "start", "package", "test"] : ["build"]) {
        const { ok, output } = await run("npm", ["run", command], { cwd: folder, env });
        assert.deepEqual([ok, /could not be installed/.test(output)], [false, true], `${command}: ${output}`);
      }
    });
  });
});
