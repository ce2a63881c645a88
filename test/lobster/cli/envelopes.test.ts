import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../plan/text/json';
import { untilListed } from '../../durability/support/runs';
import { type Scratch, SET_UP_MS } from '../../durability/support/scratch';
import { until } from '../../durability/support/until';
import { besideUp } from './support/beside-up';
import { Calls, okay, refused } from './support/calls';

/** Tests the answers of Lobster's command line with the built program, while `thermidor up` runs. */
let scratch: Scratch;
let calls: Calls;

beforeAll(async () => {
  scratch = await besideUp();
  calls = new Calls(scratch);
}, SET_UP_MS);

const step = (id: string, run: string, more: object = {}): object => ({ id, run, ...more });

test.each<[string, object[], Json[]]>([
  ['JSON is the output, an object as one item', [step('a', `echo '{"n": 1}'`)], [{ n: 1 }]],
  ['a list is spread', [step('a', `echo '[1, [2]]'`)], [1, [2]]],
  ['text stays text, its line end too', [step('a', 'echo hi')], ['hi\n']],
  ['nothing is no output', [step('a', 'true')], []],
  ['a step that was skipped is not the last', [step('a', 'echo 1'), step('b', 'echo 2', { when: '$a.json == 9' })], [1]],
  [
    'a step that failed and was let on is not the last',
    [step('a', 'echo 1'), step('b', 'echo bad >&2; exit 3', { on_error: 'continue' }), step('c', 'true', { when: 'false' })],
    [1],
  ],
  [
    'the message of a failure is there for steps behind it',
    [step('a', 'exit 1', { on_error: 'continue' }), step('b', 'echo "$a.errorMessage"')],
    ['workflow command failed (1): exit 1\n'],
  ],
  ['stages', [{ id: 'a', pipeline: `exec --json --shell "echo '[1,2,3]'" | head --n 2` }], [1, 2]],
  [
    'a loop',
    [step('a', 'echo [7]'), { id: 'l', for_each: '$a.json', steps: [step('s', 'echo $item.json')] }],
    [{ item: 7, index: 0, s: 7 }],
  ],
])('%s', async (_what, steps, output) => {
  expect(await calls.run('w.json', { steps })).toEqual(okay(output));
});

test('args are put in, and are in the environment next to the caller’s', async () => {
  const steps = [step('a', `echo \${who} "$LOBSTER_ARG_WHO" "$HOME" "$FROM"`, { env: { FROM: `file \${who}` } })];
  const ran = await calls.run('args.lobster', { args: { who: { default: 'nobody' } }, steps }, '--args-json', '{"who": "you"}');
  expect(ran).toEqual(okay([`you you ${scratch.path('home')} file you\n`]));
});

test.each<[string, string | object, string]>([
  ['a failed command', { steps: [step('a', 'echo out; echo why >&2; exit 3')] }, 'workflow command failed (3): why'],
  ['one that says so on stdout', { steps: [step('a', 'echo out; exit 3')] }, 'workflow command failed (3): out'],
  ['a timeout', { steps: [step('a', 'sleep 9', { timeout_ms: 50 })] }, "Step 'a' timed out after 50ms"],
  [
    'a branch',
    { steps: [{ id: 'p', parallel: { branches: [step('x', 'exit 4')] } }] },
    'Parallel branch failed: workflow command failed (4): exit 4',
  ],
  [
    'a loop over no list',
    { steps: [step('a', 'echo 5'), { id: 'l', for_each: '$a.json', steps: [step('s', 'true')] }] },
    'Workflow step l for_each: expected array, got number',
  ],
  ['a file without steps', { steps: [] }, 'Workflow file requires a non-empty steps array'],
  [
    'two executors',
    { steps: [step('a', 'x', { pipeline: 'json' })] },
    'Workflow step a can only define one of run, command, pipeline, workflow, parallel, or for_each',
  ],
])('%s is a runtime error, exit 1', async (_what, file, message) => {
  expect(await calls.run('f.json', file)).toMatchObject(refused('runtime_error', message));
});

