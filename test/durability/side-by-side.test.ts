import { peekServer } from '../../cli/embedded/peek-server';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import type { Running } from './support/running';
import { untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Two `run` in parallel share one worker: what happens to the second command when the process that has the worker is done with its own. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

const heldUntil = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.02; done`;

interface Both {
  /** Its own run is over, and it waits for the other's command. */
  first: Program;
  second: Running;
  /** When the other's command began. */
  begun: () => string[];
  /** Lets it end. */
  end: () => void;
}

async function bothOf(name: string): Promise<Both> {
  const own = `${name}-own`;
  const other = `${name}-other`;
  scratch.write(`${own}.yaml`, `name: own\nsteps: [{id: a, run: "${heldUntil(`${own}.go`)}"}]`);
  const steps = `[{id: b, run: "echo begun >> ${other}; ${heldUntil(`${other}.go`)}"}, {id: c, run: "echo c >> ${other}"}]`;
  scratch.write(`${other}.yaml`, `name: other\nsteps: ${steps}`);
  const first = scratch.thermidor('run', `${own}.yaml`, '--id', own);
  await first.untilLine(/ a +running/);
  const second = scratch.follow('run', `${other}.yaml`, '--id', other);
  await until('the other command is running', () => scratch.lines(other).includes('begun'));
  scratch.write(`${own}.go`, '');
  await first.until('it says whose work it ends', () => first.err.includes(`finishing work of ${other}`));
  return { first, second, begun: () => scratch.lines(other), end: () => void scratch.write(`${other}.go`, '') };
}

test('the process ends it before it leaves, while another worker takes what is new, and nothing runs twice', async () => {
  const { first, second, begun, end } = await bothOf('ends');
  await until('another process works', async () => {
    const { leases } = await peekServer(scratch.stateDir);
    return leases.some(({ alive, role }) => alive && role === 'worker');
  });
  // Everything else continues: the process that ends the command works on no run any more.
  scratch.write('new.yaml', 'name: new\nsteps: [{id: n, run: "echo new"}]');
  expect(await scratch.ask('run', 'new.yaml')).toMatchObject({ code: 0 });
  expect([first.ended, second.ended, begun()]).toEqual([false, false, ['begun']]);
  end();
  await Promise.all([first.endsWith(0), second.endsWith(0)]);
  expect(begun()).toEqual(['begun', 'c']);
});

inSweep.test('at Ctrl-C it is handed over, and runs again at once', async () => {
  const { first, second, begun, end } = await bothOf('leaves');
  first.signal('SIGINT');
  await first.endsWith(0);
  await until('it runs again', () => begun().length === 2);
  end();
  await second.endsWith(0);
  expect(begun()).toEqual(['begun', 'begun', 'c']);
});

inSweep.test('if the process is killed meanwhile, the worker that took its place gives the command back', async () => {
  const { first, second, begun, end } = await bothOf('killed');
  await until('another process works', async () => {
    const { leases } = await peekServer(scratch.stateDir);
    return leases.some(({ alive, role }) => alive && role === 'worker');
  });
  await first.kill();
  const { steps } = await untilStatus(scratch, 'killed-other', 'its command runs again', () => begun().length === 2);
  expect(steps.find(({ id }) => id === 'b')).toMatchObject({ state: 'running', try: 1 });
  const { reasons } = await scratch.json<{ reasons: { text: string }[] }>('why', 'killed-other');
  // Reported by the worker that took over, and not because a heartbeat was missed.
  expect(reasons).toMatchObject([{ text: expect.stringContaining('worker stopped') }]);
  end();
  await second.endsWith(0);
  expect(begun()).toEqual(['begun', 'begun', 'c']);
});
