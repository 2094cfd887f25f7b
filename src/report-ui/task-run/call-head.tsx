import type { ComponentChildren } from 'preact';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { inOneLine } from './call-words.js';

interface CallHeadProps {
  number?: number;
  name: string;
  args: unknown;
  /** What is out of the ordinary about it. */
  state: string | undefined;
  markedBy: string | undefined;
  error: string | undefined;
  /** Amounts. */
  children?: ComponentChildren;
}

/** A call in a line or two. */
export function CallHead({ number, name, args, state, markedBy, error, children }: CallHeadProps) {
  return (
    <span class="call-head fold-mark">
      {number !== undefined && <span class="call-number">{number}</span>}
      <span class="call-what">
        <span class="call-name">{name}</span>
        {args !== null && args !== undefined && <code class="call-args">{inOneLine(args)}</code>}
      </span>
      <span class="call-amounts">
        {state !== undefined && (
          <span class="call-state">
            <OutcomeSign outcome="failed" />
            {state}
          </span>
        )}
        {children}
      </span>
      {error !== undefined && error !== '' && <span class="call-error">{error}</span>}
      {markedBy !== undefined && <span class="call-mark">shows {markedBy}</span>}
    </span>
  );
}
