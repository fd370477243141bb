import assert from "node:assert/strict";
import fc from "fast-check";
import { exportCells, exportTargets } from "../../../server/src/convert/exportCells.ts";
import { importText } from "../../../server/src/convert/importText.ts";
import { type ShellName, shellsFor } from "../../../server/src/convert/shells.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { times } from "../../support/depth.ts";
import {
  type Call,
  fishWords,
  LeftError,
  programArguments,
  runBash,
  runCmd,
  runPowerShell,
} from "../../support/shellModels.ts";

const address = "http://127.0.0.1:8545/";
const env = { RPC_URL: address, WHO: "0x11", X_KEY: "k e y" };

/** Each shell, with its versions and the ways in which text gets there. */
const shells: Readonly<Record<string, readonly [ShellName, (script: string) => readonly Call[]]>> = {
  "a POSIX script": ["bash", (script) => runBash(script, env, false)],
  "typed into a shell without comments": ["bash", (script) => runBash(script, env, true)],
  "Windows PowerShell 5.1": ["powershell", (script) => runPowerShell(script, env, "5.1")],
  "PowerShell 7": ["powershell", (script) => runPowerShell(script, env, "7")],
  "PowerShell, if cast is a batch file": ["powershell", (script) => runPowerShell(script, env, "7", "cast")],
  "typed into cmd": ["cmd", (script) => runCmd(script, env, true)],
  "a batch file": ["cmd", (script) => runCmd(script, env, false)],
};

/** Texts that were attacks on one of these shells, and parts of others. */
const attacks = [
  `" & calc & "`, `\\" & calc`, `\\\\" & calc`, `"&calc&rem `, `%PATH%`, `%PATH:~0,1%`, `%%a`, `%*`, `!PATH!`, `^& calc`, `^`,
  `a\nb`, `\r\ncalc\r\n`, `a\tb`, `|calc`, `> x`, `< x`, `2>&1`, `) & (calc`, `@calc`, `rem & calc`, `/?`, ` /? `, `:: x`,
  `'; touch x; '`, `' '; calc; '`, `''`, `'`, `"`, `\\`, `\\'`, `\\\\'`, `it's`, `$(touch x)`, `\`touch x\``, `\${IFS}`, `$env:PATH`,
  `$(throw 1)`, `\`n`, `\u2018; calc; \u2019`, `\u2019 | calc #`, `\u201c; calc`, `\u201a`, `\u201b`, `#`, `# x`, `<# x #>`, `--%`, `-- %PATH%`, `!!`,
  `!echo`, `!-1`, `;calc`, `&`, `&&calc`, `||calc`, `\u2028calc`, `\u0085calc`, `\u202e`, `\u001b[2J`, `\u0000`, `\u0003`, `*`, `~`, `=ls`,
  `{a,b}`, `[a-z]*`, `-o`, `--output=x`, `--rpc-url=http://x`, `@x`, `@-`, `\u00e4\u6f22\u{1f600}`, ` `, `  a  `, `a b\\`, `\\ `, `\u00a0`, `\uff02 & calc`,
] as const; // biome-ignore format: a table

const hostile = fc.oneof(
  fc.constantFrom(...attacks),
  fc
    .array(fc.constantFrom(...attacks, "a", "0x1", " ", "calc", "touch x"), { minLength: 1, maxLength: 6 })
    .map((all) => all.join("")),
  fc.string({
    unit: fc.constantFrom(..."\"'`\\%^&|<>()!$#@;,= \n\t{}[]*?~-ax1\u2018\u2019\u201c\u00e9"),
    minLength: 1,
    maxLength: 12,
  }),
);

const context = (headers: readonly string[]) => (cell: ReturnType<typeof readCell>) => ({
  scope: scopeOf(cell, {}),
  endpointOf: () => ({ url: address, headers }),
});

interface Asked {
  readonly method: string;
  readonly params?: unknown;
}

/** Returns the request of a call, and the header that belongs to it. */
function requestOf({ args, stdin }: Call): Asked {
  const at = (option: string): string | undefined =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  if (args[0] === "-gsS") {
    assert.deepEqual(
      args.filter((_, index) => index < args.length - 2),
      [
        ...["-gsS", ...(args.includes("-w") ? ["-w", "\\n"] : []), address, "-H", "Content-Type: application/json"],
        ...["-H", "X-Key: k e y"],
      ],
    );
    const data = at("--data") ?? "";
    const { method, params } = JSON.parse(data === "@-" ? stdin : data);
    return { method, params };
  }
  assert.deepEqual([at("--rpc-url"), at("--rpc-headers")], [address, "X-Key: k e y"]);
  const options = new Set(["--rpc-url", "--rpc-headers"]);
  const own = args.slice(0, args.includes("--") ? args.indexOf("--") : args.length);
  const words = own.filter(
    (word, index) => !options.has(word) && !options.has(own[index - 1] ?? "") && word !== "--raw",
  );
  const [command, method = "", ...params] = [...words, ...args.slice(own.length + 1)];
  assert.equal(command, "rpc");
  if (own.includes("--raw")) return { method, params: JSON.parse(params[0] ?? stdin) };
  return { method, params: params.map(asValue) };
}

function asValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

describe("a shell", function () {
  this.timeout(300_000);

  for (const [where, [shell, run]] of Object.entries(shells))
    for (const to of ["curl", "cast"] as const)
      it(`keeps hostile text in its place: ${to}, ${where}`, () => {
        const texts = [...attacks, ...fc.sample(hostile, times(500))];
        const requests = texts.map((text) => ({ method: text, params: [text, text, { [text]: [text, 1, null] }] }));
        const cells = requests.map((request, at) => readCell(JSON.stringify({ name: texts[at], ...request })));
        const markdown = texts.map((text) => readCell(text, "markdown"));
        const all = cells.flatMap((cell, at) => [markdown[at] ?? cell, cell]);
        const scope = { ...context(["X-Key"])(cells[0] ?? assert.fail()) };
        const { text: script, notes } = exportCells(all, { to, shell }, scope);
        assert.deepEqual(notes, []);
        assert.deepEqual(run(script).map(requestOf), requests);
      });

  for (const [where, [shell, run]] of Object.entries(shells))
    it(`keeps an address and names of headers in their place, or says that it cannot: ${where}`, () => {
      const cell = readCell(`{ "method": "eth_chainId" }`);
      const exported = [...attacks, ...fc.sample(hostile, times(300))].map((text) => {
        const [url, header] = [`http://h/${text}`, `X-${text}`];
        const around = { ...context([])(cell), endpointOf: () => ({ url, headers: [header] }) };
        return { ...exportCells([cell], { to: "curl", shell }, around), url, header };
      });
      const [refused, written] = [
        exported.filter(({ notes }) => notes.length > 0),
        exported.filter(({ notes }) => notes.length === 0),
      ];
      const callsOf = (scripts: typeof exported) => run(scripts.map(({ text }) => text).join("\n"));
      assert.deepEqual(callsOf(refused), []);
      assert.deepEqual(
        callsOf(written).map(({ args }, at) => [args[1], args[5]?.slice(0, written[at]?.header.length)]),
        written.map(({ url, header }) => [url, header]),
      );
      assert.ok(shell !== "cmd" || refused.length > 0);
    });

  it("keeps hostile text in its place beside variables of the host", () => {
    const texts = [...attacks, ...fc.sample(hostile, times(300))].filter((text) => !/[{}]/.test(text));
    const cells = texts.map((text) =>
      readCell(JSON.stringify({ method: "m", params: [`${text}{{$env.WHO}}${text}`] })),
    );
    for (const [where, [shell, run]] of Object.entries(shells))
      for (const to of ["curl", "cast"] as const) {
        const { text: script, notes } = exportCells(
          cells,
          { to, shell },
          context(["X-Key"])(cells[0] ?? assert.fail()),
        );
        assert.deepEqual(notes, []);
        const filled = texts.map((text) => ({ method: "m", params: [`${text}0x11${text}`] }));
        assert.deepEqual(run(script).map(requestOf), filled, where);
      }
  });

  it("of Windows is given nothing that has a meaning for cmd", () => {
    const texts = [...attacks, ...fc.sample(hostile, times(300))];
    const cells = texts.flatMap((text) => [
      readCell(text, "markdown"),
      readCell(JSON.stringify({ name: text, method: text, params: [text] })),
    ]);
    for (const to of ["curl", "cast"] as const) {
      const { text } = exportCells(cells, { to, shell: "cmd" }, context(["X-Key"])(cells[1] ?? assert.fail()));
      const own = text.replace(/\| (?=curl\.exe |cast )|%X_KEY%/g, "");
      assert.doesNotMatch(own, /[&|<>^%!()*?;~]/);
    }
  });

  it("fills in variables of the host, and a result only if it stops without one", () => {
    const cells = [
      { name: "a", method: "eth_blockNumber" },
      { method: "m", params: ["x{{$env.WHO}}y"] },
      { method: "m", params: ["{{a.result}}"] },
    ].map((cell) => readCell(JSON.stringify(cell)));
    for (const [where, [shell, run]] of Object.entries(shells)) {
      const scope = { ...scopeOf(cells[0] ?? assert.fail()), cells };
      const around = { scope, endpointOf: () => ({ url: address, headers: ["X-Key"] }) };
      const { text, notes } = exportCells(cells.slice(1), { to: "curl", shell }, around);
      assert.equal(notes.length, 1, where);
      const [first, second] = run(text).map(requestOf);
      assert.deepEqual([first?.params, second], [["x0x11y"], undefined], where);
    }
  });

  it("is refused a line that it cannot take", () => {
    const cell = readCell(JSON.stringify({ method: "m", params: ["a".repeat(9000)] }));
    for (const to of ["curl", "cast"] as const) {
      const { text, notes } = exportCells([cell], { to, shell: "cmd" }, context([])(cell));
      assert.deepEqual([notes.length, runCmd(text, env, true)], [1, []]);
    }
  });

  it("of fish, zsh, Nushell or Elvish reads no other words", () => {
    for (const text of [...attacks, ...fc.sample(hostile, times(500))])
      for (const to of ["curl", "cast"] as const) {
        const cell = readCell(JSON.stringify({ method: text, params: [text] }));
        const { text: script } = exportCells([cell], { to, shell: "bash" }, context([])(cell));
        assert.ok(!script.includes("\\'"), "Nushell and Elvish would end the string there");
        const words = fishWords(script);
        assert.deepEqual(
          words.filter((word) => word.startsWith("=")),
          [],
          "a program of zsh",
        );
        assert.ok(
          words.includes("--data") ? words.at(-2) === "--data" : words.at(-2) === "--rpc-url" || words.includes("--"),
          script,
        );
      }
  });

  it("gets commands that can be pasted as a request again", () => {
    const request = { method: "eth_getBalance", params: ["0x11", 'it\'s "50%" & more'] };
    const cell = readCell(JSON.stringify(request));
    for (const shell of ["bash", "powershell", "cmd"] as const)
      for (const to of ["curl", "cast"] as const) {
        const { text } = exportCells([cell], { to, shell }, context([])(cell));
        const { cells } = JSON.parse(importText(text).notebook) as { cells: readonly Asked[] };
        const asked = cells.map(({ method, params }) => ({ method, params }));
        assert.deepEqual(asked, [request], `${shell}: ${text}`);
      }
  });
});

