import type { CompareHeadline, HeadlineTone } from './compare-headline.js';
import { type SignName, VerdictSign } from './verdict-sign.js';

interface HeadlinePanelProps {
  headline: CompareHeadline;
  caveats: readonly string[];
}

const signs: Record<HeadlineTone, SignName> = {
  better: 'up',
  worse: 'down',
  mixed: 'both',
  same: 'same',
  unknown: 'unknown',
};

export function HeadlinePanel({ headline: { tone, title, because }, caveats }: HeadlinePanelProps) {
  return (
    <section class={`headline ${tone}`}>
      <h2>
        <VerdictSign name={signs[tone]} />
        {title}
      </h2>
      <p>{because}</p>
      {caveats.length > 0 && (
        <div class="notice">
          <strong>Before you trust this</strong>
          <ul class="caveats">
            {caveats.map((caveat) => (
              <li key={caveat}>{caveat}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
