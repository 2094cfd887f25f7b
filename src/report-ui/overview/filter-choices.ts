import type { ReportTool } from '../../report-data/report-data.js';
import type { Searchable } from './searchable.js';

export interface Choice {
  value: string;
  text: string;
}

export interface ChoiceGroup {
  /** Heading of the group; empty: none. */
  name: string;
  choices: Choice[];
}

/** Choices of each filter of a view; none where there would be only one. */
export type FilterChoices = Record<
  'source' | 'variant' | 'difficulty' | 'label' | 'server' | 'tool',
  ChoiceGroup[]
>;

/** A longer list is of no use: the text search is. */
const mostChoices = 1000;

const kinds: readonly { kind: ReportTool['kind']; name: string }[] = [
  { kind: 'tool', name: 'Tools' },
  { kind: 'resource', name: 'Resources' },
  { kind: 'prompt', name: 'Prompts' },
];

export function findFilterChoices(searchable: Searchable): FilterChoices {
  const { index, toolNames, variants } = searchable;
  const difficulties = index.tasks.flatMap(({ difficulty }) => difficulty ?? []);
  const oneServer = index.servers.length <= 1;
  return {
    source: makeUngrouped(index.sources.map((text, place) => ({ value: String(place), text }))),
    variant: makeUngrouped(variants.map((name) => ({ value: name, text: name }))),
    difficulty: makeUngrouped(makeSortedChoices(difficulties)),
    label: groupLabels(searchable),
    server: makeUngrouped(makeSortedChoices(index.servers)),
    tool: kinds.flatMap(({ kind, name }) => {
      const choices = index.tools.flatMap((tool, place) =>
        tool.kind === kind
          ? [
              {
                value: toolNames[place] ?? '',
                text: oneServer ? tool.name : (toolNames[place] ?? ''),
              },
            ]
          : [],
      );
      return choices.length === 0 ? [] : [{ name, choices: limitChoices(choices) }];
    }),
  };
}

function groupLabels({ index }: Searchable): ChoiceGroup[] {
  const byKey = new Map<string, Set<string>>();
  for (const { labels } of index.tasks) {
    for (const [key, value] of Object.entries(labels)) {
      byKey.set(key, (byKey.get(key) ?? new Set()).add(value));
    }
  }
  return [...byKey]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, values]) => ({
      name,
      choices: makeSortedChoices([...values]).map(({ text }) => ({
        value: `${name}=${text}`,
        text,
      })),
    }));
}

function makeUngrouped(choices: Choice[]): ChoiceGroup[] {
  return choices.length > 1 ? [{ name: '', choices: limitChoices(choices) }] : [];
}

function makeSortedChoices(names: readonly string[]): Choice[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return limitChoices(
    [...new Set(names)].sort(compare).map((name) => ({ value: name, text: name })),
  );
}

function limitChoices(choices: Choice[]): Choice[] {
  return choices.slice(0, mostChoices);
}
