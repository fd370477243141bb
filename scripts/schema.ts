/**
 * Writes the JSON Schemas of the notebook, of `rpc-endpoints.json` (both from the catalogue) and of recordings, for editors that have no
 * language server of ours. Run it with `npx tsx scripts/schema.ts` after a change of the catalogue.
 *
 * Only certain mistakes are flagged: a string with `{{…}}` may become any value, and what people may write in
 * place of wire values passes.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { maxDecimals } from "../server/src/base/units.ts";
import { bundledCatalog } from "../server/src/catalog/catalog.ts";
import type { MethodSpec } from "../server/src/catalog/spec.ts";
import {
  definition,
  params,
  placeholder,
  type Schema,
  type SchemaObject,
  typeDefinitions,
  when,
} from "./schemaOfTypes.ts";

const draft = "http://json-schema.org/draft-07/schema#";
const text = { type: "string" } as const;
const lines = { anyOf: [text, { type: "array", items: text }] } as const;

export function notebookSchema(): Schema {
  return {
    $schema: draft,
    title: "RPC notebook",
    description: "A notebook of Ethereum JSON-RPC requests, a list of them, or a single one.",
    ...when({ type: "array" }, { items: definition("cell") }, having("cells", "notebook", definition("cell"))),
    definitions: {
      notebook: notebook(),
      cell: { type: ["object", "array"], ...when({ type: "array" }, { items: definition("request") }, cell()) },
      request: request(),
      batch: closed({
        batch: {
          description: "Requests that are sent together, in one message.",
          type: "array",
          minItems: 1,
          items: definition("request"),
        },
        ...directives,
      }),
      markdown: closed({ markdown: { description: "Text in Markdown, whole or line by line.", ...lines } }),
      unfinished: closed({ text: { description: "A cell that is not JSON yet, whole or line by line.", ...lines } }),
      abi,
      placeholder,
      ...typeDefinitions(),
    },
  };
}

export function endpointsSchema(): Schema {
  const values =
    "`{{$secret.NAME}}`, `{{$env.NAME}}` and `{{$dotenv.NAME}}` are filled in. Put addresses that others must not see into `rpc-endpoints.private.json`.";
  const url = { ...text, pattern: "^(https?://|\\{\\{\\$)" };
  const number = {
    anyOf: [
      { type: "integer", minimum: 0 },
      { ...text, pattern: "^(0x[0-9a-fA-F]+|[0-9]+)$" },
    ],
  };
  const endpoint = closed({
    url: { ...url, description: `Where requests go: an HTTP or HTTPS address. ${values}` },
    ws: { ...text, pattern: "^(wss?://|\\{\\{\\$)", description: "Where subscriptions go: a WebSocket address." },
    headers: {
      description: `HTTP headers to send along. ${values}`,
      type: "object",
      additionalProperties: text,
    },
    chainId: { description: "The chain that must answer; requests are not sent to another one.", ...number },
    preconfirmed: { description: "Whether `pending` is pre-confirmed state here.", type: "boolean" },
    logRange: { description: "Greatest toBlock − fromBlock that `eth_getLogs` takes here.", ...number },
    batch: {
      description: "Whether it takes batches, or how many requests in one.",
      anyOf: [{ type: "boolean" }, { type: "integer", minimum: 1 }],
    },
    rate: { description: "Requests a second that it takes.", type: "number", exclusiveMinimum: 0 },
    refuses: { description: "Methods that it refuses.", type: "array", items: methodName() },
    explorer: { ...url, description: "A block explorer, for links." },
    contracts: {
      ...text,
      description: "The host that looks up contracts of its chain, with the API of Sourcify. It is asked about first.",
      pattern: "^https?://",
    },
    replay: {
      description: "A recording that answers: its path, from the folder of this file.",
      ...text,
      pattern: "\\.rpc\\.recording\\.json$",
    },
    else: { description: "The endpoint that answers what was not recorded.", ...text },
  });
  return {
    $schema: draft,
    title: "RPC endpoints",
    description: "Names of endpoints, each with its address or with what is known about it.",
    type: "object",
    properties: { $schema: text },
    additionalProperties: {
      anyOf: [
        { ...url, description: "Where requests go." },
        { ...endpoint, anyOf: [{ required: ["url"] }, { required: ["replay"] }] },
      ],
    },
  };
}

export function recordingSchema(): Schema {
  const compressed = {
    ...closed({
      deflate: { description: "The text, compressed (RFC 1951), in base64.", ...text },
      bytes: { description: "Bytes of the text.", type: "integer", minimum: 0 },
    }),
    required: ["deflate", "bytes"],
  };
  const body = { anyOf: [text, compressed, { type: "object" }] };
  const milliseconds = { type: "number", minimum: 0 };
  const exchange = {
    ...closed({
      endpoint: { description: "The endpoint that answered, by its name.", ...text },
      method: text,
      params: { description: "As sent." },
      own: { description: "The program asked it for itself: no cell did.", const: true },
      at: { description: "When it was sent: milliseconds since `startedAt`.", ...milliseconds },
      tookMs: { description: "How long the answer took.", ...milliseconds },
      answer: { description: "The response, byte for byte: as JSON, as text, or compressed.", ...body },
      status: { description: "HTTP status of an answer that is not a response.", type: "integer" },
      headers: { type: "object", additionalProperties: text },
      body: { description: "What came with that status.", ...body },
      fault: { description: "Why no answer came.", ...text },
      detail: text,
    }),
    required: ["endpoint", "method"],
  };
  const event = closed({ at: { description: "Milliseconds since the subscription began.", ...milliseconds }, text });
  const facts = closed({ site: text, chainId: text, head: text, client: text });
  return {
    $schema: draft,
    title: "RPC recording",
    description: "Requests and their answers, as they went over the wire. `rpc-notebook run --record` makes it.",
    ...closed({
      $schema: text,
      version: { const: 1 },
      contentHash: { description: "Tells whether the file was changed after it was written.", ...text },
      startedAt: { type: "string", format: "date-time" },
      tool: { description: "The program that made it.", ...text },
      endpoints: { description: "What each endpoint said of itself.", type: "object", additionalProperties: facts },
      exchanges: { type: "array", items: exchange },
      streams: {
        description: "Subscriptions and what they delivered.",
        type: "array",
        items: closed({
          endpoint: text,
          params: { type: "array" },
          subscription: text,
          events: { type: "array", items: event },
        }),
      },
      missed: { description: "Answers and messages that came when the recording was full.", type: "integer" },
    }),
    required: ["version", "startedAt", "endpoints", "exchanges"],
  };
}

/** The keys decide, in the order in which a notebook is read. */
function cell(): Schema {
  const rest = having("markdown", "markdown", having("text", "unfinished", definition("request")));
  return having("method", "request", having("batch", "batch", rest));
}

