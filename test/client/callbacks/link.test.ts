import { createHash } from 'node:crypto';
import { NOBODY } from '../../../plan/people/people';
import { jsonText } from '../../../plan/text/json-text';
import { type Bench, bench, GATE, KEY, openGate, refusedAs, SHOWN } from './listener';

let at: Bench;
afterEach(() => at.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TOKEN = 'chairman’s own token';
const form = (fields: Record<string, string>): string => new URLSearchParams({ choice: 'approve', by: 'chairman', ...fields }).toString();
const send = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  at.post(`/g/${KEY}`, form(fields), { ...FORM, ...headers });

describe('a gate’s page', () => {
  test('shows the question, who may decide, until when, and the lines that answer it, as text alone', async () => {
    at = await bench();
    const response = await at.get(`/g/${KEY}`);
    const page = await response.text();
    expect(response.status).toBe(200);
    for (const shown of [
      'Deploy &lt;b&gt;now&lt;/b&gt;?',
      'chairman, cfo',
      '2026-11-22 10:00 UTC',
      '&quot;&lt;you&gt;&quot;',
      'width=device-width',
    ])
      expect(page).toContain(shown);
    expect(page).not.toMatch(/<b>|<script/);
  });

  test('shows what is to be decided about: a diff as such, the time by the clock of the schedule, everything as text', async () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-<i>old</i>\n+new';
    at = await bench({ ports: { shown: async () => diff, gateFor: async () => ({ ...GATE, zone: 'Europe/Berlin' }) } });
    const page = await (await at.get(`/g/${KEY}`)).text();
    expect(page).toContain('<span class="removed">-&lt;i&gt;old&lt;/i&gt;</span>');
    expect(page).toContain('<span class="added">+new</span>');
    expect(page).toContain('2026-11-22 11:00 Europe/Berlin');
    expect(page).toContain(`href="${KEY}/shown"`);
    const whole = await at.get(`/g/${KEY}/shown`);
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('x-content-type-options')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
      'nosniff',
    ]);
    expect(await whole.text()).toBe(`Deploy <b>now</b>?\n\n${diff}\n`);
  });

  test('turns no direction of writing and steers nothing, in the question either', async () => {
    const question = 'Pay 10 \u202e000 001\u202c to \u001b[2Jthem?';
    at = await bench({ ports: { gateFor: async () => ({ ...GATE, question, note: 'not \u2066this' }) } });
    const page = await (await at.get(`/g/${KEY}`)).text();
    expect(page).toContain('Pay 10 \ufffd000 001\ufffd to \ufffd[2Jthem?');
    expect(page).toContain('not \ufffdthis');
    expect(await (await at.get(`/g/${KEY}/shown`)).text()).toMatch(/^Pay 10 \ufffd000 001\ufffd to \ufffd\[2Jthem\?\n/);
  });

  test('cuts what is long, says how much is left out, and has all of it behind a link', async () => {
    at = await bench({ ports: { shown: async () => 'x'.repeat(150_000) } });
    const page = await (await at.get(`/g/${KEY}`)).text();
    expect(page).toContain('50000 of 150000 characters are left out here.');
    expect((await (await at.get(`/g/${KEY}/shown`)).text()).length).toBeGreaterThan(150_000);
  });

  test('says so if the store here does not have what is shown', async () => {
    at = await bench({ ports: { shown: async () => undefined } });
    expect(await (await at.get(`/g/${KEY}`)).text()).toContain('does not have the content');
    expect((await at.get(`/g/${KEY}/shown`)).status).toBe(404);
    expect((await at.get('/g/nobody/shown')).status).toBe(404);
  });

  test('may load and run nothing, is not kept, and is not for others to frame or to find', async () => {
    at = await bench();
    const { headers } = await at.get(`/g/${KEY}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe-inline/);
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex, nofollow']);
  });

  test.each(['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "' onfocus=alert(1) autofocus '"])(
    'takes no markup from what is asked: %s',
    async (text) => {
      const gate = {
        ...GATE,
        question: text,
        step: text,
        choices: [text],
        approvers: [text],
        answer: text,
        run: text,
        deadline: text,
        note: text,
      };
      at = await bench({ ports: { gateFor: async () => gate, gateNow: async () => ({ kind: 'unknown' }), commands: () => [text] } });
      const page = await (await at.get(`/g/${KEY}`)).text();
      expect(page).not.toContain(text);
      expect(page).toContain('<dt>Note</dt>');
      expect(page).toContain('<button name="choice" value="');
    },
  );

  test('has the one style that its policy allows', async () => {
    at = await bench();
    const response = await at.get(`/g/${KEY}`);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await response.text()) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`);
  });

  test('names who may decide in an approver’s place', async () => {
    at = await bench({ ports: { gateNow: async () => openGate({ delegates: { chairman: ['vice'] } }) } });
    expect(await (await at.get(`/g/${KEY}`)).text()).toContain('<option value="vice">');
  });

  test('has no form once the gate is closed', async () => {
    at = await bench({ ports: { gateNow: async () => ({ kind: 'closed' }) } });
    const response = await at.get(`/g/${KEY}`);
    expect(response.status).toBe(410);
    expect(await response.text()).not.toContain('<form');
  });

  test.each(['x'.repeat(32), '..%2f..%2fkey', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', `${KEY}%00`, '<script>'])(
    'is not there for the key %s',
    async (key) => {
      at = await bench();
      const response = await at.get(`/g/${key}`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('<script>');
    },
  );
});

describe('an answer at a page', () => {
  test('with the person’s own token is proven', async () => {
    at = await bench();
    expect((await send({ token: TOKEN, comment: 'go' }, { origin: at.listener.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect(at.decided).toMatchObject([
      { name: 'approve', payload: { by: 'chairman', comment: 'go', shown: SHOWN, proof: { channel: 'link' } } },
    ]);
    expect(JSON.stringify(at.decided)).not.toContain(TOKEN);
  });

  test.each([
    ['another token', { token: 'guess' }],
    ['no token, where people have tokens', {}],
    ['the token of somebody else', { by: 'cfo', token: TOKEN }],
    ['any token of one who has none', { by: 'cfo', token: 'x' }],
  ])('with %s is refused', async (_what, fields) => {
    at = await bench();
    expect([(await send(fields)).status, at.decided, at.noted]).toEqual([401, [], []]);
    await at.listener.close();
    expect(JSON.stringify(at.refused())).not.toContain(TOKEN);
  });

  test('of somebody unknown is refused', async () => {
    at = await bench();
    expect((await send({ by: 'eve', token: TOKEN })).status).toBe(403);
  });

  test('if nobody has a token is claimed, and a refusal of it is not journalled as anybody’s', async () => {
    at = await bench({ ports: { directory: NOBODY } });
    expect((await send({ by: 'anyone' })).status).toBe(200);
    expect(at.decided[0]?.payload).toEqual({ step: 'approve', by: 'anyone', shown: SHOWN });
    await at.close();
    at = await bench({ ports: { directory: NOBODY, decide: () => Promise.reject(refusedAs('duplicate')) } });
    expect([(await send({ by: 'anyone' })).status, at.noted]).toEqual([409, []]);
  });

  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of no site that says its name', { origin: 'null' }],
    ['that a browser says is across sites', { 'sec-fetch-site': 'cross-site' }],
    ['of another name under the same site', { 'sec-fetch-site': 'same-site' }],
  ])('from a form %s is refused', async (_what, headers) => {
    at = await bench();
    expect([(await send({ token: TOKEN }, headers)).status, at.decided]).toEqual([403, []]);
  });

  test('from the address that the listener is known by outside is taken', async () => {
    at = await bench({ settings: { url: 'https://answers.example.org/thermidor' } });
    expect((await send({ token: TOKEN }, { origin: 'https://answers.example.org' })).status).toBe(200);
  });

  test('to an input gate is read as JSON if it reads so', async () => {
    at = await bench({
      ports: { gateFor: async () => ({ ...GATE, kind: 'input', choices: ['respond'] }), gateNow: async () => openGate() },
    });
    await send({ token: TOKEN, choice: 'respond', response: '{"size": 3}' });
    expect(at.decided).toMatchObject([{ name: 'respond', payload: { response: { size: 3 } } }]);
  });

  test.each(['1.10', '1234567890123456789', 'null'])('that is %s is that, as it is written', async (response) => {
    at = await bench({
      ports: { gateFor: async () => ({ ...GATE, kind: 'input', choices: ['respond'] }), gateNow: async () => openGate() },
    });
    await send({ token: TOKEN, choice: 'respond', response });
    expect(jsonText(at.decided)).toContain(`"response":${response}`);
  });

  test('that comes late says so as a page', async () => {
    at = await bench({ ports: { decide: () => Promise.reject(refusedAs('late')) } });
    const response = await send({ token: TOKEN });
    expect([response.status, response.headers.get('content-type')]).toEqual([410, 'text/html; charset=UTF-8']);
    expect(at.noted).toHaveLength(1);
  });
});
