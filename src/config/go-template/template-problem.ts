/** A stretch of a template; offsets count UTF-16 units of its source. */
export interface Span {
  offset: number;
  length: number;
}

/** What is wrong with a template, and where. */
export interface TemplateProblem extends Span {
  message: string;
  hint?: string;
}

/** Notes a problem; gives undefined, which a parser can return for what it could not read. */
export type Report = (where: Span, message: string, hint?: string) => undefined;
