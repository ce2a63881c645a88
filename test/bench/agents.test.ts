import { AGENTS, agentText, BUDGET, CASE, notesText, pipelineText, REPLIES, settingsText } from '../../bench/agents/cases';
import { agentsFigures } from '../../bench/agents/figures';
import { isFromProcess, isToProcess } from '../../bench/agents/messages';
import { isMissed } from '../../bench/figure';
import { compilePipeline } from '../../compiler/index';

test('the pipeline is all agents at once after one step', () => {
  const files = new Map([['agents/clerk.yaml', agentText()]]);
  const list = (folder: string) => (folder === 'agents' ? ['clerk.yaml'] : []);
  const { plan, diagnostics } = compilePipeline('many.yaml', pipelineText(), { read: (path) => files.get(path), list });
  expect(diagnostics).toEqual([]);
  expect(plan?.concurrent).toBe(AGENTS);
  const [begin, ...rest] = plan?.block.steps ?? [];
  expect(begin?.kind).toBe('command');
  expect(rest.map(({ kind }) => kind)).toEqual(Array.from({ length: AGENTS }, () => 'agent'));
});

test('the settings name the service, and no key', () => {
  const { adapters } = JSON.parse(settingsText('http://127.0.0.1:1'));
  expect(adapters).toMatchObject({ anthropic: { base_url: 'http://127.0.0.1:1', key: expect.stringMatching(/^secret:/) } });
});

test('one reading of the notes is a long result, and whole', () => {
  expect(notesText().length).toBeGreaterThan(15_000);
  expect(notesText().length).toBeLessThan(30_000);
});

test.each([undefined, null, 'begin', { kind: 'end' }])('what is not a message of the bench is not read as one: %j', (value) => {
  expect([isToProcess(value), isFromProcess(value)]).toEqual([false, false]);
});

const GOOD = { peakMb: 300, stallMs: 90, ownStallMs: 40, cpuMs: 8000, heartbeatS: 1.5, wallMs: 12_000, requests: AGENTS * REPLIES };
const SAMPLE = { ...GOOD, atOnce: AGENTS };

test('what stays within its budget keeps its aim', () => {
  const figures = agentsFigures([SAMPLE]);
  expect(figures.every(({ case: name }) => name === CASE)).toBe(true);
  expect(figures.filter(isMissed)).toEqual([]);
});

test.each([
  ['peak-memory', { peakMb: BUDGET.memoryMb * 1.1 }],
  ['longest-stall', { stallMs: BUDGET.stallMs * 1.1 }],
  ['longest-own-stall', { ownStallMs: BUDGET.stallMs * 1.1 }],
  ['oldest-heartbeat', { heartbeatS: BUDGET.heartbeatS * 1.1 }],
  ['requests-by-replies', { requests: AGENTS * REPLIES * 1.1 }],
])('what does not misses it: %s', (metric, worse) => {
  const missed = agentsFigures([{ ...SAMPLE, ...worse }]).filter(isMissed);
  expect(missed.map((figure) => figure.metric)).toEqual([metric]);
});

test('the worker’s own time is shown next to the run’s', () => {
  const found = agentsFigures([SAMPLE]).find(({ metric }) => metric === 'cpu-by-wall');
  expect(found).toMatchObject({ ours: 8, reference: 12, ratio: 0.67, aim: null });
});
