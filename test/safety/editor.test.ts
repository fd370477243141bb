import assert from "node:assert/strict";
import { createService } from "../../server/src/service/service.ts";
import { some } from "../support/depth.ts";
import { startEditor } from "../support/editor.ts";
import { fastClock } from "../support/fastClock.ts";
import { person, testHost } from "../support/host.ts";
import { hostileEndpoint } from "../support/hostileEndpoint.ts";
import type { HostileServer } from "../support/hostileServer.ts";
import { allHostile, hostileTexts, unseen } from "../support/hostileText.ts";
import { filesOf, freeTexts, notebookUri, textsOf, top, type Workspace } from "../support/hostileWorkspace.ts";

const never = new AbortController().signal;

describe("text from outside in an editor", function () {
  this.timeout(300_000);
  let server: HostileServer;
  let plain: Workspace;
  let text = "";
  before(async () => {
    ({ server, plain } = await hostileEndpoint(() => text));
  });
  const hostileOne = (): Workspace => {
    const parts = Object.entries(plain).map(([name, part]) => [name, freeTexts(part, text)]);
    return Object.fromEntries(parts);
  };

  it("brings no invisible characters into outputs, progress and messages of tests", async () => {
    for (const hostile of [allHostile, ...some(hostileTexts.slice(1, 60), 3)]) {
      text = hostile.text;
      const workspace = hostileOne();
      const told: string[] = [];
      const log = (message: string): void => void told.push(message);
      const consent = person({ allowHost: async () => true });
      const files = filesOf(workspace);
      const logs = { info: log, warn: log, error: log };
      const service = createService(testHost({ files, roots: [top], consent, log: logs, clock: fastClock() }));
      service.openText(notebookUri, textsOf(workspace).get("notes/a.rpc.json") ?? "");
      await service.settled(notebookUri);
      await service.run(
        { uri: notebookUri },
        {
          started: () => {},
          waiting: ({ why }) => void told.push(why),
          finished({ output, failures, notSent }) {
            const { reports, text, json } = output;
            told.push(...stringsIn(reports), text, json, ...stringsIn(failures), ...stringsIn(notSent ?? null));
          },
        },
        never,
      );
      if (hostile === allHostile) told.push((await service.probe(notebookUri, undefined, never))?.text ?? "");
      for (const one of told) assert.doesNotMatch(one, unseen, hostile.text.slice(0, 80));
    }
  });

  it("makes no links in messages of the language server", async () => {
    text = "[click](command:workbench.action.terminal.new) \u202e\u001b[31m\nzqx forged";
    const workspace = {
      ...hostileOne(),
      endpoints: { mine: { url: server.url }, [text]: "https://rpc.example", "[a](command:b)": { url: "nonsense" } },
    };
    const { read } = filesOf(workspace);
    const messages: string[] = [];
    const hear = ({ message }: { readonly message: string }): void => void messages.push(message);
    const { connection } = await startEditor({
      files: { read: (uri) => read(uri.replace("/notes/rpc-endpoints", "/rpc-endpoints")) }, // it has no folder open
      clock: fastClock(),
      capabilities: { window: { showMessage: { messageActionItem: {} } } },
      initializationOptions: { trusted: true, approvedHosts: [server.host] },
      answers: { "window/showMessageRequest": hear },
    });
    connection.onNotification("window/showMessage", hear);
    connection.onNotification("window/logMessage", hear);
    const notebook = textsOf(workspace).get("notes/a.rpc.json") ?? "";
    const textDocument = { uri: notebookUri, languageId: "json", version: 1, text: notebook };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const commands = { run: [], wireForm: [1], probe: [], pickEndpoint: [], updateSnapshots: [] };
    for (const [name, given] of Object.entries(commands)) {
      const params = { command: `rpcNotebook.${name}`, arguments: [notebookUri, ...given] };
      await connection.sendRequest("workspace/executeCommand", params);
    }
    connection.dispose();
    assert.ok(messages.length >= 4, `${messages.length} messages`);
    assert.match(messages.join("\n"), /\[click\] \(command:/);
    for (const message of messages) {
      assert.doesNotMatch(message, /\]\(|^zqx forged/m);
      assert.doesNotMatch(message, unseen);
    }
  });
});

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}
