import { element } from "./dom.ts";
import { prose } from "./prose.ts";
import type { Action, FailureSection, RenderContext } from "./types.ts";

/** Shows what went wrong (unless the headline says it), what to do, and buttons that do it. */
export function failureView(
  { what, todo, actions }: FailureSection,
  headline: string,
  context: RenderContext,
): readonly (HTMLElement | undefined)[] {
  const isSaid = headline.toLowerCase().includes(what.replace(/\.$/, "").toLowerCase());
  return [
    ...(isSaid ? [] : [element("p", { class: "what" }, ...prose(what))]),
    ...(todo === "" ? [] : [element("p", { class: "todo" }, ...prose(todo))]),
    actionsView(actions, context),
  ];
}

/** Buttons that do what a text advises. */
export function actionsView(actions: readonly Action[] = [], { act, output }: RenderContext): HTMLElement | undefined {
  const button = (action: Action): HTMLElement => {
    const made = element("button", { type: "button", class: "action" }, action.label);
    made.addEventListener("click", () => act?.({ kind: "action", output, action }));
    return made;
  };
  return act && actions.length > 0 ? element("p", { class: "actions" }, ...actions.map(button)) : undefined;
}
