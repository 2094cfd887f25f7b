import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ExtensionDefinition, ExtensionError } from '../extension-definition.js';
import { withHome } from './home-folder.js';

/** The absolute path of a program that an eval names by its path. Throws ExtensionError. */
export async function localProgram(
  written: string,
  { folder }: ExtensionDefinition,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const file = path.resolve(folder, withHome(written, environment));
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ExtensionError(`the program ${file} ${wayOfMissing(error)}`, {
      ...hintFor(written),
      cause: error,
    });
  });
  if (found.isDirectory()) {
    throw new ExtensionError(`${file} is a folder, not a program`, {
      hint: 'name the file in it that is to be started',
    });
  }
  if (!found.isFile()) throw new ExtensionError(`${file} is not a regular file`);
  await access(file, constants.X_OK).catch((cause: unknown) => {
    throw new ExtensionError(`the program ${file} is not executable`, {
      hint: `make it so: chmod +x ${file}`,
      cause,
    });
  });
  return file;
}

function wayOfMissing({ code }: NodeJS.ErrnoException): string {
  const isNotThere = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ERR_INVALID_ARG_VALUE';
  return isNotThere ? 'does not exist' : `cannot be read (${code})`;
}

function hintFor(written: string): { hint: string } {
  return {
    hint: written.startsWith('github.com/')
      ? `for a release, write https://${written}`
      : 'relative paths start at the folder of the eval',
  };
}
