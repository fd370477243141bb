import type { JsonValue } from "../../server/src/base/json.ts";

/** The word with which the tests find hostile text in outputs. */
export const canary = "zqx";

/** Text that would be more than text in Markdown, and the marks that a reader must still see right before the canary. */
export interface HostileText {
  readonly text: string;
  /** Absent if the escaper may show them in another way. */
  readonly marks?: string;
}

const address = "https://evil.example/zqx";

/** Everything at once that no mark survives: what passes a field by shows in one of its many forms. */
export const allHostile: HostileText = {
  text: "![zqx](https://evil.example)<img src=x>[a](command:b)https://evil.example www.evil.example z@evil.example\n\n# h\n- l\u001b[31m\u202e",
};

const common: readonly HostileText[] = [
  { text: "![zqx](https://evil.example/p.png)", marks: "![" },
  { text: "[zqx](command:workbench.action.terminal.new)", marks: "[" },
  { text: address, marks: "https://evil.example/" },
  { text: "<img src=//evil.example/zqx onerror=alert(1)>", marks: "<img src=//evil.example/" },
  { text: "x\n\n# zqx", marks: "# " },
  { text: "# zqx", marks: "# " },
  { text: "- zqx", marks: "- " },
  { text: "1. zqx", marks: "1. " },
  { text: "> zqx", marks: "> " },
  { text: "` ``` `` [zqx](https://evil.example) **zqx** `", marks: "" },
  { text: "a | b\n--- | ---\n| zqx [zqx](https://evil.example)", marks: "" },
  { text: "**zqx**", marks: "**" },
];

const more: readonly HostileText[] = [
  { text: "[zqx](https://evil.example)", marks: "[" },
  { text: "[zqx][1]\n\n[1]: https://evil.example", marks: "[" },
  { text: "[zqx]: https://evil.example", marks: "[" },
  { text: "[zqx](<https://evil.example> 'a')", marks: "[" },
  { text: "<https://evil.example/zqx>", marks: "<https://evil.example/" },
  { text: "www.evil.example/zqx", marks: "www.evil.example/" },
  { text: "zqx@evil.example" },
  { text: "mailto:zqx@evil.example", marks: "mailto:" },
  { text: "ftp://evil.example/zqx", marks: "ftp://evil.example/" },
  { text: "<a href='command:evil'>zqx</a>", marks: "<a href='command:evil'>" },
  { text: "<!-- zqx -->", marks: "<!-- " },
  { text: "<script>zqx</script>", marks: "<script>" },
  { text: "<details><summary>zqx", marks: "<details><summary>" },
  { text: "zqx\n===" },
  { text: "zqx\n---" },
  { text: "***" },
  { text: "- - -" },
  { text: "___" },
  { text: "* zqx", marks: "* " },
  { text: "+ zqx", marks: "+ " },
  { text: "1) zqx", marks: "1) " },
  { text: "- [x] zqx", marks: "- [x] " },
  { text: "> [!WARNING]\n> zqx", marks: "> " },
  { text: "    zqx" },
  { text: "\tzqx" },
  { text: "```\nzqx\n```\n# zqx" },
  { text: "~~~ zqx", marks: "~~~ " },
  { text: "&lt;b&gt;zqx", marks: "&lt;b&gt;" },
  { text: "&#91;zqx&#93;&#40;https://evil.example&#41;", marks: "&#91;" },
  { text: "`[zqx](https://evil.example)" },
  { text: "``[zqx](https://evil.example)" },
  { text: `${"`".repeat(50)}[zqx](https://evil.example)` },
  { text: "\\[zqx](https://evil.example)", marks: "[" },
  { text: "\\`[zqx](https://evil.example)`" },
  { text: "__zqx__", marks: "__" },
  { text: "*zqx*", marks: "*" },
  { text: "_zqx_", marks: "_" },
  { text: "~~zqx~~", marks: "~~" },
  { text: "$(trash)zqx", marks: "$(trash)" },
  { text: "$zqx$", marks: "$" },
  { text: "[^1]: zqx", marks: "[^1]: " },
  { text: "x  \nzqx" },
  { text: "x\\\nzqx" },
  ...["\r\n\r\n", "\r\r", "\u2028\u2028", "\u2029", "\u0085\u0085", "\v\v", "\f\f", "\n \n"].map((ends) => ({
    text: `x${ends}# [zqx](https://evil.example)`,
  })),
  { text: "\u001b[31mzqx\u001b[0m\u001b]8;;https://evil.example\u0007zqx\u001b]8;;\u0007" },
  { text: "\u009b31mzqx\u0000\u0007\u0008" },
  { text: "\u202ezqx\u2066\u2069\u200f\u061c\u200b\ufeff\u00ad\u{e0041}\u{e007f}\ufff9" },
  { text: "\ud83d\ude00zqx\ud83d" },
  { text: "__proto__" },
  { text: "" },
  { text: "[zqx](https://evil.example) ".repeat(4_000), marks: "[" },
  { text: "`".repeat(100_000) },
];

/** All that is known. */
export const hostileTexts: readonly HostileText[] = [allHostile, ...common, ...more];

/** Characters that must not reach a screen: controls except line ends and tabs, and invisible or reordering marks. */
export const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40/;

/** A place in JSON: a value that is a string, or a key. */
export interface Leaf {
  readonly path: readonly string[];
  readonly isKey: boolean;
}

/** Every string of a value, and every key. */
export function leavesOf(value: JsonValue, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value === "string") return [{ path, isKey: false }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [{ path: [...path, key], isKey: true }]),
    ...leavesOf(inner, [...path, key]),
  ]);
}

/** A copy with another text in one place. */
export function withText(value: JsonValue, { path, isKey }: Leaf, text: string): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return text;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => {
    if (key !== step) return [key, inner];
    return isKey && rest.length === 0 ? [text, inner] : [key, withText(inner, { path: rest, isKey }, text)];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
