import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveEndpoint } from '../../../activities/adapters/model/endpoint';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { EndpointSpec } from '../../../plan/agents/adapter';
import { scratchFolder } from '../../activities/workshop';

/** The address and the key of an adapter, by its settings and the worker's environment. */
const KEY = 'sk-ant-of-the-environment';
const resolve = (spec: EndpointSpec, env: NodeJS.ProcessEnv = {}, name = spec.kind as string) =>
  resolveEndpoint({ name, spec, env, secrets: new LocalSecrets(env) });

describe('the address', () => {
  test.each<[what: string, spec: EndpointSpec, env: NodeJS.ProcessEnv, address: string]>([
    ['is the family’s own', { kind: 'anthropic' }, {}, 'https://api.anthropic.com'],
    ['is that of the environment', { kind: 'anthropic' }, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' }, 'http://127.0.0.1:1'],
    [
      'is the one that is set up before all',
      { kind: 'openai', baseUrl: 'http://x.org/v1' },
      { OPENAI_BASE_URL: 'http://y.org' },
      'http://x.org/v1',
    ],
    ['is not taken from an empty variable', { kind: 'openai' }, { OPENAI_BASE_URL: ' ' }, 'https://api.openai.com/v1'],
  ])('%s', async (_what, spec, env, address) => {
    const keys = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };
    expect(await resolve(spec, { ...keys, ...env })).toMatchObject({ baseUrl: address });
  });

  test.each([
    ['no address', 'x.org hunter2'],
    ['another protocol', 'ftp://x.org/hunter2'],
    ['a password', 'https://me:hunter2@x.org'],
    ['a query', 'http://x.org/v1?key=hunter2'],
    ['a fragment', 'http://x.org/v1#hunter2'],
  ])('is refused, by where it stands and without quoting it: %s', async (_what, address) => {
    const refused = (where: string) => ({
      code: 'model.bad-request',
      message: expect.stringMatching(new RegExp(`^${where}((?!hunter2).)*$`)),
    });
    const [spec, env] = [{ kind: 'openai' } as const, { OPENAI_API_KEY: KEY }];
    await expect(resolve(spec, { ...env, OPENAI_BASE_URL: address })).rejects.toMatchObject(refused('OPENAI_BASE_URL'));
    await expect(resolve({ ...spec, baseUrl: address }, env)).rejects.toMatchObject(refused('base_url'));
  });
});

describe('the key', () => {
  const own = { kind: 'anthropic', baseUrl: 'http://127.0.0.1:1' } as const;
  const env = { ANTHROPIC_API_KEY: ` ${KEY}\n` };

  test.each<[what: string, spec: EndpointSpec, name: string, key: string | undefined]>([
    ['of the environment goes to the family’s own address', { kind: 'anthropic' }, 'anthropic', KEY],
    ['and, to that, of an adapter of any name', { kind: 'anthropic' }, 'mine', KEY],
    ['goes to another address of the adapter that bears the family’s name', own, 'anthropic', KEY],
    ['goes to no address of another adapter', own, 'mine', undefined],
    ['that is set up goes where it is set up', { ...own, key: 'secret://env/MINE' }, 'mine', 'of-mine'],
  ])('%s', async (_what, spec, name, key) => {
    expect((await resolve(spec, { ...env, MINE: 'of-mine' }, name)).key).toBe(key);
  });

  test('may be in a file', async () => {
    const path = join(scratchFolder(), 'key');
    writeFileSync(path, `${KEY}\n`);
    expect(await resolve({ kind: 'openai', key: `secret://file${path}` })).toMatchObject({ key: KEY });
  });

  test.each<[what: string, spec: EndpointSpec, env: NodeJS.ProcessEnv, named: string]>([
    ['is not there', { kind: 'anthropic' }, {}, 'ANTHROPIC_API_KEY'],
    ['is blank', { kind: 'openai' }, { OPENAI_API_KEY: ' ' }, 'OPENAI_API_KEY'],
    ['leads nowhere', { kind: 'openai', key: 'secret://env/MINE' }, { OPENAI_API_KEY: KEY }, 'MINE'],
    ['holds a line break', { kind: 'anthropic' }, { ANTHROPIC_API_KEY: `${KEY}\nX` }, 'ANTHROPIC_API_KEY'],
  ])('fails by its name, and is not quoted, where it %s', async (_what, spec, given, named) => {
    const failed = await resolve(spec, given).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'secret.missing', message: expect.stringContaining(named) });
    expect(JSON.stringify([failed, String(failed)])).not.toContain(KEY);
  });
});

test('headers are resolved, in lower case, and fail by their name', async () => {
  const spec: EndpointSpec = { kind: 'openai', baseUrl: 'http://x.org', headers: { 'X-Team': 'quant', 'X-Token': 'secret://env/TOKEN' } };
  expect(await resolve(spec, { TOKEN: 'abcd1234' })).toMatchObject({ headers: { 'x-team': 'quant', 'x-token': 'abcd1234' } });
  await expect(resolve(spec)).rejects.toMatchObject({ code: 'secret.missing', message: expect.stringContaining('TOKEN') });
  await expect(resolve(spec, { TOKEN: 'a\nb' })).rejects.toMatchObject({ message: expect.stringContaining('X-Token') });
});

test('every secret is hidden, even if only the part after its scheme is shown', async () => {
  const spec: EndpointSpec = {
    kind: 'openai',
    key: 'sk-the-key',
    headers: { authorization: 'Basic dXNlcjpwYXNz', 'x-other': 'secret://env/OTHER' },
  };
  const { hide } = await resolve(spec, { OTHER: 'of the environment' });
  expect(hide('sk-the-key, dXNlcjpwYXNz, of the environment; quant')).toBe('***, ***, ***; quant');
});
