import { listed } from "../base/text.ts";
import { readBody } from "./body.ts";
import type { Header, ImportPart, Note, RequestEntry } from "./imported.ts";
import { joinedBy, type Quoted, replacedIn, type Word } from "./quoted.ts";

/**
 * What an option of curl means here: the body, a header, something that plays no part in what is asked and answered,
 * or something that this tool does not do.
 *
 * @see https://curl.se/docs/manpage.html
 */
type Meaning =
  | "data"
  | "json"
  | "encoded"
  | "header"
  | "url"
  | "user"
  | "cookie"
  | "method"
  | "query"
  | "next"
  | "harmless"
  | "harmless-value"
  | "lost"
  | "lost-value";

const options: Readonly<Record<string, Meaning>> = {
  ...all("data", "-d --data --data-raw --data-binary --data-ascii"),
  ...all("json", "--json"),
  ...all("encoded", "--data-urlencode"),
  ...all("header", "-H --header"),
  ...all("url", "--url"),
  ...all("user", "-u --user --oauth2-bearer"),
  ...all("cookie", "-b --cookie"),
  ...all("method", "-X --request"),
  ...all("query", "-G --get"),
  ...all("next", "-: --next"),
  ...all(
    "harmless",
    "-s --silent -S --show-error -L --location -i --include -v --verbose -f --fail --fail-with-body -g --globoff -# --progress-bar -N --no-buffer --compressed --no-progress-meter --http1.0 -0 --http1.1 --http2 --http2-prior-knowledge --http3 -4 --ipv4 -6 --ipv6 --tcp-nodelay --keepalive --no-keepalive -q --disable --post301 --post302 --post303 --location-trusted --tr-encoding --styled-output --no-styled-output",
  ),
  ...all(
    "harmless-value",
    "-o --output -A --user-agent -e --referer -m --max-time --connect-timeout -w --write-out --retry --retry-delay --retry-max-time --keepalive-time -y --speed-time -Y --speed-limit -D --dump-header --trace --trace-ascii --stderr --limit-rate -c --cookie-jar --expect100-timeout --max-filesize --max-redirs",
  ),
  ...all(
    "lost",
    "-k --insecure -n --netrc -a --append -I --head --http0.9 --negotiate --ntlm --digest --anyauth --retry-all-errors --retry-connrefused -J --remote-header-name -O --remote-name -Z --parallel -j --junk-session-cookies -p --proxytunnel --ssl-reqd --tlsv1.2 --tlsv1.3 -1 --tlsv1 -2 -3 --proxy-insecure",
  ),
  ...all(
    "lost-value",
    "-x --proxy -U --proxy-user -E --cert --key --cacert --capath --pass --pinnedpubkey --ciphers --cert-type --key-type -F --form --form-string -T --upload-file -K --config --resolve --connect-to --interface --unix-socket --abstract-unix-socket --dns-servers --aws-sigv4 --netrc-file --preproxy --socks4 --socks5 --socks5-hostname --noproxy -r --range -z --time-cond -Q --quote -C --continue-at -t --telnet-option -P --ftp-port --request-target --url-query --variable --expand-data --expand-url --expand-header",
  ),
};

function all(meaning: Meaning, names: string): Readonly<Record<string, Meaning>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, meaning]));
}

/** What the options of one request say. */
interface Parts {
  readonly urls: Word[];
  readonly headers: Header[];
  readonly data: Word[];
  readonly lost: string[];
  readonly skippedHeaders: string[];
  isJson: boolean;
}

const noParts = (): Parts => ({ urls: [], headers: [], data: [], lost: [], skippedHeaders: [], isJson: false });

/** Reads a `curl` command: each body that it sends is a request. */
export function readCurl(
  program: Word,
  args: readonly Word[],
  stdin: Quoted | undefined,
  name: string | undefined,
): ImportPart {
  const notes: Note[] = [];
  const entries: RequestEntry[] = [];
  let parts = noParts();
  const finish = (): void => {
    const { text, notes: found } = bodyOf(parts, stdin, program);
    notes.push(...found, ...left(parts, program));
    if (text === undefined) return;
    const urls = parts.urls.length > 0 ? parts.urls : [undefined];
    for (const url of urls) {
      const target = url && { url: url.text, headers: parts.headers, at: url.span.start };
      entries.push({ kind: "request", body: text, name, target });
    }
  };
  for (const { option, value, at } of optionsOf(args)) {
    if (option === undefined) {
      if (value) parts.urls.push(value);
      continue;
    }
    const meaning = Object.hasOwn(options, option) ? options[option] : undefined;
    if (meaning === "next") {
      finish();
      parts = noParts();
    } else if (meaning === "encoded" || (meaning === "query" && at)) {
      notes.push({
        at: at.span.start,
        severity: "error",
        what: `\`${option}\` puts the data into another form, which no JSON-RPC endpoint reads.`,
      });
      if (value) parts.data.push(value);
    } else if (meaning === undefined) {
      notes.push({ at: at.span.start, severity: "note", what: `\`${option}\` is not known here, so it is left out.` });
    } else {
      take(parts, meaning, option, value);
      if (meaning === "user" && option !== "--oauth2-bearer")
        notes.push({ at: at.span.start, severity: "note", what: "Its secret is the Base64 of `user:password`." });
    }
  }
  finish();
  return { entries, notes };
}

