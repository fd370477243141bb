import { nameCall } from "../../server/src/abi/token.ts";
import { decompress } from "../../server/src/base/compression.ts";
import type { JsonValue } from "../../server/src/base/json.ts";
import { readText, textFrom } from "../../server/src/recording/recordedText.ts";
import { some } from "./depth.ts";
import { type HostileServer, hostileServer } from "./hostileServer.ts";
import { answer, notify, type SocketServer, socketServer } from "./socketServer.ts";

/** Secrets of every kind, by the names under which the environment has them. */
export const secrets = {
  TOKEN: "s3cr3tKey9zQ4xT7mB2wL6",
  PRIVATE_KEY: "0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
  DIGITS: "735190826417",
  SHORT: "q7Zp4Xk9",
  LONG: "correctHorse7batteryStaple9andMoreOfItSoThatItIsOver32BytesByFar4x",
  LINES: "first  Line8 of it\n\tsecond  Line5   of it",
  SIGNS: `p/a"s\\s&w<o>r=d+1%2 ünd ß7`,
} as const;

const utf8 = (text: string): string => Buffer.from(text).toString("hex");
const each = (text: string, code: (char: string) => string): string => [...text].map(code).join("");
const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, "0");
const isHex = (text: string): boolean => /^0x[\da-f]+$/.test(text);
const isNumber = (text: string): boolean => /^\d+$/.test(text);
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);
const word = (number: bigint): string => number.toString(16).padStart(64, "0");

function bytesOf(secret: string): readonly number[] {
  return [...Buffer.from(isHex(secret) ? secret.slice(2) : secret, isHex(secret) ? "hex" : "utf8")];
}

/** ABI-encoded as a `string`. */
function abiString(text: string): string {
  const hex = utf8(text);
  return word(32n) + word(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, "0");
}

/** How a server may send a secret back; `undefined` for secrets to which the encoding does not apply. */
const encodings: Readonly<Record<string, (secret: string) => Case["payload"] | undefined>> = {
  "as it is": (secret) => secret,
  "in upper case": (secret) => secret.toUpperCase(),
  "within a sentence": (secret) => `the key "${secret}" is not valid (code 7)`,
  "hex without 0x": (secret) => (isHex(secret) ? secret.slice(2) : undefined),
  "hex in upper case without 0x": (secret) => (isHex(secret) ? secret.slice(2).toUpperCase() : undefined),
  "hex with colons": (secret) => (isHex(secret) ? secret.slice(2).replace(/..(?=.)/g, "$&:") : undefined),
  "hex with spaces": (secret) => (isHex(secret) ? secret.slice(2).replace(/.{8}(?=.)/g, "$& ") : undefined),
  "hex with dashes": (secret) => (isHex(secret) ? secret.slice(2).replace(/.{4}(?=.)/g, "$&-") : undefined),
  "hex as a number": (secret) => (isHex(secret) ? BigInt(secret).toString() : undefined),
  "hex as Python prints bytes": (secret) =>
    isHex(secret)
      ? String.fromCharCode(...bytesOf(secret)).replace(/[^ -~]|\\/g, (char) => `\\x${hexOf(char)}`)
      : undefined,
  "hex as base64": (secret) => (isHex(secret) ? Buffer.from(secret.slice(2), "hex").toString("base64") : undefined),
  "a bytes32 argument": (secret) => (isHex(secret) ? `0xa9059cbb${secret.slice(2)}${word(1n)}` : undefined),
  "a uint256 argument": (secret) => (isNumber(secret) ? `0xa9059cbb${word(BigInt(secret))}${word(1n)}` : undefined),
  "a number": (secret) => (isNumber(secret) ? Number(secret) : undefined),
  "a quantity": (secret) => (isNumber(secret) ? `0x${BigInt(secret).toString(16)}` : undefined),
  "a grouped number": (secret) => (isNumber(secret) ? Number(secret).toLocaleString("en") : undefined),
  "its bytes as a number": (secret) => (utf8(secret).length <= 64 ? BigInt(`0x${utf8(secret)}`).toString() : undefined),
  "hex of its bytes": (secret) => `0x${utf8(secret)}`,
  "hex of its bytes, in upper case": (secret) => utf8(secret).toUpperCase(),
  "an ABI string": (secret) => `0x${abiString(secret)}`,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64url behind a user": (secret) => Buffer.from(`me:${secret}`).toString("base64url"),
  "percent-encoding": (secret) => encodeURIComponent(secret),
  "percent-encoding of all": (secret) => (isPlain(secret) ? each(secret, (char) => `%${hexOf(char)}`) : undefined),
  "percent-encoding, twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "HTML entities": (secret) => secret.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  "HTML entities of all": (secret) => each(secret, (char) => `&#x${hexOf(char)};`),
  "JSON in a string": (secret) => JSON.stringify({ key: secret }),
  "JSON in JSON in a string": (secret) => JSON.stringify(JSON.stringify([secret])),
  "JSON with \\/": (secret) => JSON.stringify(secret).replaceAll("/", "\\/"),
  "JSON with \\u": (secret) => each(secret, (char) => `\\u00${hexOf(char)}`),
  "white space collapsed": (secret) => (/\s/.test(secret) ? secret.replace(/\s+/g, " ") : undefined),
  "white space doubled": (secret) => (/\s/.test(secret) ? secret.replace(/\s+/g, "    ") : undefined),
  "a list of bytes": (secret) => `[${bytesOf(secret).join(",")}]`,
  "a list of numbers": bytesOf,
  "an object of bytes": (secret) => ({ ...bytesOf(secret) }),
  "a list of bytes in hex": (secret) => bytesOf(secret).map((byte) => `0x${byte.toString(16).padStart(2, "0")}`),
  "its two halves": (
    secret, // of eight letters each half may stand there by chance
  ) =>
    isNumber(secret) || secret.length < 12
      ? undefined
      : [secret.slice(0, secret.length / 2), secret.slice(secret.length / 2)],
  "a long piece and a short one": (secret) =>
    isNumber(secret) || secret.length < 30 ? undefined : [secret.slice(0, -14), secret.slice(-14)],
};

