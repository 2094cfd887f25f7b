import { isObject, listSchemaVariants, type Schema } from '../../base/json.js';
import { didYouMean, findNearest } from '../../base/nearest.js';
import {
  type ItemList,
  itemKinds,
  nameKeys,
  oppositeLists,
  type PlacedAssertions,
} from '../../config/files/assertion-items.js';
import { findStrings } from '../../config/placeholders/environment-variables.js';
import { findPlaceholders } from '../../config/placeholders/placeholders.js';
import type { Problems } from '../../config/problems/problem.js';
import { getValue } from '../../config/problems/shape-check.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import { findStepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';

/** What a server says it has. */
export interface Offer {
  tools: readonly string[];
  /** The input schema of each tool. */
  inputSchemas: ReadonlyMap<string, unknown>;
  uris: readonly string[];
  /** Then there may be more resources than it lists. */
  hasResourceTemplates: boolean;
  prompts: readonly string[];
}

type Item = { server: string } & Partial<Record<string, unknown>>;
type Kind = 'tool' | 'resource' | 'prompt';

/** An exact name in an assertion, and where it stands. */
interface NamedItem {
  kind: Kind;
  server: string;
  name: string;
  at: DataPath;
}

/** The lists about what servers offer, which skills are not. */
const offeredLists = oppositeLists.filter(([list]) => itemKinds[list] !== 'skill');
const requiring = offeredLists.map(([list]) => list);
const forbidding = offeredLists.map(([, opposite]) => opposite);

/**
 * Holds what assertions and steps name exactly against what the servers offer: tools, resources,
 * prompts, and the names of arguments. A pattern is not looked at, as it may be about what a server
 * offers only later.
 */
export function checkOffers(
  suite: Suite,
  offers: ReadonlyMap<string, Offer>,
  problems: Problems,
): void {
  const taskAssertions = suite.tasks.flatMap(({ definition }) => definition.assertions);
  for (const assertions of [...suite.setAssertions, ...taskAssertions]) {
    new OfferCheck(assertions, offers, makeServerNamer(suite), problems).run();
  }
  checkStepTools(suite, offers, problems);
}

/** How messages name servers: with their MCP config, where a matrix has several. */
function makeServerNamer({ variant }: Suite): (server: string) => string {
  const config = variant?.mcpConfigFile;
  return (server) => (config === undefined ? server : `${server} (${config})`);
}

/** A step that expects an error would pass with every tool that does not exist. */
function checkStepTools(
  suite: Suite,
  offers: ReadonlyMap<string, Offer>,
  problems: Problems,
): void {
  const { mcp, tasks } = suite;
  const named = makeServerNamer(suite);
  const servers = (mcp?.servers ?? []).map(({ name }) => name);
  for (const { definition: task } of tasks) {
    for (const { type, path, data } of task.steps) {
      const step = findStepTarget(type, task.requires, servers);
      const offer = step?.kind === 'mcpServer' ? offers.get(step.target) : undefined;
      if (!step || !offer) continue;
      if (!offer.tools.includes(step.name)) {
        const message = `${named(step.target)} offers no tool ${step.name}`;
        const hint = didYouMean(step.name, offer.tools);
        problems.atKey(task.source, path, 'not-offered', message, hint);
        continue;
      }
      // A step that expects an error may expect it because of the argument.
      if (getValue(data, ['expect', 'isError']) === true) continue;
      const args = getValue(data, ['args']);
      for (const unknown of findUnknownArguments(args, offer.inputSchemas.get(step.name))) {
        const code = unknown.isForbidden ? 'impossible-argument' : 'unknown-argument';
        const message = `the tool ${step.name} of ${named(step.target)} has no argument ${unknown.name}`;
        const at = [...path, 'args', ...unknown.path];
        problems.atKey(task.source, at, code, message, formatHint(unknown));
      }
    }
  }
}

function formatHint({ name, known }: UnknownArgument): string | undefined {
  return didYouMean(name, known) ?? (known.length > 0 ? `it has ${known.join(', ')}` : undefined);
}

/** Whether no call can be expected to have it: the schema does not allow it, or it is misspelt. */
function isWrong({ isForbidden, isMisspelt }: UnknownArgument): boolean {
  return isForbidden || isMisspelt;
}

class OfferCheck {
  readonly #assertions: PlacedAssertions;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #shown: (server: string) => string;
  readonly #problems: Problems;

  constructor(
    assertions: PlacedAssertions,
    offers: ReadonlyMap<string, Offer>,
    shown: (server: string) => string,
    problems: Problems,
  ) {
    this.#assertions = assertions;
    this.#offers = offers;
    this.#shown = shown;
    this.#problems = problems;
  }

