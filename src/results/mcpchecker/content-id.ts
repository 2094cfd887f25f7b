import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Results of mcpchecker have no id: a copy of them is known by its content. */
export async function contentId(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `mcpchecker-${hash.digest('hex').slice(0, 16)}`;
}
