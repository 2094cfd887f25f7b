import { shortName } from './short-name.js';

/** A name that may go on in the next line where its words end: `list_` `metrics`. */
export function BreakableName({ name }: { name: string }) {
  return (
    <span>
      {shortName(name)
        .split(/(?<=[_\-./:])(?=\w)/)
        .map((word, place) => (
          <span key={place}>
            {place > 0 && <wbr />}
            {word}
          </span>
        ))}
    </span>
  );
}
