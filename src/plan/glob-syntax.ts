const closing: Record<string, string> = { '[': ']', '{': '}' };

/** What is wrong with a glob that would otherwise silently match nothing. */
export function globFault(glob: string): { offset: number; reason: string } | undefined {
  if (glob.includes('\0')) return { offset: glob.indexOf('\0'), reason: 'it holds a NUL' };
  const open: { offset: number; bracket: string }[] = [];
  for (let offset = 0; offset < glob.length; offset++) {
    const character = glob[offset] ?? '';
    const inner = open.at(-1);
    if (character === '\\') offset++;
    else if (inner?.bracket === '[') {
      // A bracket right after the opening one (or its negation) stands for itself.
      const first = /^\[[!^]?$/.test(glob.slice(inner.offset, offset));
      if (character === ']' && !first) open.pop();
    } else if (character in closing) open.push({ offset, bracket: character });
    else if (inner && character === closing[inner.bracket]) open.pop();
  }
  const unclosed = open[0];
  return unclosed && { offset: unclosed.offset, reason: `${unclosed.bracket} is never closed` };
}
