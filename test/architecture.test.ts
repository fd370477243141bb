import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A folder of the server imports only from folders with lower numbers and from itself. */
const layers: Readonly<Record<string, number>> = {
  base: 1,
  catalog: 2,
  notebook: 2,
  abi: 2,
  endpoints: 3,
  files: 3,
  rpc: 3,
  evaluate: 4,
  report: 4,
  trace: 4,
  analysis: 5,
  convert: 6,
  features: 7,
  recording: 8,
  protocol: 8,
  gate: 9,
  workspace: 10,
  run: 11,
  inspect: 12,
  save: 12,
  editor: 12,
  live: 13,
  service: 14,
  lsp: 15,
  cli: 15,
  node: 16,
  browser: 16,
};

/** A stage of a run imports only from the stages before it. */
const stages = ["prepare", "send", "observe", "judge", "result"];

/** Who may import a package. Types of viem may go further. */
const owners: Readonly<Record<string, readonly string[]>> = {
  vscode: ["client/src"],
  "vscode-notebook-renderer": ["client/src/renderer"],
  "vscode-languageclient": ["client/src"],
  "vscode-languageserver": ["server/src/lsp", "server/src/node", "server/src/browser"],
  "vscode-languageserver-textdocument": ["server/src/lsp"],
  viem: ["server/src/abi", "server/src/trace"],
  "@ethereumjs/common": ["server/src/trace"],
  "@ethereumjs/evm": ["server/src/trace"],
  "@ethereumjs/util": ["server/src/trace"],
  evmole: ["server/src/node"],
  "jsonc-parser": ["server/src/notebook", "server/src/analysis"],
  jsonrepair: ["server/src/features"],
  "smol-toml": ["server/src/endpoints"],
  fflate: ["server/src/base"],
  "@ethereum-sourcify/clear-signing": ["server/src/abi"],
  "node:": ["server/src/node", "server/src/cli"],
  hyparquet: ["server/src/save"],
  "hyparquet-writer": ["server/src/save"],
  minimatch: ["server/src/cli"],
  ws: ["server/src/node"],
};

/** Folders of which the client may import code: helpers without state, and the codec of notebooks. */
const codeForClient = ["server/src/base/", "server/src/notebook/"];
/** Folders of which the client may import types. */
const typesForClient = ["server/src/protocol/", "server/src/report/"];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

describe("the architecture", () => {
  it("holds in every file", () => {
    const files = [...sources("server/src"), ...sources("client/src")];
    assert.ok(files.length > 50, "the sources were found");
    assert.deepEqual(
      files.flatMap((file) => violations(file, readFileSync(resolve(root, file), "utf8"))),
      [],
    );
  });

  it("writes files in two places, which both replace a file as a whole", () => {
    const writes = /\b(?:fs\.writeFile|writeFileSync|appendFile|createWriteStream|file\.writeFile)\(/;
    const files = [...sources("server/src"), ...sources("client/src")];
    assert.deepEqual(
      files.filter((file) => writes.test(readFileSync(resolve(root, file), "utf8"))),
      ["server/src/node/temporary.ts", "client/src/replaceFile.ts"],
    );
  });

  it("has no circles of imports between files, types included", () => {
    const graph = new Map(
      [...sources("server/src"), ...sources("client/src")].map((file) => [
        file,
        importsOf(file, readFileSync(resolve(root, file), "utf8"))
          .filter(({ target }) => target.startsWith("."))
          .map(({ target }) => relative(root, resolve(root, dirname(file), target))),
      ]),
    );
    assert.deepEqual(circles(graph), []);
  });

  it("is described with files that exist", () => {
    const texts = [
      "ARCHITECTURE.md",
      ...readdirSync(resolve(root, "docs/decisions")).map((name) => `docs/decisions/${name}`),
    ];
    const missing = texts.flatMap((text) => {
      const named = readFileSync(resolve(root, text), "utf8").matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g);
      const exists = (path: string): boolean =>
        ["", "server/src", "test"].some((folder) => existsSync(resolve(root, folder, path)));
      return [...named].flatMap(([, path = ""]) => (exists(path) ? [] : `${text}: ${path}`));
    });
    assert.deepEqual(missing, []);
  });

  it("finds a circle of three files", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);
    assert.deepEqual(circles(graph), [["a", "b", "c"]]);
  });

  it("knows every folder of the server", () => {
    const unknown = readdirSync(resolve(root, "server/src")).filter((entry) => layers[entry] === undefined);
    assert.deepEqual(unknown, []);
  });

  it("is known to the compiler: the project of a folder of the core refers to the folders below it", () => {
    for (const [folder, layer] of Object.entries(layers)) {
      if (["cli", "node", "browser"].includes(folder)) continue;
      const config = JSON.parse(readFileSync(resolve(root, "server/src", folder, "tsconfig.json"), "utf8"));
      const below = Object.keys(layers).filter((other) => (layers[other] ?? 0) < layer);
      assert.deepEqual(
        config.references.map(({ path }: { path: string }) => path.slice(3)).sort(),
        below.sort(),
        folder,
      );
      assert.equal(config.compilerOptions, undefined, folder);
    }
  });

  for (const [file, text, why] of [
    ["server/src/rpc/x.ts", `import { hover } from "../features/hover.ts";`, "rpc (3) imports features (7)"],
    ["server/src/rpc/x.ts", `import { resolve } from "../endpoints/resolve.ts";`, "rpc (3) imports endpoints (3)"],
    ["server/src/report/x.ts", `const abi = await import("../service/service.ts");`, "report (4) imports service (14)"],
    ["server/src/run/x.ts", `import { readFile } from "node:fs";`, "run imports node:fs"],
    ["server/src/run/send/x.ts", `import { judge } from "../judge/judge.ts";`, "run/send imports run/judge"],
    ["server/src/features/x.ts", `import { parseTree } from "jsonc-parser";`, "features imports jsonc-parser"],
    ["server/src/report/x.ts", `import { formatEther } from "viem/utils";`, "report imports viem/utils"],
    ["server/src/service/service.ts", `import { window } from "vscode";`, "service imports vscode"],
    [
      "client/src/x.ts",
      `import { createService } from "../../server/src/service/service.ts";`,
      "the client imports server/src/service/service.ts",
    ],
    ["client/src/x.ts", `export * from "../../server/src/rpc/send.ts";`, "the client imports server/src/rpc/send.ts"],
    ["server/src/run/x.ts", `import { x } from "left-pad";`, "run imports left-pad"],
    ["server/src/run/x.ts", `import { x } from "@left/pad/x";`, "run imports @left/pad/x"],
  ] as const) {
    it(`sees that ${why}`, () => assert.deepEqual(violations(file, text), [`${file}: ${why}`]));
  }

  for (const [file, text] of [
    ["server/src/rpc/x.ts", `import { brief } from "../base/text.ts";`],
    ["server/src/run/x.ts", `import type { Address } from "viem";`],
    ["client/src/x.ts", `import { openNotebook } from "../../server/src/notebook/open.ts";`],
    ["client/src/x.ts", `import type { RunParams } from "../../server/src/protocol/runs.ts";`],
    ["client/src/renderer/x.ts", `import type { Report } from "../../../server/src/report/report.ts";`],
  ] as const) {
    it(`allows ${text}`, () => assert.deepEqual(violations(file, text), []));
  }
});

