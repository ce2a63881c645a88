import type { CodecPayload } from '../../../client/callbacks/callback-context';
import { CODEC_LIMIT_BYTES } from '../../../client/callbacks/codec';
import { KeyRing } from '../../../records/sealing/key-ring';
import { payloadCodec } from '../../../records/sealing/payload-codec';
import { type Bench, bench } from './listener';

/** Payloads opened for Temporal's UI and command line. */
const PAGE = 'https://temporal.example.org';
const KEYS = new KeyRing({ k1: Buffer.alloc(32, 1) }, 'k1');
const TOKEN = 'the-token-of-ann';
const ANN = `Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`;

let server: Bench;
beforeEach(async () => {
  server = await bench({
    ports: { codec: payloadCodec<CodecPayload>(KEYS), tokenOf: async (person) => (person === 'nobody' ? undefined : TOKEN) },
    settings: { codec: { people: ['ann', 'nobody'], origins: [PAGE] } },
  });
});
afterEach(() => server.close());

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PLAIN = { metadata: { encoding: base64('json/plain') }, data: base64('"zebra"') };

async function ask(way: string, payloads: unknown, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/json', authorization: ANN, ...headers };
  const answer = await server.post(`/codec/${way}`, typeof payloads === 'string' ? payloads : JSON.stringify({ payloads }), all);
  return { answer, body: (await answer.json()) as { payloads?: (typeof PLAIN)[]; error?: { message: string } } };
}

test('what is sealed is opened for who has a token, and what is not stays as it is', async () => {
  const sealed = await ask('encode', [PLAIN]);
  expect(sealed.answer.status).toBe(200);
  expect(JSON.stringify(sealed.body)).not.toContain(PLAIN.data);
  const opened = await ask('decode', [...(sealed.body.payloads ?? []), PLAIN]);
  expect([opened.answer.status, opened.body]).toEqual([200, { payloads: [PLAIN, PLAIN] }]);
  const program = await ask('decode', [PLAIN], { authorization: `Bearer ann:${TOKEN}` });
  expect([program.answer.status, program.answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

test.each([
  ['nobody', ''],
  ['a wrong token', `Basic ${base64('ann:wrong')}`],
  ['no token', `Basic ${base64('ann:')}`],
  ['somebody who is not listed', `Basic ${base64(`bob:${TOKEN}`)}`],
  ['somebody who has no token', `Basic ${base64('nobody:')}`],
  ['a name of objects', `Bearer __proto__:${TOKEN}`],
  ['the token alone', `Bearer ${TOKEN}`],
])('%s is refused, whatever was sent', async (_, authorization) => {
  for (const body of [[PLAIN], 'x'.repeat(100_000)]) {
    const { answer } = await ask('decode', body, { authorization });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)]);
  }
  // Refusals are all written by then.
  await server.listener.close();
  expect(JSON.stringify(server.refused())).not.toContain(TOKEN);
});

test('a history may have more payloads than a sender has requests, and guesses of tokens are counted', async () => {
  await server.close();
  server = await bench({
    ports: { codec: payloadCodec<CodecPayload>(KEYS), tokenOf: async () => TOKEN },
    settings: { codec: { people: ['ann'] }, rate: 2 },
  });
  for (let asked = 0; asked < 10; asked += 1) expect((await ask('decode', [PLAIN])).answer.status).toBe(200);
  const guess = async () => (await ask('decode', [PLAIN], { authorization: 'Bearer ann:guess' })).answer.status;
  expect([await guess(), await guess(), await guess(), (await ask('decode', [PLAIN])).answer.status]).toEqual([401, 401, 429, 200]);
});

test('pages of listed addresses may ask, and no others', async () => {
  const preflight = (origin: string) => fetch(`${server.listener.url}/codec/decode`, { method: 'OPTIONS', headers: { origin } });
  const allowed = await preflight(PAGE);
  expect([
    allowed.status,
    allowed.headers.get('access-control-allow-origin'),
    allowed.headers.get('access-control-allow-credentials'),
  ]).toEqual([204, PAGE, 'true']);
  for (const origin of ['https://evil.example.org', 'null', `${PAGE}.evil.org`]) {
    const refused = await preflight(origin);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await ask('decode', [PLAIN], { origin })).answer.status).toBe(403);
  }
  const asked = await ask('decode', [PLAIN], { origin: PAGE });
  expect([asked.answer.status, asked.answer.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
});

test.each<[string, unknown]>([
  ['no list', '{}'],
  ['a payload that is none', [1]],
  ['metadata that is none', [{ metadata: { encoding: 1 } }]],
  ['data that is none', [{ data: {} }]],
  ['no JSON', 'x'],
])('%s is unreadable', async (_, body) => {
  expect((await ask('decode', body)).answer.status).toBe(400);
});

test('a key that is missing is named', async () => {
  const [sealed] = await payloadCodec<CodecPayload>(new KeyRing({ k0: Buffer.alloc(32, 2) }, 'k0')).encode([
    { metadata: {}, data: Buffer.from('zebra') },
  ]);
  const metadata = Object.fromEntries(
    Object.entries(sealed?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  );
  const { answer, body } = await ask('decode', [{ metadata, data: Buffer.from(sealed?.data ?? []).toString('base64') }]);
  expect([answer.status, body.error?.message]).toEqual([422, expect.stringContaining('the key "k0"')]);
});

test('what is too large is refused, and other methods are', async () => {
  const { answer } = await ask('decode', `{"payloads":["${'x'.repeat(CODEC_LIMIT_BYTES)}"]}`);
  expect(answer.status).toBe(413);
  expect((await server.get('/codec/decode')).status).toBe(405);
});

test('nobody is answered where nobody is listed', async () => {
  const off = await bench();
  try {
    expect((await off.post('/codec/decode', '{}', { authorization: ANN })).status).toBe(404);
  } finally {
    await off.close();
  }
});
