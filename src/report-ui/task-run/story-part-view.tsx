import { useMemo, useState } from 'preact/hooks';
import { exactCount } from '../elements/amounts.js';
import { usePrinting } from '../elements/use-printing.js';
import { StoryEntryView } from './story-entry-view.js';
import { type ShownEntry, storyKey } from './story-keys.js';
import type { StoryPart } from './story-parts.js';
import { isOneOf } from './story-target.js';

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

export function StoryPartView(props: StoryPartViewProps) {
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
