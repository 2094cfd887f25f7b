import type { ExtensionDefinition } from '../extension-definition.js';
import { localProgram } from './local-program.js';
import { readPackageReference } from './package-reference.js';
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
  if (reference.kind === 'release') {
    return releaseProgram(reference, definition.folder, options);
  }
  return localProgram(reference.path, definition, options.environment);
}