function having(key: string, name: string, otherwise: Schema): SchemaObject {
  return when({ type: "object", required: [key] }, definition(name), otherwise);
}

function closed(properties: Readonly<Record<string, Schema>>): SchemaObject {
  return { type: "object", properties, additionalProperties: false };
}

const abiItem = {
  type: ["string", "object"],
  properties: {
    address: { description: "The contract that `abi` is for: an address, or the variable that holds it.", ...text },
    abi: definition("abi"),
  },
} as const;
const abi = {
  description:
    "ABIs to encode and decode with: paths of JSON files, signatures such as `event Memo(address indexed caller, bytes32 indexed memo)`, items of a JSON ABI, or `{ address, abi }` for one contract.",
  ...when({ type: "array" }, { items: definition("abi") }, abiItem),
} as const;

const operators = {
  "==": { description: "Equal." },
  "!=": { description: "Not equal." },
  "<": { description: "Less than; quantities compare as integers of any size." },
  "<=": { description: "At most." },
  ">": { description: "Greater than." },
  ">=": { description: "At least." },
  in: { description: "One of these.", type: "array" },
  matches: { description: "A regular expression that the text matches.", ...text },
  length: { description: "How many items or characters." },
  type: { description: "The type of the JSON.", ...text },
} as const;

const directives = {
  name: { description: "What other cells and the command line call this cell.", ...text },
  endpoint: { description: "Where this cell goes: the name of an endpoint or an address.", ...text },
  abi: definition("abi"),
  assume: definition("assumptions"),
  each: {
    description:
      'Values with which the request is sent, once for each combination: lists, ranges such as `["0x0", "latest", "+1000"]`, placeholders of lists, `.csv` and `.ndjson` files. The request takes them by their names: `{{holder}}`.',
    type: "object",
    minProperties: 1,
    additionalProperties: when({ type: "array" }, { minItems: 1 }, { ...text, pattern: "\\{\\{|\\.(csv|ndjson)$" }),
  },
  expect: {
    description:
      "What the answer must be: a path such as `result`, `decoded[0]` or `error.code`, and a value or operators.",
    type: "object",
    minProperties: 1,
    additionalProperties: when(
      { type: "object", minProperties: 1, propertyNames: { enum: Object.keys(operators) } },
      { properties: operators },
    ),
  },
  within: {
    description: "How long to repeat the request until `expect` holds: `10 s`, `3 blocks`.",
    ...text,
    pattern: "^[0-9]+(\\.[0-9]+)? ?(ms|s|min|blocks?)$",
  },
  snapshot: { description: "Whether a snapshot of the answer is compared.", type: "boolean" },
  save: {
    description:
      "The file that the logs of `eth_getLogs` are written to while they arrive. Its path is relative to the notebook, and can have placeholders.",
    ...text,
    pattern: "\\{\\{|\\.(parquet|csv|ndjson)$",
  },
  explain: { description: "Whether the transaction is explained: what it did, and why it failed.", type: "boolean" },
} as const;

