import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JournalEntry } from '../../plan/run/journal';
import { quietPort } from '../support/quiet-port';
import type { Running } from './support/running';
import { journal, startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Answers from chats and webhooks through the listener of `thermidor up`, at gates that want a proven identity. */
const SECRET = 'the secret of the release channel';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');

interface Notice {
  kind: string;
  gate?: { key: string; step: string; url?: string };
}

let scratch: Scratch;
let up: Running;
let callbacks: string;
const notices: Notice[] = [];
const heard = new Set<() => void>();

/** Takes the messages of the channel. */
const hook = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    notices.push(JSON.parse(Buffer.concat(chunks).toString()) as Notice);
    response.end();
    for (const look of heard) look();
  });
});

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  await new Promise<void>((resolve) => {
    hook.listen(0, '127.0.0.1', resolve);
  });
  const { port: hookPort } = hook.address() as AddressInfo;
  const port = await quietPort();
  const discord = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  scratch.write(
    'thermidor.yaml',
    JSON.stringify({
      people: { chairman: { discord: '81' }, cfo: { token: 'secret://env/CFO_TOKEN' }, cto: { slack: 'U7' } },
      channels: { '#release': { webhook: `http://127.0.0.1:${hookPort}/`, webhook_secret: 'secret://env/HOOK_SECRET' } },
      callbacks: { port, url: `http://127.0.0.1:${port}`, discord_public_key: discord },
    }),
  );
  const gate = { type: 'approval', prompt: 'Release?', channel: '#release', identity: 'proven' };
  const steps = [
    { ...gate, id: 'first', approvers: ['chairman'] },
    { ...gate, id: 'second', approvers: ['cto'] },
    { ...gate, id: 'third', approvers: ['cfo'] },
  ];
  scratch.write('pipelines/release.yaml', JSON.stringify({ name: 'release', steps }));
  up = scratch.followWith({ CFO_TOKEN: 'token of the cfo', HOOK_SECRET: SECRET }, 'up', '--json');
  const first = JSON.parse(await up.untilLine(/./)) as { callbacks: string };
  callbacks = first.callbacks;
  expect(callbacks).toBe(`http://127.0.0.1:${port}`);
}, SET_UP_MS);
afterAll(async () => {
  hook.close();
  await scratch.close();
});

/** The channel's notice of a step's gate. */
function asked(name: string): Promise<NonNullable<Notice['gate']>> {
  return new Promise((resolve) => {
    const look = (): void => {
      const gate = notices.find((notice) => notice.gate?.step === name)?.gate;
      if (gate === undefined) return;
      heard.delete(look);
      resolve(gate);
    };
    heard.add(look);
    look();
  });
}

let lastSecond = 0;
/** A second of its own for each message: two messages with the same content and second are taken for one. */
function seconds(): string {
  lastSecond = Math.max(lastSecond + 1, Math.floor(Date.now() / 1000));
  return String(lastSecond);
}
let presses = 0;

/** The answer to the press, or `later` if the run took longer than Discord waits. The person's answer counts in both cases. */
async function press(key: string, user: string): Promise<string> {
  const interaction = { id: String(++presses), type: 3, user: { id: user }, data: { custom_id: `thermidor:approve:${key}` }, message: {} };
  const [body, at] = [JSON.stringify(interaction), seconds()];
  const signature = sign(null, Buffer.from(`${at}${body}`), privateKey).toString('hex');
  const headers = { 'content-type': 'application/json', 'x-signature-ed25519': signature, 'x-signature-timestamp': at };
  const response = await fetch(`${callbacks}/discord`, { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  const status = response.headers.get('thermidor-status') ?? 'none';
  return status === '202' ? 'later' : status;
}

async function send(said: object, secret = SECRET): Promise<number> {
  const [body, at] = [JSON.stringify(said), seconds()];
  const signature = `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'thermidor-timestamp': at, 'thermidor-signature': signature };
  return (await fetch(`${callbacks}/webhook`, { method: 'POST', body, headers })).status;
}

test('gates that want proof are answered by a Discord button, a signed webhook and a token, and by nothing else', async () => {
  const run = await startDetached(scratch, 'release');
  const first = await asked('first');
  expect(first.url).toBe(`${callbacks}/g/${first.key}`);

  // A name alone proves nothing.
  expect(await scratch.ask('approve', run, '--by', 'chairman', '--detach')).toMatchObject({ code: 1 });
  // An unknown person, and one who is not asked.
  expect(await press(first.key, '99')).toBe('403');
  expect(['200', 'later']).toContain(await press(first.key, '81'));
  const second = await asked('second');
  // Twice by the same person, while the run continues.
  expect(['409', 'later']).toContain(await press(first.key, '81'));
  await until('the second one is refused', () => refusals().includes(409));

  const by = { key: second.key, choice: 'approve', by: 'cto' };
  expect(await send(by, 'guess')).toBe(401);
  expect(await send({ ...by, by: 'cfo' })).toBe(403);
  expect(await send(by)).toBe(200);

  const third = await asked('third');
  expect(await send({ ...by, key: third.key, by: 'cfo', choice: 'sell' })).toBe(400);
  const approved = (token: string) => scratch.askWith({ THERMIDOR_TOKEN: token }, 'approve', run, '--by', 'cfo', '--detach');
  expect(await approved('guess')).toMatchObject({ code: 1 });
  expect(await approved('token of the cfo')).toMatchObject({ code: 0 });

  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  const entries = await journal(scratch, run);
  expect(decisions(entries)).toEqual([
    ['first', 'chairman', 'proven', 'discord'],
    ['second', 'cto', 'proven', 'webhook'],
    ['third', 'cfo', 'proven', 'console'],
  ]);
  expect(entries.filter((entry) => entry.kind === 'signal' && entry.outcome === 'duplicate')).toMatchObject([{ by: 'chairman' }]);
  expect(JSON.stringify(entries)).not.toMatch(/token of the cfo|the secret of the release/);

  // Too late: the server has closed the run, which sent its last message a moment ago.
  await until('the run is over', async () => (await fetch(`${callbacks}/g/${third.key}`)).status === 410);
  expect(await send(by)).toBe(410);
  await until('all refusals are written', () => refusals().length >= 6);
  expect(refusals()).toEqual([403, 409, 401, 403, 400, 410]);
});

function refusals(): number[] {
  return scratch.lines('.thermidor/callbacks/refused.jsonl').map((line) => (JSON.parse(line) as { status: number }).status);
}

function decisions(entries: readonly JournalEntry[]): unknown[] {
  return entries.flatMap((entry) =>
    entry.kind === 'decision' ? [[entry.step, entry.decision.by, entry.decision.identity, entry.decision.channel]] : [],
  );
}
