import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import { useFakeVscode, vscode } from "../support/vscode.ts";

/** Values of a setting by who has set it. */
interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

const ours = "http://mine.example/";
const theirs = "http://evil.example/";

describe("settings of the workspace", () => {
  let values: Record<string, Inspected>;
  before(useFakeVscode);
  beforeEach(() => {
    values = {};
    const merged = ({ globalValue, workspaceValue, workspaceFolderValue }: Inspected): unknown =>
      [workspaceFolderValue, workspaceValue, globalValue].find((value) => value !== undefined);
    const under = (section: string): readonly (readonly [string, unknown])[] =>
      Object.entries(values).flatMap(([key, value]) =>
        key.startsWith(`${section}.`) ? [[key.slice(section.length + 1), merged(value)] as const] : [],
      );
    vscode.ConfigurationTarget = { Global: 1 };
    vscode.workspace = {
      getConfiguration: (section?: string) => ({
        get: (key: string, fallback?: unknown) =>
          section === undefined
            ? Object.fromEntries(under(key))
            : (merged(values[`${section}.${key}`] ?? {}) ?? fallback),
        inspect: (key: string) => values[`${section}.${key}`],
        async update(key: string, value: unknown, target: number) {
          assert.equal(target, 1);
          values[`${section}.${key}`] = { ...values[`${section}.${key}`], globalValue: value };
        },
      }),
      textDocuments: [],
    };
  });

  it("count as the repository's if they decide what is sent and where", async () => {
    const { serverSettings } = await import("../../client/src/settings.ts");
    values = {
      "rpcNotebook.endpoint": { globalValue: "mine", workspaceValue: "theirs" },
      "rpcNotebook.endpoints": { workspaceValue: { a: ours }, workspaceFolderValue: { theirs } },
      "rpcNotebook.readMethods": { workspaceValue: ["acme_*"] },
      "rpcNotebook.liveHints": { workspaceFolderValue: "always" },
      "rpcNotebook.lookupHost": { workspaceValue: "https://theirs.example" },
      "rpcNotebook.timeout": { workspaceValue: 5 },
      "http.proxy": { workspaceValue: theirs },
      "http.noProxy": { workspaceValue: ["mine.example"] },
      "http.proxyStrictSSL": { workspaceValue: false },
    };
    const { rpcNotebook, http, workspace } = serverSettings();
    const unset = { liveHints: undefined, lookupHost: undefined };
    assert.deepEqual(
      { ...rpcNotebook },
      { endpoint: "mine", endpoints: undefined, readMethods: undefined, ...unset, timeout: 5 },
    );
    assert.deepEqual(Object.values(http ?? {}), [undefined, undefined, undefined]);
    assert.deepEqual([workspace?.endpoint, workspace?.endpoints], ["theirs", { theirs }]);
  });

  it("do not become a person's own when an endpoint is added to those", async () => {
    const { endpointSetup } = await import("../../client/src/endpointSetup.ts");
    values = { "rpcNotebook.endpoints": { globalValue: { mine: ours }, workspaceValue: { theirs } } };
    vscode.l10n = { t: (text: string) => text };
    vscode.window = {
      showQuickPick: async (items: readonly object[]) => items[0], // the main network: no chain can be started
      showInputBox: async () => "https://new.example/",
    };
    const answers: Readonly<Record<string, unknown>> = {
      "rpcNotebook/checkAddress": { grant: "https://new.example", isPrivate: false },
      "rpcNotebook/addEndpoint": { inSettings: true },
    };
    const server = { request: async (method: string) => answers[method] } as unknown as Server; // it is asked these two
    const nothing = async () => {};
    const approvals = {
      list: () => [],
      read: async () => false,
      add: nothing,
      addEverywhere: nothing,
      revoke: nothing,
    };
    const chain = { canStart: false, start: async () => undefined };
    const setup = endpointSetup(server, approvals, chain);
    await setup.setUp({} as never, { endpoints: [], configured: false }); // it is only passed on
    assert.deepEqual(values["rpcNotebook.endpoints"]?.globalValue, { mine: ours, main: "https://new.example/" });
  });
});
