import { copyFrom } from "./copy.ts";
import { element, placeAt, reserve } from "./dom.ts";
import type { RenderContext } from "./types.ts";

export interface Reference {
  readonly value: string;
  readonly kind: "address" | "hash";
}

export interface Entry {
  readonly label: string;
  readonly run: () => void;
  /** Whether an item is on; absent for items that run. Pressing it leaves the menu open. */
  readonly checked?: boolean;
}

/** CSS pixels that are left free for a menu. */
const menuWidth = 220;

let close: (() => void) | undefined;

export function openMenu(anchor: HTMLElement, reference: Reference, context: RenderContext): void {
  showMenu(anchor, reference.value, entries(anchor, reference, context));
}

/** Opens a menu below an element. Arrow keys move, Escape closes it and gives the focus back. */
export function showMenu(anchor: HTMLElement, name: string, all: readonly Entry[]): void {
  close?.();
  const root = anchor.closest<HTMLElement>(".rpcn");
  if (!root) return;
  const items = all.map(itemView);
  const menu = element("div", { class: "menu", role: "menu", "aria-label": name }, ...items);
  const [base, place] = [root.getBoundingClientRect(), anchor.getBoundingClientRect()];
  placeAt(menu, Math.max(0, Math.min(place.left - base.left, base.width - menuWidth)), place.bottom - base.top + 2);
  const outside = ({ target }: Event): void => {
    if (!(target instanceof Node) || !menu.contains(target)) end(false);
  };
  const end = (refocus: boolean): void => {
    close = undefined;
    menu.remove();
    reserve(root, undefined);
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (refocus) anchor.focus({ preventScroll: true });
  };
  close = () => end(false);
  menu.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.getAttribute("role") === "menuitem") end(true);
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Tab") end(true);
    else if (!move(items, event)) return event.stopPropagation(); // Enter and Space press the item
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", outside, true);
  anchor.setAttribute("aria-expanded", "true");
  root.append(menu);
  reserve(root, Math.max(base.height, menu.getBoundingClientRect().bottom - base.top + 4));
  items[0]?.focus({ preventScroll: true });
}

function entries(
  anchor: HTMLElement,
  { value, kind }: Reference,
  { copy, act, output, explorer }: RenderContext,
): readonly Entry[] {
  const page = explorer === undefined ? undefined : `${explorer}/${kind === "address" ? "address" : "tx"}/${value}`;
  const forAddress: readonly Entry[] =
    act && kind === "address"
      ? [
          { label: "Add Label…", run: () => act({ kind: "label", address: value }) },
          { label: "Watch", run: () => act({ kind: "watch", address: value }) },
          { label: "Look Up Contract…", run: () => act({ kind: "look-up", address: value }) },
          { label: "Open Source…", run: () => act({ kind: "open-source", address: value }) },
        ]
      : [];
  return [
    { label: "Copy", run: () => void copyFrom(anchor, copy, value) },
    ...(act && page !== undefined ? [{ label: "Open in Explorer", run: () => act({ kind: "open", page }) }] : []),
    ...forAddress,
    ...(act ? [{ label: "Requests About This", run: () => act({ kind: "about", output, value }) }] : []),
  ];
}

function itemView({ label, run, checked }: Entry): HTMLElement {
  const isCheck = checked !== undefined;
  const item = element(
    "button",
    { type: "button", role: isCheck ? "menuitemcheckbox" : "menuitem", tabindex: "-1" },
    label,
  );
  if (isCheck) item.setAttribute("aria-checked", String(checked));
  item.addEventListener("click", () => {
    if (isCheck) item.setAttribute("aria-checked", String(item.getAttribute("aria-checked") !== "true"));
    run();
  });
  return item;
}

function move(items: readonly HTMLElement[], { key }: KeyboardEvent): boolean {
  const at = items.findIndex((item) => item.matches(":focus"));
  const last = items.length - 1;
  const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[key];
  if (next === undefined) return false;
  items[next]?.focus({ preventScroll: true });
  return true;
}

export function referenceButton(text: string, reference: Reference, context: RenderContext): HTMLButtonElement {
  const button = element(
    "button",
    {
      type: "button",
      class: "reference",
      title: reference.value,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": text === reference.value ? text : `${text}, ${reference.value}`,
    },
    text,
  );
  button.addEventListener("click", () => openMenu(button, reference, context));
  // The notebook would handle the key.
  button.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      openMenu(button, reference, context);
    }
    event.stopPropagation();
  });
  return button;
}
