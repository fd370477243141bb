import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isObject } from "../../server/src/base/json.ts";
import { person, runText } from "../support/host.ts";
import { type HostileServer, hostileServer } from "../support/hostileServer.ts";

interface Conversation {
  readonly name: string;
  readonly cell: string;
  readonly asked: string;
  readonly answered: string;
  readonly shown: string;
}

const text = readFileSync(new URL("conversations.txt", import.meta.url), "utf8");
const conversations = text.split(/\n{2,}/).flatMap((block): readonly Conversation[] => {
  const [, name = "", cell = "", asked = "", answered = "", shown = ""] =
    /^(?!#)(.+)\ncell (.+)\n--> (.+)\n<-- (.+)\n==> (.+)$/.exec(block.trim()) ?? [];
  return name === "" ? [] : [{ name, cell, asked, answered, shown }];
});

describe("conversations with a server", () => {
  let server: HostileServer;
  let now: Conversation | undefined;
  before(async () => {
    server = await hostileServer((_seen, response) => response.end(now?.answered));
  });

  it("are all read", () =>
    assert.equal(conversations.length, text.split("\n").filter((line) => /^cell /.test(line)).length));

  for (const conversation of conversations) {
    it(conversation.name, async () => {
      now = conversation;
      const before = server.seen.length;
      const consent = person({ allowHost: async () => true, allowWrites: async () => true });
      const { cells } = await runText(conversation.cell, { endpoint: server.url, host: { consent } });
      const sent = server.seen.slice(before).map(({ body }) => body);
      assert.deepEqual(sent, [conversation.asked]);
      const answers = (cells[0]?.answers() ?? []).filter(isObject);
      const reasons = answers.flatMap((answer) => (isObject(answer.error) ? [String(answer.error.reason)] : []));
      const results = JSON.stringify(answers.map(({ result }) => result));
      assert.equal(reasons.length > 0 ? `failed ${reasons}` : `ok ${results}`, conversation.shown);
    });
  }
});
