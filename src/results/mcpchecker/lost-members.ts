import { formatLeftOut, type LeftOut } from '../../journal/left-out.js';

type Path = readonly (string | number)[];

/** Members of a task run that were left out, as far as its verdict, or judging it again, rests on them. */
export class LostMembers {
  readonly #parts = new Map<string, LeftOut>();
  #hasEvidence = false;

  add(part: LeftOut, path: Path): void {
    const [member = '', ...within] = path;
    // Of a phase, only how it went says something; of the assertions, each of them does.
    const key = [member, ...within.slice(0, 1)].join('.');
    if (!this.#parts.has(key)) this.#parts.set(key, part);
    const isEvidence = member === 'callHistory' || member === 'taskOutput';
    if (isEvidence && !harmless.has(path.at(-1) ?? '')) this.#hasEvidence = true;
  }

  /** Why one of them is not known; undefined if all are. */
  reason(...members: readonly string[]): string | undefined {
    const found = members.find((member) => this.#parts.has(member));
    const part = found === undefined ? undefined : this.#parts.get(found);
    return part && formatLeftOut(part);
  }

  /** Why an assertion is not known; undefined if all are. */
  reasonOfAssertions(): string | undefined {
    return this.reason(
      ...[...this.#parts.keys()].filter((key) => /^assertionResults(\.|$)/.test(key)),
    );
  }

  /** Something that whoever judges the task run again would look at. */
  get hasEvidence(): boolean {
    return this.#hasEvidence;
  }
}

/** Their loss changes no verdict. */
const harmless = new Set<string | number>(['timestamp', 'tokens', 'inputTokens', 'outputTokens']);
