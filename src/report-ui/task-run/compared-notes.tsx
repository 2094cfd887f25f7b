import type { ReportIndex } from '../../report-data/report-data.js';
import { Arrow } from '../elements/arrow.js';
import { shortName } from '../elements/short-name.js';

interface ComparedNotesProps {
  index: ReportIndex;
  place: number;
}

/** What a comparison says of the task of this run: that it is judged differently, or why it fails now. */
export function ComparedNotes({ index, place }: ComparedNotesProps) {
  const { sets, tasks, taskRuns } = index;
  const set = taskRuns.set[place];
  const task = tasks[taskRuns.task[place] ?? -1]?.name;
  const found = index.diffs.flatMap(({ base, set: current, diff }) => {
    if (set !== base && set !== current) return [];
    const isTask = (each: { task: string; renamedFrom: string | null }) =>
      (set === current ? each.task : (each.renamedFrom ?? each.task)) === task;
    const notes = diff.tasks.find(isTask)?.notes ?? [];
    return notes.length > 0 ? [{ base, current, notes }] : [];
  });
  const nameOf = (place: number) => shortName(sets[place]?.name ?? '');
  return (
    <>
      {found.map(({ base, current, notes }) => (
        <p class="notice" key={`${base} ${current}`}>
          <strong>
            {nameOf(base)} <Arrow /> {nameOf(current)}
          </strong>{' '}
          {notes.join('; ')}
        </p>
      ))}
    </>
  );
}
