import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyedGateLinks } from '../../activities/adapters/keyed-gate-links';
import { DirectorySeals } from '../../activities/adapters/seals';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { checkProofs } from '../../activities/gates/check-proof';
import type { GateLink } from '../../plan/people/notice';
import { type Proof, type ProofChannel, type Sealed, sealedText } from '../../plan/people/proof';
import { GateLinkFiles } from '../../records/directory/gate-link-files';
import { storeKeyFile } from '../../records/directory/store-key-file';
import { serviceKey } from '../../records/service-key';
import { scratchFolder, workshop } from './workshop';

const SERVICE = Buffer.from('service key');
const secrets = new LocalSecrets({ TOKEN: 'a token of their own', SHORT: 'short', LONG: 'l'.repeat(32) });
const weak = new DirectorySeals({ chairman: { token: 'fifteen letters' } }, { resolve: async (text) => text }, async () => SERVICE);
const seals = new DirectorySeals({ chairman: { token: 'secret://env/TOKEN' }, cfo: {} }, secrets, async () => SERVICE);
const SEALED: Sealed = { run: 'run-1', name: 'approve', step: 'approve', by: 'chairman', shown: 'a'.repeat(64), comment: 'go' };
const AT = '2026-11-21T10:00:00.000Z';

function sealedBy(key: string | Buffer, channel: ProofChannel, at = AT, sealed = SEALED): Proof {
  return { channel, at, mac: createHmac('sha256', key).update(sealedText(sealed, { channel, at })).digest('hex') };
}

const inCapitals = (proof: Proof): Proof => ({ ...proof, mac: proof.mac.toUpperCase() });

describe('a seal', () => {
  test('from a terminal holds with the person’s own token, from elsewhere with the service key', async () => {
    expect(await seals.check(SEALED, sealedBy('a token of their own', 'console'))).toBeUndefined();
    for (const channel of ['discord', 'slack', 'webhook', 'link'] as const) {
      expect(await seals.check(SEALED, sealedBy(SERVICE, channel))).toBeUndefined();
    }
  });

  test('with a token that could be found by trying proves nothing', async () => {
    expect(await weak.check(SEALED, sealedBy('fifteen letters', 'console'))).toContain('too short');
  });

  test.each([
    ['made with the service key, from a terminal', sealedBy(SERVICE, 'console')],
    ['made with a token, from a chat', sealedBy('a token of their own', 'discord')],
    ['taken from another channel', { ...sealedBy(SERVICE, 'discord'), channel: 'slack' as const }],
    ['with another time', { ...sealedBy(SERVICE, 'discord'), at: '2026-11-21T10:00:01.000Z' }],
    ['whose time is none', sealedBy(SERVICE, 'discord', 'today')],
    ['of no shape', { ...sealedBy(SERVICE, 'discord'), mac: '' }],
    ['in capitals, which the run would take for another', inCapitals(sealedBy(SERVICE, 'discord'))],
  ])('%s is refused in words that hold no key', async (_what, proof) => {
    const problem = await seals.check(SEALED, proof);
    expect(problem).toBeDefined();
    expect(problem).not.toMatch(/own token|service key/);
  });

  test.each(['run', 'name', 'step', 'by', 'shown', 'comment'] as const)('is of one %s', async (part) => {
    const proof = sealedBy(SERVICE, 'discord');
    expect(await seals.check({ ...SEALED, [part]: 'another' }, proof)).toBeDefined();
  });

  test.each([{ value: 1 }, { response: 'x' }, { to: 'cfo' }])('does not cover what was added: %j', async (added) => {
    expect(await seals.check({ ...SEALED, ...added }, sealedBy(SERVICE, 'discord'))).toBeDefined();
  });

  test.each(['cfo', 'nobody', 'board', 'constructor'])('of %s, who has no token, is refused', async (by) => {
    expect(await seals.check({ ...SEALED, by }, sealedBy('', 'console', AT, { ...SEALED, by }))).toBeDefined();
  });

  test('is not made with the nothing that an empty file holds', async () => {
    const path = join(scratchFolder(), 'token');
    writeFileSync(path, '\n');
    const empty = new DirectorySeals({ chairman: { token: `secret://file${path}` } }, secrets, async () => SERVICE);
    await expect(empty.check(SEALED, sealedBy('', 'console'))).rejects.toMatchObject({ code: 'secret.missing' });
  });

  test('whose token leads nowhere fails by its reference', async () => {
    const lost = new DirectorySeals({ chairman: { token: 'secret://env/GONE' } }, secrets, async () => SERVICE);
    await expect(lost.check(SEALED, sealedBy('x', 'console'))).rejects.toMatchObject({ code: 'secret.missing' });
  });
});

