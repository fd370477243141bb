import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { closingBracket } from "../base/jsonScan.ts";
import { maxCharacters } from "./type.ts";

/** Finds the objects that are members of a name in the text of a large JSON file, without reading the rest of it. */
export function* membersInText(text: string, name: string): Generator<JsonObject> {
  const key = new RegExp(`"${name}"\\s*:\\s*(?=\\{)`, "g");
  for (let match = key.exec(text); match; match = key.exec(text)) {
    const end = closingBracket(text, key.lastIndex, maxCharacters);
    if (end === undefined) return; // the text is not JSON
    const member = parseJson(text.slice(key.lastIndex, end));
    if (isObject(member)) yield member;
    key.lastIndex = end;
  }
}
