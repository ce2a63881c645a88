import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './support/program';
import { startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A run whose payloads and content are sealed, on a server and in a folder of its own, while its keys change. */
const WORD = 'zebrafish';
const SEALED = `name: sealed
args:
  topic: { default: ${WORD} }
env:
  TOKEN: secret://env/MY_SECRET
agents:
  writer: { role: You write of ${WORD} }
channels: { "#desk": {} }
steps:
  - { id: draft, agent: writer, prompt: "Write of \${args.topic}" }
  - { id: shell, run: 'echo ${WORD}; echo ${WORD} >&2; echo $TOKEN' }
  - { id: broken, run: 'echo ${WORD} >&2; exit 3', on_error: continue }
  - { id: again, run: 'echo ${WORD} >&2; exit 3', retry: { max: 2, delay: 10ms }, on_error: continue }
  - { id: ask, channel: "#desk", type: approval, prompt: "Is it a ${WORD}?", approvers: [anyone] }
  - { id: after, run: 'echo "after ${WORD}"' }
output: $after.stdout
`;
const SCRIPT = `description: x\nreplies:\n  draft:\n    - text: A ${WORD} swims\n`;

let scratch: Scratch;
let up: Program | undefined;
beforeAll(async () => {
  const [K1, K2] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')];
  scratch = await Scratch.make({ K1, K2, MY_SECRET: `${WORD}-${WORD}` });
  scratch.write('pipelines/sealed.yaml', SEALED);
  scratch.write('pipelines/scripts/sealed.yaml', SCRIPT);
}, SET_UP_MS);
afterAll(async () => {
  await stop();
  await scratch.close();
});

async function stop(): Promise<void> {
  const program = up;
  up = undefined;
  if (!program) return;
  program.signal('SIGTERM');
  await program.endsWith(0);
}

/** Restarts server and worker with these keys, the last of which seals. */
async function withKeys(...ids: string[]): Promise<void> {
  await stop();
  const keys = ids.map((id) => `${id.toLowerCase()}: secret://env/${id}`);
  scratch.write('thermidor.yaml', `encryption: { keys: { ${keys.join(', ')} }, use: ${ids.at(-1)?.toLowerCase()} }\n`);
  up = scratch.thermidor('up', '--json', '--no-callbacks');
  await up.untilLine(/./);
}

/** Files of the state folder that show the word, the database of the server among them. */
function showing(folder = scratch.stateDir): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return showing(path);
    return readFileSync(path).includes(WORD) ? [path] : [];
  });
}

async function history(run: string): Promise<string> {
  const { address } = await scratch.server();
  const { code, out } = await scratch.temporal('workflow', 'show', '-w', run, '--output', 'json', '--address', address);
  expect(code).toBe(0);
  return out;
}

test('nobody who looks sees it, a new key takes over while it waits, and a key that is gone is named', async () => {
  await withKeys('K1');
  const run = await startDetached(scratch, 'pipelines/sealed.yaml', '--script', 'sealed');
  await untilStatus(scratch, run, 'it waits', ({ state }) => state === 'waiting');
  const shown = await history(run);
  expect([showing(), shown.includes(WORD), shown.includes(Buffer.from(WORD).toString('base64').slice(0, 11))]).toEqual([[], false, false]);
  expect((await scratch.ask('logs', run)).out).toContain(WORD);

  await withKeys('K2');
  const alone = await scratch.ask('status', run);
  expect([alone.code, alone.err]).toEqual([expect.any(Number), expect.stringContaining('the key "k1"')]);
  // Somebody who has all keys asks a worker that lacks one.
  scratch.write('thermidor.yaml', 'encryption: { keys: { k1: secret://env/K1, k2: secret://env/K2 }, use: k2 }\n');
  const why = await until('why names the key', async () => {
    const { out } = await scratch.ask('why', run);
    return out.includes('k1') && out;
  });
  expect(why).toMatch(/is sealed with the key "k1", which encryption\.keys does not have\n.*put that key back/);

  await withKeys('K1', 'K2');
  await untilStatus(scratch, run, 'it waits again', ({ state }) => state === 'waiting');
  const { address } = await scratch.server();
  const signal = ['workflow', 'signal', '-w', run, '--name', 'approve', '-i', '{"by":"ann"}', '--address', address];
  expect(await scratch.temporal(...signal)).toMatchObject({ code: 0 });
  await untilStatus(scratch, run, 'it has ended', ({ state }) => state === 'completed');
  const ended = await history(run);
  const keys = [...ended.matchAll(/"encryption-key-id": "([^"]+)"/g)].map(([, key = '']) =>
    Buffer.from(key, 'base64').toString().slice(0, 2),
  );
  expect([showing(), ended.includes(WORD), new Set(keys)]).toEqual([[], false, new Set(['k1', 'k2'])]);
  expect(await scratch.json('status', run)).toMatchObject({ output: expect.stringContaining(`after ${WORD}`) });
  await stop();
});
