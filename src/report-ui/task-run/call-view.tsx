import type { CallEntry } from '../../analysis/story/story-entry.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { counted, durationText, exactCount } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { FoldedText } from '../elements/folded-text.js';
import { exactTime } from './bar.js';
import { CallHead } from './call-head.js';
import { callName, callState, errorLine } from './call-words.js';
import { resultParts } from './result-parts.js';

interface CallViewProps {
  entry: CallEntry;
  wanted: boolean;
  markedBy: string | undefined;
}

/** A call that was recorded: one line, and all of it behind a click. */
export function CallView({ entry: { call, startMs }, wanted, markedBy }: CallViewProps) {
  const { tokens, durationMs } = call;
  return (
    <div
      class={`call-card ${callState(call) === undefined ? '' : 'unhappy'} ${markedBy ? 'marked' : ''}`}
    >
      <Fold
        wanted={wanted}
        summary={
          <CallHead
            number={call.call}
            name={callName(call)}
            args={call.args}
            state={callState(call)}
            markedBy={markedBy}
            error={errorLine(call)}
          >
            {tokens && (
              <span title="tokens of the arguments, and of the result">
                {counted(tokens.args, 'token')} in, {exactCount(tokens.result)} out
              </span>
            )}
            {durationMs !== null && <span>{durationText(durationMs)}</span>}
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
    startMs !== null ? `began ${exactTime(startMs)} after the start` : '',
    durationMs !== null ? `took ${exactTime(durationMs)}` : '',
    retries ? `sent again ${counted(retries, 'time')} with input that the server asked for` : '',
    call.blocked ? `blocked by ${call.blockedBy ?? 'the MCP config'}: it reached no server` : '',
    call.unfinished ? 'had no answer at the end' : '',
  ].filter(Boolean);
  const of = `call ${call.call}`;
  return (
    <>
      {times.length > 0 && <p class="quiet">{times.join('; ')}</p>}
      <h4>arguments</h4>
      {args === null || args === undefined ? (
        <p class="quiet">none</p>
      ) : (
        <FoldedText value={args} label={`arguments of ${of}`} />
      )}
      {error !== null && error !== undefined && (
        <>
          <h4>error</h4>
          <FoldedText value={error} label={`error of ${of}`} />
        </>
      )}
      {result !== null &&
        result !== undefined &&
        resultParts(result).map(({ title, value }, place) => (
          <div key={place}>
            <h4>{title === 'result' ? 'result' : `result: ${title}`}</h4>
            <FoldedText value={value} label={`result of ${of}, ${title}`} />
          </div>
        ))}
    </>
  );
}
