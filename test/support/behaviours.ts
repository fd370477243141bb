import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** The behaviour of a server or proxy after the first bytes of a connection have arrived. */
export type Behaviour = (socket: Socket, first: string) => void;

const id = (first: string): string => /"id":(\d+)/.exec(first)?.[1] ?? "1";
const ok = (body: string, headers = ""): string =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** How a connection continues after some bytes. */
const endings: Readonly<Record<string, (socket: Socket) => void>> = {
  "goes silent": () => {},
  closes: (socket) => void socket.end(),
  resets: (socket) => void socket.resetAndDestroy(),
  drips: (socket) => {
    const timer = setInterval(() => socket.write(" "), 20);
    socket.on("close", () => clearInterval(timer));
  },
};

/** Beginnings of an answer: each is cut off in each of the ways above. */
const beginnings: Readonly<Record<string, string>> = {
  nothing: "",
  "half a status line": "HTTP/1.1 2",
  "a status line": "HTTP/1.1 200 OK\r\n",
  "half a header": "HTTP/1.1 200 OK\r\nContent-Le",
  headers: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n",
  "half a body": 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"jsonrpc":"2.0",',
  "half a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{",
  "a chunk without the last one": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
  "half a gzip": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 90\r\n\r\n\u001f",
  "switching protocols": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
  "an interim answer": "HTTP/1.1 100 Continue\r\n\r\n",
  "early hints": "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
  "a redirect to itself, half": "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 99\r\n\r\n",
  "a redirect elsewhere, half": "HTTP/1.1 302 Found\r\nLocation: http://a.invalid/\r\nContent-Length: 99\r\n\r\n",
  "a refusal, half": "HTTP/1.1 401 Unauthorized\r\nContent-Length: 99\r\n\r\n{",
  "a password for the proxy": "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 99\r\n\r\n{",
  "a failure, half": "HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\n{",
  "another protocol": "220 smtp.example ESMTP\r\n",
  "a TLS alert": "\u0015\u0003\u0001\u0000\u0002\u0002\u0028",
};

const wholes: Readonly<Record<string, (first: string) => string | Buffer>> = {
  "no content": () => "HTTP/1.1 204 No Content\r\n\r\n",
  "reset content": () => "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n",
  "not modified": () => "HTTP/1.1 304 Not Modified\r\n\r\n",
  "an empty body": () => ok(""),
  "white space": () => ok(" \n"),
  "a web page": () => ok("<!doctype html><title>Hi</title>"),
  null: () => ok("null"),
  "a number": () => ok("1"),
  "an empty list": () => ok("[]"),
  "an answer without an id": () => ok('{"jsonrpc":"2.0","result":"0x1"}'),
  "an answer under another id": () => ok('{"jsonrpc":"2.0","id":99,"result":"0x1"}'),
  "neither result nor error": (first) => ok(`{"jsonrpc":"2.0","id":${id(first)}}`),
  "an error without content": (first) => ok(`{"jsonrpc":"2.0","id":${id(first)},"error":{}}`),
  "an error that is text": (first) => ok(`{"jsonrpc":"2.0","id":${id(first)},"error":"no"}`),
  "JSON that nests deep": () => ok("[".repeat(5000) + "]".repeat(5000)),
  "JSON that is cut": () => ok('{"jsonrpc":"2.0","id":1,"result":"0x'),
  "another length than it says": () => "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}",
  "two lengths": () => "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
  "a length below zero": () => "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
  "chunks of no size": () => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "gzip that is none": () => ok("{}", "Content-Encoding: gzip\r\n"),
  "brotli that is none": () => ok("{}", "Content-Encoding: br\r\n"),
  "deflate that is none": () => ok("{}", "Content-Encoding: deflate\r\n"),
  "an unknown encoding": () => ok("{}", "Content-Encoding: zstd\r\n"),
  "gzip of nothing": () =>
    Buffer.concat([
      Buffer.from("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"),
      gzipSync(""),
    ]),
  "headers without end": () => `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}`,
  "many headers": () => `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(5000)}\r\n`,
  "a redirect to no address": () => "HTTP/1.1 308 Moved\r\nLocation: http://\r\nContent-Length: 0\r\n\r\n",
  "a redirect to another scheme": () => "HTTP/1.1 307 Moved\r\nLocation: file:///etc\r\nContent-Length: 0\r\n\r\n",
  "a redirect without end": () => "HTTP/1.1 307 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
  "too many requests for an hour": () =>
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n",
  "a pause that is not a number": () => "HTTP/1.1 403 No\r\nRetry-After: soon\r\nContent-Length: 0\r\n\r\n",
  "a gateway that timed out": () => "HTTP/1.1 504 No\r\nContent-Length: 0\r\n\r\n",
  "a status of its own": () => "HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n",
  "HTTP/2": () => Buffer.from("000006040000000000000300000064", "hex"),
  "bytes of zero": () => Buffer.alloc(4096),
};

/** The behaviour of a proxy after it has said that the tunnel is open. */
const tunnels: Readonly<Record<string, string>> = {
  "a silent tunnel": "",
  "a tunnel that says HTTP": "HTTP/1.1 400 Bad Request\r\n\r\n",
  "a tunnel of zeros": "\0".repeat(100),
};

/** A handshake of a WebSocket with a wrong key, and other upgrades. */
const upgrades: Readonly<Record<string, string>> = {
  "an upgrade with a wrong key":
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
  "an upgrade without a key": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "an upgrade refused": "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 99\r\n\r\n",
  "an upgrade that wants a key": "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
};

export type Place = "http" | "https" | "ws" | "proxied http" | "proxied https" | "proxied wss";

export interface Trial {
  readonly name: string;
  readonly place: Place;
  readonly behave: Behaviour;
}

function trial(place: Place, what: string, behave: Behaviour): Trial {
  return { place, name: `${place}: ${what}`, behave };
}

/** Writes, and continues when the bytes are sent. */
function say(text: string | Buffer, go: (socket: Socket) => void): Behaviour {
  return (socket) => {
    if (text.length === 0) go(socket);
    else socket.write(text, "latin1" as BufferEncoding, () => go(socket));
  };
}

const goes = Object.entries(endings);
const silent = endings["goes silent"] ?? (() => {});

export const trials: readonly Trial[] = [
  ...Object.entries(beginnings).flatMap(([what, text]) =>
    goes.map(([how, go]) => trial("http", `${what}, then ${how}`, say(text, go))),
  ),
  ...Object.entries(wholes).map(([what, text]) =>
    trial("http", what, (socket, first) => say(text(first), silent)(socket, first)),
  ),
  ...(["proxied http", "proxied https"] as const).flatMap((place) =>
    Object.entries(beginnings).map(([what, text], at) => {
      const [how, go] = goes[at % goes.length] ?? ["goes silent", silent];
      return trial(place, `${what}, then ${how}`, say(text, go));
    }),
  ),
  ...(["proxied https", "proxied wss"] as const).flatMap((place) =>
    Object.entries(tunnels).flatMap(([what, text]) =>
      goes.map(([how, go]) => trial(place, `${what}, then ${how}`, say(`HTTP/1.1 200 OK\r\n\r\n${text}`, go))),
    ),
  ),
  ...goes.map(([how, go]) => trial("https", `nothing, then ${how}`, say("", go))),
  ...[...Object.entries(upgrades), ...Object.entries(beginnings).slice(0, 6)].map(([what, text], at) => {
    const [how, go] = goes[at % goes.length] ?? ["goes silent", silent];
    return trial("ws", `${what}, then ${how}`, say(text, go));
  }),
];
