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
  const record = ` path=${name}\n`;
  const bytes = Buffer.byteLength(record);
  // The length counts its own digits.
  const length = bytes + String(bytes + 3).length;
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
}

export function zip(files: readonly ArchivedFile[], options: ZipOptions = {}): Buffer {
  const { method = 8, flags = 0, comment = '' } = options;
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
    const madeOnUnix = Buffer.from([20, 3]);
    const entry = [Buffer.from('PK\x01\x02'), madeOnUnix, shared, rest, Buffer.from(name)];
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
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...members, list, end, Buffer.from(comment)]);
}
