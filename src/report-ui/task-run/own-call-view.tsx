import type { OwnCallEntry } from '../../analysis/story/story-entry.js';
import { Fold } from '../elements/fold.js';
import { FoldedText } from '../elements/folded-text.js';
import { shortName } from '../elements/short-name.js';
import { CallHead } from './call-head.js';
import { inOneLine } from './call-words.js';

interface OwnCallViewProps {
  entry: OwnCallEntry;
  wanted: boolean;
  markedBy: string | undefined;
}

/** A tool of the agent's own, or a call that no server got: only the agent tells of it. */
export function OwnCallView({ entry, wanted, markedBy }: OwnCallViewProps) {
  const { args, result } = entry;
  const tool = shortName(entry.tool);
  return (
    <div class={`call-card own ${result?.isError ? 'unhappy' : ''} ${markedBy ? 'marked' : ''}`}>
      <Fold
        wanted={wanted}
        summary={
          <CallHead
            name={tool}
            args={args}
            state={result?.isError ? 'error' : undefined}
            markedBy={markedBy}
            error={result?.isError ? inOneLine(result.text) : undefined}
          >
            <span>told by the agent, not recorded</span>
          </CallHead>
        }
      >
        {() => (
          <>
            <h4>arguments</h4>
            {args === undefined ? (
              <p class="quiet">the agent does not tell</p>
            ) : (
              <FoldedText value={args} label={`arguments of ${tool}`} />
            )}
            <h4>result</h4>
            {result ? (
              <FoldedText value={result.text} label={`result of ${tool}`} />
            ) : (
              <p class="quiet">the agent does not tell</p>
            )}
          </>
        )}
      </Fold>
    </div>
  );
}
