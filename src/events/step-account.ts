import type { Judgement } from './judgement.js';
import type { RawJson } from './raw-json.js';

/** What a step did, as far as its outputs do not tell. Texts are cut to a sensible length. */
export interface StepAccount {
  /** Of `script`: what was run. */
  script?: {
    /** From the task's folder; an inline script has none. */
    file?: string;
    /** Its beginning. */
    text: string;
  };
  /** Of `http`: what was asked. */
  request?: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string>>;
    body?: string;
  };
  /** Of `http`: what came back, after redirects. */
  response?: {
    status: number;
    headers: Readonly<Record<string, string>>;
    /** Length of the body. */
    bytes: number;
    /** Addresses that it was sent on to, in order. */
    redirects?: string[];
  };
  /** Of `<server>.<tool>` and `<extension>.<operation>`: the arguments, placeholders replaced. */
  args?: RawJson;
  /** Of `<extension>.<operation>`: what the extension logged while it ran. */
  log?: { level: string; message: string }[];
  /** Of `llmJudge`. */
  judgement?: Judgement;
  /** Every expectation that did not hold, with the value that was found. */
  unmet?: string[];
}
