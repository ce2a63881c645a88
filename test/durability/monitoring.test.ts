import { inSweep } from '../support/sweep';
import { type ReceivedSpan, type TraceReceiver, traceReceiver } from '../support/trace-receiver';
import type { Program } from './support/program';
import { startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** What a worker tells Prometheus and a collector of traces. */
let scratch: Scratch;
let collector: TraceReceiver;
let worker: Program;
let metrics: string;

/** More entries than a page of the journal takes. */
const ITEMS = Array.from({ length: 100 }, (_, i) => i);
const PIPELINES = {
  'pipelines/parent.yaml': `name: parent
steps:
  - {id: hello, run: echo hunter2-the-output}
  - id: each
    for_each: "${JSON.stringify(ITEMS)}"
    steps:
      - {id: one, run: "true"}
  - {id: kid, pipeline: child.yaml}
`,
  'pipelines/asks.yaml': `name: asks
steps:
  - {id: ask, type: approval, prompt: "Go on?"}
`,
  'pipelines/child.yaml': `name: child
steps:
  - {id: never, run: "true", when: "1 == 2"}
  - {id: bad, run: exit 3, on_error: continue}
`,
};

beforeAll(async () => {
  collector = await traceReceiver();
  scratch = await Scratch.onSharedServer();
  for (const [file, text] of Object.entries(PIPELINES)) scratch.write(file, text);
  scratch.write('thermidor.yaml', `traces: { url: "${collector.url}" }\n`);
  worker = scratch.thermidor('worker', '--metrics-port', '0');
  metrics = await until('it is monitored', () => /metrics at (\S+)/.exec(worker.err)?.[1]);
}, SET_UP_MS);
afterAll(async () => {
  await scratch.close();
  await collector.close();
});

const textOf = (span: ReceivedSpan, key: string): unknown => span.attributes.find((one) => one.key === key)?.value['stringValue'];
/** The server may have a run end again, if something reaches it in that moment: its spans are sent again then, with the same ids. */
const spans = (): ReceivedSpan[] => [...new Map(collector.spans.map((span) => [span.spanId, span])).values()];
const named = (name: string, run?: string): ReceivedSpan[] =>
  spans().filter((span) => span.name === name && (run === undefined || textOf(span, 'thermidor.run') === run));

test('a run is a trace that holds together, across pages of its journal, and links to what it came from', async () => {
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const started = scratch.thermidorWith({ TRACEPARENT: `00-${trace}-${span}-01` }, 'run', 'pipelines/parent.yaml', '--detach');
  expect(await started.finished).toMatchObject({ code: 0 });
  const run = /parent-\S+/.exec(started.out)?.[0] ?? '';
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  await until('its spans are there', () => named('parent').length > 0 && named('child').length > 0);
  const [root] = named('parent', run);
  expect(root?.parentSpanId).toBeUndefined();
  expect(root?.links).toMatchObject([{ traceId: trace, spanId: span }]);
  const own = spans().filter(({ traceId }) => traceId === root?.traceId);
  const ids = own.map(({ spanId }) => spanId);
  expect(own.filter(({ parentSpanId, name }) => name !== 'parent' && !ids.includes(parentSpanId ?? ''))).toEqual([]);
  expect(named('one')).toHaveLength(ITEMS.length);
  expect(new Set(named('one').map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([named('each')[0]?.spanId]));
  const [child] = named('child');
  expect(child?.links).toMatchObject([{ traceId: root?.traceId, spanId: named('kid')[0]?.spanId }]);
  expect(named('bad')).toMatchObject([{ traceId: child?.traceId, status: { code: 2, message: 'command.failed' } }]);
  expect(collector.requests.map(({ body }) => body).join('')).not.toContain('hunter2');
  const history = await scratch.temporal('workflow', 'show', '-w', run, '-o', 'json', ...serverFlags());
  expect(history.out).toContain('"events"');
  expect(history.out).not.toContain(root?.spanId);
});

test('Prometheus gets the ends of steps, waits, and what the SDK says', async () => {
  const read = async (): Promise<string[]> => (await (await fetch(metrics)).text()).split('\n');
  await until('steps are counted', async () => (await read()).includes('thermidor_steps_total{kind="command",end="failed"} 1'));
  const lines = await read();
  expect(lines).toContain('thermidor_steps_total{kind="command",end="skipped"} 1');
  expect(lines).toContain(`thermidor_steps_total{kind="for_each",end="done"} 1`);
  expect(lines.filter((line) => /^thermidor_first_try_wait_seconds_count\{activity="commands?"\} [1-9]/.test(line))).not.toEqual([]);
  expect(lines.filter((line) => /^temporal_workflow_completed\{.*workflow_type="parent".*\} 1$/.test(line))).toHaveLength(1);
  expect(lines).toContain('# HELP temporal_workflow_completed Count of successfully completed workflows');
  expect(lines.filter((line) => /^thermidor_trace_spans_total\{outcome="sent"\} [1-9]/.test(line))).toHaveLength(1);
});

describe('the numbers of all runs', () => {
  const numbersAt = async (url: string): Promise<string[]> =>
    (await (await fetch(url)).text()).split('\n').filter((line) => /^thermidor_(open|oldest|queue|schedule)_/.test(line));
  const watched = async (program: Program): Promise<string> =>
    await until('it is monitored', () => /metrics at (\S+)/.exec(program.err)?.[1]);

  test('are in the metrics of one worker of two: gates, runs, and what waits in queues', async () => {
    const other = scratch.thermidor('worker', '--metrics-port', '0');
    const second = await watched(other);
    const run = await startDetached(scratch, 'pipelines/asks.yaml');
    await untilStatus(scratch, run, 'it waits', ({ state }) => state === 'waiting');
    const all = async () => await Promise.all([metrics, second].map(numbersAt));
    await until('the gate is counted', async () => (await all()).flat().includes('thermidor_open_gates 1'));
    const [one = [], two = []] = (await all()).toSorted((a, b) => b.length - a.length);
    expect(two).toEqual([]);
    expect(one).toContain('thermidor_open_runs{state="waiting"} 1');
    expect(one).toContain('thermidor_open_runs{state="running"} 0');
    expect(one).toContain('thermidor_queue_backlog{queue="default",kind="workflow"} 0');
    expect(one.filter((line) => /^thermidor_oldest_gate_age_seconds \d/.test(line))).toHaveLength(1);
    expect(one).toContain('thermidor_schedule_skips{kind="overlap"} 0');
    other.signal('SIGTERM');
    expect(await other.finished).toMatchObject({ code: 0 });
    await until('the first counts', async () => (await numbersAt(metrics)).includes('thermidor_open_gates 1'));
  });

  inSweep.test('are soon those of another worker, if the one that counts is killed', async () => {
    const other = scratch.thermidor('worker', '--metrics-port', '0');
    const second = await watched(other);
    await until('the first counts', async () => (await numbersAt(metrics)).length > 0);
    expect(await numbersAt(second)).toEqual([]);
    await worker.kill();
    await until('the second counts', async () => (await numbersAt(second)).includes('thermidor_open_gates 1'));
  });
});

function serverFlags(): string[] {
  const { address, namespace } = scratch.place;
  return ['--address', address, '--namespace', namespace];
}
