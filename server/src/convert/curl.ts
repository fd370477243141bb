import { listed } from "../base/text.ts";
import { readBody } from "./body.ts";
import { type Header, type ImportPart, isOwnHeader, type Note, type RequestEntry } from "./importModel.ts";
import { joinedBy, type Quoted, replacedIn, type Word } from "./words.ts";

/**
 * Options of curl by their meaning for a notebook. `harmless` ones change neither the request nor the response; `lost` ones
 * have no counterpart. Those that end in `=` take a value.
 *
 * @see https://curl.se/docs/manpage.html
 */
const options = {
  data: "-d= --data= --data-raw= --data-binary= --data-ascii=",
  json: "--json=",
  encoded: "--data-urlencode= -G --get",
  header: "-H= --header=",
  url: "--url=",
  basic: "-u= --user=",
  bearer: "--oauth2-bearer=",
  cookie: "-b= --cookie=",
  next: "-: --next",
  harmless:
    "-X= --request= -s --silent -S --show-error -L --location -i --include -v --verbose -f --fail --fail-with-body -g --globoff -# --progress-bar -N --no-buffer --compressed --no-progress-meter --http1.0 -0 --http1.1 --http2 --http2-prior-knowledge --http3 -4 --ipv4 -6 --ipv6 --tcp-nodelay --keepalive --no-keepalive -q --disable --post301 --post302 --post303 --location-trusted --tr-encoding --styled-output --no-styled-output -o= --output= -A= --user-agent= -e= --referer= -m= --max-time= --connect-timeout= -w= --write-out= --retry= --retry-delay= --retry-max-time= --keepalive-time= -y= --speed-time= -Y= --speed-limit= -D= --dump-header= --trace= --trace-ascii= --stderr= --limit-rate= -c= --cookie-jar= --expect100-timeout= --max-filesize= --max-redirs=",
  lost: "-k --insecure -n --netrc -a --append -I --head --http0.9 --negotiate --ntlm --digest --anyauth --retry-all-errors --retry-connrefused -J --remote-header-name -O --remote-name -Z --parallel -j --junk-session-cookies -p --proxytunnel --ssl-reqd --tlsv1.2 --tlsv1.3 -1 --tlsv1 -2 -3 --proxy-insecure -x= --proxy= -U= --proxy-user= -E= --cert= --key= --cacert= --capath= --pass= --pinnedpubkey= --ciphers= --cert-type= --key-type= -F= --form= --form-string= -T= --upload-file= -K= --config= --resolve= --connect-to= --interface= --unix-socket= --abstract-unix-socket= --dns-servers= --aws-sigv4= --netrc-file= --preproxy= --socks4= --socks5= --socks5-hostname= --noproxy= -r= --range= -z= --time-cond= -Q= --quote= -C= --continue-at= -t= --telnet-option= -P= --ftp-port= --request-target= --url-query= --variable= --expand-data= --expand-url= --expand-header=",
} as const;

type Meaning = keyof typeof options;

const meanings: ReadonlyMap<string, { readonly meaning: Meaning; readonly takesValue: boolean }> = new Map(
  Object.entries(options).flatMap(([meaning, names]) =>
    names.split(" ").map((name) => {
      const isValued = name.length > 2 && name.endsWith("=");
      return [isValued ? name.slice(0, -1) : name, { meaning: meaning as Meaning, takesValue: isValued }] as const; // a key of the table
    }),
  ),
);

/** The parts of one request, from its options. */
interface Parts {
  readonly urls: Word[];
  readonly headers: Header[];
  readonly data: Word[];
  /** Options and headers that are left out. */
  readonly lost: string[];
  readonly lostHeaders: string[];
  isJson: boolean;
}

const noParts = (): Parts => ({ urls: [], headers: [], data: [], lost: [], lostHeaders: [], isJson: false });

/** Reads a `curl` command. Each body that it sends is a request. */
export function readCurl(
  program: Word,
  args: readonly Word[],
  stdin: Quoted | undefined,
  name: string | undefined,
): ImportPart {
  const notes: Note[] = [];
  const entries: RequestEntry[] = [];
  const command = /curl/i.test(program.text) ? "curl" : program.text; // cmdlets of PowerShell are read as curl
  let parts = noParts();
  const finish = (): void => {
    const body = bodyOf(parts, stdin, program);
    notes.push(...body.notes, ...lostNotes(parts, program));
    if (body.text === undefined) return;
    for (const url of parts.urls.length > 0 ? parts.urls : [undefined]) {
      const target = url && { url: url.text, headers: parts.headers, at: url.span.start };
      entries.push({ kind: "request", body: body.text, name, command, target });
    }
  };
  for (const { option, value, at } of optionsOf(args)) {
    const meaning = option === undefined ? "url" : meanings.get(option)?.meaning;
    const what = option === undefined ? undefined : noteOn(option, meaning);
    if (what) notes.push({ at: at.span.start, severity: meaning === "encoded" ? "error" : "note", what });
    if (meaning === "next") {
      finish();
      parts = noParts();
    } else if (meaning === "lost" && option !== undefined) parts.lost.push(option);
    else if (value) take(parts, meaning, value);
  }
  finish();
  return { entries, notes };
}

