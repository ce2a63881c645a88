import { LocalSecrets } from '../../activities/adapters/secrets';
import type { LoadedRun } from '../../activities/run/loaded-run';
import { runSecrets } from '../../activities/run/run-secrets';
import { KEY, workshop } from './workshop';

const SECRET = 'p@ss/w+rd ünd "quotes" & more';

async function maskOf(environment: NodeJS.ProcessEnv, args: Record<string, string> = {}): Promise<(text: string) => string> {
  const { toolbox } = workshop({ secrets: new LocalSecrets(environment) });
  const plan = { args: Object.fromEntries(Object.keys(args).map((name) => [name, { secret: true }])) };
  return (await runSecrets(toolbox, { key: KEY, plan, record: { args } } as unknown as LoadedRun)).mask;
}

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

test.each(['', 'a', 'ab', 'user:'])(
  'a secret is masked in base64 behind %j, but for what it shares with its neighbours',
  async (before) => {
    const mask = await maskOf({ X: SECRET }, { x: 'secret://env/X' });
    const masked = mask(base64(`${before}${SECRET}!`));
    expect(masked).toContain('***');
    expect(masked.length).toBeLessThan(base64(before).length + 10);
  },
);

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
  const { mask } = await runSecrets(toolbox, { key: KEY, plan: {}, record: { args: {} } } as unknown as LoadedRun);
  expect(mask('sk-own-key-1 ghp_own_2 data-base hook-own-3 /home/own')).toBe('*** *** *** *** /home/own');
});

test('a stand-in for a key is a word like any other, and where a key lies is no secret', async () => {
  const mask = await maskOf({ OPENAI_API_KEY: 'ollama', X_TOKEN: '', Y_KEY: 'none', DB_PASSWORD: 'postgres', SSH_KEY: '/home/me/.ssh/id' });
  expect(mask('ollama has none, postgres keeps /home/me/.ssh/id')).toBe('ollama has none, postgres keeps /home/me/.ssh/id');
});
