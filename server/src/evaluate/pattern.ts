/**
 * Matches regular expressions of notebooks, which may be hostile, against text of endpoints, in time proportional
 * to text × pattern: with `RegExp`, `(a+)+$` could hang the editor. Syntax and meaning are those of `RegExp` with the
 * flag `u`, without look-around and back references, which no such matcher supports.
 *
 * @see https://swtch.com/~rsc/regexp/regexp1.html (Thompson's algorithm)
 */
export interface Pattern {
  readonly program: readonly Instruction[];
}

type Instruction =
  | { readonly kind: "letter"; is(letter: string): boolean }
  | { readonly kind: "place"; is(text: string, at: number): boolean }
  | { readonly kind: "fork"; readonly ways: readonly number[] }
  | { readonly kind: "found" };

const maxCharacters = 1000;
const maxInstructions = 5000;
/** Limits the work to about half a second. */
export const maxSteps = 10_000_000;

/** @returns Why it cannot be used, in a clause. */
export function readPattern(source: string): Pattern | string {
  if (source.length > maxCharacters) return `the pattern is longer than ${maxCharacters} characters`;
  try {
    new RegExp(source, "u");
  } catch {
    return "this is not a regular expression";
  }
  const program: Instruction[] = [];
  const reader: Reader = { source, at: 0 };
  const root = alternatives(reader);
  if (typeof root === "string") return root;
  if (!emit(root, program)) return "the pattern repeats too much";
  program.push({ kind: "found" });
  return { program };
}

/**
 * Returns whether the pattern occurs anywhere in the text.
 *
 * @returns `undefined` if it takes more than {@link maxSteps}.
 */
export function occurs({ program }: Pattern, text: string): boolean | undefined {
  const seen = new Int32Array(program.length).fill(-1);
  let here: number[] = [0];
  let steps = 0;
  for (let at = 0; ; ) {
    const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const next: number[] = [];
    for (let pc = here.pop(); pc !== undefined; pc = here.pop()) {
      const instruction = program[pc];
      if (!instruction || seen[pc] === at) continue;
      seen[pc] = at;
      if (++steps > maxSteps) return undefined;
      if (instruction.kind === "found") return true;
      if (instruction.kind === "fork") here.push(...instruction.ways);
      else if (instruction.kind === "place") here.push(...(instruction.is(text, at) ? [pc + 1] : []));
      else if (at < text.length && instruction.is(letter)) next.push(pc + 1);
    }
    if (at >= text.length) return false;
    at += letter.length;
    here = next;
    here.push(0);
  }
}

type Node =
  | { readonly kind: "one"; readonly instruction: Instruction }
  | { readonly kind: "all" | "any"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number };

interface Reader {
  readonly source: string;
  at: number;
}

function alternatives(reader: Reader): Node | string {
  const nodes: Node[] = [];
  for (;;) {
    const node = sequence(reader);
    if (typeof node === "string") return node;
    nodes.push(node);
    if (reader.source[reader.at] !== "|") return { kind: "any", nodes };
    reader.at++;
  }
}

function sequence(reader: Reader): Node | string {
  const nodes: Node[] = [];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at))) {
    const node = atom(reader);
    if (typeof node === "string") return node;
    nodes.push(repeated(node, reader));
  }
  return { kind: "all", nodes };
}

function repeated(node: Node, reader: Reader): Node {
  const [, sign, least, comma, most] = take(reader, /([*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? [];
  if (sign === undefined) return node;
  if (least !== undefined) {
    const upTo = most ? Number(most) : comma ? Number.POSITIVE_INFINITY : Number(least);
    return { kind: "repeat", node, least: Number(least), most: upTo };
  }
  return { kind: "repeat", node, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
}

function atom(reader: Reader): Node | string {
  if (take(reader, /\((?!\?)|\(\?:|\(\?<(?![=!])[^>]*>/y)) {
    const group = alternatives(reader);
    reader.at++; // the closing bracket
    return group;
  }
  const [token = ""] =
    take(
      reader,
      /\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\(?:u\{\w+\}|u\w{4}|x\w{2}|[pP]\{[^}]*\}|c\w|k<[^>]*>|\d+|.)|\(\?|./suy,
    ) ?? [];
  if (token === "(?" || /^\\(?:[1-9]|k)/.test(token)) return "lookaround and backreferences are not supported";
  const place = places[token];
  if (place) return { kind: "one", instruction: { kind: "place", is: place } };
  const one = new RegExp(`^${token}$`, "u"); // a single character: matching is fast
  return { kind: "one", instruction: { kind: "letter", is: (letter) => one.test(letter) } };
}

function take(reader: Reader, token: RegExp): RegExpExecArray | null {
  token.lastIndex = reader.at;
  const found = token.exec(reader.source);
  if (found) reader.at = token.lastIndex;
  return found;
}

const word = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at));
const edge = (text: string, at: number): boolean => word(text, at - 1) !== word(text, at);
const places: Readonly<Record<string, (text: string, at: number) => boolean>> = {
  "^": (_, at) => at === 0,
  $: (text, at) => at === text.length,
  "\\b": edge,
  "\\B": (text, at) => !edge(text, at),
};

/** @returns `false` if the program would be too long. */
function emit(node: Node, program: Instruction[]): boolean {
  if (program.length > maxInstructions) return false;
  switch (node.kind) {
    case "one":
      program.push(node.instruction);
      return true;
    case "all":
      return node.nodes.every((each) => emit(each, program));
    case "any":
      return emitAny(node.nodes, program);
    case "repeat":
      return emitRepeat(node, program);
  }
}

function emitAny(nodes: readonly Node[], program: Instruction[]): boolean {
  const ways: number[] = [];
  const end: number[] = [];
  if (nodes.length > 1) program.push({ kind: "fork", ways });
  for (const [index, node] of nodes.entries()) {
    ways.push(program.length);
    if (!emit(node, program)) return false;
    if (index < nodes.length - 1) program.push({ kind: "fork", ways: end });
  }
  end.push(program.length);
  return true;
}

function emitRepeat({ node, least, most }: Node & { kind: "repeat" }, program: Instruction[]): boolean {
  const start = program.length;
  for (let count = 0; count < least; count++) {
    if (!emit(node, program)) return false;
    if (program.length === start) return true; // an empty part matches nothing, however often
  }
  if (most === Number.POSITIVE_INFINITY) {
    const ways = [program.length + 1];
    const loop = program.length;
    program.push({ kind: "fork", ways });
    if (!emit(node, program)) return false;
    program.push({ kind: "fork", ways: [loop] });
    ways.push(program.length);
    return true;
  }
  const ends: number[][] = [];
  for (let count = least; count < most; count++) {
    const ways = [program.length + 1];
    ends.push(ways);
    program.push({ kind: "fork", ways });
    if (!emit(node, program)) return false;
  }
  for (const ways of ends) ways.push(program.length);
  return true;
}
