import { exitCodes, UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import { jsonSchemaOf, type SchemaKind, schemaKinds } from '../../results/schema/json-schemas.js';
import type { CommandRun } from '../command.js';
import { jsonText } from '../terminal/output.js';

export async function run({ arguments: [kind = ''], io }: CommandRun): Promise<number> {
  if (!isKind(kind)) {
    const message = `there is no schema ${JSON.stringify(kind)}: expected one of ${schemaKinds.join(', ')}`;
    throw new UsageError(message, didYouMean(kind, schemaKinds));
  }
  io.stdout.write(jsonText(jsonSchemaOf(kind)));
  return exitCodes.ok;
}

function isKind(kind: string): kind is SchemaKind {
  return (schemaKinds as readonly string[]).includes(kind);
}