function notebook(): Schema {
  return {
    ...closed({
      $schema: text,
      endpoint: {
        description: "Where the cells go that do not say otherwise: the name of an endpoint or an address.",
        ...text,
      },
      chainId: { description: "The chain that must answer on that endpoint.", allOf: [definition("uint256")] },
      variables: { description: "Values of the placeholders `{{name}}`.", type: "object" },
      abi: definition("abi"),
      openrpc: {
        description: "OpenRPC documents that describe more methods: their paths, from the folder of the notebook.",
        ...lines,
      },
      descriptors: {
        description: "ERC-7730 descriptors, files or folders: their paths, from the folder of the notebook.",
        ...lines,
      },
      recording: {
        description:
          "A recording that answers all requests: its path from the folder of the notebook, or `included` for `recordingData`.",
        ...text,
      },
      recordingData: { description: "A recording, compressed.", ...text },
      labels: {
        description: "Names for addresses.",
        type: "object",
        propertyNames: { pattern: "^0x[0-9a-fA-F]{40}$" },
        additionalProperties: text,
      },
      tokens: {
        description: "What amounts of tokens are called, by the address of the contract.",
        type: "object",
        propertyNames: { pattern: "^0x[0-9a-fA-F]{40}$" },
        additionalProperties: {
          ...closed({
            symbol: { description: "The symbol after an amount: `USDC`.", ...text },
            decimals: {
              description: "Decimal places of one token.",
              type: "integer",
              minimum: 0,
              maximum: maxDecimals,
            },
          }),
          required: ["symbol", "decimals"],
        },
      },
      cells: { description: "The cells, in order.", type: "array", items: definition("cell") },
    }),
    required: ["cells"],
  };
}

function request(): Schema {
  return {
    ...closed({
      jsonrpc: { description: 'The version of JSON-RPC; `"2.0"` is added if it is absent.', enum: ["2.0"] },
      id: {
        description: "Returned with the answer; a number is added if it is absent.",
        type: ["number", "string", "null"],
      },
      method: { description: "The method to call.", ...methodName() },
      params: { description: "The parameters, in order.", anyOf: [{ type: "array" }, definition("placeholder")] },
      ...directives,
    }),
    required: ["method"],
    allOf: namespaces().map(([prefix, methods]) =>
      whenMethod({ pattern: `^${prefix}` }, { allOf: methods.map(method) }),
    ),
  };
}

/** The methods by the beginning of their names, so that a request is not compared with all of them. */
function namespaces(): readonly (readonly [string, readonly MethodSpec[]])[] {
  const prefix = ({ name }: MethodSpec): string => name.replace(/[._].*/, "");
  return [...new Set(bundledCatalog.methods.map(prefix))].map((namespace) => [
    namespace,
    bundledCatalog.methods.filter((spec) => prefix(spec) === namespace),
  ]);
}

function method(spec: MethodSpec): SchemaObject {
  return whenMethod({ const: spec.name }, params(spec));
}

function whenMethod(name: SchemaObject, then: SchemaObject): SchemaObject {
  return when({ properties: { method: name }, required: ["method"] }, then);
}

/** Any name passes; those of the catalogue are offered and explained. */
function methodName(): SchemaObject {
  const enumDescriptions = bundledCatalog.methods.map((spec) => spec.summary);
  return { anyOf: [{ enum: bundledCatalog.methods.map((spec) => spec.name), enumDescriptions }, text] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = {
    "rpc-notebook.schema.json": notebookSchema(),
    "rpc-endpoints.schema.json": endpointsSchema(),
    "rpc-recording.schema.json": recordingSchema(),
  };
  for (const [file, schema] of Object.entries(files)) writeFileSync(file, JSON.stringify(schema, null, 2));
  const biome = "node_modules/@biomejs/biome/bin/biome";
  execFileSync(process.execPath, [biome, "format", "--write", ...Object.keys(files)], { stdio: "inherit" });
}
