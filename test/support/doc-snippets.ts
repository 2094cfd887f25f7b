import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A block of code in the documentation. */
export interface Snippet {
  /** File and line, as people can open it. */
  where: string;
  /** `yaml`, `sh`, ...; empty where none is named. */
  language: string;
  text: string;
}

/** Every page but the changelog, which tells of the past. What is generated can be wrong as well. */
export function documentationPages(): { file: string; text: string }[] {
  const below = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file))
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'));
  const files = ['README.md', 'CONTRIBUTING.md', ...below('docs'), ...below('examples')];
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

export function documentationSnippets(): Snippet[] {
  return documentationPages().flatMap(({ file, text }) =>
    [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map((match) => {
      const [, indent = '', language = '', block = ''] = match;
      const line = text.slice(0, match.index).split('\n').length;
      const lines = block.split('\n').map((each) => each.slice(indent.length));
      return { where: `${file}:${line}`, language, text: lines.join('\n') };
    }),
  );
}
