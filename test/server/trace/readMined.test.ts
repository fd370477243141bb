import assert from "node:assert/strict";
import fc from "fast-check";
import { type Address, numberToHex, padHex, sidecarsToVersionedHashes, zeroAddress } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { accounts } from "../../../devchain/accounts.ts";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { type JsonObject, type JsonValue, printJson } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { TraceReading } from "../../../server/src/trace/readTrace.ts";
import { some, thorough, times } from "../../support/depth.ts";
import { calling, log, passingOn, program, push, store } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { callable } from "../../support/randomCalls.ts";
import { isUndecided, type Lie, mine, nodeTrace, randomBlock, readingOf, refusal } from "./anvilBlocks.ts";
import { corrected, lines } from "./anvilCalls.ts";

const [first = "", second = ""] = callable;

/** Of the curve. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A blob of zeros: the only one whose commitment and proof are known without a library. */
const point = `0xc0${"00".repeat(47)}` as const;
const emptyBlobs = [{ blob: `0x${"00".repeat(131_072)}` as const, commitment: point, proof: point }];

function shown(found: TraceReading): string {
  return printJson(found as unknown as JsonValue).slice(0, 2000); // it consists of JSON
}

for (const fork of ["prague", "osaka"] as const)
  describe(`a transaction of a block that is replayed by the rules of ${fork}`, function () {
    this.timeout(1_200_000);
    let anvil: Anvil;
    let client: BackgroundClient;
    before(async () => {
      anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: fork });
      await ask(anvil, "anvil_mine", ["0x5"]);
      client = clientTo(`http://${anvil.host}`);
    });
    after(() => anvil?.kill());

    it("is the node's own trace: no false alarm", async () => {
      const sizes = fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 8 }) },
        { weight: 3, arbitrary: fc.integer({ min: 9, max: 40 }) },
        { weight: thorough ? 1 : 0, arbitrary: fc.integer({ min: 41, max: 200 }) },
      );
      await fc.assert(
        fc.asyncProperty(
          randomBlock(sizes),
          fc.nat(),
          fc.boolean(),
          fc.boolean(),
          async (block, at, inBulk, isListed) => {
            const hashes = await mine(anvil, block);
            const hash = hashes[at % hashes.length] ?? "";
            const refuses = ["debug_traceTransaction", ...(isListed ? [] : ["eth_createAccessList"])];
            const found = await readingOf(client, hash, { refuses, ...(inBulk && { batch: false }) });
            assert.ok(found.kind === "replayed" || isUndecided(found), shown(found));
            if (found.kind !== "replayed") return;
            const ours = lines(found.trace.calls[found.target]?.call ?? {});
            const theirs = lines(await nodeTrace(anvil, hash));
            assert.deepEqual(ours, corrected(theirs, ours));
          },
        ),
        { numRuns: times(120, 5) },
      );
    });
  });

