import type { ReportIndex } from '../../report-data/report-data.js';
import type { AssertionRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { Fold, FoldedText, LongText } from '../elements/fold.js';
import { Arrow, OutcomeBadge, OutcomeSign } from '../elements/graphics.js';
import { formatName, joinWithAnd } from '../elements/text.js';
import { formatAssertionKey } from './story-entries.js';
import type { Pointer } from './task-run-page.js';

interface VerdictPanelProps {
  taskRun: TaskRunSoFar;
  /** Key of where the reason can be seen; null: nowhere. */
  evidence: string | null;
  onShow: (key: string) => void;
}

/** The verdict on a task run, and its reason. */
export function VerdictPanel({ taskRun, evidence, onShow }: VerdictPanelProps) {
  const { outcome, failure, task, run, runs } = taskRun;
  if (outcome === null) {
    return (
      <header class="verdict">
        <div class="verdict-title">
          <h1>{formatName(task)}</h1>
          <span class="quiet">recorded, not judged</span>
        </div>
      </header>
    );
  }
  return (
    <header class={`verdict ${outcome}`}>
      <div class="verdict-title">
        <h1>{formatName(task)}</h1>
        <span class="quiet">{runs > 1 ? `run ${run} of ${runs}` : `run ${run}`}</span>
        <OutcomeBadge outcome={outcome} />
        {failure && failure.category !== outcome && (
          <code class="verdict-category">{failure.category}</code>
        )}
      </div>
      {failure && (
        <div class="verdict-reason">
          <LongText text={failure.message} label="the reason" />
          {evidence !== null && (
            <button type="button" onClick={() => onShow(evidence)}>
              Show the evidence
            </button>
          )}
        </div>
      )}
      <p class={failure ? 'quiet' : ''}>{formatChecks(taskRun)}</p>
    </header>
  );
}

/** What was checked and with which result: a verdict is worth nothing without it. */
export function formatChecks({ verified, assertions }: TaskRunSoFar): string {
  return `${formatVerification(verified)}; ${formatAssertions(assertions)}.`;
}

function formatVerification(verified: boolean | null): string {
  if (verified === null) return 'Nothing was verified';
  return verified ? 'Verification passed' : 'Verification did not pass';
}

function formatAssertions(assertions: TaskRunSoFar['assertions']): string {
  const held = assertions.filter(({ passed }) => passed).length;
  if (assertions.length === 0) return 'no assertion was checked';
  if (held < assertions.length)
    return `${held} of ${formatPlural(assertions.length, 'assertion')} held`;
  if (held === 1) return 'its assertion held';
  return held === 2 ? 'both assertions held' : `all ${held} assertions held`;
}

interface ComparedNotesProps {
  index: ReportIndex;
  place: number;
}

/** Notes of comparisons on the task of this run, such as that it is judged differently. */
export function ComparedNotes({ index, place }: ComparedNotesProps) {
  const { sets, tasks, taskRuns } = index;
  const set = taskRuns.set[place];
  const task = tasks[taskRuns.task[place] ?? -1]?.name;
  const found = index.diffs.flatMap(({ base, set: current, diff }) => {
    if (set !== base && set !== current) return [];
    const isTask = (compared: { task: string; renamedFrom: string | null }) =>
      (set === current ? compared.task : (compared.renamedFrom ?? compared.task)) === task;
    const notes = diff.tasks.find(isTask)?.notes ?? [];
    return notes.length > 0 ? [{ base, current, notes }] : [];
  });
  const getSetName = (place: number) => formatName(sets[place]?.name ?? '');
  return (
    <>
      {found.map(({ base, current, notes }) => (
        <p class="notice" key={`${base} ${current}`}>
          <strong>
            {getSetName(base)} <Arrow /> {getSetName(current)}
          </strong>{' '}
          {notes.join('; ')}
        </p>
      ))}
    </>
  );
}

/** Characters of prompt and answer that are shown, few enough to leave the timeline in view. */
const atOnce = 500;

/** The prompt, and the final answer of the agent. */
export function TaskAndAnswer({ taskRun: { prompt, output } }: { taskRun: TaskRunSoFar }) {
  return (
    <div class="task-and-answer">
      {prompt !== null && (
        <section class="panel" aria-labelledby="prompt-title">
          <h2 id="prompt-title">Prompt</h2>
          <LongText text={prompt.trim()} label="the prompt" atOnce={atOnce} />
        </section>
      )}
      <section class="panel" aria-labelledby="answer-title">
        <h2 id="answer-title">Final answer</h2>
        {output.trim() === '' ? (
          <p class="quiet">none</p>
        ) : (
          <LongText text={output.trim()} label="the final answer" atOnce={atOnce} />
        )}
      </section>
    </div>
  );
}

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
