import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { ClientProblem } from '../../client/client-problem';
import { ofTls } from '../../client/tls-trouble';

/** The preface of a server that speaks HTTP/2: an empty frame of settings. */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

let folder: string;
const servers: Server[] = [];
const own: Record<string, { key: Buffer; cert: Buffer }> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'thermidor-tls-'));
  for (const [name, alt] of Object.entries({ here: 'IP:127.0.0.1', elsewhere: 'DNS:temporal.example.org', stranger: 'IP:127.0.0.1' })) {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
    execFileSync('openssl', [...how, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${alt}`, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    own[name] = { key: readFileSync(key), cert: readFileSync(cert) };
  }
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function secure(options: TlsOptions = {}): Promise<string> {
  const server = createTlsServer({ ...own['here'], ALPNProtocols: ['h2'], ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.write(SETTINGS);
  });
  return listening(server);
}

/** Ends a connection that does not begin as HTTP/2 does. */
const plain = (): Promise<string> =>
  listening(createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n')));

const trusted = (name: string): { serverRootCACertificate: Buffer } => ({ serverRootCACertificate: own[name]!.cert });
const pair = (name: string): { clientCertPair: { crt: Buffer; key: Buffer } } => ({
  clientCertPair: { crt: own[name]!.cert, key: own[name]!.key },
});
const NONE = new ClientProblem('server.unreachable', 'no Temporal server answers');

type Tls = NonNullable<Parameters<typeof ofTls>[1]['tls']>;

async function found(address: string, tls?: Tls): Promise<ClientProblem> {
  return await ofTls(NONE, { address, ...(tls !== undefined && { tls }) });
}

test.each<[string, () => Promise<string>, () => Tls | undefined, RegExp, string]>([
  [
    'a plain connection to a server with TLS',
    () => secure(),
    () => undefined,
    /expects TLS, and this connection has none/,
    'TEMPORAL_TLS=true',
  ],
  ['TLS to a plain server', plain, () => true, /does not speak TLS, and this connection does/, 'TEMPORAL_TLS=false'],
  ['an authority that nobody knows', () => secure(), () => true, /not trusted: self-signed certificate/, 'SERVER_CA_CERT_PATH'],
  ['another authority', () => secure(), () => trusted('stranger'), /not trusted/, 'SERVER_CA_CERT_PATH'],
  [
    'a certificate for another name',
    () => secure(own['elsewhere']),
    () => trusted('elsewhere'),
    /does not match/,
    'TEMPORAL_TLS_SERVER_NAME',
  ],
  [
    'no certificate of our own where one is wanted',
    () => secure({ requestCert: true, rejectUnauthorized: true, ca: own['here']!.cert }),
    () => trusted('here'),
    /refused the certificate of this host, or wants one/,
    'CLIENT_CERT_PATH',
  ],
])('%s is named, with what to set', async (_, start, tls, why, hint) => {
  const address = await start();
  const problem = await found(address, tls());
  expect(problem).toMatchObject({ code: 'server.unreachable', more: { hint: expect.stringContaining(hint) } });
  expect(problem.message).toMatch(why);
  expect(problem.message).toContain(address);
});

test('where TLS fits, or nobody listens, the problem stays what it was', async () => {
  const mutual = await secure({ requestCert: true, rejectUnauthorized: true, ca: own['stranger']!.cert });
  expect(await found(mutual, { ...trusted('here'), ...pair('stranger') })).toBe(NONE);
  expect(await found(await plain())).toBe(NONE);
  const gone = createServer();
  const address = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  for (const tls of [undefined, true]) expect(await found(address, tls)).toBe(NONE);
});

test('a refusal that is not of the connection is no question of TLS', async () => {
  const refused = new ClientProblem('server.refused', 'no access');
  expect(await ofTls(refused, { address: await secure() })).toBe(refused);
});
