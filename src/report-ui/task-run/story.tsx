import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { readHistoryState } from '../routing/navigation.js';
import { useKeys } from '../shell/keyboard.js';
import {
  findNeighbouringCall,
  findStoryTarget,
  formatStoryKey,
  isOneOfCalls,
  isOpenAtFirst,
  type ShownEntry,
  type StoryPart,
  splitStory,
} from './story-entries.js';
import { StoryEntryView } from './story-entry-view.js';
import type { Pointer } from './task-run-page.js';

interface StoryProps {
  story: readonly ShownEntry[];
  pointer: Pointer;
  /** Numbers of the calls that the chosen assertion points at; `markedBy`: its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
  /** Called to go to the next or previous call. */
  onStep: (key: string) => void;
}

/** All that happened in a task run, in order. */
export function Story({ story, pointer, marked, markedBy, onStep }: StoryProps) {
  const target = useMemo(
    () => findStoryTarget(story, pointer.key, marked),
    [story, pointer, marked],
  );
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const key = target?.key ?? pointer.key;
    // Back from a jump: to where the page was scrolled before.
    if (key === null && !isFirst.current) scrollTo(0, readHistoryState().scrolledTo ?? scrollY);
    isFirst.current = false;
    const element = key === null ? null : document.getElementById(key);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [pointer.key, pointer.times]);
  const goToCall = (step: 1 | -1) => {
    const key = findNeighbouringCall(story, target?.place, step);
    if (key === undefined) return false;
    onStep(key);
  };
  useKeys({ j: () => goToCall(1), k: () => goToCall(-1) });
  const parts = splitStory(story.length);
  return (
    <section class="story" aria-labelledby="story-title">
      <h2 id="story-title">What happened</h2>
      {parts.map((part, number) => {
        const wanted = target !== undefined && isInPart(target.place, part);
        return (
          <StoryPartView
            key={part.start}
            story={story}
            part={part}
            openAtFirst={isOpenAtFirst(number, parts.length)}
            wanted={wanted}
            pointedAt={wanted ? pointer.key : null}
            marked={marked}
            markedBy={markedBy}
          />
        );
      })}
    </section>
  );
}

function isInPart(place: number, { start, end }: StoryPart): boolean {
  return place >= start && place < end;
}

interface StoryPartViewProps {
  story: readonly ShownEntry[];
  part: StoryPart;
  openAtFirst: boolean;
  /** Whether the entry to be shown is in this part. */
  wanted: boolean;
  /** Key of the entry that is pointed at, if it is in this part. */
  pointedAt: string | null;
  /** Numbers of the calls that the chosen assertion points at; `markedBy`: its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
}

function StoryPartView(props: StoryPartViewProps) {
  const { part, openAtFirst, wanted } = props;
  const [opened, setOpened] = useState(openAtFirst);
  const printing = usePrinting();
  // A state, so that the part stays open when another entry is pointed at.
  if (wanted && !opened) setOpened(true);
  if (!opened && !wanted && !printing) {
    const name = `entries ${formatCount(part.start + 1)} to ${formatCount(part.end)}`;
    return (
      <button
        type="button"
        class="story-more"
        aria-label={`show ${name}`}
        onClick={() => setOpened(true)}
      >
        {name}
      </button>
    );
  }
  return <Entries {...props} />;
}

function Entries({ story, part, pointedAt, marked, markedBy }: StoryPartViewProps) {
  // A jump changes one or two entries: memoised, so that the others are not rendered again.
  return useMemo(
    () => (
      <ol start={part.start + 1}>
        {story.slice(part.start, part.end).map((entry) => {
          const key = formatStoryKey(entry);
          return (
            <li key={key} id={key} tabIndex={-1} class={`story-entry ${entry.kind}`}>
              <StoryEntryView
                entry={entry}
                isTarget={key === pointedAt}
                markedBy={isOneOfCalls(entry, marked) ? markedBy : undefined}
              />
            </li>
          );
        })}
      </ol>
    ),
    [story, part.start, part.end, pointedAt, marked, markedBy],
  );
}
