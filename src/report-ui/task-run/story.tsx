import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { exactCount } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { readHistoryState } from '../routing/navigation.js';
import { useKeys } from '../shell/keyboard.js';
import {
  isOneOf,
  isOpenAtFirst,
  neighbouringCall,
  type ShownEntry,
  type StoryPart,
  storyKey,
  storyParts,
  storyTarget,
} from './story-entries.js';
import { StoryEntryView } from './story-entry-view.js';
import type { Pointer } from './task-run-page.js';

interface StoryProps {
  story: readonly ShownEntry[];
  pointer: Pointer;
  /** Numbers of the calls that the chosen assertion points at, and its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
  /** From one call to the next. */
  onStep: (key: string) => void;
}

/** All that happened, in order. */
export function Story({ story, pointer, marked, markedBy, onStep }: StoryProps) {
  const target = useMemo(() => storyTarget(story, pointer.key, marked), [story, pointer, marked]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const key = target?.key ?? pointer.key;
    // The way back from a jump.
    if (key === null && !isFirst.current) scrollTo(0, readHistoryState().scrolledTo ?? scrollY);
    isFirst.current = false;
    const element = key === null ? null : document.getElementById(key);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [pointer.key, pointer.times]);
  const goToCall = (step: 1 | -1) => {
    const key = neighbouringCall(story, target?.place, step);
    if (key === undefined) return false;
    onStep(key);
  };
  useKeys({ j: () => goToCall(1), k: () => goToCall(-1) });
  const parts = storyParts(story.length);
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
  /** Something in it is to be shown. */
  wanted: boolean;
  /** Key of what is pointed at, if that is in this part. */
  pointedAt: string | null;
  /** Numbers of the calls that the chosen assertion points at, and its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
}

function StoryPartView(props: StoryPartViewProps) {
  const { part, openAtFirst, wanted } = props;
  const [opened, setOpened] = useState(openAtFirst);
  const printing = usePrinting();
  // Stays open when something else is pointed at.
  if (wanted && !opened) setOpened(true);
  if (!opened && !wanted && !printing) {
    const name = `entries ${exactCount(part.start + 1)} to ${exactCount(part.end)}`;
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
  // A jump changes one entry or two: the others are not gone through again.
  return useMemo(
    () => (
      <ol start={part.start + 1}>
        {story.slice(part.start, part.end).map((entry) => {
          const key = storyKey(entry);
          return (
            <li key={key} id={key} tabIndex={-1} class={`story-entry ${entry.kind}`}>
              <StoryEntryView
                entry={entry}
                isTarget={key === pointedAt}
                markedBy={isOneOf(entry, marked) ? markedBy : undefined}
              />
            </li>
          );
        })}
      </ol>
    ),
    [story, part.start, part.end, pointedAt, marked, markedBy],
  );
}
