export type AssetFormat = 'program' | 'zip' | 'tar.gz';

interface DescribedName {
  format: AssetFormat;
  /** The name without its ending. */
  stem: string;
}

const endings: readonly (readonly [ending: string, format: AssetFormat])[] = [
  ['.zip', 'zip'],
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.exe', 'program'],
];

/** `.sig`, `.json`, `.deb`, `.7z`; but not what follows the dot in `tool-linux-amd64-1.2`. */
const otherEnding = /\.(?=[a-z0-9]*[a-z])([a-z0-9]+)$/;

/** So does the name of a program end at times: `tool.linux.amd64`. */
const platformWords: ReadonlySet<string> = new Set([
  ...['linux', 'darwin', 'macos', 'windows', 'win32'],
  ...['amd64', 'x64', 'arm64', 'aarch64'],
]);

/** What kind of file a release has under a name; undefined for what holds no program. */
export function formatOf(name: string): DescribedName | undefined {
  const lower = name.toLowerCase();
  for (const [ending, format] of endings) {
    if (lower.endsWith(ending)) return { format, stem: name.slice(0, -ending.length) };
  }
  const ending = otherEnding.exec(lower)?.[1];
  if (ending !== undefined && !platformWords.has(ending)) return undefined;
  return { format: 'program', stem: name };
}
