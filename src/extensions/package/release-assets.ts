import { ExtensionError } from '../extension-definition.js';
import { formatNames, type Release, type ReleaseAsset } from './release-host.js';

/** The machine that a program has to run on. */
export interface Platform {
  /** System and processor as Node names them; the key in the lock file. */
  key: string;
  /** Words for it in the names of release files. */
  systemWords: readonly string[];
  processorWords: readonly string[];
  /** File extension of programs. */
  programEnding: '' | '.exe';
}

const systemWords: Readonly<Record<string, readonly string[]>> = {
  darwin: ['darwin', 'macos'],
  win32: ['windows', 'win32'],
};

const processorWords: Readonly<Record<string, readonly string[]>> = {
  x64: ['amd64', 'x86_64', 'x64'],
  arm64: ['arm64', 'aarch64'],
  ia32: ['386'],
};

/** Describes a platform, by Node's names of its operating system and processor. */
export function describePlatform(system: string, processor: string): Platform {
  return {
    key: `${system}-${processor}`,
    systemWords: systemWords[system] ?? [system],
    processorWords: processorWords[processor] ?? [processor],
    programEnding: system === 'win32' ? '.exe' : '',
  };
}

export type AssetFormat = 'program' | 'zip' | 'tar.gz';

interface DescribedName {
  format: AssetFormat;
  /** The name without its extension. */
  stem: string;
}

const endings: readonly (readonly [ending: string, format: AssetFormat])[] = [
  ['.zip', 'zip'],
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.exe', 'program'],
];

/** Other extensions, such as `.sig`, `.json`, `.deb`, `.7z`; but not the version in `tool-linux-amd64-1.2`. */
const otherEnding = /\.(?=[a-z0-9]*[a-z])([a-z0-9]+)$/;

/** Words behind a dot that are no extension: programs may be named `tool.linux.amd64`. */
const platformWords: ReadonlySet<string> = new Set([
  ...['linux', 'darwin', 'macos', 'windows', 'win32'],
  ...['amd64', 'x64', 'arm64', 'aarch64'],
]);

/** Detects the format of a release file by its name; undefined if it holds no program. */
export function detectFormat(name: string): DescribedName | undefined {
  const lower = name.toLowerCase();
  for (const [ending, format] of endings) {
    if (lower.endsWith(ending)) return { format, stem: name.slice(0, -ending.length) };
  }
  const ending = otherEnding.exec(lower)?.[1];
  if (ending !== undefined && !platformWords.has(ending)) return undefined;
  return { format: 'program', stem: name };
}

/** The simplest first: a release can have the same program in several formats. */
const formats: readonly AssetFormat[] = ['program', 'tar.gz', 'zip'];

/** Chooses the file of a release for a platform. Throws ExtensionError unless exactly one fits. */
export function chooseAsset({ assets, repo, page }: Release, platform: Platform): ReleaseAsset {
  const fitting = assets
    .filter(({ name }) => isForPlatform(name, platform))
    // The order in which files were uploaded must not decide.
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const named = preferAssets(fitting, ({ name }) => hasWordAtStart(name, repo));
  const [chosen, ...others] = chooseSimplest(named);
  if (chosen && others.length === 0) return chosen;
  throw chosen
    ? new ExtensionError(
        `the release ${page} has several files for ${platform.key}: ${formatAssetNames([chosen, ...others])}`,
        { hint: `one has to be clear by its name, such as ${formatExampleName(repo, platform)}` },
      )
    : new ExtensionError(
        `the release ${page} has no file for ${platform.key}; it has: ${formatAssetNames(assets)}`,
        { hint: `Proctor looks for a name such as ${formatExampleName(repo, platform)}` },
      );
}

function isForPlatform(name: string, platform: Platform): boolean {
  const { systemWords, processorWords } = platform;
  return (
    canHoldProgram(name, platform) &&
    systemWords.some((word) => hasWord(name, word)) &&
    processorWords.some((word) => hasWord(name, word))
  );
}

/** Whether a file can hold the program; a bare one needs the extension of the platform. */
function canHoldProgram(name: string, { programEnding }: Platform): boolean {
  const format = detectFormat(name)?.format;
  if (format !== 'program') return format !== undefined;
  return name.toLowerCase().endsWith('.exe') === (programEnding === '.exe');
}

/** Returns the assets for which a condition holds, or all if there is none. */
function preferAssets(
  assets: readonly ReleaseAsset[],
  holds: (asset: ReleaseAsset) => boolean,
): readonly ReleaseAsset[] {
  const better = assets.filter(holds);
  return better.length > 0 ? better : assets;
}

/** Keeps the simplest of files that differ only in their format. */
function chooseSimplest(assets: readonly ReleaseAsset[]): ReleaseAsset[] {
  const byStem = new Map<string, ReleaseAsset>();
  for (const format of formats) {
    for (const asset of assets) {
      const described = detectFormat(asset.name);
      if (described?.format !== format || byStem.has(described.stem)) continue;
      byStem.set(described.stem, asset);
    }
  }
  return [...byStem.values()];
}

/** Whether a word stands in a name between separators; x86_64 is a word although it holds one. */
function hasWord(name: string, word: string): boolean {
  const padded = `-${name.toLowerCase()}-`;
  for (let at = padded.indexOf(word); at !== -1; at = padded.indexOf(word, at + 1)) {
    if (isSeparator(padded[at - 1]) && isSeparator(padded[at + word.length])) return true;
  }
  return false;
}

function hasWordAtStart(name: string, word: string): boolean {
  return name.toLowerCase().startsWith(word.toLowerCase()) && isSeparator(name[word.length]);
}

function isSeparator(character: string | undefined): boolean {
  return character === '-' || character === '_' || character === '.';
}

function formatAssetNames(assets: readonly ReleaseAsset[]): string {
  return formatNames(assets.map(({ name }) => name));
}

function formatExampleName(repo: string, { systemWords, processorWords }: Platform): string {
  return `${repo}-${systemWords[0]}-${processorWords[0]}.zip`;
}
