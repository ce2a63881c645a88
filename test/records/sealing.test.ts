import { randomBytes } from 'node:crypto';
import { KeyRing, keyIn, SEAL_BYTES } from '../../records/sealing/key-ring';
import { isSealedPayload, payloadCodec } from '../../records/sealing/payload-codec';
import { isSealedJson, openJson, openText, sealJson, sealText } from '../../records/sealing/sealed-text';

/** What a key ring seals, and who can open it. */
const [k1, k2] = [randomBytes(32), randomBytes(32)];
const old = new KeyRing({ k1 }, 'k1');
const both = new KeyRing({ k1, k2 }, 'k2');
const only2 = new KeyRing({ k2 }, 'k2');

test.each([
  ['64 hexadecimal digits', k1.toString('hex'), true],
  ['in capitals, with a line break', `${k1.toString('hex').toUpperCase()}\n`, true],
  ['base64', k1.toString('base64'), true],
  ['base64 for addresses', k1.toString('base64url'), true],
  ['16 bytes', k1.subarray(16).toString('hex'), false],
  ['33 bytes', randomBytes(33).toString('base64'), false],
  ['31 bytes', randomBytes(31).toString('base64'), false],
  ['a word', 'password', false],
  ['nothing', '', false],
])('a key has 32 bytes: %s', (_, text, isKey) => {
  const key = keyIn(text);
  expect(key !== undefined).toBe(isKey);
  if (isKey) expect(key?.equals(k1)).toBe(true);
});

test('any key of the ring opens, and one seals', () => {
  const [before, after] = [sealText(old, 'word', 'a place'), sealText(both, 'word', 'a place')];
  expect([before, after].map((text) => /^thermidor-sealed:k([12])\.[0-9a-f]{8}:/.exec(text)?.[1])).toEqual(['1', '2']);
  expect([before, after].map((text) => openText(both, text, 'a place'))).toEqual(['word', 'word']);
  expect(openText(both, 'plain', 'a place')).toBe('plain');
});

test('a key that is missing is named, and so is another one of its id', () => {
  const text = sealText(old, 'word', 'a record\nof a run');
  const missing = { code: 'encryption.key-missing', message: 'a record is sealed with the key "k1", which encryption.keys does not have' };
  expect(() => openText(only2, text, 'a record\nof a run')).toThrow(expect.objectContaining(missing));
  expect(() => openText(new KeyRing(), text, 'a record\nof a run')).toThrow(expect.objectContaining(missing));
  const other = new KeyRing({ k1: k2 }, 'k1');
  expect(() => openText(other, text, 'a record\nof a run')).toThrow(/another key than the "k1" of encryption\.keys/);
});

test('what was sealed for one place opens at no other, and nothing opens that was changed', () => {
  const text = sealText(old, 'word', 'here');
  expect(() => openText(old, text, 'there')).toThrow(expect.objectContaining({ code: 'store.unavailable' }));
  const bytes = old.seal(Buffer.from('word'), 'here');
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(old.open(old.use ?? '', changed, 'here')).toBeUndefined();
  }
  expect(old.open(old.use ?? '', bytes.subarray(0, SEAL_BYTES - 1), 'here')).toBeUndefined();
});

test('each seal has a nonce of its own, except where equal content has to be equal', () => {
  const [one, two] = [0, 1].map(() => old.seal(Buffer.from('word'), 'here').toString('hex'));
  expect(one).not.toBe(two);
  const [three, four, five] = ['digest', 'digest', 'another'].map((of) => old.seal(Buffer.from('word'), 'here', of).toString('hex'));
  expect(three).toBe(four);
  expect(three).not.toBe(five);
});

test('JSON keeps its numbers, and the fields that a store reads', () => {
  const sealed = sealJson(old, { endedAt: '2026', error: 'word' }, 'here', ['endedAt', 'startedAt']);
  expect(Object.keys(sealed as object)).toEqual(['endedAt', 'thermidor-sealed']);
  expect(JSON.stringify(sealed)).not.toContain('word');
  expect([isSealedJson(sealed), openJson(old, sealed, 'here')]).toEqual([true, { endedAt: '2026', error: 'word' }]);
  expect(sealJson(new KeyRing(), { a: 1 }, 'here')).toEqual({ a: 1 });
});

test('a ring of which no key seals opens all the same', () => {
  const ring = both.readOnly();
  expect([ring.use, openText(ring, sealText(both, 'word', 'here'), 'here')]).toEqual([undefined, 'word']);
});

describe('payloads', () => {
  const payload = { metadata: { encoding: Buffer.from('json/plain'), extra: Buffer.from([0, 255]) }, data: Buffer.from('"word"') };

  test('are as they were when they come back', async () => {
    const [sealed = {}] = await payloadCodec(old).encode([payload]);
    expect([isSealedPayload(sealed), JSON.stringify(sealed).includes(payload.data.toString('base64'))]).toEqual([true, false]);
    expect(Object.keys(sealed.metadata ?? {})).toEqual(['encoding', 'encryption-key-id']);
    expect(await payloadCodec(both).decode([sealed])).toEqual([payload]);
    expect(await payloadCodec(old).decode(await payloadCodec(old).encode([{}]))).toEqual([{ metadata: {}, data: Buffer.alloc(0) }]);
  });

  test('that nobody sealed stay as they come, and without a key that seals all do', async () => {
    const plain = [payload];
    expect(await payloadCodec(old).decode(plain)).toBe(plain);
    expect(await payloadCodec(both.readOnly()).encode(plain)).toBe(plain);
  });

  test.each([
    ['without a key', { encoding: Buffer.from('binary/encrypted') }],
    ['with a key that is none', { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from('__proto__') }],
    ['with a known key', { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(old.use ?? '') }],
  ])('that are forged stay unreadable: %s', async (_, metadata) => {
    for (const data of [Buffer.from('rubbish'), Buffer.alloc(0), old.seal(Buffer.from('word'), 'a text')]) {
      const forged = { metadata, data };
      expect(await payloadCodec(old).decode([forged])).toEqual([forged]);
    }
  });

  test('fail by name if the key is missing', async () => {
    const sealed = await payloadCodec(old).encode([payload]);
    await expect(payloadCodec(only2).decode(sealed)).rejects.toMatchObject({ code: 'encryption.key-missing', details: { key: 'k1' } });
  });
});