/** Returns the groups of files that import each other, directly or through others. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reaches = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const next of graph.get(file) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((file) => [file, reaches(file)]));
  const groups = [...graph.keys()]
    .filter((file) => reached.get(file)?.has(file))
    .map((file) => [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file)).sort());
  return [...new Map(groups.map((group) => [group.join(" "), group])).values()];
}

function violations(file: string, text: string): readonly string[] {
  return importsOf(file, text).flatMap((one) => {
    const why = one.target.startsWith(".") ? wrongFile(one) : wrongPackage(one);
    return why ? [`${file}: ${why}`] : [];
  });
}

function importsOf(file: string, text: string): readonly Import[] {
  const statements =
    /(?:^|[;\n])\s*(?:import|export)(\s+type\b)?[^"';]*?from\s*["']([^"']+)["']|(?:^|[;\n])\s*(import)\s*["']([^"']+)["']|\b(import)\(\s*["']([^"']+)["']/g;
  return [...text.matchAll(statements)].map((match) => ({
    file,
    target: match[2] ?? match[4] ?? match[6] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

function wrongFile({ file, target, typeOnly }: Import): string | undefined {
  const path = relative(root, resolve(root, dirname(file), target));
  if (file.startsWith("client/")) {
    const types = typeOnly && typesForClient.some((folder) => path.startsWith(folder));
    const allowed = path.startsWith("client/") || codeForClient.some((folder) => path.startsWith(folder)) || types;
    return allowed ? undefined : `the client imports ${path}`;
  }
  const [stage, earlier] = [stageOf(file), stageOf(path)];
  if (stage !== undefined && earlier !== undefined && stages.indexOf(earlier) > stages.indexOf(stage))
    return `run/${stage} imports run/${earlier}`;
  const [from, to] = [folderOf(file), folderOf(path)];
  const [mine, theirs] = [layers[from], layers[to]];
  if (mine === undefined || theirs === undefined) return `${from} imports ${path}, which has no layer`;
  return from === to || theirs < mine ? undefined : `${from} (${mine}) imports ${to} (${theirs})`;
}

function wrongPackage({ file, target, typeOnly }: Import): string | undefined {
  if (target === "viem" && typeOnly) return undefined;
  const name = target.startsWith("node:") ? "node:" : /^(@[^/]+\/)?[^/]+/.exec(target)?.[0];
  const allowed = owners[name ?? ""] ?? [];
  if (allowed.some((folder) => file.startsWith(`${folder}/`))) return undefined;
  return `${file.startsWith("server/") ? folderOf(file) : "the client"} imports ${target}`;
}

function stageOf(path: string): string | undefined {
  return stages.find((stage) => path.startsWith(`server/src/run/${stage}/`));
}

function folderOf(path: string): string {
  return path.split("/")[2] ?? "";
}

function sources(folder: string): readonly string[] {
  if (!existsSync(resolve(root, folder))) return [];
  return readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => `${folder}/${name}`);
}
