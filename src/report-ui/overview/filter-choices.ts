import type { ReportTool } from '../../report-data/report-data.js';
import type { Searchable } from './searchable.js';

export interface Choice {
  value: string;
  text: string;
}

export interface ChoiceGroup {
  /** Empty: it stands for itself. */
  name: string;
  choices: Choice[];
}

/** What can be chosen in each filter; a filter with one choice would not tell task runs apart. */
export interface FilterChoices {
  sources: ChoiceGroup[];
  variants: ChoiceGroup[];
  difficulties: ChoiceGroup[];
  labels: ChoiceGroup[];
  servers: ChoiceGroup[];
  tools: ChoiceGroup[];
}

/** More than that nobody finds anything in; the text search does. */
const mostChoices = 1000;

const kinds: readonly { kind: ReportTool['kind']; name: string }[] = [
  { kind: 'tool', name: 'Tools' },
  { kind: 'resource', name: 'Resources' },
  { kind: 'prompt', name: 'Prompts' },
];

export function choicesOf(searchable: Searchable): FilterChoices {
  const { index, toolNames, variants } = searchable;
  const difficulties = index.tasks.flatMap(({ difficulty }) => difficulty ?? []);
  const oneServer = index.servers.length <= 1;
  return {
    sources: ungrouped(index.sources.map((text, place) => ({ value: String(place), text }))),
    variants: ungrouped(variants.map((name) => ({ value: name, text: name }))),
    difficulties: ungrouped(ordered(difficulties)),
    labels: labelGroups(searchable),
    servers: ungrouped(ordered(index.servers)),
    tools: kinds.flatMap(({ kind, name }) => {
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
      return choices.length === 0 ? [] : [{ name, choices: bounded(choices) }];
    }),
  };
}

function labelGroups({ index }: Searchable): ChoiceGroup[] {
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
      choices: ordered([...values]).map(({ text }) => ({ value: `${name}=${text}`, text })),
    }));
}

function ungrouped(choices: Choice[]): ChoiceGroup[] {
  return choices.length > 1 ? [{ name: '', choices: bounded(choices) }] : [];
}

function ordered(names: readonly string[]): Choice[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return bounded([...new Set(names)].sort(compare).map((name) => ({ value: name, text: name })));
}

function bounded(choices: Choice[]): Choice[] {
  return choices.slice(0, mostChoices);
}