test('the seal of a decision counts in one run of its id, although anybody reads it in history and starts that id again', async () => {
  const { ledger } = workshop();
  const checked = async (run: string, proof: Proof, sealed = SEALED) =>
    (await checkProofs({ seals, ledger }, { run, proofs: [{ sealed, proof, run }] }))[0]?.problem;
  const proof = sealedBy(SERVICE, 'discord');
  const forged = { ...proof, mac: 'a'.repeat(64) };
  expect(await checked('first', forged)).toContain('does not match');
  expect(await checked('first', proof)).toBeUndefined();
  expect(await checked('first', proof)).toBeUndefined();
  expect(await checked('second', proof)).toContain('earlier run');
  expect(await checked('second', sealedBy(SERVICE, 'discord', '2026-11-21T10:00:05.000Z'))).toBeUndefined();
  const other = { ...SEALED, run: 'run-2' };
  expect(await checked('second', sealedBy(SERVICE, 'discord', AT, other), other)).toBeUndefined();
});

describe('the service key', () => {
  test('is made once, however many ask at once, for its owner alone', async () => {
    const folder = scratchFolder();
    const keys = await Promise.all(Array.from({ length: 8 }, () => serviceKey(storeKeyFile(folder), secrets)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    expect(statSync(join(folder, 'callbacks', 'key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'callbacks', 'scratch'))).toEqual([]);
  });

  test('is the configured secret if there is one, unless that could be guessed', async () => {
    const folder = scratchFolder();
    expect((await serviceKey(storeKeyFile(folder), secrets, 'secret://env/LONG')).toString()).toBe('l'.repeat(32));
    await expect(serviceKey(storeKeyFile(folder), secrets, 'secret://env/SHORT')).rejects.toMatchObject({ code: 'secret.missing' });
  });

  test('is not taken from a file that holds none', async () => {
    const folder = scratchFolder();
    await serviceKey(storeKeyFile(folder), secrets);
    writeFileSync(join(folder, 'callbacks', 'key'), 'rubbish');
    await expect(serviceKey(storeKeyFile(folder), secrets)).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});

describe('the key of a gate', () => {
  const LINK: GateLink = {
    run: 'run-1',
    channel: '#approvals',
    step: 'approve',
    kind: 'approval',
    question: 'Deploy?',
    choices: ['approve', 'reject'],
    shownSha256: 'a'.repeat(64),
    answer: 'temporal …',
  };
  const links = (folder: string, key = SERVICE) => {
    const files = new GateLinkFiles(folder);
    const keyed = new KeyedGateLinks(files, async () => key);
    return { keyFor: (link: GateLink) => keyed.keyFor(link), find: (text: string) => files.find(text) };
  };

  test('is the same for the same gate, another for another, and leads back to it', async () => {
    const files = links(scratchFolder());
    const key = await files.keyFor(LINK);
    expect(key).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(await files.keyFor({ ...LINK, deadline: AT })).toBe(key);
    expect(await files.find(key)).toEqual({ ...LINK, deadline: AT });
    for (const other of [{ run: 'run-2' }, { step: 'other' }, { shownSha256: 'b'.repeat(64) }]) {
      expect(await files.keyFor({ ...LINK, ...other })).not.toBe(key);
    }
  });

  test('leads back to one that takes no claimed names, which a plain signal does not answer', async () => {
    const { answer: _plain, ...link } = LINK;
    const proven: GateLink = { ...link, identity: 'proven', note: 'Started by ann (claimed).' };
    const files = links(scratchFolder());
    expect(await files.find(await files.keyFor(proven))).toEqual(proven);
  });

  test('cannot be computed without the service key', async () => {
    const folder = scratchFolder();
    expect(await links(folder, Buffer.from('another')).keyFor(LINK)).not.toBe(await links(folder).keyFor(LINK));
  });

  test.each(['../key', '..', '', 'x'.repeat(32), `${'x'.repeat(31)}/`, 'gates/../../../etc/passwd'])(
    'leads nowhere if it is "%s"',
    async (key) => {
      const folder = scratchFolder();
      await serviceKey(storeKeyFile(folder), secrets);
      expect(await links(folder).find(key)).toBeUndefined();
    },
  );

  test('is the name of a file that its owner alone may see', async () => {
    const folder = scratchFolder();
    const key = await links(folder).keyFor(LINK);
    const gates = join(folder, 'callbacks', 'gates');
    expect([statSync(gates).mode & 0o777, readdirSync(gates)]).toEqual([0o700, [`${key}.json`]]);
  });

  test('leads nowhere if its file is no gate', async () => {
    const folder = scratchFolder();
    const key = await links(folder).keyFor(LINK);
    const path = join(folder, 'callbacks', 'gates', `${key}.json`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    for (const rubbish of [
      text.slice(0, -5),
      '[]',
      text.replace('"approval"', '"other"'),
      text.replace('["approve","reject"]', '"approve"'),
    ]) {
      writeFileSync(path, rubbish);
      expect(await links(folder).find(key)).toBeUndefined();
    }
  });
});
