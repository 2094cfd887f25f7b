import { didYouMean } from '../base/nearest.js';
import { type ArgumentCheck, ArgumentChecks } from './arguments.js';
import type { ExtensionManifest } from './extension-definition.js';

/** What can be said of a request before it is sent, by the manifest. */
export class OperationChecks {
  readonly #manifest: ExtensionManifest;
  /** None: no operation says what its arguments are. */
  readonly #arguments: ArgumentChecks | undefined;
  readonly #byOperation = new Map<string, ArgumentCheck>();

  private constructor(manifest: ExtensionManifest, checks: ArgumentChecks | undefined) {
    this.#manifest = manifest;
    this.#arguments = checks;
  }

  static async of(manifest: ExtensionManifest): Promise<OperationChecks> {
    const isAnyDescribed = [...manifest.operations.values()].some(({ params }) => isSchema(params));
    return new OperationChecks(manifest, isAnyDescribed ? await ArgumentChecks.load() : undefined);
  }

  /** In sentences; none if the operation can be asked for. */
  flawsOf(operation: string, args: unknown): string[] {
    const known = this.#manifest.operations.get(operation);
    if (!known) {
      const hint = didYouMean(operation, this.#manifest.operations.keys());
      return [`there is no operation ${operation}${hint === undefined ? '' : `: ${hint}`}`];
    }
    const check = this.#byOperation.get(operation) ?? this.#checkFor(known.params);
    this.#byOperation.set(operation, check);
    return check(args);
  }

  #checkFor(params: unknown): ArgumentCheck {
    return this.#arguments && isSchema(params) ? this.#arguments.for(params) : () => [];
  }
}

/** `true` is what the Go kit writes for arguments that it knows nothing of. */
function isSchema(params: unknown): boolean {
  return params !== undefined && params !== true;
}
