import assert from "node:assert/strict";
import type { ReadCode } from "../../../server/src/abi/guessedAbi.ts";
import type { Settings } from "../../../server/src/protocol/settings.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { cursor } from "../../support/cell.ts";
import { codeInProcess } from "../../support/codeInProcess.ts";
import { countedChain } from "../../support/countedChain.ts";
import { countingProxy, unserved } from "../../support/countingProxy.ts";
import { testHost } from "../../support/host.ts";
import { createPassing, type PassingContracts, passingContracts } from "../../support/passingContracts.ts";
import { unhurriedClock } from "../../support/unhurriedClock.ts";

const uri = "file:///nowhere/a.rpc.json";
const foreign = "file:///nowhere/Vault.sol";
const signal = new AbortController().signal;

describe("the hover of an address", () => {
  const counted = countedChain();

  const [alice, bob] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
  const settings = (): Settings => ({ rpcNotebook: { endpoint: counted.proxy.url } });
  const serviceOf = (over: Parameters<typeof testHost>[0] = {}): Service =>
    createService(testHost({ settings: settings(), ...over }));
  const hovered = async (marked: string, service = serviceOf()): Promise<string | undefined> => {
    const { text, offset } = cursor(marked);
    service.openText(uri, text);
    await service.settled(uri);
    return service.liveHover(uri, offset, signal);
  };
  const inFile = (line: string, service = serviceOf()) => {
    const { text, offset } = cursor(line);
    return service.addressHover({ uri: foreign, text, offset }, signal);
  };
  const balance = (address: string): string => `{ "method": "eth_getBalance", "params": ["${address}", "pending"] }`;

  it("shows the balance, the nonces and the kind of account, by one body", async () => {
    const shown = await hovered(balance(`${alice?.slice(0, 9)}|${alice?.slice(9)}`));
    assert.match(shown ?? "", /\*\*[\d\\,.]+ ether\*\* pending/);
    assert.match(shown ?? "", /nonce \d+ · account/);
    assert.equal(counted.proxy.bodies.length, 1);
    assert.match(counted.proxy.bodies[0] ?? "", /^\[.*"pending".*"latest".*\]$/s);
  });

  it("says how many transactions are pending", async () => {
    const nonceAt = (block: unknown): string => (block === "pending" ? "0x7" : "0x5");
    await counted.replacing(({ method, params }) =>
      method === "eth_getTransactionCount" ? { result: nonceAt(params[1]) } : undefined,
    );
    assert.match((await inFile(`${alice}|`))?.markdown ?? "", /nonce 7 \(2 pending\)/);
  });

  it("takes the head from a block, and names the method that is not served", async () => {
    const refused = new Set(["eth_blockNumber", "eth_getCode"]);
    await counted.replacing(({ method }) => (refused.has(method) ? unserved(method) : undefined));
    const shown = (await hovered(balance(`${alice?.slice(0, 9)}|${alice?.slice(9)}`))) ?? "";
    assert.match(shown, /ether\*\* pending/);
    assert.match(shown, /block \d/);
    assert.match(shown, /does not serve eth\\_getCode/);
    assert.doesNotMatch(shown, /eth\\_blockNumber|eth\\_getBalance/);
  });

  it("is that of the value of a placeholder", async () => {
    const text = `{ "variables": { "alice": "${alice}" }, "cells": [${balance("{{al|ice}}")}] }`;
    assert.match((await hovered(text)) ?? "", /ether\*\* pending/);
  });

  it("shows a token, and a proxy with its implementation", async () => {
    const { token, proxiedToken } = counted.chain.contracts;
    const asToken = await inFile(`address constant t = ${token.address}|;`);
    assert.match(asToken?.markdown ?? "", /contract, [\d,]+ bytes/);
    assert.match(asToken?.markdown ?? "", /token .*DUSD.*, 6 decimals/);
    const asProxy = await inFile(`t = Token(|${proxiedToken.address});`);
    assert.match(asProxy?.markdown ?? "", /proxy of `0x[0-9a-fA-F]{40}` \(eip1967\\.proxy\\.implementation\)/);
  });

  describe("of a contract that nobody has declared", function () {
    this.timeout(300_000);
    let at: PassingContracts;
    before(async () => {
      at = await createPassing(counted.chain);
    });
    const shownAt = async (address: string, over: Parameters<typeof testHost>[0] = {}) =>
      (await inFile(`${address}|`, serviceOf(over)))?.markdown ?? "";

    it("says that it is a minimal proxy, a Safe or a diamond", async () => {
      assert.match(await shownAt(at.minimal), /proxy of `0x\w{40}` \(EIP\\-1167\)/);
      assert.match(await shownAt(at.safe), /Safe 1\\\.4\\\.1, 1 of 2 owners sign, runs the code of `0x\w{40}`/);
      assert.match(await shownAt(at.diamond), /diamond with 2 facets \\\(EIP\\-2535\\\)/);
    });

    it("asks a contract that is none of these nothing more", async () => {
      assert.match(await shownAt(at.vault), /contract, /);
      assert.equal(counted.proxy.bodies.length, 1);
    });

    for (const [what, result] of [
      ["nothing", "0x"],
      ["an endless list", `0x${"20".padStart(64, "0")}${"f".repeat(64)}`],
      ["markup", `0x${"20".padStart(64, "0")}${"8".padStart(64, "0")}${"5b615d28623a6329".padEnd(64, "0")}`],
    ] as const)
      it(`believes no ${what} that it says of itself`, async () => {
        const asked = new Set(["0x52ef6b2c", "0xffa1ad74", "0xe75235b8", "0xa0e67e2b"]);
        await counted.replacing(({ method, params }) =>
          method === "eth_call" && asked.has((params[0] as { readonly data: string }).data) ? { result } : undefined,
        );
        assert.match(await shownAt(at.diamond), /contract, [\d,]+ bytes/);
        assert.match(await shownAt(at.safe), /· Safe, runs the code of/);
      });

    it("lists functions that were guessed from its code, as such", async () => {
      const shown = await shownAt(at.vault, { readCode: codeInProcess });
      assert.match(shown, /functions guessed from its code: `balanceOf\(address\)`, `transfer\(address,uint256\)`/);
      assert.match(shown, /`0x[0-9a-f]{8}\(uint256,address\)`/);
    });

    it("lists none if the project declares all of them", async () => {
      const service = serviceOf({ readCode: codeInProcess });
      const abi = JSON.stringify(passingContracts().Vault?.abi);
      const shown = await hovered(`{ "abi": ${abi}, "cells": [${balance(`${at.vault}|`)}] }`, service);
      assert.match(shown ?? "", /contract, /);
      assert.doesNotMatch(shown ?? "", /guessed/);
    });

    it("does not wait for code that takes long, and reads it once", async () => {
      let read = 0;
      const readCode: ReadCode = () => {
        read++;
        return new Promise(() => {});
      };
      // no time is left for the code, but for the endpoint before it
      const sleep: typeof unhurriedClock.sleep = async (ms, ...rest) =>
        ms < 1000 ? undefined : unhurriedClock.sleep(ms, ...rest);
      const service = serviceOf({ readCode, clock: { ...unhurriedClock, sleep } });
      for (const _ of [1, 2]) {
        const shown = (await inFile(`${at.vault}|`, service))?.markdown ?? "";
        assert.match(shown, /contract, /);
        assert.doesNotMatch(shown, /guessed/);
      }
      assert.equal(read, 1);
    });

    it("stops to read code when the hover ends", async () => {
      const ended = new AbortController();
      const stopped = new Promise<void>((resolve) => {
        const readCode: ReadCode = async (_, stop) => {
          stop.addEventListener("abort", () => resolve());
          ended.abort();
          return new Promise(() => {});
        };
        const service = serviceOf({ readCode });
        void service.addressHover({ uri: foreign, text: at.vault, offset: 3 }, ended.signal);
      });
      await stopped;
    });
  });

  it("shows the difference that is pending, and none when the block is sealed", async () => {
    await counted.chain.rpc("anvil_setBalance", [bob, "0xde0b6b3a7640000"]);
    await counted.chain.rpc("eth_sendTransaction", [{ from: alice, to: bob, value: "0x16345785d8a0000" }]);
    const fresh = async (): Promise<string> => (await inFile(`${bob}|`, serviceOf()))?.markdown ?? "";
    for (let shown = await fresh(); !shown.includes("+0.1 ether since latest"); shown = await fresh());
    await counted.chain.seal();
    for (let shown = await fresh(); !shown.includes("the same at latest"); shown = await fresh());
  });

  it("sends one request, however often it is shown within the cadence", async () => {
    const service = serviceOf();
    const [one, two] = await Promise.all([inFile(`${alice}|`, service), inFile(`x |${alice}`, service)]);
    assert.equal(one?.markdown, two?.markdown);
    assert.equal(counted.proxy.bodies.length, 1);
  });

  for (const [what, line] of [
    ["the tail of a hash", `"0x${"ab".repeat(12)}|${alice?.slice(2)}"`],
    ["the head of a hash", `"${alice}|${"ab".repeat(12)}"`],
    ["a part of an identifier", `x${alice}| = 1`],
    ["what is too short", `${alice?.slice(0, 41)}| `],
    ["beside the pointer", `${alice} |`],
  ] as const) {
    it(`is none for ${what}`, async () => {
      assert.equal(await inFile(line), null);
      assert.equal(counted.proxy.bodies.length, 0);
    });
  }

  for (const [what, marked] of [
    ["lower case", `${alice?.toLowerCase()}|`],
    ["upper case", `0X${alice?.slice(2).toUpperCase()}|`],
    ["quotes", `"${alice}|"`],
    ["brackets", `f(${alice}|,1)`],
  ] as const) {
    it(`takes an address in ${what}`, async () => assert.match((await inFile(marked))?.markdown ?? "", /pending/));
  }

  it("asks for an endpoint if none is chosen", async () => {
    const unchosen = await inFile(`${alice}|`, createService(testHost()));
    assert.deepEqual([unchosen?.markdown, unchosen?.needsEndpoint], ["", true]);
  });

  it("uses the current settings, also in a file that is not a notebook", async () => {
    const service = serviceOf();
    assert.match((await inFile(`${alice}|`, service))?.markdown ?? "", /pending/);
    const other = await countingProxy(counted.chain.url);
    service.configure({ rpcNotebook: { endpoint: other.url } });
    assert.match((await inFile(`${alice}|`, service))?.markdown ?? "", /pending/);
    assert.deepEqual([counted.proxy.bodies.length, other.bodies.length], [1, 1]);
    await other.close();
  });

  it("shows the name in the last opened notebook, and a link to an explorer", async () => {
    const explorer = "https://explorer.example/ba)se/";
    const endpoints = { chain: { url: counted.proxy.url, explorer } };
    const service = serviceOf({ settings: { rpcNotebook: { endpoint: "chain", endpoints } } });
    service.openText(uri, `{ "labels": { "${alice}": "alice*" }, "cells": [] }`);
    await service.settled(uri);
    const shown = (await inFile(`${alice}|`, service))?.markdown ?? "";
    assert.match(shown, /^\*\*alice\\\*\*\* · \*\*/);
    assert.ok(shown.includes(`](https://explorer.example/ba%29se/address/${alice})`), shown);
  });

  const labels = (text: object) => new TextEncoder().encode(JSON.stringify(text));
  /** Files of a project in the folder `/p`. */
  const inProject = (
    contents: Readonly<Record<string, object>>,
    over: Parameters<typeof testHost>[0] = {},
  ): Service => {
    const read = async (file: string) => {
      const content = contents[file.replace("file:///p/", "")];
      return content && labels(content);
    };
    return serviceOf({ roots: ["file:///p"], files: { read }, ...over });
  };
  const nameAt = async (service: Service, file = "file:///p/src/Vault.sol"): Promise<string | undefined> =>
    (await service.addressHover({ uri: file, text: String(alice), offset: 5 }, signal))?.name;

  it("shows the name in the notebook that was open last, also when that is closed", async () => {
    const service = serviceOf();
    service.openText(uri, `{ "labels": { "${alice}": "alice" }, "cells": [] }`);
    await service.settled(uri);
    service.close(uri);
    assert.equal(await nameAt(service), "alice");
  });

  it("shows the name in the notebook that was open last in the session before, until another one is open", async () => {
    const before = "file:///p/before.rpc.json";
    const service = inProject(
      { "before.rpc.json": { labels: { [String(alice)]: "alice" }, cells: [] } },
      { lastNotebook: before },
    );
    assert.equal(await nameAt(service), "alice");
    service.openText(uri, `{ "labels": { "${alice}": "someone" }, "cells": [] }`);
    await service.settled(uri);
    assert.equal(await nameAt(service), "someone");
  });

  it("shows the name in the nearest rpc-labels.json; that of the notebook wins", async () => {
    const service = inProject({
      "rpc-labels.json": { [String(alice)]: "far", [String(bob)]: 7 },
      "src/rpc-labels.json": { [String(alice).toLowerCase()]: "near" },
    });
    assert.equal(await nameAt(service), "near");
    assert.equal(await nameAt(service, "file:///p/Other.sol"), "far");
    const watched = await service.watch({ id: "a", uri: "file:///p/Other.sol", address: String(alice) });
    assert.equal("name" in watched && watched.name, "far");
    service.unwatch("a");
    const notebook = "file:///p/a.rpc.json";
    service.openText(notebook, `{ "labels": { "${alice}": "header" }, "cells": [] }`);
    await service.settled(notebook);
    assert.equal(await nameAt(service), "header");
  });

  it("reads no labels in a workspace that is not trusted", async () => {
    const read: string[] = [];
    const service = serviceOf({
      roots: ["file:///p"],
      trusted: false,
      lastNotebook: "file:///p/before.rpc.json",
      files: { read: async (file) => void read.push(file) as undefined },
    });
    assert.equal(await nameAt(service), undefined);
    assert.deepEqual(read, []);
  });

  it("says in a line that an endpoint does not answer", async () => {
    await counted.proxy.close();
    const shown = await inFile(`${alice}|`);
    assert.match(shown?.markdown ?? "", /Nothing answers at/);
    assert.ok(!shown?.markdown.includes("http"));
  });
});
