import type { PlacedAssertions } from '../../config/assertion-items.js';
import { callKinds, type ItemList, kindOfList } from '../../config/assertion-kinds.js';
import { didYouMean } from '../../config/nearest.js';
import type { Problems } from '../../config/problem.js';
import type { DataPath } from '../../config/source-file.js';
import type { Suite } from '../suite.js';

/** What a server says it has. */
export interface Offer {
  tools: readonly string[];
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

const requiring: readonly ItemList[] = ['toolsUsed', 'resourcesRead', 'promptsUsed'];
const forbidding: readonly ItemList[] = ['toolsNotUsed', 'resourcesNotRead', 'promptsNotUsed'];

/** Exact names in assertions, held against what the servers offer. */
export function checkOffers(
  suite: Suite,
  offers: ReadonlyMap<string, Offer>,
  problems: Problems,
): void {
  const own = suite.tasks.flatMap(({ task }) => task.assertions);
  for (const assertions of [...suite.setAssertions, ...own]) {
    new OfferCheck(assertions, offers, problems).run();
  }
}

class OfferCheck {
  readonly #assertions: PlacedAssertions;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #problems: Problems;

  constructor(
    assertions: PlacedAssertions,
    offers: ReadonlyMap<string, Offer>,
    problems: Problems,
  ) {
    this.#assertions = assertions;
    this.#offers = offers;
    this.#problems = problems;
  }

  run(): void {
    for (const item of requiring.flatMap((list) => this.#named(list))) this.#require(item);
    for (const item of this.#inOrder()) this.#require(item);
    for (const item of forbidding.flatMap((list) => this.#named(list))) {
      if (!this.#isMissing(item)) continue;
      const message = `${item.server} offers no ${item.kind} ${item.name}: nothing is forbidden`;
      this.#report(item, 'forbidden-not-offered', message);
    }
    // One that is there is enough.
    const any = this.#named('requireAny');
    const hasOthers = (this.#assertions.data.requireAny?.length ?? 0) > any.length;
    if (!hasOthers && any.every((item) => this.#isMissing(item))) {
      for (const item of any) this.#require(item);
    }
  }

  #require(item: NamedItem): void {
    if (!this.#isMissing(item)) return;
    const message = `${item.server} offers no ${item.kind} ${item.name}`;
    this.#report(item, 'not-offered', message);
  }

  #report(
    { kind, server, name, at }: NamedItem,
    code: 'not-offered' | 'forbidden-not-offered',
    message: string,
  ): void {
    const { file, path } = this.#assertions;
    const hint = didYouMean(name, this.#namesOf(kind, server));
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
    const kind = kindOfList[list];
    if (kind === 'skill') return [];
    const { exact, pattern } = callKinds[kind];
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
