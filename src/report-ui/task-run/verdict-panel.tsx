import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { OutcomeBadge } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { LongText } from './long-text.js';
import { checksInWords } from './verdict-words.js';

interface VerdictPanelProps {
  taskRun: TaskRunSoFar;
  /** Where the reason can be seen; null: nowhere. */
  evidence: string | null;
  onShow: (key: string) => void;
}

/** What it came to, and why. */
export function VerdictPanel({ taskRun, evidence, onShow }: VerdictPanelProps) {
  const { outcome, failure, task, run, runs } = taskRun;
  if (outcome === null) {
    return (
      <header class="verdict">
        <div class="verdict-title">
          <h1>{shortName(task)}</h1>
          <span class="quiet">recorded, not judged</span>
        </div>
      </header>
    );
  }
  return (
    <header class={`verdict ${outcome}`}>
      <div class="verdict-title">
        <h1>{shortName(task)}</h1>
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
      <p class={failure ? 'quiet' : ''}>{checksInWords(taskRun)}</p>
    </header>
  );
}
