import { appendFile, stat } from 'node:fs/promises';

/** GitHub refuses the summary of a step that is larger. */
const maxBytes = 1024 * 1024;
const mark = '\n\n_[... the rest is left out: GitHub takes 1 MiB ...]_\n';

/** Appends Markdown to the summary of the job; what is too much is cut off. */
export async function appendJobSummary(path: string, markdown: string): Promise<void> {
  const used = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  await appendFile(path, cutToBytes(`${markdown}\n`, maxBytes - used));
}

/** At the end of a line. */
function cutToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const room = limit - Buffer.byteLength(mark);
  if (room <= 0) return '';
  const end = bytes.lastIndexOf(0x0a, room);
  return `${bytes.toString('utf8', 0, Math.max(end, 0))}${mark}`;
}
