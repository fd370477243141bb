import assert from "node:assert/strict";
import type { CodeLens, Hover, MarkupContent } from "vscode-languageserver";
import { call } from "../../../devchain/contracts.ts";
import type { CellFinished } from "../../../server/src/protocol/runs.ts";
import { startEditor } from "../../support/editor.ts";
import { type NineMethods, nineMethods } from "../../support/nineMethods.ts";

/** What a hover of a call that has not run asks too. */
const liveMethods = new Set(["eth_simulateV1", "eth_call", "eth_estimateGas"]);

describe("a run from an editor that asks for the calls inside", function () {
  this.timeout(300_000);
  let service: NineMethods;
  before(async () => {
    service = await nineMethods();
  });
  after(() => service?.close());

  it("shows them for the cell that was asked for, and not for those that it refers to", async () => {
    const [uri, first, second] = ["file:///w/b.rpc.json", "cell:/w/b#1", "cell:/w/b#2"];
    const settings = { rpcNotebook: { endpoints: { test: service.url }, endpoint: "test" } };
    const editor = await startEditor({
      initializationOptions: { approvesHosts: true, settings },
      answers: { "rpcNotebook/approveHost": () => ({ approved: true }) },
    });
    const asked = (data: bigint) => call(service.alice as `0x${string}`, "token", "transfer", [service.bob, data]); // it is an address
    const cell = (amount: bigint, more: object) =>
      JSON.stringify({ method: "eth_call", params: [asked(amount), "latest"], ...more });
    await editor.openCells(uri, [
      [first, cell(1n, { name: "moves" })],
      [second, cell(2n, { expect: { result: "{{moves.result}}" } })],
    ]);
    await editor.connection.sendRequest("rpcNotebook/run", { runId: "r", uri, cells: [{ uri: second }], trace: true });
    const textOf = async (cell: string): Promise<string> => {
      const finished = await editor.until<CellFinished>(
        "rpcNotebook/cellFinished",
        (one) => "uri" in one.cell && one.cell.uri === cell,
      );
      return finished.output.text;
    };
    assert.match(
      await textOf(second),
      /Calls\n[\s\S]*computed on this machine[\s\S]*Status, output, gas and logs equal/,
    );
    assert.doesNotMatch(await textOf(first), /computed on this machine/);
    const sent = service.asked.length;
    const hovered = await editor.connection.sendRequest<Hover>("textDocument/hover", {
      textDocument: { uri: second },
      position: { line: 0, character: 14 },
    });
    const { value } = hovered.contents as MarkupContent; // as this editor says that it reads it
    assert.match(value, /Last result[\s\S]*\n- .*transfer[\s\S]*computed on this machine/);
    assert.deepEqual(
      service.asked.slice(sent).filter((method) => !liveMethods.has(method)),
      [],
    );
    editor.connection.dispose();
  });

  it("shows them for a text", async () => {
    const uri = "file:///w/text.rpc.json";
    const editor = await startEditor({
      capabilities: { textDocument: { codeLens: {} } },
      initializationOptions: { settings: { rpcNotebook: { endpoints: { test: service.url }, endpoint: "test" } } },
    });
    const asked = call(service.alice as `0x${string}`, "token", "transfer", [service.bob, 3n]); // it is an address
    await editor.open(uri, JSON.stringify([{ method: "eth_call", params: [asked, "latest"] }]));
    const lenses = await editor.ask<CodeLens[]>("codeLens", uri);
    const { command } = lenses.find((lens) => lens.command?.command === "rpcNotebook.trace") ?? assert.fail("no lens");
    await editor.connection.sendRequest("workspace/executeCommand", command);
    const { message } = await editor.until<{ message: string }>("window/showMessage", () => true);
    assert.match(message, /computed on this machine/);
    editor.connection.dispose();
  });
});