function noteOn(option: string, meaning: Meaning | undefined): string | undefined {
  if (meaning === undefined) return `\`${option}\` is not known here, so it is left out.`;
  if (meaning === "encoded") return `\`${option}\` encodes the data in a form that JSON-RPC endpoints do not read.`;
  return meaning === "basic" ? "Its secret is the Base64 of `user:password`." : undefined;
}

function take(parts: Parts, meaning: Meaning | undefined, value: Word): void {
  const { text } = value;
  if (meaning === "url") parts.urls.push(value);
  else if (meaning === "data" || meaning === "encoded") parts.data.push(value);
  else if (meaning === "cookie") parts.headers.push({ name: "Cookie", value: text });
  else if (meaning === "basic") parts.headers.push({ name: "Authorization", value: `Basic ${text}` });
  else if (meaning === "bearer") parts.headers.push({ name: "Authorization", value: `Bearer ${text}` });
  else if (meaning === "header") takeHeader(parts, text);
  else if (meaning === "json") {
    parts.data.push(value);
    parts.isJson = true;
  }
}

/** Headers that browsers add to a command that they copy. */
const browserHeaders =
  /^(?:accept-language|cache-control|pragma|dnt|priority|te|origin|referer|sec-.*|:.*|authority|method|path|scheme)$/i;

function takeHeader({ headers, lostHeaders }: Parts, text: string): void {
  const [, name, value = ""] = /^([^:\s]+)\s*[:;]\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined) lostHeaders.push("one without a name");
  else if (browserHeaders.test(name)) lostHeaders.push(name);
  else if (!isOwnHeader(name)) headers.push({ name, value: value.trim() });
}

interface Option {
  /** `undefined` for an address, which needs no option. */
  readonly option: string | undefined;
  readonly value: Word | undefined;
  readonly at: Word;
}

/** Takes options apart: `-sXPOST`, `-d value`, `--data=value`. */
function* optionsOf(args: readonly Word[]): Generator<Option> {
  for (let i = 0; i < args.length; i++) {
    const at = args[i];
    if (!at) return;
    const [, long, equals] = /^(--[^=]*)(=?)/.exec(at.text) ?? [];
    if (long !== undefined) {
      const takesValue = meanings.get(long)?.takesValue;
      yield { option: long, value: takesValue ? (equals ? from(at, long.length + 1) : args[++i]) : undefined, at };
      continue;
    }
    if (!/^-./.test(at.text)) yield { option: undefined, value: at, at };
    else
      for (let letter = 1; letter < at.text.length; letter++) {
        const option = `-${at.text.charAt(letter)}`;
        const takesValue = meanings.get(option)?.takesValue;
        const isLast = letter + 1 === at.text.length;
        yield { option, value: takesValue ? (isLast ? args[++i] : from(at, letter + 1)) : undefined, at };
        if (takesValue) break;
      }
  }
}

function from({ text, places, span }: Word, start: number): Word {
  const begin = places[start] ?? span.start;
  return { text: text.slice(start), places: places.slice(start), span: { start: begin, end: span.end } };
}

/** @returns No text if there is nothing that could become a request. */
function bodyOf(
  { data, isJson }: Parts,
  stdin: Quoted | undefined,
  program: Word,
): { readonly text?: string; readonly notes: readonly Note[] } {
  const refused = ({ span }: Word, what: string) => ({ notes: [{ at: span.start, severity: "error" as const, what }] });
  const file = data.find(({ text }) => /^@./.test(text) && text !== "@-");
  if (file) return refused(file, "The body is in another file. Import that file instead of the command.");
  const pieces: readonly Quoted[] = data.flatMap((word): readonly Quoted[] =>
    word.text !== "@-" ? [word] : stdin ? [stdin] : [],
  );
  if (data.length === 0) return refused(program, "The command sends no data, so it is not a JSON-RPC request.");
  if (pieces.length === 0) return refused(program, "The input of the command is not known here. Write it after `-d`.");
  return readBody(unescaped(pieces.reduce((joined, piece) => joinedBy(joined, piece, isJson ? "" : "&"))));
}

/**
 * Takes the backslashes away if every quote has one: PowerShell before 7.3 needs them, as it hands quotes on as they are,
 * and they are copied from there into other shells.
 *
 * @see https://learn.microsoft.com/powershell/scripting/learn/experimental-features#psnativecommandargumentpassing
 */
function unescaped(body: Quoted): Quoted {
  const { text } = body;
  if (!/^\s*[[{]+\s*\\"/.test(text) || /(?<!\\)(?:\\\\)*"/.test(text)) return body;
  return replacedIn(body, /(\\+)"/g, ([, slashes = ""]) => `${"\\".repeat(slashes.length >> 1)}"`);
}

function* lostNotes({ lost, lostHeaders }: Parts, { span: { start: at } }: Word): Generator<Note> {
  const names = listed(lost.map((option) => `\`${option}\``));
  const [has, is] = lost.length === 1 ? ["has", "is"] : ["have", "are"];
  if (lost.length > 0) yield { at, severity: "note", what: `${names} ${has} no counterpart here and ${is} left out.` };
  const what = `Headers that no endpoint needs are left out: ${listed(lostHeaders)}.`;
  if (lostHeaders.length > 0) yield { at, severity: "note", what };
}
