import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../server/src/base/json.ts";
import type { HttpRequest } from "../../server/src/base/ports.ts";
import type { CellResult } from "../../server/src/run/result/cellResult.ts";
import { createService } from "../../server/src/service/service.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { testHost } from "../support/host.ts";
import { type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { type LogProvider, logProvider } from "../support/logProvider.ts";
import { socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const never = new AbortController().signal;
const request = (body: string): HttpRequest => ({ url: "", headers: {}, body, timeoutMs: 0, maxBytes: 0 });
const uri = "file:///nowhere/logs.rpc.json";

const logsCell = (from: number, to: number | string, more = ""): string =>
  `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x${from.toString(16)}", "toBlock": "${typeof to === "number" ? `0x${to.toString(16)}` : to}" }]${more} }`;

interface Answer {
  readonly result?: readonly JsonObject[];
  readonly error?: { readonly reason: string; readonly message: string };
  readonly partial?: {
    readonly fromBlock: string;
    readonly toBlock: string;
    readonly missing: readonly { readonly fromBlock: string; readonly toBlock: string }[];
    readonly result: readonly JsonObject[];
  };
}

/** The last block before what is missing first. */
function endOf(partial: Answer["partial"]): number {
  const [gap] = partial?.missing ?? [];
  assert.ok(gap);
  return Number(gap.fromBlock) - 1;
}

describe("logs that are larger than the limit for an answer", () => {
  interface Providing {
    readonly logsIn?: (block: number) => number;
    /** Blocks per request. */
    readonly blocks?: number;
  }

  function providing({ logsIn = () => 10, blocks = Number.POSITIVE_INFINITY }: Providing): LogProvider {
    return logProvider({
      head: 2000,
      logsIn,
      refuse: ({ from, to }) =>
        to - from >= blocks ? { code: -32000, message: `block range exceeds limit of ${blocks}` } : undefined,
    });
  }

  /** @param answers - Whether a body gets an answer. */
  function serve(provider: LogProvider, answers = (_: string) => true): Promise<HostileServer> {
    return hostileServer(async (seen, response) => {
      if (!answers(seen.body)) return;
      const reply = await provider.post(request(seen.body), never);
      if (reply.kind === "response") response.writeHead(reply.status).end(reply.body);
    });
  }

  /** Runs cells repeatedly in one service that may receive 30 kB, about 150 logs. */
  function session(endpoint: string, text: string) {
    const service = createService(testHost({ settings: { rpcNotebook: { maxResponseSize: 0.03 } } }));
    service.openText(uri, text);
    return async (index = 0): Promise<{ readonly cell: CellResult; readonly answers: readonly Answer[] }> => {
      const cells: CellResult[] = [];
      await service.run(
        { uri, endpoint, cells: [{ index }] },
        { started: () => {}, finished: (cell) => cells.push(cell) },
        new AbortController().signal,
      );
      const [cell] = cells;
      assert.ok(cell);
      return { cell, answers: cell.answers() as unknown as readonly Answer[] }; // the machine-readable answers of a run
    };
  }

  const sum = (provider: LogProvider, from: number, to: number): readonly JsonValue[] => provider.all(from, to);
  /** The logs of a range without those that are missing. */
  const sumOf = (provider: LogProvider, { fromBlock, toBlock, missing }: NonNullable<Answer["partial"]>) => {
    const isMissing = (block: number): boolean =>
      missing.some((gap) => block >= Number(gap.fromBlock) && block <= Number(gap.toBlock));
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    const blocks = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    return blocks.filter((block) => !isMissing(block)).flatMap((block) => sum(provider, block, block));
  };

  for (const [what, blocks] of [
    ["at the very first request", undefined],
    ["in pieces, which are small enough", 5],
    ["in pieces, each of which is too large", 40],
  ] as const) {
    it(`are read as far as possible, ${what}, and continued when the cell runs again`, async () => {
      const provider = providing(blocks === undefined ? {} : { blocks });
      const { url } = await serve(provider);
      const run = session(url, `{ "cells": [${logsCell(0, 99)}] }`);
      let last = -1;
      for (let times = 1; ; times++) {
        assert.ok(times < 20);
        const asked = provider.asked.length;
        const { cell, answers } = await run();
        const [answer] = answers;
        assert.ok(answer);
        if (answer.result) {
          assert.ok(times > 2, `${times} runs`);
          assert.deepEqual(answer.result, sum(provider, 0, 99));
          break;
        }
        assert.deepEqual([cell.ok, cell.isPartial, answer.error?.reason], [false, true, "too-large"]);
        assert.ok(answer.partial);
        const { partial } = answer;
        const end = endOf(partial);
        assert.ok(end > last, "it goes on");
        assert.deepEqual(partial.result, sumOf(provider, partial));
        assert.deepEqual([partial.fromBlock, partial.toBlock, partial.missing[0]?.toBlock], ["0x0", "0x63", "0x63"]);
        const { text, json } = cell.output;
        assert.match(text, /The logs are larger than 30 kB in total, so reading stopped\./);
        assert.ok(
          text.includes(`These are the logs of the blocks 0 to 99, without the blocks ${end + 1} to 99.`),
          text,
        );
        assert.ok(text.includes(" logs arrived. They are kept while the editor"));
        assert.deepEqual(JSON.parse(json).partial, sum(provider, 0, end));
        const again = provider.asked.slice(asked).filter(({ from }) => from <= last);
        assert.deepEqual(again, [], "what had come is not asked for again");
        last = end;
      }
    });
  }

  it("are read without blocks that are too large by themselves, which are named", async () => {
    const provider = providing({ logsIn: (block) => (block === 50 || block === 70 ? 400 : 1) });
    const { url } = await serve(provider);
    const { cell, answers } = await session(url, `{ "cells": [${logsCell(0, 99)}] }`)();
    const read = [sum(provider, 0, 49), sum(provider, 51, 69), sum(provider, 71, 99)].flat();
    assert.deepEqual(answers[0]?.partial?.result, read);
    const gap = (block: string) => ({ fromBlock: block, toBlock: block });
    assert.deepEqual(answers[0]?.partial?.missing, [gap("0x32"), gap("0x46")]);
    assert.deepEqual([cell.ok, cell.isPartial], [false, true]);
    assert.match(cell.output.text, /These are the logs of the blocks 0 to 99, without the blocks 50 and 70\./);
    assert.match(cell.output.text, /A single block is too large\. Narrow the filter/);
    assert.ok(provider.asked.length < 60, `${provider.asked.length} requests`);
  });

  it("are given up if every block is too large", async () => {
    const provider = providing({ logsIn: () => 400 });
    const { url } = await serve(provider);
    const { cell, answers } = await session(url, `{ "cells": [${logsCell(0, 99)}] }`)();
    assert.equal(answers[0]?.partial, undefined);
    assert.match(cell.output.text, /Not even a single block was answered\./);
    assert.ok(provider.asked.length < 40, `${provider.asked.length} requests`);
  });

  it("are also read in a batch, together with its other requests", async () => {
    const provider = providing({});
    const { url } = await serve(provider);
    const batch = `[${logsCell(0, 49)}, { "method": "eth_blockNumber" }, ${logsCell(0, 3)}]`;
    const { answers } = await session(url, `{ "cells": [{ "batch": ${batch} }] }`)();
    assert.equal(answers[0]?.error?.reason, "too-large");
    assert.ok((answers[0]?.partial?.result.length ?? 0) >= 50);
    assert.deepEqual([answers[1]?.result, answers[2]?.result], ["0x7d0", sum(provider, 0, 3)]);
  });

  it("are kept for each cell, also if two cells differ only in their blocks", async () => {
    const provider = providing({ blocks: 5 });
    const { url } = await serve(provider);
    const run = session(url, `{ "cells": [${logsCell(0, 99)}, ${logsCell(100, 199)}] }`);
    const [first, second] = (await Promise.all([run(0), run(1)])).map(({ answers }) => answers[0]?.partial); // at once
    assert.ok(first && second);
    const asked = provider.asked.length;
    for (const [index, part] of [
      [0, first],
      [1, second],
    ] as const) {
      const next = (await run(index)).answers[0]?.partial;
      assert.ok(endOf(next) > endOf(part));
      assert.ok(next);
      assert.deepEqual(next.result, sumOf(provider, next));
    }
    const [firstEnd, secondEnd] = [endOf(first), endOf(second)];
    for (const { from } of provider.asked.slice(asked))
      assert.ok(from > secondEnd || (from > firstEnd && from < 100), `asked again from ${from}`);
  });

  it("are kept for a range that overlaps with another cell's", async () => {
    const provider = providing({ blocks: 5 });
    const { url } = await serve(provider);
    const run = session(url, `{ "cells": [${logsCell(0, 99)}, ${logsCell(3, 9)}] }`);
    const end = endOf((await run(0)).answers[0]?.partial);
    assert.deepEqual((await run(1)).answers[0]?.result, sum(provider, 3, 9));
    const asked = provider.asked.length;
    assert.ok(endOf((await run(0)).answers[0]?.partial) > end);
    assert.ok(provider.asked.slice(asked).every(({ from }) => from > end));
  });

  it("are read over a WebSocket, which a large message closes", async () => {
    const provider = providing({});
    const server = await socketServer(async ({ text }, socket) => {
      const reply = await provider.post(request(text), never);
      if (reply.kind === "response") socket.send(reply.body);
    });
    const { answers } = await session(server.url, `{ "cells": [${logsCell(0, 99)}] }`)();
    assert.equal(answers[0]?.error?.reason, "too-large");
    assert.ok((answers[0]?.partial?.result.length ?? 0) >= 100);
  });

  it("are shown by a command that Ctrl-C ended early", async () => {
    const folder = temporaryFolder();
    const provider = providing({ blocks: 10 });
    const stop = new AbortController();
    const { url } = await serve(provider, (body) => {
      const isOver = body.includes("eth_getLogs") && provider.asked.length >= 5;
      if (isOver) stop.abort();
      return !isOver;
    });
    writeFileSync(join(folder, "a.rpc.json"), `{ "cells": [${logsCell(0, 99)}] }`);
    const args = ["run", "a.rpc.json", "-e", url, "--report", "json"];
    const { code, out } = await runCommand(args, folder, { signal: stop.signal });
    assert.equal(code, 1);
    const { partial } = JSON.parse(out)[0].cells[0].answers[0];
    assert.ok(partial.result.length >= 100);
    assert.deepEqual(partial.result, sumOf(provider, partial));
  });
});
