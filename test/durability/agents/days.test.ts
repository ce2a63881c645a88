import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '../../../plan/run/status';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { inSweep } from '../../support/sweep';
import { journal, MAIN_JOB, step, untilStatus } from '../support/runs';
import { Scratch, SET_UP_MS } from '../support/scratch';
import { type LiveScratch, liveScratch, requestsOf } from './service';
import { type Acts, inputOf, type Told, toldAgents } from './told-agents';

/** The main job with agents that know only what their request says, over a service's own protocol. */
let live: LiveScratch;

beforeAll(async () => {
  live = await liveScratch({}, Scratch.onSharedServer);
  const { scratch } = live;
  scratch.addPipelines();
  const researcher = 'pipelines/agents/finance_researcher.yaml';
  scratch.write(researcher, readFileSync(scratch.path(researcher), 'utf8').replace('timeout: 15m', 'timeout: 4s'));
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(() => live.close());

/** Starts the main job with these agents, and waits until it asks the chairman. */
async function untilAsked(agents: Parameters<typeof toldAgents>[0], gate: string, ...args: string[]): Promise<string> {
  live.serve(toldAgents(agents));
  const { run } = await live.scratch.json<{ run: string }>('run', MAIN_JOB, '--live', '--detach', ...args);
  await asks(run, gate);
  return run;
}

function asks(run: string, gate: string): Promise<RunView> {
  return untilStatus(live.scratch, run, `${gate} waits`, ({ gates }) => gates.some((open) => open.step === gate));
}

/** The chairman's answer. */
async function decide(run: string, command: string, ...more: string[]): Promise<void> {
  const answered = await live.scratch.ask(command, run, ...more, '--by', 'chairman', '--detach');
  expect(answered.code).toBe(0);
}

const completed = (run: string) => untilStatus(live.scratch, run, 'it is completed', ({ state }) => state === 'completed');

/** The strategist's answer from the two briefs. */
const converge: Acts = (told) => {
  const [bull, bear] = [inputOf(told, 'bull'), inputOf(told, 'bear')];
  const corrected = told.task.includes(CORRECTED) ? ` ${CORRECTED}` : '';
  return {
    thesis: `Bought where both cases meet.${corrected}`,
    risk_assessment: {
      ...{ max_drawdown_pct: 5, bias_check: 'confirmed' },
      ...{ bull_confidence: bull['confidence'] ?? null, bear_confidence: bear['confidence'] ?? null },
    },
  };
};
const CORRECTED = 'Work on the corrected figures.';
const pass: Acts = () => ({ verdict: 'pass', issues: [], reviewed_artifact: 'Strategy_Thesis.json' });

/** The output of each step in the end. */
function reportsOf({ steps }: RunView): Map<string, JsonObject> {
  const found = steps.flatMap(({ id, artifact }) => {
    if (!artifact) return [];
    const report: Json = JSON.parse(
      readFileSync(join(live.scratch.stateDir, 'artifacts', artifact.sha256.slice(0, 2), artifact.sha256), 'utf8'),
    );
    return isJsonObject(report) ? [[id, report] as const] : [];
  });
  return new Map(found);
}

/** Every report has the day of the run, and the market that it was given. */
function expectFacts(view: RunView, market: string): void {
  const reports = [...reportsOf(view).values()];
  expect(reports).toHaveLength(7);
  expect(new Set(reports.map(({ date }) => date))).toEqual(new Set([view.startedAt.slice(0, 10)]));
  expect(reports.flatMap((report) => ('market' in report ? [report['market']] : []))).toEqual(Array.from({ length: 5 }, () => market));
}

inSweep.test('a good day: the chairman approves what nobody has sent back', async () => {
  const run = await untilAsked(
    {
      'Bullish researcher': () => ({ confidence: 0.7 }),
      'Bearish researcher': () => ({ confidence: 0.3 }),
      'Finance researcher': () => ({}),
      'Quantitative strategist': converge,
      'Reviewer of strategy submissions': pass,
    },
    'approve',
    ...['--arg', 'market=ETH/USDT'],
  );
  await decide(run, 'approve');
  const view = await completed(run);
  expect(view.steps.map(({ id, round, try: again }) => `${id} ${round} ${again}`)).toEqual(view.steps.map(({ id }) => `${id} 1 1`));
  expectFacts(view, 'ETH/USDT');
  expect(field(reportsOf(view).get('converge'), 'risk_assessment')).toMatchObject({ bull_confidence: 0.7, bear_confidence: 0.3 });
  expect(live.server.problems).toEqual([]);
});

inSweep.test(
  'a day with a timeout, a missing field, a revision of the bullish brief, and a block that the chairman turns back',
  async () => {
    const agents: Record<string, Acts> = {
      'Finance researcher': ({ task }) => (task.includes('ran out of time') ? {} : { kind: 'silence' }),
      'Market structure researcher': (told) => without('liquidity_zones', told),
      'Bullish researcher': ({ task }) => ({ confidence: task.includes('more than its evidence carries') ? 0.6 : 0.95 }),
      'Bearish researcher': () => ({ confidence: 0.3 }),
      'Quantitative strategist': converge,
      'Reviewer of strategy submissions': (told) => {
        const thesis = inputOf(told, 'converge');
        if (Number(field(field(thesis, 'risk_assessment'), 'bull_confidence')) > 0.9) return sentBack;
        return String(thesis['thesis']).includes(CORRECTED) ? pass(told) : blocked;
      },
      'CEO and COO': () => ({ decision: 'pass_on', rationale: 'Whether the figures still stand is for the chairman to say.' }),
    };
    const run = await untilAsked(agents, 'review#2');
    await decide(run, 'respond', 'review', '--response', 'revise', '--comment', CORRECTED);
    await asks(run, 'approve');
    await decide(run, 'approve');

    const view = await completed(run);
    expect(view.steps.map(({ id, round }) => `${id} ${round}`)).toEqual([
      ...['intel 1', 'structure 1', 'bull 2', 'bear 1', 'converge 3', 'review 3', 'data_analysis 1', 'approve 1'],
    ]);
    expect(step(view, 'intel').try).toBe(2);
    expect(requestsOf(live, run).filter((key) => key.includes('/structure#'))).toHaveLength(2);
    const verdicts = step(view, 'review').superseded?.map(({ verdict }) => verdict?.said ?? verdict?.verdict);
    expect(verdicts).toEqual(['revise', 'block']);
    expectFacts(view, 'BTC/USDT');
    const entries = await journal(live.scratch, run);
    expect(entries.flatMap((entry) => (entry.kind === 'step' && entry.error ? [`${entry.step} ${entry.error.code}`] : []))).toEqual([
      'intel agent.timeout',
    ]);
    const said = entries.flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
    expect(said.filter(({ intent }) => intent === 'escalate').map(({ to }) => to)).toEqual(['ceo_coo', 'human']);
    expect(live.server.problems).toEqual([]);
  },
);

const issue = { severity: 'major', field: 'confidence', description: 'It is more than its evidence carries.', suggestion: 'Lower it.' };
const sentBack = { verdict: 'revise', reviewed_artifact: 'Strategy_Thesis.json', issues: [issue], revise_target: 'bullish_researcher' };
const blocked = {
  ...{ verdict: 'block', reviewed_artifact: 'Strategy_Thesis.json' },
  issues: [{ ...issue, severity: 'critical', description: 'The figures were withdrawn.' }],
};

/** A report that lacks a field until it is asked for by name. */
function without(name: string, { task }: Told): JsonObject {
  return task.includes('cannot be used') && task.includes(name) ? {} : { missing_fields: [name] };
}
