import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";
import { installPackage } from "./host/server.ts";
import { runSuite, type SuiteEnd, type SuiteOptions } from "./host/suite.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The smallest extension that shows where it runs. */
const SAMPLE = {
  "package.json": JSON.stringify({
    name: "sample",
    publisher: "test",
    version: "1.2.3",
    license: "MIT",
    engines: { vscode: "^1.100.0" },
    main: "./extension.js",
    browser: "./extension.js",
    capabilities: { untrustedWorkspaces: { supported: true } },
    contributes: { commands: [{ command: "sample.where", title: "Where" }] },
  }),
  "extension.js": `exports.activate = ({ subscriptions }) => {
    const where = typeof importScripts === "function" ? "worker" : "node";
    subscriptions.push(require("vscode").commands.registerCommand("sample.where", () => where));
  };`,
  LICENSE: "MIT",
  "README.md": "A sample.",
  ".vscodeignore": "*.vsix",
};

describe("the host of the end-to-end tests", function () {
  this.timeout(300_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "host-test-"));
    for (const [name, text] of Object.entries(SAMPLE)) write(`sample/${name}`, text);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Runs the body of a suite in the extension host. */
  function runBody(body: string, options: Partial<SuiteOptions> = {}): Promise<SuiteEnd> {
    const extensionTestsPath = write("suite.cjs", `exports.run = async () => {\n${body}\n};`);
    return runSuite({ extensionDevelopmentPath: [here("runner")], shots: folder, ...options, extensionTestsPath });
  }

  describe("reports a failure", () => {
    it("when the suite throws", async () => {
      assert.deepEqual(await runBody(`throw new Error("as planned");`), { exitCode: 1 });
    });

    it("when the suite cannot be loaded", async () => {
      assert.deepEqual(await runBody(`} import "nothing`), { exitCode: 1 });
    });

    it("when the suite gives no promise to wait for", async () => {
      const extensionTestsPath = write("suite.cjs", "exports.run = () => {};");
      const end = await runSuite({ extensionDevelopmentPath: [here("runner")], shots: folder, extensionTestsPath });
      assert.deepEqual(end, { exitCode: 1 });
    });

    it("when the extension host leaves in the middle with a green exit code", async () => {
      const end = await runBody("process.reallyExit(0);");
      assert.deepEqual(end, { exitCode: 1, reason: "The extension host ended before the suite did." });
    });

    it("when the server dies", async () => {
      const end = await runBody(`process.kill(process.ppid, "SIGKILL"); await new Promise(() => {});`);
      assert.equal(end.reason, "The VS Code server ended (SIGKILL).");
    });

    it("when the suite never ends, with a picture of the window", async () => {
      const end = await runBody("await new Promise(() => {});", { limitMs: 8_000 });
      assert.deepEqual(end, { exitCode: 1, reason: "The suite had no result after 8 seconds." });
      assert.ok(existsSync(path.join(folder, "host-failure.png")));
    });
  });

  it("has an installed package, and leaves nothing behind", async () => {
    const vsix = path.join(folder, "sample.vsix");
    await createVSIX({
      cwd: path.join(folder, "sample"),
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: true,
    });
    const extensions = path.join(folder, "extensions");
    await installPackage(vsix, extensions, path.join(folder, "installer"));
    const seen = path.join(folder, "seen.json");
    const extensionTestsPath = write(
      "installed.cjs",
      `const { commands, extensions, workspace } = require("vscode");
      exports.run = async () => {
        const { extensionPath, packageJSON } = extensions.getExtension("test.sample");
        const { SEEN, TEST_HOST_CONTROL } = process.env;
        await fetch(TEST_HOST_CONTROL + "/screenshot?name=inside", { method: "POST" });
        require("node:fs").writeFileSync(SEEN, JSON.stringify({
          extensionPath, version: packageJSON.version, where: await commands.executeCommand("sample.where"),
          open: workspace.workspaceFolders[0].uri.fsPath, server: process.ppid,
        }));
      };`,
    );
    const end = await runSuite({
      extensionDevelopmentPath: [here("runner")],
      extensionTestsPath,
      env: { SEEN: seen },
      open: path.join(folder, "sample"),
      extensionsDir: extensions,
      userDataDir: path.join(folder, "user"),
      shots: folder,
    });
    assert.deepEqual(end, { exitCode: 0 });
    const { server, ...rest } = JSON.parse(readFileSync(seen, "utf8"));
    assert.deepEqual(rest, {
      extensionPath: path.join(extensions, "test.sample-1.2.3"),
      version: "1.2.3",
      where: "node",
      open: path.join(folder, "sample"),
    });
    assert.ok(existsSync(path.join(folder, "inside.png")));
    assert.throws(() => process.kill(server, 0), { code: "ESRCH" });
  });

  it("runs a web extension in a worker", async () => {
    const web = path.join(folder, "web");
    cpSync(path.join(folder, "sample"), web, { recursive: true });
    const { main, ...manifest } = JSON.parse(readFileSync(path.join(web, "package.json"), "utf8"));
    assert.ok(main, "with `main` it would run in Node");
    writeFileSync(path.join(web, "package.json"), JSON.stringify(manifest));
    const extensionTestsPath = write(
      "web/suite.js",
      `exports.run = async () => {
        const where = await require("vscode").commands.executeCommand("sample.where");
        if (where !== "worker") throw new Error(where);
      };`,
    );
    const options = { extensionDevelopmentPath: [web], extensionDevelopmentKind: "web", extensionTestsPath } as const;
    assert.deepEqual(await runSuite({ ...options, shots: folder }), { exitCode: 0 });
    writeFileSync(extensionTestsPath, "exports.run = () => {};");
    assert.deepEqual(await runSuite({ ...options, shots: folder }), { exitCode: 1 });
  });

  it("takes settings, and asks for trust only if it is configured to", async () => {
    const body = `const { workspace } = require("vscode");
      const size = workspace.getConfiguration("editor").get("fontSize");
      if (size !== 21 || workspace.isTrusted) throw new Error(size + ", " + workspace.isTrusted);`;
    const end = await runBody(body, {
      open: path.join(folder, "sample"),
      workspaceTrust: true,
      settings: { "editor.fontSize": 21, "security.workspace.trust.startupPrompt": "never" },
    });
    assert.deepEqual(end, { exitCode: 0 });
  });
});
