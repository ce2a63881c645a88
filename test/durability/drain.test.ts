import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { startDetached, step, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** How workers end that are asked to, with work in progress. */
const GRACE_MS = 2_000;
const REST_MS = 10_000;

let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.write('thermidor.yaml', `shutdown: {grace: ${GRACE_MS}ms}\n`);
}, SET_UP_MS);
afterAll(() => scratch.close());

interface Ended {
  code: number | null;
  ms: number;
}

async function signalled(worker: Program, name: NodeJS.Signals): Promise<Ended> {
  const at = performance.now();
  worker.signal(name);
  const { code } = await worker.finished;
  return { code, ms: performance.now() - at };
}

function pipeline(folder: Scratch, name: string, content: object): void {
  folder.write(`pipelines/${name}.yaml`, JSON.stringify({ name, ...content }));
}

/** A line in a file of the folder. */
const note = (folder: Scratch, what: string, file = 'effects'): string => `echo ${what} >> '${folder.path(file)}'`;

/** The server's own knowledge of the activity in progress. */
async function pending(run: string) {
  const { address, namespace } = scratch.place;
  const where = ['--address', address, '--namespace', namespace, '--output', 'json'];
  const { out } = await scratch.temporal('workflow', 'describe', '--workflow-id', run, ...where);
  const { pendingActivities = [] } = JSON.parse(out) as { pendingActivities?: object[] };
  return pendingActivities;
}

test('a step that fails within the grace fails once and for good; an agent gets the grace, and is handed over with what it has', async () => {
  const waits = `while [ ! -e '${scratch.path('stopping')}' ]; do sleep 0.02; done`;
  pipeline(scratch, 'fails', { steps: [{ id: 'fail', run: `${note(scratch, 'fails')}; ${waits}; exit 3` }] });
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  pipeline(scratch, 'asks', { agents, steps: [{ id: 'ask', agent: 'worker', prompt: 'Work.' }] });
  const scripts = [note(scratch, 'first'), `${note(scratch, 'second')}; [ -e '${scratch.path('again')}' ] || sleep 60`];
  const calls = scripts.map((script) => ({ tool: 'run', args: { argv: ['sh', '-c', script] } }));
  scratch.write('pipelines/scripts/asks.yaml', JSON.stringify({ replies: { ask: [{ text: 'Done.', calls }] } }));
  const worker = scratch.thermidor('worker');
  const [fails, asks] = await Promise.all([startDetached(scratch, 'fails'), startDetached(scratch, 'asks', '--script', 'asks')]);
  await worker.until('both work', () => ['fails', 'second'].every((one) => scratch.lines('effects').includes(one)));
  const ended = signalled(worker, 'SIGTERM');
  await worker.until('it stops', () => worker.err.includes('stopping'));
  scratch.write('stopping', '');
  const { code, ms } = await ended;
  expect({ code, hadGrace: ms > GRACE_MS, isInTime: ms < GRACE_MS + REST_MS }).toEqual({ code: 0, hadGrace: true, isInTime: true });
  expect(await pending(asks)).toEqual([
    expect.objectContaining({
      attempt: 2,
      heartbeatDetails: [{ transcript: 'ask#1~1/transcript', turn: 2 }],
      lastFailure: expect.objectContaining({ applicationFailureInfo: expect.objectContaining({ type: 'worker.lost' }) }),
    }),
  ]);
  scratch.write('again', '');
  const next = scratch.thermidor('worker');
  const failed = await untilStatus(scratch, fails, 'it has failed', ({ state }) => state === 'failed');
  expect(step(failed, 'fail')).toMatchObject({ state: 'failed', try: 1, error: { code: 'command.failed' } });
  await untilStatus(scratch, asks, 'it has ended', ({ state }) => state === 'completed');
  expect(['fails', 'first'].map((one) => scratch.lines('effects').filter((line) => line === one).length)).toEqual([1, 1]);
  await next.kill();
});