test('bad YAML is a runtime error, and stderr says where', async () => {
  const ran = await calls.run('bad.lobster', 'steps: [\n');
  expect(ran).toMatchObject(refused('runtime_error', expect.any(String)));
  expect(ran.err).toMatch(/^bad\.lobster:2:1 {2}yaml\.syntax/);
});

test('each try that is followed by another has its line on stderr', async () => {
  const ran = await calls.run('retry.json', { steps: [step('a', 'echo x; exit 1', { retry: { max: 3, delay_ms: 1 } })] });
  expect(ran.err.split('\n')).toEqual([
    "[RETRY] Step 'a' failed (attempt 1/3): workflow command failed (1): x. Retrying in 1ms...",
    "[RETRY] Step 'a' failed (attempt 2/3): workflow command failed (1): x. Retrying in 1ms...",
    '',
  ]);
});

test.each<[string, Json[]]>([
  [`exec --json --shell "echo '[1,2,3]'" | head --n 2`, [1, 2]],
  [`exec --json --shell "echo '[1,2,3]'" | head --n 2 | json`, [1, 2]],
  [`exec --json --shell "echo '[{}]'" | table`, [{}]],
  [`exec --json --shell "echo '[]'"`, []],
])('a program’s items are the output, whatever shows them: %s', async (program, output) => {
  expect(await calls.program(program)).toEqual(okay(output));
});

test('human mode prints what renderers write, else the items', async () => {
  const source = `exec --json --shell "echo '[1,2]'"`;
  const print = async (program: string): Promise<string> => (await calls.print('run', program)).out;
  expect(JSON.parse(await print(source))).toEqual([1, 2]);
  expect(JSON.parse(await print(`${source} | json`))).toEqual([1, 2]);
  expect(await print(`${source} | table`)).toBe('1\n2\n');
});

test('human mode of a file prints its output, and nothing if there is none', async () => {
  scratch.write('some.lobster', JSON.stringify({ steps: [step('a', 'echo [1]')] }));
  scratch.write('none.lobster', JSON.stringify({ steps: [step('a', 'true')] }));
  expect(await calls.print('run', 'some.lobster')).toEqual({ code: 0, out: '[\n  1\n]\n', err: '' });
  expect(await calls.print('run', 'none.lobster')).toEqual({ code: 0, out: '', err: '' });
});

test('a dry run runs nothing', async () => {
  const ran = await calls.run('dry.json', { steps: [step('a', 'touch ran')] }, '--dry-run');
  expect(ran).toMatchObject({ exit: 0, envelope: { ok: true, status: 'ok', output: [] } });
  expect(ran.err).toMatch(/^\[DRY RUN\] Would execute 1 step:/);
  expect(readdirSync(scratch.folder)).not.toContain('ran');
});

test('doctor runs a pipe and reports', async () => {
  const { code, out } = await calls.print('doctor', 'note');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ok: true, output: [{ toolMode: true, protocolVersion: 1, notes: ['note'] }] });
});

test('the caller’s environment is nobody else’s, and gone when the run is over', async () => {
  const folder = join(scratch.stateDir, 'environments');
  const steps = [step('a', `stat -c %a ${folder}/*.json`)];
  expect(await calls.run('env.json', { steps })).toEqual(okay([600]));
  expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toEqual([]);
});

test('SIGTERM stops the run', async () => {
  scratch.write('long.json', JSON.stringify({ steps: [step('a', 'echo on >> long; sleep 60')] }));
  const call = calls.lobster('run', '--mode', 'tool', 'long.json');
  await until('the step runs', () => scratch.lines('long').length > 0);
  call.signal('SIGTERM');
  const { code, out } = await call.finished;
  expect(code).toBe(143);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { type: 'runtime_error', message: 'Received SIGTERM' } });
  const runs = await untilListed(scratch, ['--pipeline', 'long'], 'it is cancelled', ([run]) => run?.state === 'cancelled');
  expect(runs).toHaveLength(1);
});
