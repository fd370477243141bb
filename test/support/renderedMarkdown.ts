import { marked, type Token, type Tokens } from "marked";
import { bundledEvents } from "../../server/src/abi/events.ts";
import { bundledFunctions } from "../../server/src/abi/functions.ts";
import { bundledCatalog } from "../../server/src/catalog/catalog.ts";
import { contracts } from "../../server/src/catalog/contracts.ts";
import { slots } from "../../server/src/catalog/slots.ts";
import { canary, type HostileText, unseen } from "./hostileText.ts";

/**
 * Returns the parts of rendered Markdown that are more than text although they come from outside. Rendered
 * by the library that VS Code renders hovers with.
 */
export function markdownFaults(markdown: string, { marks }: Pick<HostileText, "marks"> = {}): readonly string[] {
  const tree = marked.lexer(markdown);
  const faults = new Set<string>([...tokensIn(tree)].flatMap(faultOf));
  if (unseen.test(markdown)) faults.add("a character that is not seen");
  const shown = textIn(tree);
  for (const { index } of marks ? shown.matchAll(new RegExp(canary, "g")) : []) {
    if (!shown.slice(0, index).endsWith(marks ?? "")) faults.add(`marks taken for Markdown: ${marks}`);
  }
  return [...faults];
}

/** Hosts of pages that the catalogue names; a link to another host, such as a block explorer, shows its target. */
const ownHosts: ReadonlySet<string> = new Set([
  ...[...bundledCatalog.methods, ...contracts, ...slots].map(({ source }) => hostOf(source)),
  ...[...bundledEvents, ...bundledFunctions].map(({ link }) => hostOf(link)),
]);

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Markup that the product itself never writes. */
const foreign: ReadonlySet<string> = new Set(["image", "html", "heading", "blockquote", "del", "def", "em", "br"]);

function faultOf(token: Token): readonly string[] {
  if (foreign.has(token.type)) return [token.type];
  switch (token.type) {
    case "link": {
      const { href, tokens } = token as Tokens.Link; // checked by its type
      const isOurs = ownHosts.has(hostOf(href)) || textIn(tokens).endsWith(hostOf(href) || "?");
      return isOurs && href.startsWith("https://") ? [] : ["a link"];
    }
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return ordered || items.some(({ task }) => task) ? ["a list"] : [];
    }
    case "code":
      return (token as Tokens.Code).lang === "json" ? [] : ["a block of code"];
    case "hr":
      return token.raw.trim() === "---" ? [] : ["a line"];
    case "text":
      return /&(?:#\w+|\w+);/.test(token.raw) && childrenOf(token).length === 0 ? ["an entity"] : [];
    default:
      return [];
  }
}

function* tokensIn(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token;
    yield* tokensIn(childrenOf(token));
  }
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table; // checked by its type
    return [...header, ...rows.flat()].flatMap(({ tokens }) => tokens);
  }
  if (token.type === "list") return (token as Tokens.List).items; // checked by its type
  return "tokens" in token && token.tokens ? token.tokens : [];
}

/** Returns the text that a reader sees. */
function textIn(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inner = childrenOf(token);
      if (inner.length > 0) return textIn(inner);
      if (token.type === "codespan" || token.type === "code") return " "; // text in code has no markup
      return "text" in token ? String(token.text) : "";
    })
    .join("");
}
