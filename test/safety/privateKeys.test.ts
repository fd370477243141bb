import assert from "node:assert/strict";
import fc from "fast-check";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { loadKeysOfAddresses } from "../../server/src/abi/address.ts";
import { privateKeysIn } from "../../server/src/base/privateKeys.ts";
import { importText } from "../../server/src/convert/importText.ts";
import { explained } from "../../server/src/editor/pastedRequests.ts";
import { readingsOfCell } from "../../server/src/features/pastedValue.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { createService } from "../../server/src/service/service.ts";
import { scopeOf } from "../support/cell.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { times } from "../support/depth.ts";
import { expectLinear } from "../support/growth.ts";
import { testHost } from "../support/host.ts";

const anvilKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ganacheKey = "0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d";
const someKey = fc.bigInt({ min: 2n ** 200n, max: 2n ** 255n }).map((key) => `0x${key.toString(16).padStart(64, "0")}`);

/** Texts with a key, as people copy them. */
const labelled: readonly ((key: string) => string)[] = [
  (key) => `Private Keys\n==================\n\n(0) ${key}\n(1) ${key.replace(/.$/, "1")}\n`,
  (key) => `Account #0: 0x${"ab".repeat(20)} (10000 ETH)\nPrivate Key: ${key}`,
  (key) => `DEPLOYER_PK=${key}`,
  (key) => `export PRIVATE_KEY="${key}"`,
  (key) => `PRIVATE_KEY_2=${key.slice(2)}`,
  (key) => `pk: ${key}`,
  (key) => `sk = ${key}`,
  (key) => `SECRET=${key}`,
  (key) => `const deployerPk = "${key}";`,
  (key) => `new Wallet("${key}")`,
  (key) => `new ethers.Wallet('${key}', provider)`,
  (key) => `privateKeyToAccount('${key}')`,
  (key) => `Account.from_key("${key}")`,
  (key) => `accounts: ["${key}", "${key}"],`,
  (key) => `accounts: [\n  "${key.replace(/.$/, "3")}",\n  "${key}",\n]`,
  (key) => `invalid private key (argument="privateKey", value="${key}", code=INVALID_ARGUMENT)`,
  (key) => `cast send 0x${"cd".repeat(20)} --private-key ${key}`,
  (key) => `{"signer": {"privateKey": "${key}"}}`,
  (key) => `vm.startBroadcast(${key});`,
  (key) => `${key} // my private key`,
  (key) => `wallet key: \`${key}\``,
  (key) => `secret key ${key}`,
  (key) => `SIGNER_KEY: ${key}`,
  (key) => `"seed": "${key}"`,
  (key) => `signingKey=${key}`,
  (key) => `privateKeyAlice: ${key}`,
  (key) => `Private Key (hex)\n${key}`,
  (key) => `privateKeyToAccount(\n  // alice\n  "${key}")`,
  (key) => `secretKey: {"data": "${key}"}`,
  (key) => `"private": "${key}"`,
  (key) => `Private Keys\n${Array.from({ length: 100 }, (_, at) => `(${at}) ${key}\n`).join("")}`,
  (key) => `[profile.dev]\nkeys = ["${key}"]`,
  (key) => `wallet: "${key}"`,
  (key) => `signer = ${key}`,
  (key) => `{"txHash": "0x…", "signer": "${key}"}`,
  (key) => `key: "${key}"`,
  (key) => `PK_ALICE=${key}`,
  (key) => `seedHex: ${key}`,
  (key) => `privkey-of-bob: ${key}`,
  (key) => `DEPLOYER=${key}`,
  (key) => `KEEPER=${key}`,
  (key) => `{"deployer": "${key}"}`,
  (key) => `PRIV=${key}`,
  (key) => `entropy = ${key}`,
  (key) => `entropy ${key}`,
  (key) => `the wallet's entropy:\n${key}`,
  (key) => `fly secrets set APP=${key}`,
  (key) => `vault kv put secret/app value=${key}`,
  (key) => `cast wallet address ${key}`,
  (key) => `{"method":"personal_importRawKey","params":["${key}","pw"]}`,
  (key) => `vm.createWallet(uint256(${key}))`,
  (key) => `web3.eth.accounts.wallet.add('${key}')`,
  (key) => `web3.eth.accounts.signTransaction(tx, "${key}")`,
  (key) => `w3.eth.account.sign_transaction(tx, '${key}')`,
  (key) => `Credentials.create("${key}")`,
  (key) => `new Account("${key}", 31337)`,
  (key) => `invalid BytesLike value (argument="value", value="${key}", code=INVALID_ARGUMENT) at new SigningKey`,
  (key) => `error: invalid value '${key}' for '--private-key <RAW_PRIVATE_KEY>'`,
  (key) => `The key to my wallet is ${key}`,
  (key) => `${key} <- pk`,
  ...[
    "Privater Schlüssel",
    "Clave privada",
    "Clé privée",
    "Chave privada",
    "Chiave privata",
    "私钥",
    "私鑰",
    "秘密鍵",
    "개인키",
    "Приватный ключ",
    "Закритий ключ",
    "Özel anahtar",
    "Klucz prywatny",
    "Privésleutel",
    "Khóa riêng tư",
    "Kunci privat",
  ].map((name) => (key: string) => `${name}: ${key}`),
];

