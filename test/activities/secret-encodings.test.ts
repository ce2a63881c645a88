import { LocalSecrets } from '../../activities/adapters/secrets';
import type { LoadedRun } from '../../activities/run/loaded-run';
import { runSecrets } from '../../activities/run/run-secrets';
import { masker } from '../../plan/text/masker';
import { streamMask } from '../../plan/text/stream-masker';
import { KEY, workshop } from './workshop';

const SECRET = 'p@ss/w+rd ünd "quotes" & more';

async function maskOf(environment: NodeJS.ProcessEnv, args: Record<string, string> = {}): Promise<(text: string) => string> {
  const { toolbox } = workshop({ secrets: new LocalSecrets(environment) });
  const plan = { args: Object.fromEntries(Object.keys(args).map((name) => [name, { secret: true }])) };
  return (await runSecrets(toolbox, { key: KEY, plan, record: { args }, steps: new Map() } as unknown as LoadedRun)).mask;
}

const QUOTED = `it's "q" & <t> $é`;
test.each<[string, string]>([
  ['by a shell that traces its commands', `it'\\''s "q" & <t> $é`],
  ['by Python’s shlex', `it'"'"'s "q" & <t> $é`],
  ['by printf %q', 'it\\\'s\\ \\"q\\"\\ \\&\\ \\<t\\>\\ \\$é'],
  ['by Python’s repr', `it\\'s "q" & <t> $é`],
  ['by Python’s json', `it's \\"q\\" & <t> $\\u00e9`],
  ['in JSON of capitals', `it's \\"q\\" & <t> $\\u00E9`],
  ['in a page', 'it&#39;s &quot;q&quot; &amp; &lt;t&gt; $é'],
  ['by Python’s html', 'it&#x27;s &quot;q&quot; &amp; &lt;t&gt; $é'],
])('a secret is masked where it is quoted %s', (_, written) => {
  expect(masker([QUOTED])(`before ${written} behind`)).toBe('before *** behind');
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each<[string, string]>([
  ['as it is', SECRET],
  ['as JSON writes it', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  ['in an address', encodeURIComponent(SECRET)],
  ['in an address, in small letters', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
  ['in a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
  ['in base64', base64(SECRET)],
  ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
])('a secret is masked %s', async (_, written) => {
  const mask = await maskOf({ X: SECRET }, { x: 'secret://env/X' });
  expect(mask(`before ${written} behind`)).toBe('before *** behind');
});

/** Pseudo-random, the same each time. */
function choices(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const code = (character: string, chance: () => number): string =>
  [...Buffer.from(character)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .map((hex) => `%${chance() < 0.5 ? hex : hex.toUpperCase()}`)
    .join('');

describe('a secret is masked in an address', () => {
  const KEY_OF_AWS = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY';

  test.each<[string, string, string]>([
    ['by Python’s quote', 'abc+def/ghi=JKL', 'abc%2Bdef/ghi%3DJKL'],
    ['by Python’s quote_plus', 'abc+def ghi=JKL', 'abc%2Bdef+ghi%3DJKL'],
    ['by Go’s PathEscape', 'a:b@c&d=e+f$g/h', 'a:b@c&d=e+f$g%2Fh'],
    ['by curl', 'a~b!c*d(e)f', 'a~b%21c%2Ad%28e%29f'],
    ['with every character encoded', 'hush', '%68%75%73%68'],
    ['within another address', 'abc+def/ghi', 'abc%252Bdef%252fghi'],
    ['with a percent sign of its own', '100%41%', '100%2541%25'],
    ['that forms send', 'one\ntwo three', 'one%0D%0Atwo+three'],
    ['as JSON', 'say "yes"', 'say%20%5C%22yes%5c%22'],
  ])('%s', async (_, secret, written) => {
    const mask = await maskOf({ X: secret }, { x: 'secret://env/X' });
    expect(mask(`https://h/?a=${written}&b=1`)).toBe('https://h/?a=***&b=1');
  });

  test('whichever of its characters are encoded, in small or large letters, and wherever the text is cut', () => {
    for (const secret of [SECRET, KEY_OF_AWS, '%25%2525%', 'ab', '++  ++%2B+']) {
      for (let seed = 1; seed <= 40; seed += 1) {
        const chance = choices(seed);
        const written = [...secret].map((one) => (chance() < 0.5 ? one : code(one, chance))).join('');
        if (written.length < 8) continue;
        const text = `before ${written} behind`;
        expect([written, masker([secret])(text)]).toEqual([written, 'before *** behind']);
        const stream = streamMask([secret]);
        const size = 1 + Math.floor(chance() * 12);
        let shown = '';
        for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
        expect([written, shown + stream.end()]).toEqual([written, 'before *** behind']);
      }
    }
  });

  test('and what only looks like it is left', () => {
    const mask = masker(['abc+def/ghi']);
    for (const text of ['abc%2Bdef%2', 'abc%2Cdef/ghi', 'abc def/ghi', 'ABC%2Bdef/ghi', '%%%%+++']) expect(mask(text)).toBe(text);
  });
});

test.each(['', 'a', 'ab', 'user:'])('a secret is masked in base64 after %j, but for what it shares with its neighbours', async (before) => {
  const mask = await maskOf({ X: SECRET }, { x: 'secret://env/X' });
  const masked = mask(base64(`${before}${SECRET}!`));
  expect(masked).toContain('***');
  expect(masked.length).toBeLessThan(base64(before).length + 10);
});

test('what the worker itself holds is masked: by the names of variables, and what was resolved', async () => {
  const environment = {
    SOME_API_KEY: 'sk-own-key-1',
    GH_TOKEN: 'ghp_own_2',
    PGPASSWORD: 'data-base',
    HOOK: 'Bearer hook-own-3',
    HOME: '/home/own',
  };
  const secrets = new LocalSecrets(environment);
  await secrets.resolve('secret://env/HOOK');
  const { toolbox } = workshop({ secrets });
  const { mask } = await runSecrets(toolbox, { key: KEY, plan: {}, record: { args: {} }, steps: new Map() } as unknown as LoadedRun);
  expect(mask('sk-own-key-1 ghp_own_2 data-base hook-own-3 /home/own')).toBe('*** *** *** *** /home/own');
});

test('a stand-in for a key is a word like any other, and where a key lies is no secret', async () => {
  const mask = await maskOf({ OPENAI_API_KEY: 'ollama', X_TOKEN: '', Y_KEY: 'none', DB_PASSWORD: 'postgres', SSH_KEY: '/home/me/.ssh/id' });
  expect(mask('ollama has none, postgres keeps /home/me/.ssh/id')).toBe('ollama has none, postgres keeps /home/me/.ssh/id');
});
