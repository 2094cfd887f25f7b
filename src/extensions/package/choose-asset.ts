import { ExtensionError } from '../extension-definition.js';
import { type AssetFormat, formatOf } from './asset-format.js';
import { listedNames } from './listed-names.js';
import type { Platform } from './platform.js';
import type { Release, ReleaseAsset } from './release.js';

/** The easiest first: a release can have the same program in several wrappings. */
const formats: readonly AssetFormat[] = ['program', 'tar.gz', 'zip'];

/** The file of a release that is for a platform. Throws ExtensionError if that is not one file. */
export function chooseAsset({ assets, repo, page }: Release, platform: Platform): ReleaseAsset {
  const fitting = assets
    .filter(({ name }) => isForPlatform(name, platform))
    // The order in which files were uploaded must not decide.
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const named = preferred(fitting, ({ name }) => hasWordAtStart(name, repo));
  const [chosen, ...others] = simplestOfEach(named);
  if (chosen && others.length === 0) return chosen;
  throw chosen
    ? new ExtensionError(
        `the release ${page} has several files for ${platform.key}: ${namesOf([chosen, ...others])}`,
        { hint: `one has to be clear by its name, such as ${exampleName(repo, platform)}` },
      )
    : new ExtensionError(
        `the release ${page} has no file for ${platform.key}; it has: ${namesOf(assets)}`,
        { hint: `Proctor looks for a name such as ${exampleName(repo, platform)}` },
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

/** A program itself must end as programs do: on Windows nothing else can be run. */
function canHoldProgram(name: string, { programEnding }: Platform): boolean {
  const format = formatOf(name)?.format;
  if (format !== 'program') return format !== undefined;
  return name.toLowerCase().endsWith('.exe') === (programEnding === '.exe');
}

/** Those for which something holds, if there are any; else all. */
function preferred(
  assets: readonly ReleaseAsset[],
  holds: (asset: ReleaseAsset) => boolean,
): readonly ReleaseAsset[] {
  const better = assets.filter(holds);
  return better.length > 0 ? better : assets;
}

/** Of files that differ in nothing but their wrapping, one. */
function simplestOfEach(assets: readonly ReleaseAsset[]): ReleaseAsset[] {
  const byStem = new Map<string, ReleaseAsset>();
  for (const format of formats) {
    for (const asset of assets) {
      const described = formatOf(asset.name);
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

function namesOf(assets: readonly ReleaseAsset[]): string {
  return listedNames(assets.map(({ name }) => name));
}

function exampleName(repo: string, { systemWords, processorWords }: Platform): string {
  return `${repo}-${systemWords[0]}-${processorWords[0]}.zip`;
}
