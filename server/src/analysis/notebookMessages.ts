import { brief, oneLine } from "../base/text.ts";
import { originClause } from "../endpoints/named.ts";
import { shownName } from "../endpoints/site.ts";
import { code, didYouMean, type Messages } from "./messageParts.ts";
import type { BadPath, SecretInFile, UnsetValue } from "./notebookProblem.ts";
import type { Problem } from "./problem.ts";

/** Messages about what a notebook adds to requests: names, placeholders, endpoints, secrets, `expect`, ABIs. */
export const notebookMessages = {
  "duplicate-name": ({ name, taken }) =>
    `The name ${code(name)} is already used by ${taken === "cell" ? "another cell" : "a variable"}.`,
  "unresolved-placeholder": ({ name, nearest }) => `Unknown variable or cell ${code(name)}.${didYouMean(nearest)}`,
  "reference-cycle": ({ names }) => `These refer to each other, so none can run first: ${names.map(code).join(" → ")}.`,
  "unknown-endpoint": ({ name, nearest }) => `Unknown endpoint ${code(shownName(name))}.${didYouMean(nearest)}`,
  "unusable-endpoint": ({ name, origin, what }) =>
    `The endpoint ${code(name)} (${oneLine(originClause(origin))}) cannot be used here: ${oneLine(what)}.`,
  "bidi-character": ({ character }) =>
    `Hidden character (${character}). It can make text look different from what it is.`,
  "secret-in-file": ({ what }) =>
    `${secrets[what]} Anyone who can read this file can use it: move it to the secret storage (\`{{$secret.NAME}}\`) or to \`rpc-endpoints.private.json\`.`,
  "unset-value": ({ source, name, nearest }) =>
    `${unset[source](code(name))}, so the request is not sent.${didYouMean(nearest)}`,
  "unfilled-placeholder": ({ text, member }) =>
    `${code(text)} is not filled in ${code(member)}. Placeholders work in \`params\`, in \`assume\` and in the values of \`expect\`.`,
  "bad-path": badPath,
  "unknown-path": ({ until, found, step, nearest }) =>
    `${code(until)} is ${found}, which has no ${code(step)}.${didYouMean(nearest)}`,
  "unknown-operator": ({ name, nearest }) => `${code(name)} is not an \`expect\` operator.${didYouMean(nearest)}`,
  "bad-operand": ({ what }) => `This cannot be checked: ${what}.`,
  "bad-within": ({ text }) => `${code(text)} is not a duration. Write \`10 s\` or \`3 blocks\`.`,
  "misplaced-explain": ({ method }) =>
    `\`explain\` does nothing beside ${code(method)}. Use it with \`eth_getTransactionByHash\` or \`eth_getTransactionReceipt\`.`,
  "bad-assumption": ({ what }) => oneLine(what),
  "bad-openrpc": ({ path, what }) => `${code(path)}: ${what}.`,
  "bad-descriptor": ({ path, what }) => `${code(path)}: ${what}.`,
  "bad-abi": ({ path, what }) => (path === undefined ? `Not an ABI: ${what}.` : `${code(path)}: ${what}.`),
  "unread-abi": ({ path }) => `${code(path)} was not read. Files beside the notebook are read in a trusted workspace.`,
} satisfies Partial<Messages<Problem["code"]>>;

const unset: Readonly<Record<UnsetValue["source"], (name: string) => string>> = {
  env: (name) => `The environment variable ${name} is not set`,
  dotenv: (name) => `No \`.env\` file beside the notebook, or above it in the project, has ${name}`,
  secret: (name) => `The secret ${name} is not set`,
};

const secrets: Readonly<Record<SecretInFile["what"], string>> = {
  "private-key": "This looks like a private key.",
  mnemonic: "This looks like the recovery phrase of a wallet.",
  url: "This URL seems to contain a key.",
  authorization: "This looks like credentials.",
  secret: "This looks like a secret.",
};

function badPath({ why, path, meant }: BadPath): string {
  const near = didYouMean(meant === undefined ? [] : [meant]);
  switch (why) {
    case "no-path":
      return `${code(path)} is not a path such as \`result[0].value\`.${near}`;
    case "no-step":
      return `${code(path)} is the whole outcome of a cell: name a part of it.${near}`;
    case "first-step":
      return `Paths start with \`result\`, \`decoded\` or \`error\`, but ${code(path)} does not.${near}`;
    case "operator":
      return `${code(path)} is an operator. Write it under a path: \`"result": { ${brief(JSON.stringify(path), 20)}: … }\`.`;
  }
}
