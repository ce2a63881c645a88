import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkKeys } from '../../cli/checks/keys';
import { scratchFolder } from '../support/scratch-folder';

const NOW = Date.parse('2026-01-02T03:04:05.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const keyWith = (content: object): string => `e30.${Buffer.from(JSON.stringify(content)).toString('base64url')}.x`;
const checked = (apiKey: string | undefined, tls?: Record<string, string>, now = NOW) =>
  checkKeys({ apiKey: { value: apiKey, source: 'TEMPORAL_API_KEY' }, tls: { value: tls, source: 'profile' } }, now).map(
    ({ name, state, says }) => `${name} ${state}: ${says}`,
  );

test('an API key that has expired is a failure, one that soon will a warning; others say nothing', () => {
  expect(checked(keyWith({ exp: NOW / 1000 - 1 }))).toEqual(['API key failed: expired on 2026-01-02T03:04:04.000Z']);
  expect(checked(keyWith({ exp: (NOW + 3 * DAY_MS) / 1000 }))).toEqual([expect.stringMatching(/^API key warning: expires in 3 ?d/)]);
  expect(checked(keyWith({ exp: (NOW + 30 * DAY_MS) / 1000 }))).toEqual([]);
  expect(
    [undefined, '', 'plain', 'a.b.c', keyWith({}), keyWith({ exp: 'never' }), keyWith({ exp: -1e300 })].flatMap((key) => checked(key)),
  ).toEqual([]);
});

test('so are certificates, and one that cannot be read is a failure', () => {
  const folder = scratchFolder();
  const [clientKeyPath, clientCertPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=x', '-days', '30'];
  execFileSync('openssl', [...made, '-keyout', clientKeyPath, '-out', clientCertPath], { stdio: 'ignore' });
  const own = { clientKeyPath, clientCertPath };
  expect(checked(undefined, own, Date.now())).toEqual([]);
  expect(checked(undefined, own, Date.now() + 20 * DAY_MS)).toEqual([expect.stringMatching(/^client certificate warning: expires in /)]);
  const authority = { serverCaData: readFileSync(clientCertPath, 'utf8') };
  expect(checked(undefined, authority, Date.now() + 31 * DAY_MS)).toEqual([
    expect.stringMatching(/^certificate of the authority failed: expired on /),
  ]);
  expect(checked(undefined, { serverCaData: 'no certificate' })).toEqual([expect.stringMatching(/^TLS failed: /)]);
  expect(checked(undefined, { serverCaPath: join(folder, 'missing') })).toEqual([expect.stringMatching(/^TLS failed: TLS file .*missing/)]);
});
