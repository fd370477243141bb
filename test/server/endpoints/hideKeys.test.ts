import assert from "node:assert/strict";
import { openMask } from "../../../server/src/base/mask.ts";
import { hideKeys } from "../../../server/src/endpoints/hideKeys.ts";

describe("keys that an address contains", () => {
  for (const [url, text, shown] of [
    [
      "https://mainnet.example/mainnet/v2/0123456789abcdef",
      "v2 of mainnet: 0123456789abcdef",
      "v2 of mainnet: ‹hidden›",
    ],
    ["https://node.example/", "v2 of mainnet: 0123456789abcdef", "v2 of mainnet: 0123456789abcdef"],
    ["https://node:pass-0123@node.example/", "node and pass-0123", "node and ‹hidden›"],
    ["https://node.example/?key=0123456789", "0123456789 at node.example", "‹hidden› at node.example"],
    [
      "http://reports:pw12345678@127.0.0.1:18599/",
      "127.0.0.1:18599, ops-reports.csv",
      "127.0.0.1:18599, ops-reports.csv",
    ],
    ["http://127.0.0.1:18599/reports", "127.0.0.1:18599, ops-reports.csv", "127.0.0.1:18599, ops-reports.csv"],
    ["http://x.example/mainnet-archive/team", "mainnet-archive of team", "mainnet-archive of team"],
    ["https://token9x8y7z@node.example/", "token9x8y7z", "‹hidden›"],
    ["https://x.example/a1b2c3d4/rpc", "a1b2c3d4 and rpc", "‹hidden› and rpc"],
  ] as const)
    it(`are hidden, but not its host and short parts of its path: ${url}`, () => {
      const mask = openMask();
      hideKeys({ url, ws: undefined, headers: {} } as Parameters<typeof hideKeys>[0], mask); // it reads no other member
      assert.equal(mask.text(text), shown);
    });
});
