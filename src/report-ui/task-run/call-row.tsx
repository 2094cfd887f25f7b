import { useMemo } from 'preact/hooks';
import type { CallRecord } from '../../results/task-run-record.js';
import { exactCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { Bar, type BarRowProps, fromTo } from './bar.js';
import { BarGroup } from './bar-group.js';
import { type CallBar, callBars, isNamedBefore } from './call-bars.js';
import { callName, callState } from './call-words.js';
import { callKey } from './story-keys.js';
import type { TimelineCall } from './timeline.js';

interface CallRowProps extends BarRowProps {
  calls: TimelineCall[];
  marked: ReadonlySet<number>;
}

export function CallRow({ calls, marked, part, onShow, onTell }: CallRowProps) {
  const { bars, lanes, named } = useMemo(
    () => callBars(calls, part),
    [calls, part.start, part.end],
  );
  if (bars.length === 0) return null;
  return (
    <BarGroup label="Calls" count={bars.length} lanes={lanes}>
      {(tabStop) =>
        bars.map((bar, place) => {
          const [call] = bar.calls;
          const isMarked = bar.calls.some((each) => marked.has(each.call));
          const bad = bar.calls.filter((each) => each.isError).length / bar.calls.length;
          return (
            <Bar
              key={call.call}
              span={bar}
              part={part}
              lane={bar.lane}
              bad={bad}
              class={`call ${bad === 1 ? 'unhappy' : ''} ${isMarked ? 'marked' : ''}`}
              label={labelOf(bar, isMarked)}
              tabIndex={place === tabStop ? 0 : -1}
              onTell={onTell}
              onSelect={() => onShow(callKey(call.call))}
            >
              {named && (
                <span class={`bar-name ${isNamedBefore(bar, part) ? 'before' : ''}`}>
                  {bad > 0 && <OutcomeSign outcome="failed" />}
                  {shortName(call.name)}
                </span>
              )}
            </Bar>
          );
        })
      }
    </BarGroup>
  );
}

function labelOf(bar: CallBar, isMarked: boolean): string {
  const mark = isMarked ? ', pointed out' : '';
  const [call, ...others] = bar.calls;
  if (others.length === 0) return `${describe(call)}${mark}: ${fromTo(bar)}${tokensOf(call)}`;
  const errors = bar.calls.filter(({ isError }) => isError).length;
  const failed = errors > 0 ? `, ${exactCount(errors)} with an error` : '';
  return `${exactCount(bar.calls.length)} calls from ${call.call} on${failed}${mark}: ${fromTo(bar)}`;
}

function describe(call: CallRecord): string {
  const state = callState(call);
  return `call ${call.call}, ${callName(call)}${state ? `, ${state}` : ''}`;
}

function tokensOf({ tokens }: CallRecord): string {
  if (!tokens) return '';
  return `, ${exactCount(tokens.args)} tokens of arguments, ${exactCount(tokens.result)} of result`;
}
