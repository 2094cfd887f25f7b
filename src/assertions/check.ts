/** A call of the agent, as far as assertions look at it. */
export interface AgentCall {
  /** Place in the order of arrival; calls may be seen in another order. */
  call: number;
  kind: 'tool' | 'resource' | 'prompt' | 'skill';
  /** Empty for a skill. */
  server: string;
  /** Tool or prompt; of a resource its URI; of a skill its name. */
  name: string;
  /** Parsed JSON; it may be nested very deeply. Undefined: none were given. */
  args: unknown;
  /** The same for telling calls apart: numbers that a double does not hold are texts. */
  exactArgs?: unknown;
  isError: boolean;
  /** The proxy did not let it through: the agent tried, and nothing happened. */
  blocked: boolean;
  /** What its redacted parts are taken for. Undefined: nothing of it is redacted. */
  redacted?: Redacted;
}

/**
 * A record does not have what was redacted in it. It can be taken for whatever would fit, or for something
 * that never does: a verdict that is the same both times is certain.
 */
export type Redacted = 'fits' | 'differs';

/** What an assertion says in the end. */
export interface Verdict {
  passed: boolean;
  /** What was expected, and what happened instead, in a sentence. */
  reason: string;
  /** More of it, item by item. */
  details?: string[];
  /** `call` numbers of the calls that show it, ascending. */
  calls: number[];
}

/** One assertion over one task run, fed with calls as they end. */
export interface Check {
  see(call: AgentCall): void;
  /** May be asked at any time; says how things stand with what was seen. */
  verdict(): Verdict;
}
