import { readPackageReference } from '../../config/schemas/package-reference.js';
import { type ExtensionDefinition, ExtensionError } from '../extension-definition.js';
import { localProgram } from './local-program.js';
import { type ReleaseProgramOptions, releaseProgram } from './release-program.js';

/**
 * The absolute path of the program of an extension; one of a release is fetched if need be. Throws
 * ExtensionError.
 */
export async function locateProgram(
  definition: ExtensionDefinition,
  options: ReleaseProgramOptions,
): Promise<string> {
  const reference = readPackageReference(definition.package);
  switch (reference.kind) {
    case 'flaw': {
      const { reason, hint } = reference;
      throw new ExtensionError(`the package ${definition.package} ${reason}`, { hint });
    }
    case 'release':
      return releaseProgram(reference, definition.folder, options);
    case 'path':
      return localProgram(reference.path, definition, options.environment);
  }
}
