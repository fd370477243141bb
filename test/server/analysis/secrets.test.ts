import { expectProblems as expect } from "../../support/cell.ts";

const key = "5b2c4bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff801";
const words = "abandon ability able about above absent absorb abstract absurd abuse access zoo";

describe("secrets in a file", () => {
  for (const [name, value, what] of [
    ["privateKey", `0x${key}`, "private-key"],
    ["DEPLOYER_PK", key, "private-key"],
    ["key", `0x${key}`, "private-key"],
    ["secret", `0x${key}`, "private-key"],
    ["ownerKey", `0x${key}`, "private-key"],
    ["seed_hex", `0x${key}`, "private-key"],
    ["signer", `0x${key}`, "private-key"],
    ["hotWallet", `0x${key}`, "private-key"],
    ["phrase", words, "mnemonic"],
    ["rpc", "https://mainnet.example/v3/0123456789abcdef0123456789abcdef", "url"],
    ["rpc", "wss://mainnet.example/?apikey=abcdefgh1234", "url"],
    ["rpc", "https://me:hunter2@mainnet.example", "url"],
    ["apiKey", "abcd1234efgh5678", "secret"],
    ["x-api-key", "abcd1234efgh5678", "secret"],
    ["password", "correct horse", "secret"],
    ["accessToken", "abcd1234efgh5678", "secret"],
    ["header", "Bearer abcd1234efgh5678", "authorization"],
    ["header", "Basic dXNlcjpwYXNz", "authorization"],
  ] as const)
    it(`are seen: ${name} ${value.slice(0, 30)}`, () =>
      expect(`{ "variables": { "${name}": ‹secret-in-file ${what}→"${value}"› } }`, {}, "header"));

  for (const [name, value] of [
    ["txHash", `0x${key}`],
    ["topic0", `0x${key}`],
    ["slot", `0x${key}`],
    ["storageKey", `0x${key}`],
    ["publicKey", `0x${key}`],
    ["poolKey", `0x${key}`],
    ["keyHash", `0x${key}`],
    ["seedHash", `0x${key}`],
    ["walletTx", `0x${key}`],
    ["blockhash", key],
    ["token", "0x5FbDB2315678afecb367f032d93F642f64180aa3"],
    ["secret", "0x5FbDB2315678afecb367f032d93F642f64180aa3"],
    ["password", ""],
    ["text", "this is a sentence of twelve words that the people here all read"],
    ["mnemonic", "test test test test test test test test test test test junk"],
    ["rpc", "https://mainnet.example/v2/demo"],
    ["rpc", "http://127.0.0.1:8545"],
    ["scan", "https://scan.example/tx/0x0123456789abcdef0123456789abcdef"],
    ["docs", "https://docs.example/some-very-long-name-of-a-page-that-people-read"],
    ["abi", "https://raw.githubusercontent.com/a/b/0123456789abcdef0123456789abcdef01234567/abi.json"],
  ] as const)
    it(`are not seen where there are none: ${name} ${value.slice(0, 30)}`, () =>
      expect(`{ "variables": { ${JSON.stringify(name)}: ${JSON.stringify(value)} } }`, {}, "header"));

  for (const marked of [
    // are seen in cells too, and not where a placeholder stands for them
    `{ "method": "eth_chainId", "endpoint": ‹secret-in-file→"https://rpc.example/v3/0123456789abcdef0123456789abcdef"›, "params": [] }`,
    // are seen where a method takes a key or a password
    `{ "method": ‹unknown-method→"personal_unlockAccount"›, "params": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", ‹secret-in-file→"hunter2"›, 30] }`,
    // are seen in numbers too, from six digits on
    `{ "method": ‹unknown-method→"x_y"›, "params": [{ "password": ‹secret-in-file→123456› }, { "password": 12345 }] }`,
    // are not the keys of slots
    `{ "method": ‹unknown-method→"x_y"›, "params": [{ "key": "0x${key}", "value": "0x1" }] }`,
    // are not looked for in hashes of requests
    `{ "method": "eth_getTransactionByHash", "params": ["0x${key}"] }`,
  ])
    it(marked, () => expect(marked));

  it("stand for keys of documentation as what they are", () =>
    expect(`{ "variables": { "rpc": ‹sample-placeholder→"https://mainnet.example/v3/YOUR_API_KEY"› } }`, {}, "header"));
});
