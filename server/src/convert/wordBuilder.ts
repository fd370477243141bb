import { span } from "../base/span.ts";
import type { Word } from "./quoted.ts";

/** Collects one word with the places of its characters. */
export class WordBuilder {
  text = "";
  readonly places: number[] = [];
  start = -1;

  begin(at: number): void {
    if (this.start < 0) this.start = at;
  }

  add(characters: string, at: number): void {
    this.begin(at);
    for (let i = 0; i < characters.length; i++) this.places.push(at);
    this.text += characters;
  }

  /** @returns `undefined` between words. */
  end(at: number): Word | undefined {
    if (this.start < 0) return undefined;
    const word = { text: this.text, places: [...this.places, at], span: span(this.start, at) };
    this.text = "";
    this.places.length = 0;
    this.start = -1;
    return word;
  }
}
