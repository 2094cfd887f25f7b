import type { ComponentChildren } from 'preact';
import type { ResultsDiff } from '../../analysis/diff/results-diff.js';
import { formatPercent } from '../elements/amounts.js';
import { formatName } from '../elements/text.js';

/** Tools and tasks that differ between base and current. */
export function Changes({ diff }: { diff: ResultsDiff }) {
  const { tools, added, removed } = diff;
  const renamed = diff.tasks.filter(({ renamedFrom }) => renamedFrom !== null);
  const hasTasks = added.length + removed.length + renamed.length > 0;
  return (
    <div class="compare-panels">
      <section class="panel changes" aria-labelledby="tool-changes-title">
        <h2 id="tool-changes-title">Tools</h2>
        {tools.length === 0 && <p class="quiet">No tool changed.</p>}
        <ul class="change-list">
          {tools.map((tool) => (
            <Change key={`${tool.server}.${tool.tool}`} kind={tool.change}>
              <code>
                {formatName(tool.server)}.{formatName(tool.tool)}
              </code>
              {tool.parts.length > 0 && <span class="quiet"> {tool.parts.join(', ')}</span>}
            </Change>
          ))}
        </ul>
      </section>
      <section class="panel changes" aria-labelledby="task-changes-title">
        <h2 id="task-changes-title">Tasks</h2>
        {!hasTasks && <p class="quiet">Both have the same tasks.</p>}
        <ul class="change-list">
          {[
            ...added.map((task) => ({ ...task, kind: 'added' })),
            ...removed.map((task) => ({ ...task, kind: 'removed' })),
          ].map(({ task, side, kind }) => (
            <Change key={`${kind} ${task}`} kind={kind}>
              <bdi>{formatName(task)}</bdi>{' '}
              <span class="quiet">
                {side.passed} of {side.judged} passed, {formatPercent(side.rate)}
              </span>
            </Change>
          ))}
          {renamed.map(({ task, renamedFrom }) => (
            <Change key={`renamed ${task}`} kind="renamed">
              <bdi>{formatName(task)}</bdi>{' '}
              <span class="quiet">was {formatName(renamedFrom ?? '')}</span>
            </Change>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Change({ kind, children }: { kind: string; children: ComponentChildren }) {
  return (
    <li>
      <span class={`change ${kind}`}>{kind}</span> <span>{children}</span>
    </li>
  );
}
