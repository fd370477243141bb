import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { rememberedNeeds, rememberNeeds } from "../../../server/src/trace/rememberedKeys.ts";

const calling = (to: number) => [{ to: `0x${to.toString(16).padStart(40, "0")}`, data: "0x12345678" }];
const needing = (slot: number) => ({
  accounts: [`0x${"ab".repeat(20)}`],
  slots: [{ address: `0x${"ab".repeat(20)}`, slot: `0x${slot.toString(16).padStart(64, "0")}` }],
  hashes: [],
});

describe("what calls needed earlier", () => {
  it("is kept for all endpoints of a host: none takes away what another one added", async () => {
    let file: string | undefined;
    const kept = {
      read: async () => file,
      write: async (text: string) => {
        file = text;
      },
    };
    const [first, second] = [
      { memory: {}, kept },
      { memory: {}, kept },
    ];
    await rememberNeeds(first, calling(1), needing(1));
    await rememberedNeeds(second, calling(9)); // it has read the file
    await rememberNeeds(first, calling(2), needing(2));
    await rememberNeeds(second, calling(3), needing(3));
    const later = { memory: {}, kept };
    for (const one of [1, 2, 3]) assert.deepEqual(await rememberedNeeds(later, calling(one)), needing(one));
    for (let at = 10; at < 59; at++) await rememberNeeds(first, calling(at), needing(at));
    const last = { memory: {}, kept };
    assert.deepEqual(await rememberedNeeds(last, calling(2)), { accounts: [], slots: [], hashes: [] }, "the oldest");
    assert.deepEqual(await rememberedNeeds(last, calling(3)), needing(3));
  });
  it("is kept for all calls that are traced at the same time", async () => {
    let file: string | undefined;
    const kept = {
      read: async () => file,
      async write(text: string) {
        const before = file;
        await setImmediate();
        if (file !== before) return; // as a file that was changed meanwhile
        file = text;
      },
    };
    const place = { memory: {}, kept };
    const all = [1, 2, 3, 4, 5, 6];
    await Promise.all(all.map((one) => rememberNeeds(place, calling(one), needing(one))));
    const later = { memory: {}, kept };
    for (const one of all) assert.deepEqual(await rememberedNeeds(later, calling(one)), needing(one));
  });
});
