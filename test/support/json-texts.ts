import fc from 'fast-check';

/** Spellings that do not survive a parser and a writer: the text itself has to be passed on. */
const oddNumbers = [
  '12345678901234567890',
  '-9007199254740993',
  '1.0',
  '1E2',
  '-0.0',
  '-0',
  '1e+05',
  '0.1000000000000000055511151231257827',
  '5e-324',
];
const oddStrings = [
  '"\\u00e9"',
  '"\\/"',
  '"\\u0041\\u000a\\b"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"\u2028\u2029"',
  '"]}\\",\\\\"',
  '"Gr\u00fc\u00dfe \u{1f600}"',
];

const space = fc.constantFrom('', '', '', ' ', '  ', '\t', '\n', '\r\n');
const numberText = fc.oneof(
  fc.constantFrom(...oddNumbers),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const stringText = fc.oneof(
  fc.constantFrom(...oddStrings),
  fc.string({ unit: 'binary', maxLength: 12 }).map((value) => JSON.stringify(value)),
);

const depth = 300;
const deep = `${'[{"a":'.repeat(depth)}1.0${'}]'.repeat(depth)}`;

/** The text of a JSON value, spelled in all ways that are allowed. */
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    numberText,
    stringText,
    fc.constantFrom('true', 'false', 'null', deep),
    fc
      .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
      .map(([items, inside]) => `[${items.map((parts) => parts.join('')).join(',') || inside}]`),
    objectText(fc.array(member(stringText, tie('value')), { maxLength: 4 })),
  ),
}));

/** A member of an object: its key as JSON text, and its text altogether. */
type Member = [key: string, text: string];

function member(key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Member> {
  return fc
    .tuple(space, key, space, space, value, space)
    .map(([s1, keyText, s2, s3, valueText, s4]) => [
      keyText,
      `${s1}${keyText}${s2}:${s3}${valueText}${s4}`,
    ]);
}

/** No key twice: what that means is not defined. */
function objectText(members: fc.Arbitrary<Member[]>): fc.Arbitrary<string> {
  return members.map((list) => {
    const byKey = new Map(list.map(([key, text]) => [JSON.parse(key), text]));
    return `{${[...byKey.values()].join(',')}}`;
  });
}

const reserved = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta'];
const unknownMember = member(
  stringText.filter((text) => !reserved.includes(JSON.parse(text))),
  jsonText,
);
const known = (key: string, value: fc.Arbitrary<string>) => member(fc.constant(`"${key}"`), value);

export const idText = fc.oneof(
  stringText,
  fc.nat().map(String),
  fc.constantFrom('0', '-1', '12345678901234567890'),
);

const paramsText = objectText(
  fc
    .tuple(
      fc.array(unknownMember, { maxLength: 4 }),
      fc.option(known('_meta', objectText(fc.tuple(known('progressToken', idText))))),
    )
    .chain(([unknown, meta]) => shuffled([...unknown, ...(meta ? [meta] : [])])),
);

/** A request whose id is written as `ID`, which occurs nowhere else in it. */
export function requestText(method: string): fc.Arbitrary<string> {
  return messageText([
    known('jsonrpc', fc.constant('"2.0"')),
    known('id', fc.constant(idMark)),
    known('method', fc.constant(JSON.stringify(method))),
    known('params', paramsText),
  ]);
}

/** An error that names no request. */
export const namelessErrorText = messageText([
  known('jsonrpc', fc.constant('"2.0"')),
  known('id', fc.constant('null')),
  known('error', objectText(fc.tuple(known('code', numberText), known('message', stringText)))),
]);

export const idMark = '<ID>';

function messageText(members: fc.Arbitrary<Member>[]): fc.Arbitrary<string> {
  return objectText(
    fc
      .tuple(fc.tuple(...members), fc.array(unknownMember, { maxLength: 3 }))
      .chain(([needed, unknown]) => shuffled([...needed, ...unknown])),
  );
}

function shuffled<Item>(items: Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray(items, { minLength: items.length });
}