describe("the models of shells", () => {
  const leaves = (run: () => unknown) => assert.throws(run, LeftError);

  it("see what leaves its place", () => {
    leaves(() => runCmd(`echo {"a":"\\" & calc"}| curl.exe x`, env, true));
    leaves(() => runCmd(`curl.exe --data "{\\"a\\":\\"b & calc\\"}"`, env, true));
    leaves(() => runCmd("rem a & calc", env, true));
    leaves(() => runCmd(`echo {"a":"!PATH!"}| curl.exe x`, env, true));
    leaves(() => runPowerShell(`'a\u2019; calc' | curl.exe x`, env, "7"));
    leaves(() => runPowerShell("curl.exe $(calc)", env, "7"));
    leaves(() => runPowerShell("cast rpc 'a&calc'", env, "7", "cast"));
    leaves(() => runPowerShell("cast rpc 'a%X_KEY:~0,1%'", env, "5.1", "cast"));
    leaves(() => runBash("# $(touch x)", env, true));
    leaves(() => runBash("curl a; touch x", env, false));
    assert.deepEqual(runBash("# $(touch x)", env, false), []);
    leaves(() => fishWords("cast rpc '\\'\\'' ; calc #'"));
  });

  it("read arguments as programs for Windows do", () => {
    for (const [line, args] of [
      [`"a b c" d e`, ["a b c", "d", "e"]],
      [`"ab\\"c" "\\\\" d`, ['ab"c', "\\", "d"]],
      ['a\\\\\\b d"e f"g h', ["a\\\\\\b", "de fg", "h"]],
      [`a\\\\\\"b c d`, ['a\\"b', "c", "d"]],
      [`a\\\\\\\\"b c" d e`, ["a\\\\b c", "d", "e"]],
      [`a"b"" c d`, ['ab" c d']],
    ] as const)
      assert.deepEqual(programArguments(line), args);
    const five = runPowerShell(`curl.exe '{"a":1}' '' 'a b\\' x`, env, "5.1");
    assert.deepEqual(five[0]?.args, ["{a:1}", 'a b" x']);
    assert.deepEqual(runCmd(`curl.exe "%X_KEY%" %NONE%`, env, true)[0]?.args, ["k e y", "%NONE%"]);
  });
});

describe("the shell of a host", () => {
  for (const [host, shell] of [
    [{ shell: "/bin/zsh" }, "bash"],
    [{ shell: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe" }, "powershell"],
    [{ shell: "C:\\Windows\\System32\\cmd.exe", system: "win32" }, "cmd"],
    [{ shell: "C:\\Program Files\\Git\\bin\\bash.exe" }, "bash"],
    [{ shell: "/usr/bin/pwsh", system: "linux" }, "powershell"],
    [{ shell: "", system: "Win32" }, "powershell"],
    [{ system: "win32" }, "powershell"],
    [{ shell: "", system: "MacIntel" }, "bash"],
    [{ system: "darwin" }, "bash"],
    [{}, "bash"],
  ] as const)
    it(`${JSON.stringify(host)} is ${shell}`, () => {
      assert.equal(shellsFor(host)[0], shell);
      assert.deepEqual([...shellsFor(host)].sort(), ["bash", "cmd", "powershell"]);
      const targets = exportTargets(host);
      assert.deepEqual(
        targets.slice(0, 2).map((target) => target.shell),
        [shell, shell],
      );
      assert.equal(new Set(targets.map(({ label }) => label)).size, 7);
    });
});
