import { exactCount } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { FoldedText } from '../elements/folded-text.js';
import { upToAWord } from '../elements/up-to-a-word.js';

const usualLength = 1000;

interface LongTextProps {
  text: string;
  /** What it is, for those who do not see where it stands. */
  label: string;
  /** Characters that are shown at once. */
  atOnce?: number;
}

/** What somebody wrote: short as it is, long with the whole behind a click. */
export function LongText({ text, label, atOnce = usualLength }: LongTextProps) {
  if (text.length <= atOnce) return <p class="said">{text}</p>;
  return (
    <>
      <p class="said">{upToAWord(text, atOnce)} …</p>
      <Fold summary={lengthText(text)}>{() => <FoldedText value={text} label={label} />}</Fold>
    </>
  );
}

/** The writer of the report says at the end of a text how much it left out. */
const leftOut = / \[\.\.\. (\d+) characters left out \.\.\.\]$/;

function lengthText(text: string): string {
  const [mark, count] = leftOut.exec(text.slice(-80)) ?? [];
  if (mark === undefined) return `all ${exactCount(text.length)} characters`;
  const shown = text.length - mark.length;
  return `the first ${exactCount(shown)} of ${exactCount(shown + Number(count))} characters; the results have the rest`;
}