/** Texts with 32 bytes that are not a key. */
const public32: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.slice(2),
  (word) => `tx ${word}`,
  (word) => `transactionHash: "${word}"`,
  (word) => `Sent with the private key of alice, tx hash ${word}`,
  (word) => `storage key ${word}`,
  (word) => `{"key": "${word}", "value": "0x1", "proof": []}`,
  (word) => `https://etherscan.io/tx/${word}`,
  (word) => `etherscan.io/tx/${word}`,
  (word) => `sent with my private key: https://etherscan.io/tx/${word}#eventlog`,
  (word) => `block ${word} is unknown`,
  (word) => `topics: ["${word}", "${word}"]`,
  (word) => `public key hash ${word}`,
  (word) => `0x${"00".repeat(12)}${word.slice(26)}`,
  (word) => `execution reverted, data 0x08c379a0${word.slice(2)}`,
  (word) => `wallet tx: ${word}`,
  (word) => `Sent from my wallet: ${word}`,
  (word) => `my wallet ${word}`,
  (word) => `hash signed by the signer: ${word}`,
  (word) => `Transaction broadcast: ${word}`,
  (word) => `the seed ${word}`,
  (word) => `of the accounts ${word}`,
  (word) => `the storage at key: ${word}`,
  (word) => `mapping slot of the key = ${word}`,
  (word) => `{"proof": ["0x01"], "value": "0x1", "key": "${word}"}`,
  (word) => `{"key": "${word}", "nonce": 1, "value": "0x1"}`,
  (word) => `seedHash: ${word}`,
  (word) => `secretHash = ${word}`,
  (word) => `{"roles": {"keeper": "${word}"}}`,
  (word) => `the owner sent ${word}`,
  (word) => `signTransaction(tx) returned ${word}`,
  (word) => `created by a new account: tx ${word}`,
  (word) => `Private RPC: ${word}`,
  (word) => `the key to this bug is ${word}`,
];

