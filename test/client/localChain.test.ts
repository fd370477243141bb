import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

type State = "chain" | "taken" | "free";

describe("a local chain", () => {
  let ports: Map<number, State>;
  let asked: number[];
  let started: { shellPath: string; shellArgs: readonly string[]; isTransient: boolean }[];
  let typed: readonly [string, boolean] | undefined;
  let messages: string[];
  let answer: string | undefined;
  let isTrusted: boolean;
  /** What becomes of a chain that is started. */
  let listens: boolean;
  let anvil: string | undefined;
  before(useFakeVscode);
  beforeEach(() => {
    ports = new Map();
    [asked, started, messages] = [[], [], []];
    [typed, answer, isTrusted, listens, anvil] = [undefined, undefined, true, true, "/bin/anvil"];
    vscode.l10n = l10n;
    const say = async (message: string): Promise<string | undefined> => {
      messages.push(message);
      return answer;
    };
    vscode.window = {
      showInformationMessage: say,
      showWarningMessage: say,
      showErrorMessage: say,
      withProgress: (_: unknown, task: () => Promise<unknown>) => task(),
      createTerminal(options: (typeof started)[number]) {
        if (options.shellPath === undefined)
          return { show: () => {}, sendText: (text: string, run: boolean) => (typed = [text, run]) };
        started.push(options);
        if (listens) ports.set(Number(options.shellArgs.at(-1)), "chain");
        return { show: () => {}, exitStatus: listens ? undefined : { code: 1 } };
      },
    };
    vscode.workspace = {
      get isTrusted() {
        return isTrusted;
      },
    };
  });
  const server = {
    request: async (_: string, { port }: { port: number }) => {
      asked.push(port);
      return { state: ports.get(port) ?? "free" };
    },
  } as unknown as Server; // it is asked for ports only
  const open = async () => (await import("../../client/src/localChain.ts")).localChain(server, async () => anvil);

  it("is started in a terminal that ends with the window", async () => {
    assert.equal(await (await open()).start(), "http://127.0.0.1:8545");
    const { shellPath, shellArgs, isTransient } = started[0] ?? assert.fail();
    assert.equal([shellPath, ...shellArgs].join(" "), "/bin/anvil --host 127.0.0.1 --port 8545");
    assert.equal(isTransient, true);
  });

  it("is the one that answers at the usual port", async () => {
    ports.set(8545, "chain");
    assert.equal(await (await open()).start(), "http://127.0.0.1:8545");
    assert.deepEqual(started, []);
  });

  it("takes the next free port, and is found again there", async () => {
    ports.set(8545, "taken").set(8546, "chain");
    const chain = await open();
    assert.equal(await chain.start(), "http://127.0.0.1:8547");
    assert.equal(await chain.start(), "http://127.0.0.1:8547");
    assert.equal(started.length, 1);
  });

  it("is started once, however often a person presses", async () => {
    const chain = await open();
    await Promise.all([chain.start(), chain.start()]);
    assert.equal(started.length, 1);
  });

  it("says how to install anvil, and runs nothing by itself", async () => {
    [anvil, answer] = [undefined, "Open in Terminal"];
    assert.equal(await (await open()).start(), undefined);
    assert.deepEqual(messages, ["A local chain needs anvil. To install it: npm install --save-dev @foundry-rs/anvil"]);
    assert.deepEqual(typed, ["npm install --save-dev @foundry-rs/anvil", false]);
  });

  it("that ends at once is reported", async () => {
    listens = false;
    assert.equal(await (await open()).start(), undefined);
    assert.deepEqual(messages, ["The local chain did not start. Its terminal says why."]);
  });

  it("is not started, and nothing is asked, in a workspace that is not trusted", async () => {
    isTrusted = false;
    assert.equal(await (await open()).start(), undefined);
    assert.deepEqual([started, asked], [[], []]);
  });

  it("cannot be started in a browser", async () => {
    const { localChain } = await import("../../client/src/localChain.ts");
    const chain = localChain(server, undefined);
    assert.equal(chain.canStart, false);
    assert.equal(await chain.start(), undefined);
  });
});

describe("the program of a local chain", () => {
  const path = process.env.PATH;
  let files: Set<string>;
  let isTrusted: boolean;
  before(useFakeVscode);
  beforeEach(() => {
    process.env.PATH = "/usr/bin:bin:./here:/opt/bin";
    isTrusted = true;
    files = new Set();
    const uri = (fsPath: string): object => ({ scheme: "file", fsPath });
    vscode.Uri = {
      file: uri,
      joinPath: ({ fsPath }: { fsPath: string }, ...names: string[]) => uri([fsPath, ...names].join("/")),
    };
    vscode.FileType = { Unknown: 0, File: 1 };
    vscode.workspace = {
      workspaceFolders: [{ uri: uri("/project") }, { uri: { scheme: "memfs", fsPath: "/other" } }],
      get isTrusted() {
        return isTrusted;
      },
      fs: {
        async stat({ fsPath }: { fsPath: string }) {
          if (!files.has(fsPath)) throw new Error("not there");
          return { type: 1 | 64 }; // a link to a file
        },
      },
    };
  });
  afterEach(() => {
    process.env.PATH = path;
  });
  const find = async () => (await import("../../client/src/localChain.ts")).findAnvil();

  it("is that on PATH, else that of the project", async () => {
    files.add("/project/node_modules/.bin/anvil");
    assert.equal(await find(), "/project/node_modules/.bin/anvil");
    files.add("/opt/bin/anvil");
    assert.equal(await find(), "/opt/bin/anvil");
  });

  it("is found on Windows, also as a batch file that npm has made", async () => {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      process.env.PATH = "C:\\Windows;bin;D:\\tools";
      files.add("D:\\tools/anvil"); // a script for other systems
      assert.equal(await find(), undefined);
      files.add("/project/node_modules/.bin/anvil.cmd");
      assert.equal(await find(), "/project/node_modules/.bin/anvil.cmd");
      files.add("D:\\tools/anvil.exe");
      assert.equal(await find(), "D:\\tools/anvil.exe");
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
  });

  it("is not taken from relative folders of PATH, or from a workspace that is not trusted", async () => {
    files.add("./here/anvil").add("bin/anvil").add("/other/node_modules/.bin/anvil");
    assert.equal(await find(), undefined);
    files.add("/project/node_modules/.bin/anvil");
    isTrusted = false;
    assert.equal(await find(), undefined);
  });
});
