import assert from "node:assert/strict";
import { crashCounter, crashLimit, periodMs } from "../../client/src/crashes.ts";

describe("a server that crashes", () => {
  it("is started again, until it crashes too often", () => {
    const mayRestart = crashCounter();
    for (let crash = 1; crash <= crashLimit; crash++) assert.equal(mayRestart(crash), true);
    assert.equal(mayRestart(crashLimit + 1), false);
  });
  it("is forgiven after a while", () => {
    const mayRestart = crashCounter();
    for (let crash = 0; crash < 20; crash++) assert.equal(mayRestart((crash * periodMs) / crashLimit), true);
  });
});
