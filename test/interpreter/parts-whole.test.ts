import { reasonsOf } from '../../client/wait-reasons';
import type { Plan } from '../../plan/plan';
import { formatAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { readPaid } from '../../records/accounts/read-paid';
import { rowsBy } from '../../records/accounts/sum';
import { chooseLogs, namedLogs } from '../../records/logs/choose-logs';
import { linesInOrder, startLogReading } from '../../records/logs/printed-lines';
import { openRecords } from '../../records/open-records';
import { runWhole, type WholeRun } from '../support/whole-run';
import { type Program, programs } from './program';

/** Parts with the real activities: the records of an agent, a command, a gate and a child pipeline are found by the address of the part. */
const PIPELINE = `
agents: {w: {role: Writes.}}
steps:
  - {id: decide, run: "true"}
  - {id: vote, agent: w, prompt: "Vote.", output: Vote.json, repair: 1}
  - {id: build, run: "echo built; echo oops >&2"}
  - {id: person, type: approval, prompt: "Ship it?"}
  - {id: sub, pipeline: child.yaml}
  - {id: after, run: "echo after"}
`;
const FILES = {
  'schemas/Vote.schema.json': '{"type":"object","required":["vote"]}',
  'child.yaml': 'name: child\nsteps:\n  - {id: inner, run: "echo within"}\n  - {id: ask, type: approval}\n',
};
const used = (tokens: number): string => `usage: {input_tokens: ${tokens}, output_tokens: 0, cost_usd: 0.001}`;
const SCRIPT = `replies:
  vote:
    - {ask: 1, json: {nothing: 1}, ${used(10)}}
    - {ask: 2, json: {vote: yes}, ${used(20)}}
`;
const PARTS = ['vote', 'build', 'person', 'sub'];

/** The language has no parts yet, so the named steps are moved beneath \`decide\`. */
function beneath(plan: Plan): Plan {
  const { steps } = plan.block;
  const isPart = ({ id }: Step) => PARTS.includes(id);
  const left = steps.flatMap((step): Step[] => {
    const { chained: _alone, ...own } = step;
    return isPart(step) ? [] : ([step.id === 'decide' ? { ...own, parts: steps.filter(isPart) } : own] as Step[]);
  });
  return plan.name === 'p' ? { ...plan, block: { ...plan.block, steps: left } } : plan;
}

/** Plays the named parts for several turns. */
const inTurns =
  (turns: number, ...ids: string[]): Program =>
  async (ctx, { part }) => {
    await ctx.loop('turns', 0, async (inner, state, turn) => {
      for (const id of ids) await inner.step(part(id), { turn });
      return turn === turns ? { done: state } : { next: state + 1 };
    });
  };

const whole = (decide: Program): WholeRun =>
  runWhole(PIPELINE, { files: FILES, script: SCRIPT, plan: beneath, work: programs({ decide }) });

describe('a part with the real activities', () => {
  it('that is an agent is asked again for what its schema wants, and settles with what it says then', async () => {
    const run = whole(inTurns(1, 'vote'));
    await run.quiet();
    await run.result;
    expect(run.requests.map(({ address, ask }) => [formatAddress(address), ask])).toEqual([
      ['decide[1]/vote#1~1', 1],
      ['decide[1]/vote#1~1', 2],
    ]);
    const vote = run.status().steps.find(({ id }) => id === 'vote');
    expect(vote).toMatchObject({ address: 'decide[1]/vote', state: 'done', usage: { inputTokens: 30 } });
    await expect(run.json(vote?.artifact)).resolves.toEqual({ vote: 'yes' });
  });

  it('has what its agent was paid for under its own address in each turn, and under its id in a sum by step', async () => {
    const run = whole(inTurns(2, 'vote'));
    await run.quiet();
    await run.result;
    const { runs } = openRecords({ stateDir: run.stateDir });
    const paid = await readPaid(runs, await runs.list());
    expect(paid.map(({ call, usage }) => [call, usage.inputTokens])).toEqual([
      ['decide[1]/vote#1~1', 10],
      ['decide[1]/vote#1~1', 20],
      ['decide[2]/vote#1~1', 10],
      ['decide[2]/vote#1~1', 20],
    ]);
    expect(rowsBy(paid, 'step')).toMatchObject([{ inputTokens: 60, replies: 4 }]);
    // The usage of the finished turn is added to its step.
    const usage = run.status().steps.flatMap(({ address, usage: all }) => (all ? [[address, all.inputTokens]] : []));
    expect(usage).toEqual([
      ['decide', 30],
      ['decide[2]/vote', 30],
    ]);
  });

  it('that is a command has a log for each turn, by its address', async () => {
    const run = whole(inTurns(2, 'build'));
    await run.quiet();
    await run.result;
    const { logs, runs } = openRecords({ stateDir: run.stateDir });
    const [key] = (await runs.list()).flatMap(({ workflowId, run: id }) => (workflowId === undefined ? [] : [{ workflowId, run: id }]));
    if (!key) throw new Error('no run');
    const known = namedLogs(await logs.list(key));
    const printed = async (step: string): Promise<string[]> => {
      const lines: string[] = [];
      for await (const { text } of linesInOrder(logs, key, chooseLogs(known, { step }).map(startLogReading))) lines.push(text);
      return lines.sort();
    };
    await expect(printed('decide[1]/build')).resolves.toEqual(['built', 'oops']);
    await expect(printed('decide[2]/build')).resolves.toEqual(['built', 'oops']);
    await expect(printed('decide')).resolves.toEqual(['built', 'built', 'oops', 'oops']);
  });

  it('that is a gate is shown, explained and answered by its address', async () => {
    const run = whole(inTurns(1, 'person'));
    await run.quiet();
    expect(run.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'decide[1]/person', question: 'Ship it?' }] });
    // The step itself waits for nothing else.
    expect(reasonsOf(run.status(), [])).toEqual([expect.objectContaining({ kind: 'gate', step: 'decide[1]/person' })]);
    await run.update('approve', { step: 'decide[1]/person', by: 'ann' });
    await run.completes();
    expect(run.status().steps.map(({ address, state }) => `${address} ${state}`)).toEqual([
      'decide done',
      'decide[1]/person done',
      'after done',
    ]);
  });

  it('that is a child pipeline runs once in each turn, with its gates at the part', async () => {
    const run = whole(inTurns(2, 'sub'));
    for (const turn of [1, 2]) {
      await run.quiet();
      expect(run.status().gates).toMatchObject([{ step: `decide[${turn}]/sub/ask` }]);
      expect(reasonsOf(run.status(), [])).toEqual([expect.objectContaining({ kind: 'gate', step: `decide[${turn}]/sub/ask` })]);
      await run.update('approve', { step: `decide[${turn}]/sub/ask`, by: 'ann' });
    }
    await run.completes();
    const inner = run.calls.filter(({ address }) => address.startsWith('inner#'));
    expect(new Set(inner.map(({ workflowId }) => workflowId)).size).toBe(2);
  });
});
