import { readFileSync, rmSync } from 'node:fs';
import { connectClient } from '../../client/connect';
import { startRun } from '../../client/start-run';
import type { WaitReason } from '../../client/wait-reason';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { untilListed, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';

/** An operator at the command line, on a real server: what a run waits for, steps that are held, reruns, and many gates at once. */
const GATE = 'name: gate\nsteps:\n  - id: ask\n    type: approval\n    approvers: [chairman]\n';
const FAILS = `name: fails
args:
  size: {type: integer, default: 1}
steps:
  - {id: fetch, run: "echo fetched >> fetch.log; echo fetched"}
  - {id: sized, run: "echo \${args.size}"}
  - {id: build, run: "test -e works && echo built", on_error: hold}
  - {id: ship, run: "echo \${build}"}
`;
const CHILD = `name: child
steps:
  - {id: prepare, run: "echo prepared >> prepare.log; echo prepared"}
  - {id: build, run: "test -e works && echo built", on_error: hold}
`;
const PARENT = 'name: parent\nsteps:\n  - {id: deploy, pipeline: child.yaml}\n  - {id: end, run: "echo end"}\n';
const BREAKS = `name: breaks
steps:
  - {id: fetch, run: "echo fetched >> breaks.log; echo fetched"}
  - {id: build, run: "test -e mended && echo built"}
`;
const MANY = 25;
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  for (const [name, text] of Object.entries({ gate: GATE, fails: FAILS, child: CHILD, parent: PARENT, breaks: BREAKS })) {
    scratch.write(`pipelines/${name}.yaml`, text);
  }
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

interface Told {
  state: string;
  reasons: (WaitReason & { clear: string[] })[];
}

async function start(pipeline: string, id: string): Promise<void> {
  expect(await scratch.ask('run', pipeline, '--id', id, '--detach')).toMatchObject({ code: 0 });
}

const isIn = (run: string, state: RunView['state']): Promise<RunView> =>
  untilStatus(scratch, run, `it is ${state}`, (view) => view.state === state);

test('a gate: who may decide, and the line that does', async () => {
  await start('gate', 'asks');
  await isIn('asks', 'waiting');
  const { state, reasons } = await scratch.json<Told>('why', 'asks');
  expect(state).toBe('waiting');
  expect(reasons).toMatchObject([
    { kind: 'gate', step: 'ask', who: 'chairman', clear: [expect.stringContaining('thermidor approve asks'), expect.any(String)] },
  ]);
});

test('a paused run says by whom, and a run that is over how it ended', async () => {
  await start('gate', 'rests');
  await isIn('rests', 'waiting');
  await scratch.ask('pause', 'rests', '--by', 'ops', '--reason', 'release');
  expect((await scratch.json<Told>('why', 'rests')).reasons).toMatchObject([
    { kind: 'paused', text: 'paused by ops: release' },
    { kind: 'gate' },
  ]);
  await scratch.ask('abort', 'rests', '--by', 'ops');
  await isIn('rests', 'failed');
  expect((await scratch.json<Told>('why', 'rests')).reasons).toMatchObject([
    { kind: 'ended', text: expect.stringContaining('run.aborted') },
  ]);
});

test('a held step is retried, and a rerun from a step does again what is after it and what reads a changed arg', async () => {
  await start('fails', 'holds');
  await isIn('holds', 'held');
  expect((await scratch.json<Told>('why', 'holds')).reasons).toMatchObject([{ kind: 'held', step: 'build', since: expect.any(String) }]);
  scratch.write('works', '');
  expect(await scratch.ask('retry', 'holds', 'build')).toMatchObject({ code: 0 });
  await isIn('holds', 'completed');
  const told = await scratch.json<{ run: string; carried: string[]; again: string[] }>(
    'rerun',
    'holds',
    '--from',
    'ship',
    '--id',
    'again',
    '--detach',
  );
  expect(told).toMatchObject({ run: 'again', carried: ['fetch', 'sized', 'build'], again: ['ship'] });
  expect((await isIn('again', 'completed')).steps).toMatchObject([
    { carried: { run: 'holds' } },
    { carried: { run: 'holds' } },
    { carried: { run: 'holds' } },
    { state: 'done' },
  ]);
  const changed = await scratch.json<{ carried: string[] }>(
    'rerun',
    'again',
    '--from',
    'ship',
    '--set',
    'size=2',
    '--id',
    'larger',
    '--detach',
  );
  expect(changed.carried).toEqual(['fetch']);
  expect((await isIn('larger', 'completed')).steps[0]).toMatchObject({ carried: { run: 'holds' } });
  expect(scratch.lines('fetch.log')).toHaveLength(1);
});

test.each([
  [['--from', 'nowhere'], 2, 'rerun.impossible'],
  [['--from', 'ship', '--set', 'size=much'], 2, 'args.invalid'],
  [['--from', 'ship', '--set', 'other=1'], 2, 'args.invalid'],
  [[], 2, 'usage'],
])('a rerun that is ordered wrongly is refused: %s', async (options, exit, code) => {
  const finished = await scratch.ask('rerun', 'holds', ...options, '--detach', '--json');
  expect(finished.code).toBe(exit);
  expect(readJson<{ error: { code: string } }>(finished, []).error.code).toBe(code);
});

test('a held step of a child pipeline is taken up at its parent, and a rerun from within carries what the child has done', async () => {
  rmSync(scratch.path('works'));
  await start('parent', 'family');
  await untilStatus(scratch, 'family', 'the child is held', ({ held }) => held?.[0]?.step === 'deploy/build');
  expect((await scratch.json<Told>('why', 'family')).reasons).toMatchObject([{ kind: 'held', step: 'deploy/build' }]);
  scratch.write('works', '');
  expect(await scratch.ask('retry', 'family', 'deploy/build', '--detach')).toMatchObject({ code: 0 });
  await isIn('family', 'completed');
  expect(await scratch.json('show', 'family', 'deploy/build')).toMatchObject({ id: 'build', run: 'family.deploy', output: 'built\n' });
  expect(await scratch.json('show', 'family', 'deploy')).toMatchObject({ id: 'deploy', run: 'family', child: 'family.deploy' });
  const told = await scratch.json<{ carried: string[] }>('rerun', 'family', '--from', 'deploy/build', '--id', 'second', '--detach');
  expect(told.carried).toEqual(['deploy/prepare']);
  await isIn('second', 'completed');
  expect(scratch.lines('prepare.log')).toHaveLength(1);
});

test('a run that failed prints the line that goes on, and that line is taken; without --from it begins at the same step', async () => {
  const broken = await scratch.ask('run', 'breaks', '--id', 'broken');
  expect(broken.code).toBe(1);
  const line = broken.out.trim().split('\n').at(-1)?.trim() ?? '';
  expect(line).toBe('thermidor rerun broken --from build');
  expect((await scratch.ask('status', 'broken')).out).toContain(line);
  scratch.write('mended', '');
  const mended = await scratch.ask(...line.split(' ').slice(1), '--id', 'mended');
  expect(mended).toMatchObject({ code: 0 });
  expect(mended.out).toContain('result\nbuilt\n');
  expect(await scratch.json<{ output: unknown }>('status', 'mended')).toMatchObject({ output: { name: expect.any(String) } });
  const told = await scratch.json<{ from: string; carried: string[] }>('rerun', 'broken', '--id', 'same', '--detach');
  expect(told).toMatchObject({ from: 'build', carried: ['fetch'] });
  expect(scratch.lines('breaks.log')).toHaveLength(1);
});

test('the journal is exported whole, and filtered', async () => {
  const whole = scratch.path('family.jsonl');
  expect(await scratch.ask('journal', 'family', '--export', whole)).toMatchObject({ code: 0 });
  const entries = readFileSync(whole, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  const { entries: steps } = await scratch.json<{ entries: JournalEntry[] }>('journal', 'family', '--kind', 'step', '--after', '2');
  expect(steps).toEqual(entries.filter(({ kind, seq }) => kind === 'step' && seq > 2));
  expect(await scratch.ask('journal', 'family', '--export', scratch.path('no/such/folder.jsonl'))).toMatchObject({
    code: 2,
  });
});

inSweep.test('many gates are approved at once: none is lost, and each gate that refuses the person is reported', async () => {
  const runs = Array.from({ length: MANY }, (_, i) => `many-${i}`);
  const client = await connectClient(scratch.place);
  await Promise.all(runs.map((run) => startRun(client, { workflowId: run, pipeline: 'gate' })));
  await client.close();
  const waiting = ['--waiting', '--limit', '1000'];
  await untilListed(scratch, waiting, 'all wait', (found) => found.filter(({ run }) => run.startsWith('many-')).length === MANY);
  const inbox = await scratch.json<{ gates: { run: string }[] }>('inbox');
  expect(inbox.gates.map(({ run }) => run)).toEqual(expect.arrayContaining(runs));
  const barred = await scratch.ask('approve', '--all', '--pipeline', 'gate', '--by', 'eve', '--detach', '--json');
  expect(barred.code).toBe(1);
  expect(readJson<{ gates: { outcome: string }[] }>(barred, []).gates).toHaveLength(MANY + 1);
  const told = await scratch.json<{ applied: number; left: number }>(
    'approve',
    '--all',
    '--pipeline',
    'gate',
    '--by',
    'chairman',
    '--detach',
  );
  expect(told).toMatchObject({ applied: MANY + 1, left: 0 });
  await untilListed(scratch, waiting, 'none waits', (found) => found.length === 0);
  const completed = ['--state', 'completed', '--limit', '1000'];
  await untilListed(scratch, completed, 'all are completed', (found) => runs.every((run) => found.some((one) => one.run === run)));
});

test('a bulk is ordered by --all and nothing else', async () => {
  expect(await scratch.ask('approve', '--json')).toMatchObject({ code: 2 });
  expect(await scratch.ask('approve', 'many-1', '--all', '--json')).toMatchObject({ code: 2 });
  expect(await scratch.ask('approve', 'many-1', '--pipeline', 'gate', '--json')).toMatchObject({ code: 2 });
});

inSweep.test('a rule that fails fails its step with its code, and the run goes on as `on_error` says, its journal whole', async () => {
  scratch.write(
    'pipelines/unvotable.yaml',
    `name: unvotable
steps:
  - {id: offer, run: "echo '{\\"options\\": [\\"x\\", \\"x\\"]}'"}
  - {id: decide, type: consensus, proposal: "\${offer}", voters: [person("cfo"), person("ceo")], rounds: 1, timeout: 30m, on_error: continue}
  - {id: after, run: echo after}
`,
  );
  await start('unvotable', 'unvotable');
  const { steps } = await isIn('unvotable', 'completed');
  expect(steps).toMatchObject([{ state: 'done' }, { state: 'failed', error: { code: 'consensus.proposal' } }, { state: 'done' }]);
  const { entries } = await scratch.json<{ entries: JournalEntry[] }>('journal', 'unvotable');
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'step', state: 'failed', error: expect.objectContaining({ code: 'consensus.proposal' }) }),
  );
  expect(entries.at(-1)).toMatchObject({ kind: 'run', state: 'completed' });
});
