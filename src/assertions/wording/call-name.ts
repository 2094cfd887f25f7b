import type { CallKind } from '../../config/files/assertion-items.js';
import { type Redact, shortText } from './short-text.js';

/** Names come from agents and servers, and may be as long as these like. */
const longestServer = 40;
const longestName = 80;

interface Named {
  kind: CallKind;
  server: string;
  name: string;
}

/** What was called, as a verdict names it. */
export function callName({ kind, server, name }: Named, redact: Redact): string {
  const shownName = shortText(name, longestName, redact);
  const shownServer = shortText(server, longestServer, redact);
  switch (kind) {
    case 'tool':
      return `${shownServer}.${shownName}`;
    case 'resource':
      return `${shownName} of ${shownServer}`;
    case 'prompt':
      return `prompt ${shownServer}.${shownName}`;
    case 'skill':
      return `skill ${shownName}`;
  }
}
