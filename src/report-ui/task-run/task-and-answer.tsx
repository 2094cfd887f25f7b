import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { LongText } from './long-text.js';

/** The timeline should not have to be looked for. */
const atOnce = 500;

/** What was asked for, and what the agent answered. */
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
