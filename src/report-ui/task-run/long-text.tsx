import { exactCount } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { FoldedText } from '../elements/folded-text.js';

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
      <p class="said">{text.slice(0, atOnce)} …</p>
      <Fold summary={`all ${exactCount(text.length)} characters`}>
        {() => <FoldedText value={text} label={label} />}
      </Fold>
    </>
  );
}