describe("a private key in a text", () => {
  const isFree = (output: unknown, key: string) =>
    !JSON.stringify(output).toLowerCase().includes(key.slice(2).toLowerCase());

  for (const [at, write] of labelled.entries())
    it(`is in no request and is not shown: ${write("0x…").split("\n")[0]} (${at})`, async () => {
      await fc.assert(
        fc.asyncProperty(someKey, async (key) => {
          const text = write(key);
          assert.ok(isFree(await explained(text), key), text);
          const imported = importText(`${text}\ncurl http://127.0.0.1 -d '{"method":"eth_chainId"}'\n# ${text}`);
          assert.ok(isFree(imported.cells, key), text);
        }),
        { numRuns: times(20, 3) },
      );
    });
  it("is looked for in time that grows with the text", async () => {
    const word = `0x${"ab".repeat(32)}`;
    for (const [piece, size] of [
      [`${"─".repeat(3990)}a ${word}\n`, 60],
      [`${" ".repeat(3990)}${word}\n`, 60],
      [`{"h":"${word}"}`, 5000],
    ] as const)
      await expectLinear(size, (count) => privateKeysIn(piece.repeat(count)));
  });
  it("is found alone if it is a well-known one", async () => {
    for (const key of [anvilKey, ganacheKey])
      for (const text of [key, key.slice(2), `0X${key.slice(2).toUpperCase()}`, `https://etherscan.io/tx/${key}`])
        assert.ok(isFree(await explained(text), key), text);
  });
  it("is found by its address beside it", async () => {
    await fc.assert(
      fc.asyncProperty(someKey, async (key) => {
        const text = `${privateKeyToAddress(key as `0x${string}`)} ${key}`;
        const { readings } = await explained(text);
        assert.ok(isFree(readings, key) && readings.length > 0, text);
      }),
      { numRuns: times(20, 3) },
    );
  });
  it("is found by its address beside it in a cell, without 0x, and after very many", async () => {
    const key = `0x${"5b".repeat(32)}` as const;
    const address = privateKeyToAddress(key);
    const others = Array.from(
      { length: 300 },
      (_, at) => `0x${(2n ** 240n + BigInt(at)).toString(16).padStart(64, "0")}`,
    );
    const last = `0x${"5c".repeat(32)}`;
    for (const text of [`${address.slice(2)} ${key}`, [address, key, ...others, last].join("\n")]) {
      const { readings } = await explained(text);
      assert.ok(isFree(readings, key) && isFree(readings, last), text.slice(0, 200));
      assert.ok(isFree(readingsOfCell(readCell(text), scopeOf(readCell(text))), key), text.slice(0, 200));
    }
  });
  describe("is found by its address beside it", () => {
    const key = `0x${"5d7e1c0b".repeat(8)}` as const;
    const other = `0x${"9e81f50c".repeat(8)}`;
    const address = privateKeyToAddress(key);
    const written = (word: string): string =>
      `{ "method": "eth_getStorageAt", "params": ["${address}", "${word}", "latest"] }`;
    const opened = async (text: string) => {
      const service = createService(testHost());
      const uri = "file:///w/a.rpc.json";
      service.openText(uri, text);
      await service.settled(uri);
      return { service, uri };
    };

    for (const [name, text] of [
      ["a cell", `{ "cells": [${written("WORD")}] }`],
      ["the header", `{ "variables": { "alice": "${address}", "a": "WORD" }, "cells": [] }`],
      ["a text", `{ "cells": [{ "markdown": ["${address} (WORD)"] }] }`],
      ["a cell that is no JSON yet", `{ "cells": [{ "text": ["${address.slice(2)}, WORD"] }] }`],
    ] as const)
      it(`by check, in ${name}`, async () => {
        const problems = async (word: string) => {
          const { service, uri } = await opened(text.replace("WORD", word));
          return service.diagnostics(uri).filter(({ code }) => code === "secret-in-file").length;
        };
        assert.deepEqual([await problems(key), await problems(key.slice(2)), await problems(other)], [1, 1, 0]);
      });

    it("by a hover", async () => {
      const shown = async (word: string) => {
        const text = `{ "cells": [${written(word)}] }`;
        const { service, uri } = await opened(text);
        return service.hover(uri, text.indexOf(word) + 3)?.markdown ?? "";
      };
      assert.match(await shown(key), /Private key/);
      assert.ok(isFree(await shown(key), key));
      assert.doesNotMatch(await shown(other), /Private key/);
    });

    it("by an import, wherever in the text its address is", async () => {
      const texts = (word: string) => [
        `curl http://127.0.0.1 -d '${written(word)}'`,
        `# ${address}\ncurl http://127.0.0.1 -d '{"method":"eth_getTransactionByHash","params":["${word}"]}'`,
        `# ${address} ${word}\ncurl http://127.0.0.1 -d '{"method":"eth_chainId"}'`,
      ];
      const made = async (text: string) => {
        await loadKeysOfAddresses(text);
        return importText(text).notebook;
      };
      for (const text of texts(key)) assert.ok(isFree(await made(text), key), text);
      for (const text of texts(other)) assert.ok(!isFree(await made(text), other), text);
    });

    it("by decode, which shows the rest", async () => {
      const call = `0xa9059cbb${address.slice(2).padStart(64, "0")}${"7".padStart(64, "0")}`;
      const decoded = (text: string) => runCommand(["decode", text], ".");
      for (const one of [key, other].map((word) => JSON.stringify({ input: call, from: address, memo: word })))
        assert.match((await decoded(one)).out, /transfer\(address,uint256\)/);
      for (const text of [
        anvilKey,
        `["${anvilKey}"]`,
        `{"input":"${key}","from":"${address}"}`,
        `{"privateKey":"${key}"}`,
      ]) {
        const { code, out, err } = await decoded(text);
        assert.deepEqual([code, out], [2, ""], text);
        assert.match(err, /private key/);
        for (const hidden of [anvilKey, key]) {
          assert.ok(isFree([out, err], hidden), err);
          assert.ok(!err.replaceAll(",", "").includes(BigInt(hidden).toString()), err);
        }
      }
      assert.match((await decoded(other)).out, /Bytes of unknown types/);
    });

    it("by a page", async () => {
      const cells = [{ kind: "request" as const, text: written(key), reports: [] }];
      const page = await createService(testHost()).page({ title: "", cells, script: "" });
      assert.ok(isFree(page, key));
    });
  });
  for (const write of public32)
    it(`is not what ${write("0x…")} has`, () => {
      fc.assert(
        fc.property(someKey, (word) => {
          assert.deepEqual(privateKeysIn(write(word)), []);
        }),
        { numRuns: times(20, 3) },
      );
    });
});

describe("the accounts that every development chain has", () => {
  for (const [chain, phrase, count] of [
    ["Anvil and Hardhat", "test test test test test test test test test test test junk", 20],
    ["Ganache", "myth like bonus scare over problem client lizard pioneer submit female collect", 10],
    ["Truffle", "candy maple cake sugar pudding cream honey rich smooth crumble sweet treat", 10],
  ] as const)
    it(`have keys that are known without a name: ${chain}`, () => {
      for (let addressIndex = 0; addressIndex < count; addressIndex++) {
        const key = mnemonicToAccount(phrase, { addressIndex }).getHdKey().privateKey ?? assert.fail();
        assert.equal(privateKeysIn(`0x${Buffer.from(key).toString("hex")}`).length, 1, String(addressIndex));
      }
    });
});
