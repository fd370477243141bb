/** What is wrong, and what to do: a sentence or two each. */
export interface Explanation {
  readonly what: string;
  readonly todo: string;
}