test('a second signal ends it at once, and leaves no process and no temporary file', async () => {
  const tmp = scratch.path('tmp');
  scratch.write('tmp/of-a-test', '');
  const sleeps = `trap '' TERM; sleep 61 & ${note(scratch, '$!', 'pids')}; ${note(scratch, '$$', 'pids')}`;
  const endless = `${sleeps}; while true; do sleep 1; done`;
  scratch.write('program.sh', `cat > /dev/null\n${endless}\n`);
  scratch.write(
    'thermidor.yaml',
    `shutdown: {grace: 60s}\nadapters: {own: {kind: cli, preset: gemini, command: [sh, ${scratch.path('program.sh')}]}}\n`,
  );
  const agents = { worker: { role: 'You work.', adapter: 'own', tools: ['read_file'] } };
  const steps = [{ id: 'ask', agent: 'worker', prompt: 'Work.', cwd: '.' }];
  pipeline(scratch, 'hangs', { steps: [{ id: 'hang', run: endless }] });
  pipeline(scratch, 'program', { agents, steps });
  const worker = scratch.thermidorWith({ TMPDIR: tmp }, 'worker');
  await Promise.all(['hangs', 'program'].map((name) => startDetached(scratch, name)));
  await worker.until('they work', () => scratch.lines('pids').length === 4);
  expect(readdirSync(tmp)).toHaveLength(2);
  worker.signal('SIGTERM');
  await worker.until('it stops', () => worker.err.includes('stopping'));
  const { code, ms } = await signalled(worker, 'SIGTERM');
  expect({ code, atOnce: ms < GRACE_MS }).toEqual({ code: 130, atOnce: true });
  await until('no process is left', () => scratch.lines('pids').every((pid) => !lives(pid)));
  expect(readdirSync(tmp)).toEqual(['of-a-test']);
});

inSweep.test('nor does it leave the embedded server, if nobody else uses it', async () => {
  const own = scratch.within('own');
  own.write('thermidor.yaml', 'shutdown: {grace: 60s}\n');
  pipeline(own, 'hangs', { steps: [{ id: 'hang', run: `${note(own, '$$', 'pids')}; sleep 61` }] });
  const env = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
  const worker = own.thermidorWith(env, 'up', '--no-callbacks');
  await worker.until('it is up', () => worker.out.includes('Ctrl-C stops') || worker.err.includes('Ctrl-C stops'));
  expect(await own.askWith(env, 'run', 'hangs', '--detach')).toMatchObject({ code: 0 });
  await worker.until('it works', () => own.lines('pids').length === 1);
  const { pid } = await own.server();
  worker.signal('SIGTERM');
  await worker.until('it stops', () => worker.err.includes('stopping'));
  expect(await signalled(worker, 'SIGTERM')).toMatchObject({ code: 130 });
  await until('no process is left', () => ![...own.lines('pids'), String(pid)].some(lives));
});

inSweep.test('it ends in time although the server is frozen, and its step does not obey', async () => {
  const own = scratch.within('frozen');
  own.write('thermidor.yaml', `shutdown: {grace: ${GRACE_MS}ms}\n`);
  pipeline(own, 'hangs', { steps: [{ id: 'hang', run: `trap '' TERM; ${note(own, '$$', 'pids')}; while true; do sleep 1; done` }] });
  const env = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
  const worker = own.thermidorWith(env, 'worker');
  await worker.until('it is up', () => worker.err.includes('worker thermidor-'));
  expect(await own.askWith(env, 'run', 'hangs', '--detach')).toMatchObject({ code: 0 });
  await worker.until('it works', () => own.lines('pids').length === 1);
  const { pid } = await own.server();
  process.kill(pid, 'SIGSTOP');
  try {
    const { ms } = await signalled(worker, 'SIGTERM');
    expect({ ms, isInTime: ms < GRACE_MS + REST_MS }).toMatchObject({ isInTime: true });
    await until('its program is gone', () => !own.lines('pids').some(lives));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

function lives(pid: string): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}
