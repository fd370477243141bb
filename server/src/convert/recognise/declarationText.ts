import type { Description, DescriptionReading } from "../../report/describe.ts";
import { abiShown, inlineText } from "../../report/shown.ts";
import type { RecogniseScope } from "./reading.ts";

/** A declaration with its values on one line: `transfer(to: 0x…, value: 5)`. */
export function valuesText({ signature, values }: DescriptionReading, { labels }: RecogniseScope): string {
  const [name = ""] = signature.split("(");
  const shown = values.map(({ name: argument, type, value, hashed }) => {
    const text = hashed ? `hash ${String(value)}` : inlineText(abiShown(value, type, labels));
    return `${argument}${argument === "" ? "" : ": "}${text}`;
  });
  return `${name}(${shown.join(", ")})`;
}

/** The first declaration that fits, and where it is from. */
export function sourceText({ readings: [best] }: Description): string {
  if (!best) return "";
  const { sources, guess } = best;
  return ` Declared by ${sources.slice(0, 3).join(", ")}${guess ? "; guessed, since others may use the same bytes" : ""}.`;
}
