import assert from "node:assert/strict";
import type { Memento, QuickPickItem } from "vscode";
import { picks } from "../../client/src/picks.ts";
import { createService } from "../../server/src/service/service.ts";
import { testHost } from "../support/host.ts";
import { fakeUri, l10n, useFakeVscode, vscode } from "../support/vscode.ts";

const endpoints = { dev: "http://127.0.0.1:1", keyed: "http://127.0.0.1:1/{{$secret.KEY}}" };

describe("a run whose notebook names an endpoint that cannot be used", () => {
  let titles: string[];
  /** What a person chooses in the list; nothing closes it. */
  let choice: string | undefined;
  before(useFakeVscode);
  beforeEach(() => {
    [titles, choice] = [[], undefined];
    vscode.l10n = l10n;
    vscode.workspace = { isTrusted: true, textDocuments: [], notebookDocuments: [] };
    vscode.window = {
      createQuickPick() {
        let [accepted, hidden] = [() => {}, () => {}];
        return {
          title: "",
          items: [] as readonly QuickPickItem[],
          selectedItems: [] as readonly QuickPickItem[],
          onDidChangeValue: () => {},
          onDidAccept(listener: () => void) {
            accepted = listener;
          },
          onDidHide(listener: () => void) {
            hidden = listener;
          },
          hide: () => hidden(),
          dispose: () => {},
          show() {
            titles.push(this.title);
            this.selectedItems = this.items.filter(({ label }) => label === choice);
            if (this.selectedItems.length > 0) accepted();
            else hidden();
          },
        };
      },
    };
  });

  /** Runs a notebook whose header names this endpoint. Returns the endpoint of the run, and that of the next one. */
  async function ran(named: string) {
    const { EndpointPicker } = await import("../../client/src/endpointPicker.ts");
    const service = createService({ ...testHost(), settings: { rpcNotebook: { endpoints } } });
    const document = fakeUri("/w/a.rpc.json");
    const uri = document.toString();
    service.openText(uri, `{ "endpoint": "${named}", "cells": [] }`);
    const server = {
      onStarted: () => {},
      notify: (_: string, { uri, name }: { uri: string; name: string | null }) => service.pickEndpoint(uri, name),
      request: (_: string, { uri }: { uri: string }) => service.endpoints(uri),
    };
    const stored = new Map<string, unknown>();
    const memory = {
      get: (key: string, other: unknown) => stored.get(key) ?? other,
      update: async (key: string, value: unknown) => void stored.set(key, value),
    };
    const kept = picks(memory as unknown as Memento); // what it uses of a memento
    const picker = new EndpointPicker({ server, picks: kept, changed: () => {} } as never); // and of its needs
    server.notify("", { uri: "rpc-notebook:files", name: "dev" }); // picked once for other files
    const current = async () => (await service.endpoints(uri)).current?.name;
    const during = await picker.withEndpoint(document, async () => (await current()) ?? "none");
    return { during, later: await current(), kept: kept.all() };
  }

  for (const [named, title] of [
    ["mian", /^Unknown endpoint mian, named by the header\. Where should this run go\?$/],
    ["keyed", /KEY.* Where should this run go\?$/],
  ] as const) {
    it(`goes nowhere without a choice: ${named}`, async () => {
      assert.deepEqual(await ran(named), { during: "none", later: undefined, kept: {} });
      assert.equal(titles.length, 1);
      assert.match(titles[0] ?? "", title);
    });
    it(`goes once to what a person chooses: ${named}`, async () => {
      choice = "dev";
      assert.deepEqual(await ran(named), { during: "dev", later: undefined, kept: {} });
    });
  }
});

describe("a probe", () => {
  before(useFakeVscode);

  it("says how many requests it sends, and sends none after a no", async () => {
    const details: string[] = [];
    let pressed: string | undefined;
    vscode.workspace = { textDocuments: [], notebookDocuments: [] };
    vscode.window = {
      showWarningMessage: async (_: string, { detail }: { detail: string }) => details.push(detail) && pressed,
    };
    const { EndpointPicker } = await import("../../client/src/endpointPicker.ts");
    const service = createService({ ...testHost(), settings: { rpcNotebook: { endpoint: "dev", endpoints } } });
    const document = fakeUri("/w/a.rpc.json");
    service.openText(document.toString(), "[]");
    const server = { onStarted: () => {}, request: () => service.endpoints(document.toString()) };
    const picker = new EndpointPicker({ server, picks: { all: () => ({}) } } as never); // what it uses of its needs
    assert.equal(await picker.mayProbe(document), false);
    pressed = "Probe";
    assert.equal(await picker.mayProbe(document), true);
    assert.match(details[0] ?? "", /about 200 requests to 127\.0\.0\.1:1 /);
  });
});
