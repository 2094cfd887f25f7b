import { createHash } from 'node:crypto';
import type { MergeServer } from './merge-input.js';

/** The same for the same tools, in whatever order they and their members are written. */
export function toolsDigest({ json }: MergeServer): string | undefined {
  const { tools }: { tools?: unknown[] } = JSON.parse(json);
  return tools && digest(tools.map(valueDigest).sort());
}

function digest(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

type Frame = { value: object; keys: string[]; done: string[] };

/** Without recursion: a server can nest what it lists as deep as it likes. */
function valueDigest(root: unknown): string {
  const frames: Frame[] = [];
  let value = root;
  for (;;) {
    let finished: string | undefined;
    if (typeof value !== 'object' || value === null) finished = JSON.stringify(value);
    else frames.push({ value, keys: Object.keys(value).sort(), done: [] });
    for (;;) {
      const frame = frames.at(-1);
      if (!frame) return finished ?? '';
      if (finished !== undefined) frame.done.push(finished);
      const key = frame.keys[frame.done.length];
      if (key !== undefined) {
        value = Reflect.get(frame.value, key);
        break;
      }
      const kind = Array.isArray(frame.value) ? 'list' : 'map';
      finished = digest([kind, ...frame.keys, ...frame.done]);
      frames.pop();
    }
  }
}
