import type { GateView } from '../../plan/people/gate';
import type { RunView } from '../../plan/run/status';
import { type Dice, dice } from '../support/simulation/dice';
import type { SimulatedServer } from '../support/simulation/ports';
import type { SimulatedRun } from '../support/simulation/simulated-run';
import type { Crowd } from './people';
import { PEOPLE } from './plan-maker';
import type { Scenario } from './scenario';

/** Delegates, and people to whom somebody may hand over a place. */
const STAND_INS = ['dave', 'eve'];
const PLENTY = {
  ...{ tokens: 1_000_000, usd: 100, wall_clock: '10000h', tool_calls_per_step: 100 },
  ...{ on_unknown_cost: 'allow', on_unlimited: 'allow' },
};
/** How often somebody comes and does what a run waits for. After these visits the run is aborted. */
const VISITS = 25;
export const BETWEEN_VISITS_MS = 2 * 60 * 60_000;

/** What the runs that have not ended wait for, in words. */
export async function whatTheyWaitFor(server: SimulatedServer): Promise<string[]> {
  const found: string[] = [];
  for (const run of server.runs.values()) {
    if (!run.end) found.push(...reasonsOf(await statusOf(server, run)).map((reason) => `${run.workflowId}: ${reason}`));
  }
  return found;
}

async function statusOf(server: SimulatedServer, run: SimulatedRun): Promise<RunView> {
  return (await server.ask(run)).query('status', {}) as RunView;
}

function reasonsOf(view: RunView): string[] {
  return [
    ...(view.state === 'paused' ? ['an operator to unpause it'] : []),
    ...view.gates.map(({ step, kind }) => `somebody at the ${kind} gate of ${step}`),
    ...view.steps.filter(({ state }) => state === 'held').map(({ address }) => `an operator at ${address}`),
    ...view.steps.flatMap(({ address, waitingFor }) => (waitingFor?.startsWith('the signal') ? [`${waitingFor} at ${address}`] : [])),
    ...view.steps.flatMap(({ child, state }) => (child !== undefined && state === 'running' ? [`child ${child}`] : [])),
  ];
}

/** Does what the runs wait for until the first run has ended. Returns the faults: runs that wait for nobody and do not continue. */
export async function rescue(scenario: Scenario, server: SimulatedServer, crowd: Crowd, root: SimulatedRun): Promise<string[]> {
  const stuck: string[] = [];
  for (let visit = 0; visit < VISITS && !root.end; visit++) {
    const chance = dice(scenario.seed, 'rescue', visit);
    const before = await statusOf(server, root);
    const nowMs = server.agenda.now();
    help(crowd, root.workflowId, before, chance, nowMs);
    for (const run of server.runs.values()) {
      if (run !== root && !run.end) help(crowd, run.workflowId, { ...(await statusOf(server, run)), gates: [] }, chance, nowMs);
    }
    await server.work(BETWEEN_VISITS_MS);
    if (root.end || reasonsOf(before).length > 0) continue;
    const after = await statusOf(server, root);
    if (JSON.stringify(after) === JSON.stringify(before)) {
      stuck.push(`${root.workflowId}: it is stuck: ${before.steps.map(({ address, state }) => `${address} ${state}`).join(', ')}`);
      break;
    }
  }
  if (!root.end) crowd.send(root.workflowId, 'abort', { by: 'ops' });
  await server.work(BETWEEN_VISITS_MS);
  return stuck;
}

function help(crowd: Crowd, run: string, view: RunView, chance: Dice, nowMs: number): void {
  const update = (name: string, payload: object): void => crowd.send(run, name, payload, 'update');
  if (view.state === 'paused') crowd.send(run, 'unpause', {});
  // A child's gate takes one answer at a time, so another person comes first at each visit.
  const first = chance.whole(0, PEOPLE.length - 1);
  const people = [...PEOPLE.slice(first), ...PEOPLE.slice(0, first), ...STAND_INS];
  for (const gate of view.gates) for (const by of people) answer(gate, by, update, chance, nowMs);
  for (const { state, address } of view.steps) {
    if (state === 'held') crowd.send(run, chance.pick(['retry', 'skip']), { step: address.replace(/~\d+$/, ''), by: 'ops' });
  }
  if (view.steps.some(({ waitingFor }) => waitingFor?.startsWith('the signal'))) crowd.send(run, 'ping', {});
}

function answer(gate: GateView, by: string, update: (name: string, payload: object) => void, chance: Dice, nowMs: number): void {
  const proof = { channel: 'console', at: new Date(nowMs).toISOString(), mac: `good ${gate.step} ${by} ${nowMs}` };
  const payload = { step: gate.step, by, comment: 'so be it', ...(gate.identity === 'proven' ? { proof } : {}) };
  if (gate.kind === 'budget') update('extend_budget', { step: gate.step, ...PLENTY });
  else if (gate.kind === 'input') update('respond', { ...payload, response: { answer: 2 } });
  else if (gate.kind === 'escalation') update('respond', { ...payload, response: chance.pick(['approve', 'approve', 'revise', 'reject']) });
  else if (gate.choices.includes('approve')) update('approve', payload);
  else update('respond', { ...payload, response: gate.choices[chance.whole(0, gate.choices.length - 1)] });
}
