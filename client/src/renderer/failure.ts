import { element } from "./dom.ts";
import { prose } from "./prose.ts";
import type { Action, FailureSection, RenderContext } from "./types.ts";

/** Shows what went wrong (unless the headline says it), what to do, and buttons that do it. */
export function failureView(
  { what, todo, actions = [] }: FailureSection,
  headline: string,
  { act, output }: RenderContext,
): readonly HTMLElement[] {
  const isSaid = headline.toLowerCase().includes(what.replace(/\.$/, "").toLowerCase());
  const button = (action: Action): HTMLElement => {
    const made = element("button", { type: "button", class: "action" }, action.label);
    made.addEventListener("click", () => act?.({ kind: "action", output, action }));
    return made;
  };
  return [
    ...(isSaid ? [] : [element("p", { class: "what" }, ...prose(what))]),
    ...(todo === "" ? [] : [element("p", { class: "todo" }, ...prose(todo))]),
    ...(act && actions.length > 0 ? [element("p", { class: "actions" }, ...actions.map(button))] : []),
  ];
}
