import { withEmptySourceMap } from '../../bench/overhead/bundles';
import { activitiesOf, OVERHEAD_CASES, type OverheadCase, planOf } from '../../bench/overhead/cases';
import { overheadFigures } from '../../bench/overhead/figures';
import { historyOfRun } from '../../bench/overhead/history';
import { noopActivities } from '../../bench/overhead/noop-activities';
import type { Sample } from '../../bench/overhead/sample';
import { dependencies } from '../../plan/steps/order';

function caseNamed(name: string): OverheadCase {
  const found = OVERHEAD_CASES.find((each) => each.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return found;
}

function sample(part: Partial<Sample>): Sample {
  return { wallMs: 1000, cpuMs: 500, executions: 1, events: 600, bytes: 80_000, ...part };
}

describe('the cases', () => {
  it.each(OVERHEAD_CASES)('$name compiles to as many steps as the reference calls activities', (each) => {
    const { name, block } = planOf(each);
    expect(name).toBe(each.name);
    expect(block.steps).toHaveLength(activitiesOf(each));
    expect(new Set(block.steps.map((step) => step.kind))).toEqual(new Set(['command']));
  });

  it('start all steps of the parallel one together, after one that is first', () => {
    const { block, concurrent } = planOf(caseNamed('parallel-300'));
    const needs = dependencies(block);
    expect(concurrent).toBe(64);
    expect([...needs.values()].filter((before) => before.length === 1 && before[0] === 'first')).toHaveLength(300);
  });
});

describe('the history of a run', () => {
  it('is that of all its executions', async () => {
    const executions = new Map([
      ['a', { events: 4000, bytes: 500_000, next: 'b' }],
      ['b', { events: 2000, bytes: 300_000 }],
    ]);
    const look = async (runId: string) => executions.get(runId) ?? { events: Number.NaN, bytes: Number.NaN };
    expect(await historyOfRun('a', look)).toEqual({ executions: 2, events: 6000, bytes: 800_000 });
    expect(await historyOfRun('b', look)).toEqual({ executions: 1, events: 2000, bytes: 300_000 });
  });
});

describe('the figures', () => {
  const short = { case: caseNamed('sequence-100'), ours: [sample({})], reference: [sample({})] };

  it('are medians of each side by itself', () => {
    const ours = [sample({ wallMs: 9000 }), sample({ wallMs: 1100 }), sample({ wallMs: 1000 })];
    const [wall] = overheadFigures([{ ...short, ours, reference: [sample({}), sample({}), sample({ wallMs: 7000 })] }]);
    expect(wall).toMatchObject({ case: 'sequence-100', metric: 'wall', ours: 1.1, reference: 1, ratio: 1.1, aim: 1.05 });
  });

  it('count bytes a step over all steps of all runs', () => {
    const many = { case: caseNamed('runs-100x10'), ours: [sample({ bytes: 2_000_000 })], reference: [sample({ bytes: 1_000_000 })] };
    const found = overheadFigures([many]).find(({ metric }) => metric === 'bytes-per-step');
    expect(found).toMatchObject({ ours: 2000, reference: 1000, ratio: 2 });
  });

  it('leave out of an added step what is paid once a run', () => {
    const ours = [sample({ events: 6100, bytes: 980_000 })];
    const long = { case: caseNamed('sequence-1000'), ours, reference: [sample({ events: 6000, bytes: 800_000 })] };
    const found = overheadFigures([{ ...short, ours: [sample({ events: 700, bytes: 80_000 })] }, long]);
    expect(found.find(({ metric }) => metric === 'events-per-added-step')).toMatchObject({ ours: 6, reference: 6, ratio: 1, aim: 1 });
    expect(found.find(({ metric }) => metric === 'bytes-per-added-step')).toMatchObject({ ours: 1000, reference: 800, aim: 1.1 });
  });

  it('compare a step of a long run with one of a short run of the same side', () => {
    const long = { case: caseNamed('sequence-1000'), ours: [sample({ wallMs: 13_000 })], reference: [sample({ wallMs: 10_000 })] };
    const found = overheadFigures([short, long]).filter(({ metric }) => metric === 'wall-per-step');
    expect(found).toMatchObject([
      { case: 'step-1000-vs-100', ours: 13, reference: 10, ratio: 1.3, aim: 1.2 },
      { case: 'step-1000-vs-100-of-reference', ratio: 1, aim: null },
    ]);
  });

  it('say nothing about growth if one of the two lengths was not measured', () => {
    expect(overheadFigures([short]).map((found) => found.case)).toEqual(Array(6).fill('sequence-100'));
  });
});

describe('the activities that do nothing', () => {
  const activities = noopActivities(new Map(), () => ({ workflowId: 'w', run: 'r' }));

  it('give back the state that they were given', async () => {
    await activities.saveState({ run: 'r', state: { other: 1 } });
    const ref = await activities.saveState({ run: 'r', state: { records: {} } });
    expect(await activities.loadState({ run: 'r', ref })).toEqual({ records: {} });
  });

  it('open no run of a case that is not there', async () => {
    await expect(activities.openRun({ run: 'r', workflowType: 'sequence-7', input: {} })).rejects.toMatchObject({
      code: 'pipeline.not-found',
    });
  });
});

describe('a bundle', () => {
  const empty = withEmptySourceMap('code();\n');

  it('has an empty source map, whether it came with one or without', () => {
    const mapped = 'code();\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,e30=';
    expect(withEmptySourceMap(mapped)).toBe(empty);
    const map: unknown = JSON.parse(Buffer.from(empty.split('base64,')[1] ?? '', 'base64').toString());
    expect(map).toEqual({ version: 3, sources: [], names: [], mappings: '' });
  });
});