/** Where a server may send it back. */
export const places = [
  "result",
  "error message",
  "error data",
  "log data",
  "revert reason",
  "header",
  "key of an object",
  "value within an object",
  "what expect finds",
  "the middle of a long text",
] as const;

export interface Case {
  readonly name: string;
  readonly secret: string;
  readonly encoding: string;
  readonly place: (typeof places)[number];
  readonly payload: string | number | readonly (string | number)[] | Readonly<Record<string, number>>;
}

/** A payload within a text. */
function written({ payload }: Pick<Case, "payload">): string {
  return typeof payload === "object" && !Array.isArray(payload) ? JSON.stringify(payload) : String(payload);
}

/** Some of: every secret in every encoding at every place. Each has the name of its number. */
export const cases: readonly Case[] = some(
  Object.values(secrets).flatMap((secret) =>
    Object.entries(encodings).flatMap(([encoding, encode]) => {
      const payload = encode(secret);
      return payload === undefined ? [] : places.map((place) => ({ secret, encoding, place, payload }));
    }),
  ),
  70,
  250, // each is looked for in each output that there is
).map((one, at) => ({ ...one, name: `case-${at}-` }));

/** Sends the payload of the case that a request names by its number. */
export function echoServer(): Promise<HostileServer> {
  return hostileServer(({ body }, response) => {
    if (body === "") return response.destroy(); // given up before it was sent
    const asked: unknown = JSON.parse(body);
    const answers = [asked].flat().map((one) => answerTo(one as Asked));
    const header = [asked]
      .flat()
      .map((one) => caseOf(one as Asked))
      .find((one) => one?.place === "header");
    if (header) {
      response.statusCode = 403;
      response.setHeader("x-echo", encodeURI(written(header)).replaceAll("%25", "%"));
      response.setHeader("content-type", "text/plain");
      response.statusMessage = written(header).replace(/[^ -~]/g, " ");
      response.end(`no: ${written(header)}`);
    } else response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
}

interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

function caseOf({ params }: Asked): Case | undefined {
  const [first] = params ?? [];
  return typeof first === "number" ? cases[first] : undefined;
}

function answerTo(asked: Asked): unknown {
  const one = caseOf(asked);
  const made = one ? resultOf(one) : asked.params?.[0] === "none" ? { result: "ok" } : otherAnswer(asked);
  return { jsonrpc: "2.0", id: asked.id, ...made };
}

const texts = cases.filter(({ place }) => place === "result").map(written);

/** Answers what no case asks for with one of the secrets, always the same one, in a form that the method has. */
function otherAnswer({ method, params }: Asked): object {
  const asked = JSON.stringify([method, params]);
  const text = texts[[...asked].reduce((sum, char) => sum + char.charCodeAt(0), 0) % texts.length] ?? "";
  const address = `0x${"12".repeat(20)}`;
  const frame = {
    type: "CALL",
    from: address,
    to: address,
    value: "0x0",
    gas: "0x9000",
    gasUsed: "0x100",
    output: "0x",
  };
  const call = (one: string) => ({ ...frame, to: one, input: "0x", error: one, revertReason: one });
  switch (method) {
    case "eth_chainId":
      return { result: "0x1" };
    case "eth_blockNumber":
    case "eth_getBalance":
    case "eth_getTransactionCount":
      return { result: "0x10" };
    case "eth_getCode":
      return { result: "0x6001" };
    case "eth_call":
      return { result: `0x${abiString(asked.includes(nameCall) ? secrets.TOKEN : text)}` }; // a name is cut where it is shown
    case "eth_getStorageAt":
      return {
        result: `0x${utf8(text).slice(0, 62).padEnd(62, "0")}${(2 * Math.min(text.length, 31)).toString(16).padStart(2, "0")}`,
      };
    case "eth_getTransactionByHash":
      return {
        result: {
          hash: `0x${"ab".repeat(32)}`,
          from: address,
          to: address,
          input: /^0x(?:[\da-f]{2})*$/.test(text) ? text : "0x",
          nonce: "0x1",
          value: "0x0",
          gas: "0x9000",
          gasPrice: "0x1",
          blockNumber: null,
          note: text,
        },
      };
    case "debug_traceTransaction":
    case "debug_traceCall":
      return { result: { ...frame, gasUsed: "0x5000", input: "0x", calls: texts.map(call) } };
    case "web3_clientVersion":
      return { result: text };
    default:
      return { error: { code: -32000, message: `no: ${text}` } };
  }
}

function resultOf({ place, payload }: Case): object {
  const text = written({ payload });
  const data = /^0x[\da-f]+$/.test(text) && text.length % 2 === 0 ? text : `0x${abiString(text)}`;
  switch (place) {
    case "result":
    case "what expect finds":
    case "header":
      return { result: payload };
    case "error message":
      return { error: { code: -32000, message: `no: ${text}` } };
    case "error data":
      return { error: { code: -32000, message: "no", data: payload } };
    case "log data": {
      const topics = [`0x${"ab".repeat(32)}`];
      const log = { address: `0x${"12".repeat(20)}`, topics, data, blockNumber: "0x1", logIndex: "0x0" };
      return { result: [log] };
    }
    case "revert reason":
      return { error: { code: 3, message: "execution reverted", data: `0x08c379a0${abiString(text)}` } };
    case "key of an object":
      return { result: { [text]: 1 } };
    case "value within an object":
      return { result: { a: [{ number: payload, balance: payload, timestamp: payload, input: payload }] } };
    case "the middle of a long text":
      return { result: `${"z ".repeat(90)}${text}${" z".repeat(90)}` };
  }
}

/** A notebook that asks for every case; secrets go along if `sends`. */
export function echoNotebook(sends: boolean, endpoint?: string): string {
  const values = Object.keys(secrets).map((name) => (sends ? `{{$secret.${name}}}` : name));
  const methods = { "log data": "eth_getLogs", header: "eth_getLogs", "revert reason": "eth_call" } as Partial<
    Record<Case["place"], string>
  >;
  const cells = cases.map(({ name, place, payload }, at) => {
    const expect =
      place === "what expect finds"
        ? { expect: { result: "z" } }
        : place === "the middle of a long text"
          ? { expect: { result: `${"z ".repeat(90)}${written({ payload }).slice(0, 5)}` } }
          : {};
    return { name, method: methods[place] ?? "web3_clientVersion", params: [at], ...expect };
  });
  const first = { name: "first", method: "web3_clientVersion", params: ["none", ...values] };
  return JSON.stringify({ ...(endpoint && { endpoint }), cells: [first, ...cells] }, undefined, 1);
}

/** Sends every payload as a message of a subscription, then ends. */
export async function echoStream(): Promise<SocketServer> {
  return socketServer((frame, socket) => {
    answer(socket, frame, "0x1");
    for (const { payload, place } of cases)
      if (place === "result") notify(socket, "0x1", { note: payload, data: payload });
  });
}

const squeezed = (text: string): string =>
  text
    .replace(/\\+[nrt]|&(?:amp|lt|gt|quot);/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
/** The number of characters of a secret that reveal too much of it. */
const window = 12;

/** The output that was asked about last: all cases are looked for in the same one. */
let last = searchable("");

interface Searchable {
  readonly output: string;
  readonly has: (part: string) => boolean;
}

/** A part of full length that an output contains covers one of its blocks, of which there are few. */
function searchable(output: string): Searchable {
  const found = squeezed(output);
  const length = window / 2;
  const offsets = [...Array(length).keys()];
  const blocks = new Set(
    Array.from({ length: found.length / length }, (_, at) => found.slice(at * length, (at + 1) * length)),
  );
  const covers = (part: string): boolean => offsets.some((at) => blocks.has(part.slice(at, at + length)));
  return { output, has: (part) => (part.length < window || covers(part)) && found.includes(part) };
}

/**
 * Finds parts of a case in an output: parts of the secret, or of the payload, as letters and digits. It knows nothing
 * of the mask.
 */
export function leaked(one: Case, output: string): string | undefined {
  if (last.output !== output) last = searchable(output);
  return partsOf(one).find(last.has);
}

/** A part that is half padding of an ABI string has at most three characters of the secret. */
function isPadded(part: string): boolean {
  return /^0{6}|0{6}$/.test(part);
}

const partsByCase = new WeakMap<Case, readonly string[]>();

/** Returns the parts of a case that reveal too much of it. */
function partsOf(one: Case): readonly string[] {
  const known = partsByCase.get(one);
  if (known) return known;
  const { secret } = one;
  const payload = written(one);
  const number = isNumber(secret) || isHex(secret) ? [BigInt(secret).toString(), BigInt(secret).toString(16)] : [];
  const common = ["the key", "is not valid (code 7)", '{"key":"', "0xa9059cbb"];
  const own = (text: string, form: (text: string) => string): string =>
    common.map(form).reduce((rest, one) => rest.replace(one, ""), text);
  const plain = own(squeezed(payload), squeezed).replace(/^key/, "");
  const hex = own(utf8(payload), utf8);
  const parts = [squeezed(secret), plain, utf8(secret), hex, ...number].flatMap((text) =>
    Array.from({ length: Math.max(text.length - window, 0) + 1 }, (_, at) => text.slice(at, at + window)).filter(
      (part) => part.length >= 5 && new Set(part).size >= Math.min(5, text.length) && !isPadded(part),
    ),
  );
  partsByCase.set(one, [...new Set(parts)]);
  return parts;
}

/** A file as its reader sees it: no recording stays compressed. */
export function openedText(text: string): string {
  if (!text.includes('"deflate')) return text;
  const opened = (_key: string, value: unknown): unknown => {
    if (typeof value === "string" && value.startsWith("deflate:"))
      return openedText(decompress(value.slice(8), 100_000_000) ?? "");
    const compressed = textFrom(value as JsonValue); // JSON.parse returns nothing else
    return compressed && "deflate" in compressed ? readText(compressed, 100_000_000) : value;
  };
  return JSON.stringify(JSON.parse(text, opened));
}
