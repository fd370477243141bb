import { byteLength, isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { addressShown, badShown } from "./shown.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";

/** Characters of bytecode that a report shows. */
const maxCode = 4000;

/**
 * The result of `eth_getCode`: none, a contract, or an account that runs the code of another one.
 * @see https://eips.ethereum.org/EIPS/eip-7702 (the 23 bytes of a delegation)
 */
export function codeView(code: JsonValue, { labels }: ViewContext): View {
  if (!isHex(code)) return valueView(badShown(code, "not bytes"));
  if (code === "0x")
    return {
      summary: "no code",
      sections: [{ kind: "note", text: "There is no contract at that address in that block." }],
    };
  if (/^0xef0100[0-9a-f]{40}$/i.test(code)) {
    const target = addressShown(`0x${code.slice(8)}`, labels);
    return {
      summary: `delegated account, runs the code of ${target.text}`,
      sections: [
        {
          kind: "fields",
          fields: [
            { name: "delegates to", value: target },
            { name: "on the wire", value: { text: code, role: "bytes" } },
          ],
        },
      ],
    };
  }
  return {
    summary: `contract, ${plural(byteLength(code), "byte")} of code`,
    sections: [{ kind: "text", title: "Bytecode", text: code.slice(0, maxCode), length: code.length }],
  };
}
