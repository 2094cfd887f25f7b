import { StringDecoder } from 'node:string_decoder';

const maxLines = 20;
/** In characters: more than is recorded of them. */
const maxLength = 8000;

/** The last lines that a server wrote to its log. */
export class LogTail {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';

  add(chunk: Buffer): void {
    const text = this.#text + this.#decoder.write(chunk);
    this.#text = text.length <= maxLength ? text : fromNextWord(text.slice(-maxLength));
  }

  get text(): string {
    return this.#text.trimEnd().split('\n').slice(-maxLines).join('\n');
  }
}

/** Half of a secret would not be recognised as one. */
function fromNextWord(text: string): string {
  return text.replace(/^[^\s"',:=]*/, '').trimStart();
}
