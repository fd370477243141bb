/** An explanation of a problem: what is wrong, and what to do, in a sentence or two each. */
export interface Explanation {
  readonly what: string;
  readonly todo: string;
}
