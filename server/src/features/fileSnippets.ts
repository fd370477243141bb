import type { CursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { markdown } from "../base/markdown.ts";
import { newRequest } from "./keys.ts";
import { type Snippet, stop } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests what a file without cells may become: a notebook, or a single request. */
export function fileSnippets(place: CursorContext, scope: Scope): readonly Suggestion[] {
  if (place.kind === "value") return place.owner.kind === "cell" ? [notebook(scope)] : [];
  if (place.owner.kind !== "header" || place.hasValue) return [];
  const cells: Suggestion = {
    label: "cells",
    kind: "key",
    detail: "The requests of the notebook",
    documentation: () => markdown`Requests, batches and Markdown, in order.`,
    insert: `"cells": ${list}`,
  };
  return place.siblings.length === 0 ? [cells, ...newRequest(place, scope)] : [cells];
}

/** A list of cells with the cursor in it. */
const list: Snippet = `[\n  ${stop(0)}\n]`;

function notebook({ endpoints }: Scope): Suggestion {
  const names = endpoints.map(({ name }) => JSON.stringify(name).slice(1, -1));
  const endpoint = stop(1, names[0] ?? "local");
  const variables = `{ ${stop(2)} \\}`;
  return {
    label: "notebook",
    kind: "request",
    detail: "A notebook: an endpoint, variables and cells",
    documentation: () =>
      markdown`The \`endpoint\` of its requests, \`variables\` for placeholders, and \`cells\` for the requests.`,
    insert: `{\n  "endpoint": "${endpoint}",\n  "variables": ${variables},\n  "cells": [\n    ${stop(0)}\n  ]\n\\}`,
  };
}
