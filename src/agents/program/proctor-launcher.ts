import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The program behind `proctor`: beside the folder of the chunks, of which this is part, or built
 * from these sources.
 */
export function proctorLauncher(): string {
  const candidates = ['../proctor.cjs', '../../../dist/proctor.cjs'].map((relative) =>
    path.resolve(import.meta.dirname, relative),
  );
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${candidates.join(' and ')} do not exist`);
  return found;
}
