import { untilListed } from '../../durability/support/runs';
import { Scratch, SET_UP_MS } from '../../durability/support/scratch';
import { until } from '../../durability/support/until';
import { inSweep } from '../../support/sweep';
import { Calls, okay, tokenOf } from './support/calls';

/** The call that works on a run is killed by kill -9, which Lobster itself would not survive. */
let scratch: Scratch;
let calls: Calls;

beforeAll(async () => {
  scratch = await Scratch.make();
  calls = new Calls(scratch);
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

const numbers = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
/** Waits until the file `go-on` exists. */
const HELD = 'while [ ! -e go-on ]; do sleep 0.02; done';

inSweep.test('in step 57 of 100: it goes on at 57 and repeats none before it', async () => {
  const steps = numbers(1, 100).map((n) => ({ id: `s${n}`, run: `echo ${n} >> numbers${n === '57' ? `; ${HELD}` : ''}` }));
  scratch.write('hundred.json', JSON.stringify({ steps }));
  const call = calls.lobster('run', '--mode', 'tool', 'hundred.json');
  await until('step 57 is running', () => scratch.lines('numbers').includes('57'));
  await call.kill();
  scratch.write('go-on', '');
  const [started] = await untilListed(scratch, ['--pipeline', 'hundred'], 'the run is there', (runs) => runs.length === 1);
  expect(await scratch.ask('watch', started?.run ?? '')).toMatchObject({ code: 0 });
  expect(scratch.lines('numbers')).toEqual([...numbers(1, 57), ...numbers(57, 100)]);
});

inSweep.test('a call that ends next to another lets the other’s step end, and nothing runs twice', async () => {
  scratch.write('quick.json', JSON.stringify({ steps: [{ id: 'a', run: 'while [ ! -e beside ]; do sleep 0.02; done; echo quick' }] }));
  scratch.write('beside.json', JSON.stringify({ steps: [{ id: 'b', run: 'echo begins >> beside; sleep 3; echo ends >> beside' }] }));
  const quick = calls.lobster('run', '--mode', 'tool', 'quick.json');
  const beside = scratch.follow('lobster', 'run', '--mode', 'tool', 'beside.json');
  expect([(await quick.finished).code, (await beside.finished).code]).toEqual([0, 0]);
  expect(scratch.lines('beside')).toEqual(['begins', 'ends']);
});

test('after a gate: the same token takes the run up where it was', async () => {
  const wait = HELD.replace('go-on', 'go-further');
  const steps = [
    { id: 'a', run: 'echo a >> letters', approval: true },
    { id: 'b', run: 'echo b >> letters' },
    { id: 'c', run: `echo c >> letters; ${wait}; echo done` },
  ];
  const token = tokenOf(await calls.run('letters.json', { steps }));
  const call = calls.lobster('resume', '--token', token, '--approve', 'yes');
  await until('step c is running', () => scratch.lines('letters').includes('c'));
  expect((await calls.resume('--token', token, '--approve', 'yes')).envelope.error?.message).toBe('Workflow resume state not found');
  await call.kill();
  scratch.write('go-further', '');
  expect(await calls.resume('--token', token, '--approve', 'yes')).toEqual(okay(['done\n']));
  expect(scratch.lines('letters')).toEqual(['a', 'b', 'c', 'c']);
});
