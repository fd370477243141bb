import assert from "node:assert/strict";
import type { Files, HostQuestion } from "../../../server/src/base/ports.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { person, testHost } from "../../support/host.ts";
import { type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";

const key = "k3y/of-the?person";
const uri = "file:///w/a/n.rpc.json";

function environmentOf(variables: Readonly<Record<string, string>>): Pick<Host, "environment"> {
  return { environment: { variable: (name) => variables[name], names: () => Object.keys(variables) } };
}

describe("values of the host", () => {
  /** Sends everything back that it gets, in every form that a gateway might. */
  let echo: HostileServer;
  let other: HostileServer;
  before(async () => {
    const misbehave: Parameters<typeof hostileServer>[0] = ({ path, headers, body }, response) => {
      const { id, params } = JSON.parse(body) as { readonly id: number; readonly params: unknown };
      const seen = JSON.stringify({ path, auth: headers.authorization, params });
      const result = [seen, encodeURIComponent(seen), Buffer.from(seen).toString("base64"), headers, params];
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    echo = await hostileServer(misbehave);
    other = await hostileServer(misbehave);
  });
  after(async () => {
    await echo.close();
    await other.close();
  });

  interface Ran {
    readonly service: Service;
    readonly ok: boolean;
    /** Everything that anyone gets to see. */
    readonly shown: string;
    readonly asked: readonly HostQuestion[];
    readonly sent: number;
    /** The last request. */
    readonly last: HostileServer["seen"][number] | undefined;
  }

  /** Runs a notebook in /w/a, with files of the project, where a person says yes or no. */
  async function run(
    text: string,
    over: Partial<Host> & { readonly texts?: Readonly<Record<string, string>>; readonly says?: boolean } = {},
    endpoint?: string,
  ): Promise<Ran> {
    const { texts = {}, says = true, ...rest } = over;
    const asked: HostQuestion[] = [];
    const logged: string[] = [];
    const log = (message: string): void => void logged.push(message);
    const files: Files = {
      read: async (file) => (texts[file] === undefined ? undefined : new TextEncoder().encode(texts[file])),
    };
    const host = testHost({
      files,
      roots: ["file:///w"],
      log: { info: log, warn: log, error: log },
      consent: person({
        allowHost: async (question) => asked.push(question) > 0 && says,
        allowWrites: async () => false,
      }),
      ...rest,
    });
    const service = createService(host);
    service.openText(uri, text);
    await service.settled(uri);
    if (endpoint !== undefined) assert.equal(await service.chooseEndpoint(uri, endpoint), undefined);
    const before = echo.seen.length;
    const shown: unknown[] = [];
    const { failed } = await service.run(
      { uri, ...(endpoint !== undefined && { endpoint }) },
      {
        started: () => {},
        finished(cell) {
          const { output } = cell;
          shown.push(cell.title, output.reports, output.text, output.json, cell.answers(), cell.notSent, cell.misses);
        },
      },
      new AbortController().signal,
    );
    for (let at = 0; at < text.length; at++) shown.push(service.hover(uri, at), service.completion(uri, at).length);
    shown.push(await service.endpoints(uri), service.wireForm(uri, 0), service.codeLenses(uri), asked, logged);
    shown.push(service.diagnostics(uri), service.fileDiagnostics());
    const all = JSON.stringify(shown, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
    return { service, ok: failed === 0, shown: all, asked, sent: echo.seen.length - before, last: echo.seen.at(-1) };
  }

  function hidden({ shown }: Ran): void {
    const forms = [key, encodeURIComponent(key), Buffer.from(key).toString("base64").slice(2, -4)];
    for (const form of forms) assert.ok(!shown.includes(form), shown.slice(Math.max(0, shown.indexOf(form) - 200)));
  }

  const cell = (params: string): string => `{ "cells": [{ "name": "a", "method": "x_echo", "params": ${params} }] }`;
  const allowed = (): readonly string[] => [`${echo.host} *`];

  for (const [source, over] of [
    ["env", environmentOf({ KEY: key })],
    ["dotenv", { texts: { "file:///w/.env": `KEY='${key}'` } }],
    ["secret", { secrets: { names: async () => ["KEY"], read: async () => new Map([["KEY", key]]) } }],
    ["secret", environmentOf({ RPC_NOTEBOOK_SECRET_KEY: key })],
    ["secret", { texts: { "file:///w/.env": `KEY='${key}'` } }],
  ] as const)
    it(`are filled in, and hidden in every output: $${source}`, async () => {
      const written = `{{$${source}.KEY}}`;
      const text = cell(`["${written}", { "${written}": "Bearer ${written}" }]`);
      const ran = await run(text, { ...over, approvedHosts: allowed() }, `${echo.url}?k=${written}`);
      assert.equal(ran.ok, true);
      assert.deepEqual(JSON.parse(ran.last?.body ?? "").params, [key, { [key]: `Bearer ${key}` }]);
      hidden(ran);
      assert.ok(ran.shown.includes(source === "dotenv" ? "‹.env KEY›" : `‹${source} KEY›`));
      assert.deepEqual(ran.asked, []);
    });

  describe("in a file of endpoints", () => {
    const texts = (url: string): Readonly<Record<string, string>> => ({
      "file:///w/rpc-endpoints.json": JSON.stringify({
        main: { url, headers: { Authorization: "Bearer {{$secret.KEY}}" } },
      }),
    });
    const values = environmentOf({ KEY: key, URL: "https://nowhere.invalid/x" });
    const text = `{ "endpoint": "main", "cells": [{ "method": "x_echo", "params": [] }] }`;

    it("are sent with the request, after a person has allowed that host and that value", async () => {
      const ran = await run(text, { texts: texts(echo.url), ...values });
      const site = `http://${echo.host}`;
      assert.equal(ran.ok, true);
      assert.equal(ran.last?.headers.authorization, `Bearer ${key}`);
      assert.deepEqual(
        ran.asked.map(({ site, values: sent, grants }) => ({ site, sent, grants })),
        [{ site, sent: ["$secret.KEY"], grants: [site, `${site} $secret.KEY`] }],
      );
      hidden(ran);
      const again = await run(text, { texts: texts(echo.url), ...values, approvedHosts: ran.asked[0]?.grants ?? [] });
      assert.deepEqual([again.ok, again.asked], [true, []]);
    });

    it("need confirmation for each host, also for an allowed one", async () => {
      const ran = await run(text, { texts: texts(echo.url), ...values, approvedHosts: [echo.host], says: false });
      assert.deepEqual([ran.ok, ran.sent, ran.asked.map(({ values: sent }) => sent)], [false, 0, [["$secret.KEY"]]]);
      assert.ok(ran.shown.includes("`$secret.KEY` may not go to"));
      const granted = [other.host, `${other.host} $secret.KEY`];
      assert.equal((await run(text, { texts: texts(echo.url), ...values, approvedHosts: granted })).asked.length, 1);
    });

    it("need confirmation if --endpoint names the endpoint", async () => {
      const ran = await run(text, { texts: texts(echo.url), ...values, says: false }, "main");
      assert.deepEqual([ran.sent, ran.asked[0]?.values], [0, ["$secret.KEY"]]);
    });

    it("need no confirmation if a person typed address and value", async () => {
      const ran = await run(text, { ...values, says: false }, `${echo.url}{{$env.KEY}}`);
      assert.deepEqual([ran.ok, ran.asked], [true, []]);
      hidden(ran);
    });

    it("need no confirmation if the value contains the host and the command line names the endpoint", async () => {
      const toml = { "file:///w/foundry.toml": `[rpc_endpoints]\nmain = "\${RPC}"` };
      const host = { texts: toml, ...environmentOf({ RPC: `${echo.url}v2/${encodeURIComponent(key)}` }), says: false };
      const ran = await run(text, host, "main");
      assert.deepEqual([ran.ok, ran.asked], [true, []]);
      hidden(ran);
      assert.ok(ran.shown.includes("../foundry.toml"));
    });

    it("do not count as the host if they are in front of another one", async () => {
      const { host } = new URL(echo.url);
      const files = { "file:///w/rpc-endpoints.json": `{ "main": "{{$env.RPC}}@${host}/" }` };
      const environment = environmentOf({ RPC: "http://user:passw0rd" });
      const ran = await run(text, { texts: files, ...environment, says: false }, "main");
      assert.deepEqual([ran.sent, ran.asked[0]?.values], [0, ["$env.RPC"]]);
    });

    it("that are not set make the endpoint unusable, with the place in the file", async () => {
      const ran = await run(text, { texts: texts(echo.url) });
      assert.deepEqual([ran.ok, ran.sent, ran.asked], [false, 0, []]);
      assert.match(ran.shown, /`\$secret\.KEY` is not set\..*`RPC_NOTEBOOK_SECRET_KEY` or `KEY`/);
      assert.deepEqual(pluck(ran.service.fileDiagnostics(), "code"), ["unset-endpoint-value"]);
    });
  });

  /** Runs cells with these parameters, whose values a person does not allow to be sent. */
  const withParams = (...params: readonly string[]): Promise<Ran> => {
    const cells = params.map((one) => `{ "method": "x_echo", "params": ${one} }`);
    const text = `{ "endpoint": "${echo.url}", "cells": [${cells.join(", ")}] }`;
    return run(text, { ...environmentOf({ KEY: key }), approvedHosts: [echo.host], says: false });
  };

  it("in parameters need confirmation too", async () => {
    const ran = await withParams(`["{{$env.KEY}}"]`);
    assert.deepEqual([ran.sent, ran.asked[0]?.values], [0, ["$env.KEY"]]);
    hidden(ran);
  });

  it("need confirmation however they are written", async () => {
    const escaped = `["\\u007b{\\u0024env.KEY}}", { "k\\u007b{$env.KEY}}": 1 }]`;
    assert.equal((await withParams(`["{{$env.KEY}}"]`, escaped)).sent, 0);
  });

  it("do not stop other cells", async () => {
    const ran = await withParams("[1]", '["{{$env.KEY}}"]');
    assert.deepEqual([ran.ok, ran.sent, ran.last?.body.includes("[1]")], [false, 1, true]);
  });

  it("are hidden in answers of an endpoint that echoes the key of its address", async () => {
    const ran = await run(cell("[]"), {}, `${echo.url}v2/${encodeURIComponent(key)}`);
    assert.equal(ran.ok, true);
    hidden(ran);
  });

  describe("that are not set", () => {
    for (const source of ["env", "dotenv", "secret"])
      it(`are a problem with a place, and not sent: $${source}`, async () => {
        const text = cell(`["{{$${source}.KEX}}"]`);
        const known = { ...environmentOf({ KEY: key }), texts: { "file:///w/.env": "KEY=1" } };
        const ran = await run(text, { ...known, approvedHosts: allowed() }, echo.url);
        assert.equal(ran.sent, 0);
        assert.match(ran.shown, /Set (it|the environment variable)|Write `KEX=…` into a file/);
        const [problem] = ran.service.diagnostics(uri).filter(({ code }) => code === "unset-value");
        assert.equal(problem && text.slice(problem.span.start, problem.span.end), `{{$${source}.KEX}}`);
        assert.match(problem?.message ?? "", /Did you mean `KEY`\?$/);
      });
  });

  it("are not read in a workspace that is not trusted", async () => {
    const touched: string[] = [];
    const touch = <Value>(name: string, value: Value): Value => {
      touched.push(name);
      return value;
    };
    const ran = await run(cell(`["{{$env.KEY}}{{$secret.KEY}}{{$dotenv.KEY}}"]`), {
      trusted: false,
      files: { read: async (file) => touch(file, undefined) },
      environment: { variable: (name) => touch(name, key), names: () => touch("environment", ["KEY"]) },
      secrets: { names: async () => touch("secrets", []), read: async () => touch("secrets", new Map()) },
    });
    assert.deepEqual([touched, ran.sent], [[], 0]);
    assert.deepEqual(pluck(ran.service.diagnostics(uri), "code"), ["unknown-method"]);
  });

  it("are shown by name and source in a hover", async () => {
    const text = cell(`["{{$secret.KEY}}", "{{$env.NONE}}"]`);
    const { service } = await run(text, {
      ...environmentOf({ KEY: key }),
      secrets: { names: async () => ["KEY"], read: async () => new Map([["KEY", "another value"]]) },
      texts: { "file:///w/.env": "KEY=1" },
    });
    const hover = (word: string): string => service.hover(uri, text.indexOf(word))?.markdown ?? "";
    assert.match(
      hover("$secret"),
      /Set as the secret storage of the editor\. The name is also set as `KEY` of `\.\.\/\.env` and the environment variable `KEY`\./,
    );
    assert.match(hover("$env"), /It is not set, so the request is not sent\./);
  });
});
