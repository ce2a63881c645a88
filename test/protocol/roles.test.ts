import type { Envelope } from '../../plan/agents/envelope';
import type { RunView } from '../../plan/run/status';
import { playToTheEnd, runScripted } from '../main-job/workshop';
import { readAgent } from '../programs/program-files';

/** The roles of the agents in the main job (4.4), on a day with one revision. */
const RESEARCHERS = ['finance_researcher', 'market_structure_researcher', 'bullish_researcher', 'bearish_researcher'];
let said: Envelope[];
let view: RunView;
let started: string[];

beforeAll(async () => {
  const run = await runScripted('daily_quant_pipeline', 'daily-quant');
  view = await playToTheEnd(run);
  const journal = await run.journal();
  run.close();
  said = journal.flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
  started = journal.flatMap((entry) =>
    entry.kind === 'step' && ['running', 'done'].includes(entry.state) ? [`${entry.step} ${entry.state}`] : [],
  );
});

const plainBy = (from: string) => said.filter((one) => one.from === from).map(({ to, intent }) => `${intent} ${to}`);

it('the strategist gives each researcher its task, and each reports to the strategist alone', () => {
  for (const researcher of RESEARCHERS) {
    expect(plainBy('quant_strategist')).toContain(`assign_task ${researcher}`);
    expect(plainBy(researcher)).toEqual(['deliver_report quant_strategist']);
  }
});

it('the CEO gives no researcher a task', () => {
  const tasks = said.filter(({ from, to }) => from === 'ceo_coo' && RESEARCHERS.includes(to));
  expect(tasks).toEqual([]);
});

it('the strategist calls the reviewer, and gets its verdict', () => {
  expect(plainBy('quant_strategist').filter((line) => line === 'review_request reviewer')).toHaveLength(2);
  expect(plainBy('reviewer')).toEqual(['review_verdict quant_strategist', 'review_verdict quant_strategist']);
});

it('the strategist has no tool that gathers data', () => {
  expect(readAgent('quant_strategist')['tools']).toBeUndefined();
  expect(readAgent('quant_strategist')['role']).toContain('You do not gather data');
});

it('structure waits for the brief, the two cases for the structure, the thesis for both', () => {
  const at = (line: string) => started.indexOf(line);
  const order = [
    ['intel', 'structure'],
    ['structure', 'bull'],
    ['structure', 'bear'],
    ['bull', 'converge'],
    ['bear', 'converge'],
  ];
  for (const [before, after] of order) {
    expect(at(`${before} done`)).toBeGreaterThanOrEqual(0);
    expect(at(`${before} done`)).toBeLessThan(at(`${after} running`));
  }
});

it('the bull and the bear case are made side by side', () => {
  expect(started.indexOf('bear running')).toBeLessThan(started.indexOf('bull done'));
  expect(started.indexOf('bull running')).toBeLessThan(started.indexOf('bear done'));
});

it('the end of the pipeline is announced to the CEO', () => {
  const announced = said.filter(({ payload }) => Object(payload)['message'] === 'pipeline complete');
  expect(announced).toMatchObject([{ from: 'quant_strategist', to: 'ceo_coo', intent: 'deliver_report' }]);
});

it('each step delivers the report that the source names for it', () => {
  expect(view.steps.map(({ id, artifact }) => `${id} ${artifact?.name ?? '-'}`)).toEqual([
    ...[
      'intel Finance_Research_Brief.json',
      'structure Market_Structure_Report.json',
      'bull Bullish_Brief.json',
      'bear Bearish_Brief.json',
    ],
    ...['converge Strategy_Thesis.json', 'review Review_Report.json', 'data_analysis Data_Analysis_Report.json', 'approve -'],
  ]);
});
