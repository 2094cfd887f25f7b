/** Loaded where it is needed: as an import it would slow down `proctor validate`. */
const createHash = (algorithm: string) =>
  process.getBuiltinModule('node:crypto').createHash(algorithm);

/** The digest of data as JSON has it: the same in whatever order the members of its objects are. */
export function digestJson(value: unknown): string {
  return createHash('sha256').update(digestValue(value)).digest('hex').slice(0, 32);
}

function digestList(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

type Frame = { value: object; keys: string[]; done: string[] };

/** Without recursion: what others wrote can be nested as deep as they like. */
function digestValue(root: unknown): string {
  const frames: Frame[] = [];
  let value = root;
  for (;;) {
    let finished: string | undefined;
    if (typeof value !== 'object' || value === null) finished = JSON.stringify(value) ?? 'null';
    else frames.push({ value, keys: listKeys(value), done: [] });
    for (;;) {
      const frame = frames.at(-1);
      if (!frame) return finished ?? '';
      if (finished !== undefined) frame.done.push(finished);
      const key = frame.keys[frame.done.length];
      if (key !== undefined) {
        value = Reflect.get(frame.value, key);
        break;
      }
      const kind = Array.isArray(frame.value) ? 'list' : 'map';
      finished = digestList([kind, ...frame.keys, ...frame.done]);
      frames.pop();
    }
  }
}

/** A member without a value is one that JSON does not have. */
function listKeys(value: object): string[] {
  const keys = Object.keys(value).sort();
  return Array.isArray(value) ? keys : keys.filter((key) => Reflect.get(value, key) !== undefined);
}
