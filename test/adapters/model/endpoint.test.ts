import { waitMs } from '../../../activities/adapters/model/api-failure';
import { resolveEndpoint } from '../../../activities/adapters/model/endpoint';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { EndpointSpec } from '../../../plan/adapter';

/** What of an endpoint is told to nobody, and when it wants to be asked again. Which address and key it has: `endpoint-lookup.test.ts`. */
const endpoint = (spec: EndpointSpec, env: NodeJS.ProcessEnv = {}, name: string = spec.kind) =>
  resolveEndpoint({ name, spec, env, secrets: new LocalSecrets(env) });

test.each(['http://user:s3cret@host/v1', 'http://host/v1?key=s3cret', 'http://host/v1#s3cret', 'host s3cret'])(
  'an address with more in it is refused, and not quoted: %s',
  async (address) => {
    const refused = expect.objectContaining({ code: 'model.bad-request', message: expect.not.stringContaining('s3cret') });
    await expect(endpoint({ kind: 'openai', key: 'k', baseUrl: address })).rejects.toEqual(refused);
    await expect(endpoint({ kind: 'openai', key: 'k' }, { OPENAI_BASE_URL: address })).rejects.toEqual(refused);
  },
);

test('every secret is hidden, also where only what stands behind its scheme is told', async () => {
  const spec: EndpointSpec = {
    kind: 'openai',
    key: 'sk-the-key',
    headers: { authorization: 'Basic dXNlcjpwYXNz', 'x-other': 'secret://env/OTHER' },
  };
  const { hide } = await endpoint(spec, { OTHER: 'of the environment' });
  expect(hide('sk-the-key, dXNlcjpwYXNz, of the environment; quant')).toBe('***, ***, ***; quant');
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  [{ 'retry-after': new Date(60_000).toUTCString() }, 50_000],
  // A year is a mistake.
  [{ 'retry-after': '31536000' }, 3_600_000],
  [{ 'retry-after': '99999999999999999999999' }, 3_600_000],
  // At once, again and again, would be no pause at all.
  [{ 'retry-after-ms': '1' }, 200],
  [{ 'retry-after': '0' }, undefined],
  [{ 'retry-after': new Date(0).toUTCString() }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%j is a wait of %s ms', (headers, expected) => {
  expect(waitMs(new Headers(headers), 10_000)).toBe(expected);
});
