import type { ComponentChildren } from 'preact';
import type { CallEntry, OwnCallEntry } from '../../analysis/story/story-entry.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { formatCount, formatDuration, formatExactTime, formatPlural } from '../elements/amounts.js';
import { Fold, FoldedText, NamedText } from '../elements/fold.js';
import { OutcomeSign } from '../elements/graphics.js';
import { formatName } from '../elements/text.js';
import {
  findCallState,
  formatCallError,
  formatCallName,
  formatOneLine,
  splitResult,
} from './call-text.js';

interface CallViewProps {
  entry: CallEntry;
  wanted: boolean;
  markedBy: string | undefined;
}

/** A recorded call: one line, and all of it in a fold. */
export function CallView({ entry: { call, startMs }, wanted, markedBy }: CallViewProps) {
  const { tokens, durationMs } = call;
  return (
    <div
      class={`call-card ${findCallState(call) === undefined ? '' : 'unhappy'} ${markedBy ? 'marked' : ''}`}
    >
      <Fold
        wanted={wanted}
        summary={
          <CallHead
            number={call.call}
            name={formatCallName(call)}
            args={call.args}
            state={findCallState(call)}
            markedBy={markedBy}
            error={formatCallError(call)}
          >
            {tokens && (
              <span title="tokens of the arguments, and of the result">
                {formatPlural(tokens.args, 'token')} in, {formatCount(tokens.result)} out
              </span>
            )}
            {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
          </CallHead>
        }
      >
        {() => <CallBody call={call} startMs={startMs} />}
      </Fold>
    </div>
  );
}

function CallBody({ call, startMs }: { call: CallRecord; startMs: number | null }) {
  const { args, result, error, durationMs, retries } = call;
  const times = [
    startMs !== null ? `started at ${formatExactTime(startMs)}` : '',
    durationMs !== null ? `took ${formatExactTime(durationMs)}` : '',
    retries
      ? `sent again ${formatPlural(retries, 'time')} with input that the server requested`
      : '',
    call.blocked
      ? `blocked by ${call.blockedBy ?? 'the MCP config'}; it did not reach the server`
      : '',
    call.unfinished ? 'never answered' : '',
  ].filter(Boolean);
  const name = `call ${call.call}`;
  return (
    <>
      {times.length > 0 && <p class="quiet">{times.join('; ')}</p>}
      <NamedText name="arguments" value={args} owner={name} />
      {error !== null && error !== undefined && (
        <NamedText name="error" value={error} owner={name} />
      )}
      {result !== null &&
        result !== undefined &&
        splitResult(result).map(({ title, value }, place) => (
          <div key={place}>
            <h4>{title === 'result' ? 'result' : `result: ${title}`}</h4>
            <FoldedText value={value} label={`result of ${name}, ${title}`} />
          </div>
        ))}
    </>
  );
}

interface CallHeadProps {
  number?: number;
  name: string;
  args: unknown;
  /** What is unusual about the call; undefined: nothing. */
  state: string | undefined;
  markedBy: string | undefined;
  error: string | undefined;
  /** Amounts at the end of the line. */
  children?: ComponentChildren;
}

/** A call in one or two lines, which the fold has as its summary. */
function CallHead({ number, name, args, state, markedBy, error, children }: CallHeadProps) {
  return (
    <span class="call-head fold-mark">
      {number !== undefined && <span class="call-number">{number}</span>}
      <span class="call-what">
        <span class="call-name">{name}</span>
        {args !== null && args !== undefined && (
          <code class="call-args">{formatOneLine(args)}</code>
        )}
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

const notReported = 'not reported by the agent';

interface OwnCallViewProps {
  entry: OwnCallEntry;
  wanted: boolean;
  markedBy: string | undefined;
}

/**
 * A call of a built-in tool of the agent, or one that reached no server: only the agent reports it.
 */
export function OwnCallView({ entry, wanted, markedBy }: OwnCallViewProps) {
  const { args, result } = entry;
  const tool = formatName(entry.tool);
  return (
    <div class={`call-card own ${result?.isError ? 'unhappy' : ''} ${markedBy ? 'marked' : ''}`}>
      <Fold
        wanted={wanted}
        summary={
          <CallHead
            name={tool}
            args={args}
            state={result?.isError ? 'error' : undefined}
            markedBy={markedBy}
            error={result?.isError ? formatOneLine(result.text) : undefined}
          >
            <span>reported by the agent, not recorded</span>
          </CallHead>
        }
      >
        {() => (
          <>
            <NamedText name="arguments" value={args} missing={notReported} owner={tool} />
            <NamedText name="result" value={result?.text} missing={notReported} owner={tool} />
          </>
        )}
      </Fold>
    </div>
  );
}
