import { didYouMean } from '../../base/nearest.js';
import type { CommandRun } from '../command.js';
import { shellScripts } from '../completion/shell-scripts.js';
import { exitCodes, UsageError } from '../exit-codes.js';

export async function run({ arguments: [shell = ''], io }: CommandRun): Promise<number> {
  const script = shellScripts.get(shell);
  if (script === undefined) {
    const shells = [...shellScripts.keys()];
    const message = `there is no completion for ${JSON.stringify(shell)}: expected one of ${shells.join(', ')}`;
    throw new UsageError(message, didYouMean(shell, shells));
  }
  io.stdout.write(script);
  return exitCodes.ok;
}