function take(parts: Parts, meaning: Meaning, option: string, value: Word | undefined): void {
  if (meaning === "lost" || meaning === "lost-value") parts.lost.push(option);
  if (!value) return;
  if (meaning === "url") parts.urls.push(value);
  if (meaning === "data") parts.data.push(value);
  if (meaning === "json") {
    parts.data.push(value);
    parts.isJson = true;
  }
  if (meaning === "cookie") parts.headers.push({ name: "Cookie", value: value.text });
  if (meaning === "user")
    parts.headers.push({
      name: "Authorization",
      value: `${option === "--oauth2-bearer" ? "Bearer" : "Basic"} ${value.text}`,
    });
  if (meaning === "header") takeHeader(parts, value.text);
}

/** What every request has, and what browsers add when they copy one. */
const ownHeaders =
  /^(?:content-type|content-length|accept|accept-encoding|accept-language|connection|host|user-agent|cache-control|pragma|dnt|priority|te|origin|referer|sec-.*|:.*)$/i;

function takeHeader(parts: Parts, text: string): void {
  const [, name = "", value = ""] = /^([^:\s]+)\s*[:;]\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === "") parts.skippedHeaders.push("one without a name");
  else if (!ownHeaders.test(name)) parts.headers.push({ name, value: value.trim() });
  else if (!/^(?:content-type|content-length|accept|accept-encoding|connection|host|user-agent)$/i.test(name))
    parts.skippedHeaders.push(name);
}

interface Given {
  /** `undefined` for what is no option: an address. */
  readonly option: string | undefined;
  readonly value: Word | undefined;
  readonly at: Word;
}

/** Takes options apart: `-sXPOST`, `-d value`, `--data=value`. */
function* optionsOf(args: readonly Word[]): Generator<Given> {
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (!word) return;
    if (word.text.startsWith("--")) {
      const equals = word.text.indexOf("=");
      const option = equals < 0 ? word.text : word.text.slice(0, equals);
      const inside = equals < 0 ? undefined : from(word, equals + 1);
      yield { option, value: takesValue(option) ? (inside ?? args[++i]) : undefined, at: word };
    } else if (/^-./.test(word.text) && !/^-$/.test(word.text)) {
      for (let letter = 1; letter < word.text.length; letter++) {
        const option = `-${word.text.charAt(letter)}`;
        const value = !takesValue(option)
          ? undefined
          : letter + 1 < word.text.length
            ? from(word, letter + 1)
            : args[++i];
        yield { option, value, at: word };
        if (value) break;
      }
    } else yield { option: undefined, value: word, at: word };
  }
}

function takesValue(option: string): boolean {
  const meaning = Object.hasOwn(options, option) ? options[option] : undefined;
  return meaning !== undefined && !["query", "next", "harmless", "lost"].includes(meaning);
}

function from({ text, places, span }: Word, start: number): Word {
  return {
    text: text.slice(start),
    places: places.slice(start),
    span: { start: places[start] ?? span.start, end: span.end },
  };
}

/** `undefined` where there is nothing that could become a request. */
function bodyOf(
  { data, isJson }: Parts,
  stdin: Quoted | undefined,
  program: Word,
): { readonly text: string | undefined; readonly notes: readonly Note[] } {
  const file = data.find(({ text }) => /^@./.test(text) && text !== "@-");
  if (file) {
    const what = "The body stands in a file of its own. Import that file in place of the command.";
    return { text: undefined, notes: [{ at: file.span.start, severity: "error", what }] };
  }
  const pieces: readonly Quoted[] = data.flatMap((word): readonly Quoted[] =>
    word.text === "@-" ? (stdin ? [stdin] : []) : [word],
  );
  if (pieces.length === 0) {
    const what =
      data.length > 0
        ? "What is piped into the command is not known here. Write it behind `-d`."
        : "The command sends no data, so it is not a JSON-RPC request.";
    return { text: undefined, notes: [{ at: program.span.start, severity: "error", what }] };
  }
  return readBody(unescaped(pieces.reduce((joined, piece) => joinedBy(joined, piece, isJson ? "" : "&"))));
}

/**
 * Every quote is escaped: what PowerShell before 7.3 needs, which hands quotes on as they are, and what is copied from
 * there into other shells. The program that is started takes the backslashes away.
 *
 * @see https://learn.microsoft.com/powershell/scripting/learn/experimental-features#psnativecommandargumentpassing
 */
function unescaped(body: Quoted): Quoted {
  const { text } = body;
  if (!/^\s*[[{]+\s*\\"/.test(text) || /(?<!\\)(?:\\\\)*"/.test(text)) return body;
  return replacedIn(body, /(\\+)"/g, ([, slashes = ""]) => `${"\\".repeat(slashes.length >> 1)}"`);
}

function* left({ lost, skippedHeaders }: Parts, { span: { start: at } }: Word): Generator<Note> {
  if (lost.length > 0) {
    const what = `${listed(lost.map((option) => `\`${option}\``))} ${lost.length === 1 ? "has" : "have"} no counterpart here and ${lost.length === 1 ? "is" : "are"} left out.`;
    yield { at, severity: "note", what };
  }
  if (skippedHeaders.length > 0)
    yield {
      at,
      severity: "note",
      what: `Headers that are left out, as no endpoint needs them: ${listed(skippedHeaders)}.`,
    };
}
