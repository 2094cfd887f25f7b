import type { ReportIndex } from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { formatPlural } from '../elements/amounts.js';
import { LongText } from '../elements/fold.js';
import { Arrow, OutcomeBadge } from '../elements/graphics.js';
import { formatName } from '../elements/text.js';

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
