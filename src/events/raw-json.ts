/**
 * A JSON value as the text that came over the wire. Parsing and writing it again could change it
 * (large numbers, doubled keys), so the text is what is kept; the value is there for those who look.
 */
export class RawJson {
  /** Valid JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}
