import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { toFunctionSelector } from "viem";
import { files as disk } from "../../../server/src/node/files.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { testHost } from "../../support/host.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** Returns the names of the files that were read, without those for endpoints and labels. */
function readsOf(uris: readonly string[]): readonly string[] {
  const names = uris.map((uri) => uri.replace(/^.*\//, ""));
  return names.filter((name) => !/^(rpc-endpoints.*|rpc-labels\.json|foundry\.toml|\.env)$/.test(name));
}

describe("the ABIs of a project", () => {
  let folder: string;
  let asked: string[];
  let listed: string[];
  let warnings: string[];
  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  const write = (path: string, content: unknown): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  };
  const serve = (over: Partial<Host> = {}): Service => {
    const files: Host["files"] = {
      read: (uri) => {
        asked.push(uri);
        return disk.read(uri);
      },
      list: (uri) => {
        listed.push(uri);
        return disk.list?.(uri) ?? Promise.resolve(undefined);
      },
    };
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message), error: assert.fail };
    return createService(testHost({ files, log, roots: [pathToFileURL(folder).href], ...over }));
  };
  const open = async (path: string, over: Partial<Host> = {}): Promise<Service> => {
    const service = serve(over);
    service.openText(uriOf(path), readFileSync(join(folder, path), "utf8"));
    await service.settled(uriOf(path));
    return service;
  };
  /** Returns the problems after every search has ended. */
  const problems = async (service: Service, path: string): Promise<readonly string[]> => {
    service.diagnostics(uriOf(path));
    await service.settled(uriOf(path));
    return service.diagnostics(uriOf(path)).map(({ code, message }) => `${code}: ${message}`);
  };
  const codes = async (service: Service, path: string): Promise<readonly string[]> =>
    (await problems(service, path)).map((problem) => problem.replace(/:.*/, ""));
  const hover = async (service: Service, path: string, word: string): Promise<string | undefined> => {
    const offset = readFileSync(join(folder, path), "utf8").indexOf(word);
    await service.prepare(uriOf(path), { offset: offset + 1 });
    return service.hover(uriOf(path), offset + 1)?.markdown;
  };

  beforeEach(() => {
    folder = temporaryFolder();
    [asked, listed, warnings] = [[], [], []];
  });

  describe("of Foundry", () => {
    beforeEach(() => cpSync(join(fixtures, "foundry-project"), folder, { recursive: true }));
    const notebook = "notebooks/mint.rpc.json";

    it("are not searched when a notebook is opened", async () => {
      write(notebook, { cells: [{ method: "eth_chainId" }] });
      const service = await open(notebook);
      assert.deepEqual(await problems(service, notebook), []);
      for (const look of [service.symbols, service.foldingRanges, service.links, service.codeLenses])
        look(uriOf(notebook));
      assert.deepEqual([listed, readsOf(asked)], [[], []]);
    });

    it("are searched when they are first needed, and only then", async () => {
      const service = await open(notebook);
      assert.match((await hover(service, notebook, "mintBatch")) ?? "", /mintBatch\(address\[\] receivers/);
      assert.deepEqual(readsOf(asked).toSorted(), ["1.json", "Token.json", "TokenTest.json", "Vm.json", "notes.json"]);
      await hover(service, notebook, "Minted");
      assert.equal(readsOf(asked).length, 5);
    });

    it("remove problems about unknown functions and events", async () => {
      const service = await open(notebook);
      assert.deepEqual(await problems(service, notebook), []);
      const wire = service.wireForm(uriOf(notebook), 0);
      assert.match(wire && "text" in wire ? wire.text : "", /"data": "0x/);
    });

    it("show where they come from", async () => {
      const service = await open(notebook);
      assert.match((await hover(service, notebook, "Minted")) ?? "", /build\\\/Token\\\.sol\\\/Token\\\.json/);
    });

    it("appear in completions, the project's own before its tests and libraries", async () => {
      const service = await open(notebook);
      const offset = readFileSync(join(folder, notebook), "utf8").indexOf("mintBatch");
      await service.prepare(uriOf(notebook), { offset, completes: true });
      const labels = service.completion(uriOf(notebook), offset).map(({ label }) => label);
      const places = ["mintBatch", "testMint", "warp", "approve"].map((name) => labels.indexOf(name));
      assert.ok(!places.includes(-1), String(places));
      assert.equal(String(places), String(places.toSorted((a, b) => a - b)));
      assert.ok(!labels.includes("inBuildInfo"));
    });

    it("change with the files", async () => {
      const service = await open(notebook);
      assert.deepEqual(await problems(service, notebook), []);
      rmSync(join(folder, "build/Token.sol"), { recursive: true });
      service.configure({});
      assert.deepEqual(await codes(service, notebook), ["unknown-function", "unknown-event"]);
      write("build/New.sol/New.json", { abi: [{ type: "function", name: "mintBatch", inputs: [] }] });
      service.configure({});
      assert.deepEqual(await codes(service, notebook), ["bad-argument", "unknown-event"]);
    });

    it("stay the same object until a file changes, so that nothing is checked again", async () => {
      let changes = 0;
      const service = await open(notebook, { changed: () => void changes++ });
      await problems(service, notebook);
      const [before, reads] = [changes, readsOf(asked).length];
      service.configure({});
      await service.settled(uriOf(notebook));
      assert.equal(changes - before, 1, "endpoints are told again, contracts are not");
      assert.deepEqual(readsOf(asked).slice(reads), []);
    });

    it("are not read in a workspace that is not trusted, until it is", async () => {
      const service = await open(notebook, { trusted: false });
      assert.deepEqual(await codes(service, notebook), ["unknown-function", "unknown-event"]);
      assert.deepEqual([listed, asked], [[], []]);
      service.trust();
      assert.deepEqual(await codes(service, notebook), []);
    });

    it("are not read through links", async () => {
      const outside = temporaryFolder();
      writeFileSync(join(outside, "Evil.json"), JSON.stringify(["function outside()"]));
      symlinkSync(outside, join(folder, "build/linked"));
      symlinkSync(join(outside, "Evil.json"), join(folder, "build/Evil.json"));
      write("foundry.toml", `[profile.default]\nout = "${"../../".repeat(3)}${outside.slice(1)}"`);
      await problems(await open(notebook), notebook);
      assert.ok(!readsOf(asked).includes("Evil.json"));
    });
  });

  describe("of Hardhat", () => {
    beforeEach(() => cpSync(join(fixtures, "hardhat-project"), folder, { recursive: true }));

    it("are in the folders that its configuration names, which is not executed, and in the usual ones", async () => {
      const service = await open("vault.rpc.json");
      assert.match(String(await problems(service, "vault.rpc.json")), /^bad-argument: `args\[0\]` \(`bytes32 feed`\)/);
      const docs = (await hover(service, "vault.rpc.json", '"lock"')) ?? "";
      assert.match(docs, /uint64 until[\s\S]*made\\\/contracts\\\/Vault/);
      assert.ok(!readsOf(asked).some((name) => name.includes(".dbg.")));
    });

    it("have their storage layouts in the build information, which artifacts lack", async () => {
      const variable = { contract: "src/Safe.sol:Safe", label: "guard", offset: 0, slot: "7", type: "t_bool" };
      const types = { t_bool: { encoding: "inplace", label: "bool", numberOfBytes: "1" } };
      const storageLayout = { storage: [variable], types };
      const output = { contracts: { "src/Safe.sol": { Safe: { abi: [], storageLayout } } } };
      write("artifacts/build-info/1.json", { input: { sources: {} }, output });
      const params = [`0x${"11".repeat(20)}`, { contract: "Safe", variable: "guard" }, "latest"];
      write("safe.rpc.json", { cells: [{ method: "eth_getStorageAt", params }] });
      const service = await open("safe.rpc.json");
      assert.match((await hover(service, "safe.rpc.json", '"guard"')) ?? "", /`guard` · `bool` · byte 0 of its slot/);
      assert.deepEqual(await problems(service, "safe.rpc.json"), []);
    });
  });

  describe("that a lookup host described", () => {
    it("name nothing if they do not fit the code of their contract", async () => {
      const address = `0x${"11".repeat(20)}`;
      const abi = [{ type: "function", name: "frobnicate", inputs: [{ name: "depth", type: "uint8" }], outputs: [] }];
      const data = `${toFunctionSelector("frobnicate(uint8)")}${"5".padStart(64, "0")}`;
      write("call.rpc.json", { cells: [{ method: "eth_call", params: [{ to: address, data }, "latest"] }] });
      const shown = async (match: string): Promise<string> => {
        write("contracts/Token.json", { address, contractName: "Token", lookedUp: { host: "h.example" }, match, abi });
        return (await hover(await open("call.rpc.json"), "call.rpc.json", data.slice(0, 10))) ?? "";
      };
      assert.match(await shown("exact match"), /frobnicate/);
      assert.doesNotMatch(await shown("not its code"), /frobnicate/);
    });
  });

  describe("of Hardhat, functions of libraries", () => {
    it("that take references to storage are read from the build information, which artifacts lack", async () => {
      cpSync(join(fixtures, "hardhat-project"), folder, { recursive: true });
      const evm = { methodIdentifiers: { "fill(Orders.Store storage,uint256,uint96)": "6f3a3cac" } };
      const output = { contracts: { "src/Orders.sol": { Orders: { abi: [], evm } } } };
      write("artifacts/build-info/1.json", { input: { sources: {} }, output });
      const data = `0x6f3a3cac${"5".padStart(64, "0").repeat(3)}`;
      write("fill.rpc.json", {
        cells: [{ method: "eth_call", params: [{ to: `0x${"11".repeat(20)}`, data }, "latest"] }],
      });
      const service = await open("fill.rpc.json");
      assert.match(
        (await hover(service, "fill.rpc.json", '"0x6f3a')) ?? "",
        /fill\(Orders\.Store storage, [\s\S]*build/,
      );
    });
  });

  describe("that a notebook names", () => {
    const abi = [{ type: "function", name: "ping", inputs: [{ name: "to", type: "address" }], outputs: [] }];
    const call = (name: string): object => ({
      method: "eth_call",
      params: [{ to: `0x${"11".repeat(20)}`, data: { function: name, args: [`0x${"22".repeat(20)}`] } }, "latest"],
    });
    const notebook = "notes/a.rpc.json";

    it("are read at once, with their source", async () => {
      write("contracts/Ping.json", { abi });
      write(notebook, { abi: "../contracts/Ping.json", cells: [call("ping")] });
      const service = await open(notebook);
      assert.deepEqual(service.diagnostics(uriOf(notebook)), []);
      assert.deepEqual(listed, []);
      assert.match((await hover(service, notebook, '"ping"')) ?? "", /contracts\\\/Ping\\\.json/);
    });

    it("win over those of the workspace, and the cell's over the header's", async () => {
      const pings = (type: string): readonly object[] => [{ ...abi[0], inputs: [{ name: type, type: "address" }] }];
      write("out/Ping.json", pings("workspace"));
      write("notes/header.json", pings("header"));
      write("notes/cell.json", pings("cell"));
      const named = async (header: object, cell: object): Promise<string | undefined> => {
        write(notebook, { ...header, cells: [{ ...cell, ...call("ping") }] });
        const docs = (await hover(await open(notebook), notebook, '"ping"')) ?? "";
        return /\(address (\w+)\)/.exec(docs)?.[1];
      };
      assert.equal(await named({}, {}), "workspace");
      assert.equal(await named({ abi: "header.json" }, {}), "header");
      assert.equal(await named({ abi: "header.json" }, { abi: ["./cell.json"] }), "cell");
    });

    it("are problems at their paths if they contain no ABI", async () => {
      write("notes/bad.json", "{");
      write("notes/other.json", { name: "package" });
      write("notes/large.json", `[${" ".repeat(10_000_001)}]`);
      write("notes/folder.json/file", "");
      const paths = [
        ...["gone.json", "bad.json", "./other.json", "large.json", "folder.json"],
        ...["../../up.json", "..\\..\\up.json", "/etc/abi.json", "https://acme.example/abi.json"],
      ];
      write(notebook, { abi: paths, cells: [{ abi: ["gone.json", "nonsense(", 7], method: "eth_chainId" }] });
      const service = await open(notebook);
      const problem = async (what: string): Promise<string> =>
        (await problems(service, notebook)).find((one) => one.includes(what)) ?? "";
      assert.equal((await problems(service, notebook)).length, paths.length + 3);
      for (const [path, why] of [
        ...["gone.json", "folder.json"].map((path) => [path, "no such file"] as const),
        ["bad.json", "not JSON"],
        ["./other.json", "no ABI"],
        ["large.json", "10 MB"],
        ...["../../up.json", "..\\..\\up.json"].map((path) => [path, "outside"] as const),
        ...["/etc/abi.json", "https://acme.example/abi.json"].map((path) => [path, "relative path"] as const),
      ] as const)
        assert.match(await problem(`\`${path}\``), new RegExp(`^bad-abi: .*${why}`));
      assert.ok(!asked.some((uri) => uri.endsWith("up.json") || uri.includes("etc")));
    });

    it("are problems in a workspace that is not trusted", async () => {
      write("notes/Ping.json", { abi });
      write(notebook, { abi: "Ping.json", cells: [call("ping")] });
      const service = await open(notebook, { trusted: false });
      assert.ok((await codes(service, notebook)).includes("unread-abi"));
      assert.deepEqual(asked, []);
      service.trust();
      assert.deepEqual(await problems(service, notebook), []);
    });

    it("change with the file, and with the path as it is typed", async () => {
      write("notes/Ping.json", { abi });
      write(notebook, { abi: "Ping.json", cells: [call("pong")] });
      const service = await open(notebook);
      assert.match((await problems(service, notebook)).join(), /^unknown-function/);
      write("notes/Ping.json", { abi: [{ ...abi[0], name: "pong" }] });
      service.configure({});
      assert.deepEqual(await problems(service, notebook), []);
      const text = readFileSync(join(folder, notebook), "utf8");
      service.changeText(uriOf(notebook), text.replace("Ping.json", "Ping.jso"));
      assert.match((await problems(service, notebook)).join(), /unknown-function.*bad-abi/);
      service.changeText(uriOf(notebook), text);
      assert.deepEqual(await problems(service, notebook), []);
    });

    describe("for one contract", () => {
      const [own, other] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
      const set = (type: string): readonly object[] => [{ ...abi[0], name: "set", inputs: [{ name: "to", type }] }];
      const header = {
        variables: { own, other },
        abi: [
          { address: "{{own}}", abi: "./own.json" },
          { address: other.toUpperCase().replace("X", "x"), abi: set("uint8") },
        ],
      };
      const calling = (to: string): object => ({
        method: "eth_call",
        params: [{ to, data: { function: "set", args: [7] } }, "latest"],
      });
      const selector = async (to: string): Promise<string | undefined> => {
        write("notes/own.json", set("uint256"));
        write(notebook, { ...header, cells: [calling(to)] });
        const service = await open(notebook);
        const wire = service.wireForm(uriOf(notebook), 0);
        return wire && "text" in wire ? /"data":"(0x.{8})/.exec(wire.text)?.[1] : undefined;
      };

      it("encode what is sent to it", async () => {
        const [uint256, uint8] = ["0x60fe47b1", "0x24b8ba5f"];
        assert.equal(await selector(own), uint256);
        assert.equal(await selector(other), uint8);
        assert.equal(await selector("{{own}}"), uint256);
        assert.equal(await selector("{{other}}"), uint8);
        assert.equal(await selector(`0x${"cc".repeat(20)}`), undefined, "either may be meant");
      });

      it("are not a problem, and their variable is renamed with the others", async () => {
        await selector("{{own}}");
        const service = await open(notebook);
        assert.deepEqual(await problems(service, notebook), []);
        const text = readFileSync(join(folder, notebook), "utf8");
        const edits = service.rename(uriOf(notebook), text.indexOf('"own"') + 1, "mine");
        assert.equal("refused" in edits ? edits.refused : edits.length, 3);
      });

      it("are problems if they have no address", async () => {
        write(notebook, { abi: [{ address: "{{nobody}}", abi: "function f()" }], cells: [] });
        assert.deepEqual(await codes(await open(notebook), notebook), ["bad-abi"]);
      });
    });
  });
});
