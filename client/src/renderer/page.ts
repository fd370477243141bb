import { outputView } from "./reportView.ts";
import { paperStyle, style } from "./style.ts";
import type { PageContext, Report } from "./types.ts";

// The script of an exported page: draws each result in place of its text. The page is without an editor and a server.

const context = {
  copy: (text: string): Promise<boolean> =>
    navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    ),
  ask: undefined,
  act: undefined,
  output: "",
} satisfies PageContext;

const all: readonly (readonly Report[])[] = JSON.parse(document.getElementById("results")?.textContent ?? "[]"); // written by our own server
const places = [...document.querySelectorAll<HTMLElement>("[data-result]")].map((place) => ({
  place,
  reports: all[Number(place.dataset.result)] ?? [],
}));

const sheet = new CSSStyleSheet(); // the page's policy allows no other style
sheet.replaceSync(style + paperStyle);
document.adoptedStyleSheets = [sheet];
for (const { place, reports } of places) place.replaceChildren(outputView(reports, context));

/** The results on the screen before the page is printed. */
let onScreen: readonly (readonly Node[])[] = [];

addEventListener("beforeprint", () => {
  if (onScreen.length > 0) return;
  onScreen = places.map(({ place }) => [...place.childNodes]);
  for (const { place, reports } of places) {
    place.replaceChildren(outputView(reports, { ...context, showsAllRows: true }));
    openAll(place);
  }
});

addEventListener("afterprint", () => {
  for (const [at, { place }] of places.entries()) place.replaceChildren(...(onScreen[at] ?? place.childNodes));
  onScreen = [];
});

/** Opens every section, since nothing can be opened on paper. */
function openAll(place: HTMLElement): void {
  for (const button of place.querySelectorAll<HTMLElement>(".folds button, .hex")) button.click();
  for (const details of place.querySelectorAll<HTMLDetailsElement>("details:not(.about)")) details.open = true;
}
