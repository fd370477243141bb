import assert from "node:assert/strict";
import { isObject, type JsonObject, type JsonValue } from "../../server/src/base/json.ts";
import { importText } from "../../server/src/convert/importText.ts";

/** Checks that texts as people have them, which may begin with `[name of a file] `, have a {@link summary}, and no other error. */
export function readsEach(table: readonly (readonly string[])[]): void {
  for (const [says, ...texts] of table)
    for (const written of texts) {
      const [, file, text = ""] = /^(?:\[([\w.]+\.\w+)\] )?(.*)$/s.exec(written) ?? [];
      it(`reads ${text.replaceAll(/\s+/g, " ").slice(0, 80)}`, () => assert.equal(summary(text, file), says));
    }
}

/**
 * The endpoint, then each request (its name, method, parameters, and its own endpoint), then errors.
 *
 * @example summary("curl http://h -d '{\"method\":\"a\",\"params\":[1]}'"); //=> "http://h | a [1]"
 */
function summary(text: string, file?: string): string {
  const { notebook, endpoints, notes } = importText(text, undefined, {
    endpoints: {},
    secrets: new Map(),
    ...(file !== undefined && { file }),
  });
  const { endpoint, cells } = JSON.parse(notebook) as { endpoint?: string; cells: readonly JsonObject[] };
  const place = (name: JsonValue | undefined): string => {
    const entry = endpoints[String(name)];
    if (!isObject(entry)) return String(name ?? "nowhere");
    const headers = Object.entries(entry.headers ?? {}).map(([key, value]) => ` ${key}: ${value}`);
    return String(entry.url) + headers.join("");
  };
  const requests = cells
    .flatMap((cell) => (cell.markdown ? [] : ([cell.batch ?? cell].flat() as readonly JsonObject[])))
    .map(({ name, method, params, endpoint: own, text: broken }) =>
      broken
        ? "broken"
        : `${name ? `${String(name)}: ` : ""}${String(method)} ${JSON.stringify(params ?? [])}${own ? ` @${place(own)}` : ""}`,
    );
  const errors = notes.filter(({ severity }) => severity === "error").map(({ what }) => `error: ${what}`);
  return [place(endpoint), ...requests, ...errors].join(" | ");
}
