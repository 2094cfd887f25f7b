/** Arguments of a tool as JSON text: a number in it may be larger than what JavaScript can hold. */
export class JsonArguments {
  /** A valid JSON object. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Params of a request. A member may be JsonArguments. */
export type RequestParams = Readonly<Record<string, unknown>>;

/** As JSON. Throws RangeError if a value is nested too deeply to be written. */
export function paramsText(params: RequestParams): string {
  const members = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${valueText(value)}`);
  return `{${members.join(',')}}`;
}

function valueText(value: unknown): string {
  return value instanceof JsonArguments ? value.text : JSON.stringify(value);
}
