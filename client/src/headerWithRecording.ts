import { member } from "../../server/src/notebook/json.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";

/**
 * Returns the change that lets the header of a notebook name a recording. Offsets are UTF-16 code units.
 *
 * @returns `undefined` if the text is not an object.
 */
export function headerWithRecording(
  header: string,
  name: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  const { root, faults } = readCell(header, "header");
  if (root?.type !== "object" || faults.length > 0) return undefined;
  const text = JSON.stringify(name);
  const known = member(root, "recording");
  if (known) return { start: known.offset, end: known.offset + known.length, text };
  const at = root.offset + 1;
  const [first] = root.children ?? [];
  const gap = first ? header.slice(at, first.offset) : " ";
  return { start: at, end: at, text: `${gap}"recording": ${text}${first ? "," : " "}` };
}