describe("a transaction of a block with authorizations", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  let client: BackgroundClient;
  const [sender, owner] = [accounts.deployer, accounts.alice].map(({ privateKey }) => privateKeyToAccount(privateKey));
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: "osaka" });
    client = clientTo(`http://${anvil.host}`);
    await ask(anvil, "anvil_setCode", [second, program(log(1, 2), store(3, 4))]);
    await ask(anvil, "anvil_setCode", [first, program(calling({ to: accounts.alice.address }), passingOn)]);
  });
  after(() => anvil?.kill());

  interface Given {
    readonly nonce: number;
    readonly chainId?: number;
    readonly by?: PrivateKeyAccount;
    readonly address?: string;
    /** Signed with the other `s` that gives the same key, which EIP-7702 refuses. */
    readonly isHigh?: boolean;
  }

  async function signedBy(one: Given) {
    const { nonce, chainId = 31337, by = owner, address = second, isHigh } = one;
    assert.ok(by);
    const signed = await by.signAuthorization({ contractAddress: address as Address, chainId, nonce });
    if (!isHigh) return signed;
    const { r, s, yParity = 0 } = signed;
    return { chainId, nonce, r, address: signed.address, s: numberToHex(order - BigInt(s)), yParity: 1 - yParity };
  }

  /** Sends a transaction that gives accounts the code of another one. */
  async function sendAuthorizing(to: string, given: readonly Given[]): Promise<string> {
    assert.ok(sender);
    const authorizationList = await Promise.all(given.map(signedBy));
    const nonce = Number(await ask(anvil, "eth_getTransactionCount", [sender.address, "latest"]));
    const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 7n };
    const signed = await sender.signTransaction({
      ...{ type: "eip7702", chainId: 31337, to: to as Address, gas: 400_000n, nonce, authorizationList, ...fees },
    });
    const hash = await ask<string>(anvil, "eth_sendRawTransaction", [signed]);
    await ask(anvil, "anvil_mine", ["0x1"]);
    return hash;
  }

  async function authorizing(to: string, given: readonly Given[]) {
    const hash = await sendAuthorizing(to, given);
    const found = await readingOf(client, hash);
    assert.ok(found.kind === "replayed", shown(found));
    const ours = lines(found.trace.calls[found.target]?.call ?? {});
    assert.deepEqual(ours, lines(await nodeTrace(anvil, hash)));
    return ours;
  }

  it("runs the code that they set, also before and after others that do not count", async () => {
    const called = await authorizing(accounts.alice.address, [{ nonce: 5 }, { nonce: 0 }, { nonce: 1, chainId: 5 }]);
    assert.ok(called.some((line) => line.startsWith("log")));
    const inside = await authorizing(first, [{ nonce: 99 }]);
    assert.ok(inside.some((line) => line.startsWith("log")));
    await authorizing(accounts.alice.address, [{ nonce: 1 }]);
  });
  it("follows those of any chain, and those that remove code; not those of contracts, or with a large s", async () => {
    // anvil takes every account for one that exists (EIP-7702 gives gas back for those)
    const logs = async (by: PrivateKeyAccount, ...given: readonly Omit<Given, "by">[]): Promise<boolean> => {
      const all = await authorizing(by.address, [...given.map((one) => ({ ...one, by }))]);
      return all.some((line) => line.startsWith("log"));
    };
    const [any, high, contract] = [1, 2, 3].map((key) => privateKeyToAccount(padHex(numberToHex(key), { size: 32 })));
    assert.ok(any && high && contract);
    for (const { address } of [any, high, contract]) await ask(anvil, "anvil_setBalance", [address, "0x1"]);
    assert.ok(await logs(any, { nonce: 0, chainId: 0 }));
    assert.ok(!(await logs(any, { nonce: 1, address: zeroAddress })));
    assert.equal(await ask(anvil, "eth_getCode", [any.address, "latest"]), "0x");
    assert.ok(!(await logs(high, { nonce: 0, isHigh: true })));
    await ask(anvil, "anvil_setCode", [contract.address, program(store(1, 2))]);
    assert.ok(!(await logs(contract, { nonce: 0 })));
  });
  it("is compared with balances, codes and words after the block, also where one simulation reads them", async () => {
    const by = privateKeyToAccount(padHex("0x4", { size: 32 }));
    await ask(anvil, "anvil_setBalance", [by.address, "0x1"]);
    const hash = await sendAuthorizing(by.address, [{ nonce: 0, by }]);
    const number = await ask<string>(anvil, "eth_blockNumber");
    const isAfter: Lie = ({ method, params }) => (method === "eth_getCode" && params[1] === number ? "0x" : undefined);
    const single = await readingOf(client, hash, { lie: isAfter });
    assert.ok(single.kind === "differs" && /^code of/.test(single.what), shown(single));
    const nonceAfter: Lie = ({ method, params }) =>
      method === "eth_getTransactionCount" && params[1] === number ? "0x99" : undefined;
    const counted = await readingOf(client, hash, { lie: nonceAfter });
    assert.ok(counted.kind === "differs" && /^nonce of/.test(counted.what), shown(counted));
    const bulk = (change: (texts: readonly string[]) => readonly string[]): Promise<TraceReading> =>
      readingOf(client, hash, {
        batch: false,
        lie({ method, params }, result) {
          if (method !== "eth_simulateV1" || params[1] !== number) return undefined;
          const blocks = result as readonly { readonly calls: readonly JsonObject[] }[]; // of a simulation
          const texts = change(blocks.flatMap(({ calls }) => calls.map(({ returnData }) => String(returnData))));
          return [{ calls: texts.map((returnData) => ({ status: "0x1", returnData })) }];
        },
      });
    const honest = await bulk((texts) => texts);
    assert.equal(honest.kind, "replayed", shown(honest));
    const other = (text = ""): string => `${text.slice(0, -1)}${text.endsWith("1") ? "2" : "1"}`;
    for (const [what, change] of [
      ["balance", ([facts = "", ...words]) => [`${other(facts.slice(0, 66))}${facts.slice(66)}`, ...words]],
      ["code", ([facts = "", ...words]) => [facts.replace(/ef0100./i, "ef0100f"), ...words]],
      ["word", ([facts = "", ...words]) => [facts, ...words.map(other)]],
    ] as const satisfies readonly (readonly [string, (texts: readonly string[]) => readonly string[]])[]) {
      const found = await bulk(change);
      assert.ok(found.kind === "differs" && found.what.startsWith(what), shown(found));
    }
    // a simulation does not read nonces: what it assumed is not compared with them
    const refused = await readingOf(client, hash, {
      batch: false,
      lie: ({ method, params }) =>
        method === "eth_simulateV1" && params[1] === number ? refusal("no simulation") : undefined,
    });
    assert.equal(refused.kind, "replayed", shown(refused));
  });
});

describe("a transaction of a block with blobs", () => {
  for (const hardfork of some(["prague", "osaka"] as const, 1))
    it(`pays for them, and can read their hashes, by the rules of ${hardfork}`, async () => {
      const anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork });
      const client = clientTo(`http://${anvil.host}`);
      const { address, privateKey } = accounts.deployer;
      // stores BLOBHASH(0) and BLOBBASEFEE
      await ask(anvil, "anvil_setCode", [first, program([push(0), "49", push(1), "55", "4a", push(2), "55"])]);
      const hashes: string[] = [];
      for (const nonce of [0, 1]) {
        const signed = await privateKeyToAccount(privateKey).signTransaction({
          ...{ type: "eip4844", chainId: 31337, to: first as Address, value: 5n, gas: 200_000n, nonce },
          ...{ maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 7n, maxFeePerBlobGas: 1_000_000_000n },
          ...{ sidecars: emptyBlobs, blobVersionedHashes: sidecarsToVersionedHashes({ sidecars: emptyBlobs }) },
        });
        hashes.push(await ask<string>(anvil, "eth_sendRawTransaction", [signed]));
      }
      await ask(anvil, "anvil_mine", ["0x1"]);
      for (const hash of hashes) {
        const found = await readingOf(client, hash);
        assert.ok(found.kind === "replayed", shown(found));
        const ours = lines(found.trace.calls[found.target]?.call ?? {});
        assert.deepEqual(ours, lines(await nodeTrace(anvil, hash)));
      }
      assert.equal((await ask<string>(anvil, "eth_getStorageAt", [first, "0x1", "latest"])).slice(0, 4), "0x01");
      assert.ok(BigInt(await ask<string>(anvil, "eth_getTransactionCount", [address, "latest"])) === 2n);
      await anvil.kill();
    });
});
