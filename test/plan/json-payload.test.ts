import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { dataConverter } from '../../client/connect';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { payloadConverter } from '../../workflows/temporal/payload-converter';

const WRITTEN = '{"v":1.10,"id":1234567890123456789,"list":[1e3,123e456,"123e456",{"a.b":-0}],"text":"1234567890123456789","whole":7}';
const SIDES = [
  ['a workflow', payloadConverter],
  ['a client', dataConverter().payloadConverter],
] as const;

function textOf({ data }: Payload): string {
  return new TextDecoder().decode(data ?? undefined);
}

describe('numbers in payloads', () => {
  test.each(SIDES)(
    '%s keeps them as they were written, and tells a number that no double holds from its text',
    (_, { toPayload, fromPayload }) => {
      const payload = toPayload(parseJson(WRITTEN));
      for (const [, other] of SIDES) expect(jsonText(other.fromPayload(payload))).toBe(WRITTEN);
      expect(fromPayload(payload)).toEqual(
        JSON.parse(WRITTEN.replace(/:1234567890123456789|,123e456/g, (found) => `${found[0]}"${found.slice(1)}"`)),
      );
    },
  );

  test.each(SIDES)('%s writes what no double holds as text, for programs that would round it', (_, { toPayload }) => {
    expect(textOf(toPayload(parseJson(WRITTEN)))).toBe(
      WRITTEN.replace(/:1234567890123456789|,123e456/g, (found) => `${found[0]}"${found.slice(1)}"`),
    );
  });

  test.each(SIDES)('%s sends everything else as the SDK does', (_, { toPayload }) => {
    for (const value of [{ a: [1, 'x', null] }, 'text', 5, null, undefined, new Uint8Array([1])])
      expect(toPayload(value)).toEqual(defaultPayloadConverter.toPayload(value));
  });

  test.each<[paths: string, read: string]>([
    ['[["a"],["b"],["none"],["a","length"],["__proto__","x"],[],5]', '{"a":"text","b":"12","c":12345678901234567890}'],
    ['{"c":1}', '{"a":"text","b":"12","c":"12345678901234567890"}'],
  ])('paths of long numbers that somebody has made up (%s) change nothing else', (paths, read) => {
    const made = paths.startsWith('[') ? `${paths.slice(0, -1)},["c"]]` : paths;
    const payload = defaultPayloadConverter.toPayload({ a: 'text', b: '12', c: '12345678901234567890' });
    const metadata = { ...payload?.metadata, 'thermidor-long-numbers': new TextEncoder().encode(made) };
    for (const [, { fromPayload }] of SIDES) expect(jsonText(fromPayload<Json>({ ...payload, metadata }))).toBe(read);
  });
});