  run(): void {
    for (const item of requiring.flatMap((list) => this.#named(list))) this.#require(item);
    for (const item of this.#inOrder()) this.#require(item);
    for (const item of forbidding.flatMap((list) => this.#named(list))) {
      if (!this.#isMissing(item)) continue;
      const message = `${this.#shown(item.server)} offers no ${item.kind} ${item.name}: nothing is forbidden`;
      this.#report(item, 'forbidden-not-offered', message);
    }
    // One that is there is enough.
    const any = this.#named('requireAny');
    const hasOthers = (this.#assertions.data.requireAny?.length ?? 0) > any.length;
    if (!hasOthers && any.every((item) => this.#isMissing(item))) {
      for (const item of any) this.#require(item);
    }
    for (const item of this.#named('toolsUsed')) this.#checkArguments(item, 'impossible-argument');
    const isImpossible = (item: NamedItem) => this.#unknownArguments(item).some(isWrong);
    const isAny = hasOthers || !any.every(isImpossible);
    for (const item of any) {
      this.#checkArguments(item, isAny ? 'unknown-argument' : 'impossible-argument');
    }
    for (const item of this.#named('toolsNotUsed')) this.#checkArguments(item, 'unknown-argument');
  }

  /** `forbidden` is the problem that an argument is which no call will have. */
  #checkArguments(item: NamedItem, forbidden: 'impossible-argument' | 'unknown-argument'): void {
    const { file, path } = this.#assertions;
    const [list, index] = item.at;
    for (const unknown of this.#unknownArguments(item)) {
      const code = isWrong(unknown) ? forbidden : 'unknown-argument';
      const message = `the tool ${item.name} of ${this.#shown(item.server)} has no argument ${unknown.name}`;
      const at = [...path, list ?? '', index ?? 0, unknown.key, ...unknown.path];
      this.#problems.atKey(file, at, code, message, formatHint(unknown));
    }
  }

  #unknownArguments({ server, name, at }: NamedItem): (UnknownArgument & { key: string })[] {
    const schema = this.#offers.get(server)?.inputSchemas.get(name);
    const item = getValue(this.#assertions.data, at.slice(0, -1));
    return ['args', 'argumentsMatch'].flatMap((key) =>
      findUnknownArguments(getValue(item, [key]), schema).map((argument) => ({ ...argument, key })),
    );
  }

  #require(item: NamedItem): void {
    if (!this.#isMissing(item)) return;
    const message = `${this.#shown(item.server)} offers no ${item.kind} ${item.name}`;
    // Setup may make it, and a server need not list everything that can be read.
    this.#report(item, item.kind === 'resource' ? 'unlisted-resource' : 'not-offered', message);
  }

  #report(
    { kind, server, name, at }: NamedItem,
    code: 'not-offered' | 'unlisted-resource' | 'forbidden-not-offered',
    message: string,
  ): void {
    const { file, path } = this.#assertions;
    const later = `if it is offered only later, write ${nameKeys[kind].pattern}: ^${name}$`;
    const hint =
      didYouMean(name, this.#namesOf(kind, server)) ?? (code === 'not-offered' ? later : undefined);
    this.#problems.atValue(file, [...path, ...at], code, message, hint);
  }

  #isMissing({ kind, server, name }: NamedItem): boolean {
    const offer = this.#offers.get(server);
    if (!offer || (kind === 'resource' && offer.hasResourceTemplates)) return false;
    return !this.#namesOf(kind, server).includes(name);
  }

  #namesOf(kind: Kind, server: string): readonly string[] {
    const offer = this.#offers.get(server);
    const names = { tool: offer?.tools, resource: offer?.uris, prompt: offer?.prompts }[kind];
    return names ?? [];
  }

  /** A pattern beside the name may match something else. */
  #named(list: ItemList): NamedItem[] {
    const kind = itemKinds[list];
    if (kind === 'skill') return [];
    const { exact, pattern } = nameKeys[kind];
    const items = (this.#assertions.data[list] ?? []) as Item[];
    return items.flatMap((item, index) => {
      const name = item[exact];
      if (typeof name !== 'string' || item[pattern] !== undefined) return [];
      return [{ kind, server: item.server, name, at: [list, index, exact] }];
    });
  }

  #inOrder(): NamedItem[] {
    const items = this.#assertions.data.callOrder ?? [];
    return items.flatMap(({ type, server, name }, index) =>
      name === undefined ? [] : [{ kind: type, server, name, at: ['callOrder', index, 'name'] }],
    );
  }
}

/** What is wrong with the arguments of an operation, in sentences. */
type FindFlaws = (
  extension: string,
  operation: string,
  args: Readonly<Record<string, unknown>>,
) => readonly string[];

/** Steps of extensions, held against what their manifests say; `operationsOf` knows those that are ready. */
export function checkOperations(
  { mcp, tasks }: Suite,
  flawsOf: FindFlaws,
  operationsOf: (extension: string) => readonly string[] | undefined,
  problems: Problems,
): void {
  const servers = (mcp?.servers ?? []).map(({ name }) => name);
  for (const { definition: task } of tasks) {
    for (const { type, path, data } of task.steps) {
      const target = findStepTarget(type, task.requires, servers);
      if (target?.kind !== 'extension') continue;
      const { target: extension, name: operation } = target;
      const operations = operationsOf(extension);
      if (!operations) continue;
      if (!operations.includes(operation)) {
        const message = `the extension ${extension} has no operation ${operation}`;
        const hint =
          didYouMean(operation, operations) ?? `it has ${operations.join(', ') || 'none'}`;
        problems.atKey(task.source, path, 'not-offered', message, hint);
        continue;
      }
      const args = isObject(data) ? data : {};
      // What a placeholder will be is only known when the step runs: it is checked again there.
      if (hasPlaceholder(args)) continue;
      for (const flaw of flawsOf(extension, operation, args)) {
        problems.atKey(task.source, path, 'invalid-arguments', flaw);
      }
    }
  }
}

function hasPlaceholder(args: Record<string, unknown>): boolean {
  return findStrings('{', args, []).some(({ text }) => findPlaceholders(text).length > 0);
}

/** An argument that the input schema of a tool does not list. */
interface UnknownArgument {
  /** From the arguments on. */
  path: DataPath;
  name: string;
  /** The names that the schema lists at this place. */
  known: readonly string[];
  /** Whether the schema allows no other names: a call with this argument is invalid. */
  isForbidden: boolean;
  /** Whether it is nearly a name that the schema lists and that is not used beside it, and no plural of it. */
  isMisspelt: boolean;
}

/**
 * Finds the names in arguments that the input schema of a tool does not list, however deep. A place
 * where the schema lists no names at all, or takes names by a pattern, can hold anything.
 */
export function findUnknownArguments(args: unknown, schema: unknown): UnknownArgument[] {
  return isObject(schema) ? [...walkArguments(args, [schema], schema, [])] : [];
}

function* walkArguments(
  value: unknown,
  schemas: readonly unknown[],
  root: Schema,
  path: DataPath,
): Generator<UnknownArgument> {
  const variants = schemas.flatMap((schema) => listSchemaVariants(schema, root));
  if (Array.isArray(value)) {
    const items = variants.map((variant) => variant.items);
    for (const [index, item] of value.entries()) {
      yield* walkArguments(item, items, root, [...path, index]);
    }
    return;
  }
  if (!isObject(value)) return;
  const known = new Set(variants.flatMap(({ properties }) => Object.keys(asMap(properties))));
  const [only, ...others] = variants;
  const isForbidden = others.length === 0 && only?.additionalProperties === false;
  const isOpen = (known.size === 0 && !isForbidden) || variants.some(takesOtherNames);
  for (const [name, inner] of Object.entries(value)) {
    if (known.has(name)) {
      const inners = variants.map(({ properties }) => asMap(properties)[name]);
      yield* walkArguments(inner, inners, root, [...path, name]);
    } else if (!isOpen) {
      const unused = [...known].filter((listed) => !Object.hasOwn(value, listed));
      const isMisspelt = isLikelyMisspelt(name, unused);
      yield { path: [...path, name], name, known: [...known], isForbidden, isMisspelt };
    }
  }
}

/** Shorter names are near many others. */
const shortestMisspelt = 3;

/** Plurals do not count: `ids` in place of `id` may well mean another argument. */
function isLikelyMisspelt(name: string, known: readonly string[]): boolean {
  if (name.length < shortestMisspelt) return false;
  const others = known.filter((listed) => !isPluralOf(listed, name) && !isPluralOf(name, listed));
  return findNearest(name, others) !== undefined;
}

function isPluralOf(plural: string, singular: string): boolean {
  const word = singular.toLowerCase();
  const plurals = [
    `${word}s`,
    `${word}es`,
    ...(word.endsWith('y') ? [word.replace(/y$/, 'ies')] : []),
  ];
  return plurals.includes(plural.toLowerCase());
}

/** Whether a schema says something of names that it does not list. */
function takesOtherNames(schema: Schema): boolean {
  const { additionalProperties, patternProperties, $ref } = schema;
  if (patternProperties !== undefined) return true;
  // Which of these apply depends on the values of a call.
  if (conditions.some((key) => schema[key] !== undefined)) return true;
  if (typeof $ref === 'string' && !$ref.startsWith('#/')) return true;
  return additionalProperties === true || isObject(additionalProperties);
}

const conditions = ['if', 'dependentSchemas', 'dependencies', '$dynamicRef'];

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
