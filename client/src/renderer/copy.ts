import { element, icon, placeAt } from "./dom.ts";

/** Copies text to the clipboard; `false` if the host does not allow it. */
export type Copy = (text: string) => Promise<boolean>;

const pages =
  "M5 1h8.5A1.5 1.5 0 0 1 15 2.5V11h-1.5V2.5H5V1ZM2.5 4h8A1.5 1.5 0 0 1 12 5.5v8a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 1 13.5v-8A1.5 1.5 0 0 1 2.5 4Zm0 1.5v8h8v-8h-8Z";
const tick = "M13.6 3.4 15 4.8l-8.9 8.8L1 8.5l1.4-1.4 3.7 3.7 7.5-7.4Z";

/** Milliseconds for which a button shows that it has copied. */
const shownMs = 1500;

/**
 * A button that copies.
 *
 * @param text - Called when pressed: some texts are long.
 * @param label - Shown beside the icon; `undefined` for the icon alone.
 */
export function copyButton(copy: Copy, text: () => string, name: string, label?: string): HTMLButtonElement {
  const button = element("button", { type: "button", class: "copy", title: name, "aria-label": name });
  const show = (drawing: string, caption: string | undefined): void =>
    button.replaceChildren(icon(drawing), ...(caption === undefined ? [] : [caption]));
  show(pages, label);
  button.addEventListener("click", () => {
    void copy(text()).then((copied) => {
      show(copied ? tick : pages, copied ? label && "Copied" : "Not allowed");
      announce(button, copied ? "Copied" : "Cannot copy here");
      setTimeout(() => show(pages, label), shownMs);
    });
  });
  return button;
}

/** Copies, and says below an element whether that worked. */
export async function copyFrom(from: HTMLElement, copy: Copy, text: string): Promise<void> {
  const message = (await copy(text)) ? "Copied" : "Cannot copy here";
  announce(from, message);
  const root = from.closest<HTMLElement>(".rpcn");
  if (!root) return;
  const bubble = element("span", { class: "bubble", "aria-hidden": "true" }, message);
  const [base, place] = [root.getBoundingClientRect(), from.getBoundingClientRect()];
  placeAt(bubble, place.left - base.left, place.bottom - base.top + 2);
  root.append(bubble);
  setTimeout(() => bubble.remove(), shownMs);
}

function announce(from: Element, message: string): void {
  const place = from.closest(".rpcn")?.querySelector(":scope > [role=status]");
  if (place) place.textContent = message;
}
