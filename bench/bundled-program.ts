import path from 'node:path';
import { rolldown } from 'rolldown';

/** Makes one JavaScript file of a TypeScript program of this repository, for any number of processes. */
export async function bundledProgram(source: string, folder: string): Promise<string> {
  const bundler = await rolldown({ input: source, platform: 'node' });
  const file = path.join(folder, `${path.basename(source, '.ts')}.mjs`);
  await bundler.write({ file, format: 'esm', codeSplitting: false });
  await bundler.close();
  return file;
}
