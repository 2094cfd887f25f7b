import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

export interface ArchivedFile {
  name: string;
  content: Buffer;
  /** 0o755 if it is not given; in a zip archive also with the type of the file. */
  mode?: number;
  /** Of a tar archive: `0` is a regular file, `2` a symbolic link. */
  type?: string;
  /** What the archive says of it, if that is not the truth. */
  size?: number;
}

export function tarGz(files: readonly ArchivedFile[]): Buffer {
  return gzipSync(tar(files));
}

export function tar(files: readonly ArchivedFile[]): Buffer {
  return Buffer.concat([...files.map(tarMember), Buffer.alloc(1024)]);
}

/** The header before a file whose name is too long for its own. */
export function paxName(name: string): ArchivedFile {
  return paxRecord('path', name);
}

/** A header that says something of the file after it. */
export function paxRecord(key: string, value: string): ArchivedFile {
  const record = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(record);
  // The length counts its own digits.
  const length = bytes + String(bytes + String(bytes).length).length;
  return { name: 'PaxHeaders/file', content: Buffer.from(`${length}${record}`), type: 'x' };
}

function tarMember({ name, content, mode = 0o755, type = '0', size }: ArchivedFile): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding]);
}

export interface ZipOptions {
  /** How the content is packed: 8 is deflated, 0 not at all. */
  method?: number;
  flags?: number;
  comment?: string;
  /** All lengths and places stand in records of zip64; those given are not the truth. */
  zip64?: { bytes?: bigint; fileAt?: bigint; directoryAt?: bigint; recordAt?: bigint };
}

export function zip(files: readonly ArchivedFile[], options: ZipOptions = {}): Buffer {
  const { method = 8, flags = 0, comment = '', zip64 } = options;
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, mode = 0o755, size = content.length } of files) {
    const packed = method === 8 ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const member = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt16LE(mode > 0o7777 ? mode : 0o100000 | mode, 8);
    rest.writeUInt32LE(at, 10);
    const { bytes = BigInt(size), fileAt = BigInt(at) } = zip64 ?? {};
    const extra = zip64 ? longFields(1, bytes, BigInt(packed.length), fileAt) : Buffer.alloc(0);
    if (zip64) {
      shared.fill(0xff, 14, 22);
      rest.fill(0xff, 10, 14);
      shared.writeUInt16LE(extra.length, 24);
    }
    const madeOnUnix = Buffer.from([20, 3]);
    const entry = [Buffer.from('PK\x01\x02'), madeOnUnix, shared, rest, Buffer.from(name), extra];
    directory.push(Buffer.concat(entry));
    members.push(member);
    at += member.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  if (zip64) end.fill(0xff, 8, 20);
  end.writeUInt16LE(comment.length, 20);
  const long = zip64 ? longEnd(files.length, list.length, at, zip64) : Buffer.alloc(0);
  return Buffer.concat([...members, list, long, end, Buffer.from(comment)]);
}

/** A field that holds numbers of 64 bits. */
function longFields(id: number, ...numbers: bigint[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(id, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) field.writeBigUInt64LE(number, 4 + 8 * index);
  return field;
}

/** The end of a zip64 archive, and the record that says where it is. */
function longEnd(
  count: number,
  listLength: number,
  listAt: number,
  {
    directoryAt = BigInt(listAt),
    recordAt = BigInt(listAt + listLength),
  }: ZipOptions['zip64'] & {},
): Buffer {
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06');
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(listLength), 40);
  end.writeBigUInt64LE(directoryAt, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07');
  locator.writeBigUInt64LE(recordAt, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}
