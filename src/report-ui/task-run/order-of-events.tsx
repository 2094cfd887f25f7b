import { exactCount } from '../elements/amounts.js';
import { shortName } from '../elements/short-name.js';
import { callName, callState } from './call-words.js';
import { type ShownEntry, storyKey } from './story-keys.js';
import { isOneOf } from './story-target.js';

interface OrderOfEventsProps {
  story: readonly ShownEntry[];
  marked: ReadonlySet<number>;
  onShow: (key: string) => void;
}

const most = 200;

/** In place of the timeline, where the results do not tell when things happened. */
export function OrderOfEvents({ story, marked, onShow }: OrderOfEventsProps) {
  const events = story.filter(({ kind }) => kind === 'step' || kind === 'call');
  if (events.length === 0) return null;
  return (
    <section class="panel order-of-events" aria-labelledby="order-title">
      <h2 id="order-title">Order of events</h2>
      <p class="quiet">The results do not tell how long each of these took.</p>
      <ol>
        {events.slice(0, most).map((entry) => (
          <li key={storyKey(entry)}>
            <button
              type="button"
              class={isOneOf(entry, marked) ? 'marked' : ''}
              onClick={() => onShow(storyKey(entry))}
            >
              {nameOf(entry)}
            </button>
          </li>
        ))}
      </ol>
      {events.length > most && (
        <p class="quiet">and {exactCount(events.length - most)} more, further down</p>
      )}
    </section>
  );
}

function nameOf(entry: ShownEntry): string {
  if (entry.kind === 'call') {
    const state = callState(entry.call);
    return `${callName(entry.call)}${state ? ` (${state})` : ''}`;
  }
  if (entry.kind !== 'step') return entry.kind;
  const { phase, step } = entry;
  return `${phase}: ${shortName(step.kind)}${step.passed ? '' : ` (${step.outcome})`}`;
}
