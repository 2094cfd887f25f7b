import type { AssertionRecord } from '../../results/task-run-record.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { Fold, FoldedText, LongText } from '../elements/fold.js';
import { OutcomeSign } from '../elements/graphics.js';
import { formatName, joinWithAnd } from '../elements/text.js';
import { formatAssertionKey } from './story-entries.js';
import type { Pointer } from './task-run-page.js';

interface AssertionListProps {
  assertions: AssertionRecord[];
  pointer: Pointer;
  onChoose: (key: string) => void;
}

/** The assertions, those that did not hold first. Choosing one leads to its calls. */
export function AssertionList({ assertions, pointer, onChoose }: AssertionListProps) {
  const placed = assertions.map((assertion, place) => ({
    assertion,
    key: formatAssertionKey(place),
  }));
  const inOrder = [
    ...placed.filter(({ assertion }) => !assertion.passed),
    ...placed.filter(({ assertion }) => assertion.passed),
  ];
  return (
    <section class="assertions" aria-labelledby="assertions-title">
      <h2 id="assertions-title">Assertions</h2>
      {assertions.length === 0 && <p class="quiet">none was checked</p>}
      <ul>
        {inOrder.map(({ assertion, key }) => (
          <li
            key={key}
            id={key}
            tabIndex={-1}
            class={`assertion ${assertion.passed ? 'held' : 'broken'}`}
          >
            <Assertion
              assertion={assertion}
              isChosen={pointer.key === key}
              onChoose={() => onChoose(key)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AssertionProps {
  assertion: AssertionRecord;
  isChosen: boolean;
  onChoose: () => void;
}

function Assertion({ assertion, isChosen, onChoose }: AssertionProps) {
  const { passed, reason, details, at, calls } = assertion;
  const name = formatName(assertion.name);
  return (
    <>
      <div class="assertion-head">
        <OutcomeSign outcome={passed ? 'passed' : 'failed'} />
        <h3>{name}</h3>
        <span class="assertion-verdict">{passed ? 'held' : 'did not hold'}</span>
      </div>
      <LongText text={reason} label={`why ${name} ${passed ? 'held' : 'did not hold'}`} />
      <Details details={details.slice(0, mostDetails)} assertion={name} />
      {details.length > mostDetails && (
        <Fold summary={`${formatCount(details.length - mostDetails)} more`}>
          {() => (
            <FoldedText
              value={details.slice(mostDetails).join('\n')}
              label={`details of ${name}`}
            />
          )}
        </Fold>
      )}
      <div class="assertion-foot">
        {calls.length > 0 && (
          <button type="button" aria-pressed={isChosen} onClick={onChoose}>
            Show {formatCalls(calls)}
          </button>
        )}
        {at && (
          <code class="quiet">
            {at.file}:{at.line}
          </code>
        )}
      </div>
    </>
  );
}

const mostDetails = 20;

function Details({ details, assertion }: { details: readonly string[]; assertion: string }) {
  if (details.length === 0) return null;
  return (
    <ul class="assertion-details">
      {details.map((detail, place) => (
        <li key={place}>
          <LongText text={detail} label={`detail of ${assertion}`} />
        </li>
      ))}
    </ul>
  );
}

const mostNamed = 6;

/** Names calls by number; 0 stands for built-in tools of the agent. */
function formatCalls(calls: readonly number[]): string {
  const recorded = calls.filter((call) => call > 0);
  if (recorded.length === 0) return "the agent's own tools";
  if (recorded.length > mostNamed) return formatPlural(recorded.length, 'call');
  return `${recorded.length === 1 ? 'call' : 'calls'} ${joinWithAnd(recorded.map(String))}`;
}
