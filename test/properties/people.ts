import { CHILD_SIGNAL, PARENT_SIGNAL } from '../../plan/run/child';
import type { JournalEntry } from '../../plan/run/journal';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { everyStep } from '../../plan/steps/walk';
import { isJsonObject, type Json } from '../../plan/text/json';
import { type Dice, dice } from '../support/simulation/dice';
import type { SimulatedServer } from '../support/simulation/ports';
import type { SimulatedRun } from '../support/simulation/simulated-run';
import { FORGED } from './history';
import { indexPlan } from './plan-index';
import { PEOPLE } from './plan-maker';
import type { Scenario } from './scenario';

const MINUTE = 60_000;

/** Notes what somebody does, for the schedule of a failed case. */
export type Note = (text: string) => void;

export interface Crowd {
  /** Shows the crowd a new entry of the journal. */
  read(run: SimulatedRun, entry: JournalEntry): void;
  /** Begins the actions that need no occasion. */
  begin(root: SimulatedRun): void;
  /** Sends a message, and counts those that were accepted. */
  send(workflowId: string, name: string, payload: unknown, as?: 'update'): void;
  readonly appliedUpdates: ReadonlyMap<string, number>;
}

/** People: prompt, late, twice, with the wrong name, at the wrong gate, with rubbish, or not at all. */
export function createCrowd(scenario: Scenario, server: SimulatedServer, note: Note): Crowd {
  const appliedUpdates = new Map<string, number>();
  const openings = new Map<string, number>();

  function send(workflowId: string, name: string, payload: unknown, as?: 'update'): void {
    const text = `${name} ${JSON.stringify(payload)} → ${workflowId}`;
    if (as === undefined) {
      const told = server.signal(workflowId, name, payload);
      note(`${text}${told ? '' : ' (it is over)'}`);
      return;
    }
    note(`${text} (update)`);
    server.update(workflowId, name, payload).then(
      () => appliedUpdates.set(workflowId, (appliedUpdates.get(workflowId) ?? 0) + 1),
      () => undefined,
    );
  }

  function react(run: SimulatedRun, step: string): void {
    const nth = (openings.get(`${run.workflowId} ${step}`) ?? 0) + 1;
    openings.set(`${run.workflowId} ${step}`, nth);
    const chance = dice(scenario.seed, 'people', run.workflowId, step, nth);
    const times = scenario.mischief ? chance.whole(0, 4) : 1;
    for (let i = 0; i < times; i++) {
      const inTime = chance.chance(0.7);
      const afterMs = inTime ? chance.whole(0, 10) * 1000 : chance.whole(1, 90) * MINUTE;
      const as = asUpdate(chance);
      const { name, payload } = isPart(step) ? wordTo(chance, step) : answerTo(chance, step, scenario.mischief);
      const sealed = sealing(chance);
      const parent = chance.chance(0.5) ? run.workflowId.split('.').slice(0, -1).join('.') : '';
      server.agenda.after(afterMs, () => send(parent === '' ? run.workflowId : parent, name, sealed(payload, server.agenda.now()), as));
    }
  }

  /** Sends items from outside: while a step emits, too late, twice, for an unknown step, and invalid ones. */
  function emit(run: SimulatedRun, step: string, chance: Dice): void {
    for (let i = chance.whole(0, 3); i > 0; i--) {
      const payload = emission(chance, step);
      const afterMs = chance.chance(0.8) ? chance.whole(0, 120) * 1000 : chance.whole(1, 60) * MINUTE;
      const times = chance.chance(0.25) ? 2 : 1;
      for (let again = 0; again < times; again++) {
        const as = asUpdate(chance);
        server.agenda.after(afterMs, () => send(run.workflowId, 'emit', payload, as));
      }
    }
  }

  function emitsFromOutside({ workflowType }: SimulatedRun, address: string): boolean {
    const place = parseAddress(address);
    const step = place && indexPlan(scenario.children[workflowType] ?? scenario.plan).step(stepIdOf(place));
    return scenario.mischief && step?.emits !== undefined;
  }

  return {
    appliedUpdates,
    send,
    read(run, entry) {
      if (entry.kind === 'step' && entry.state === 'running' && emitsFromOutside(run, entry.step))
        emit(run, entry.step, dice(scenario.seed, 'emit', run.workflowId, entry.step, entry.seq));
      if (entry.kind === 'gate' && entry.event === 'opened') react(run, entry.step);
      if (entry.kind === 'step' && entry.state === 'held') {
        const chance = dice(scenario.seed, 'operator', run.workflowId, entry.step, entry.seq);
        if (!chance.chance(0.7)) return;
        const name = chance.pick(['retry', 'retry', 'skip'] as const);
        const as = asUpdate(chance);
        server.agenda.after(chance.whole(0, 30) * MINUTE, () => send(run.workflowId, name, { step: entry.step, by: 'ops' }, as));
      }
    },
    begin(root) {
      const chance = dice(scenario.seed, 'mischief');
      if (scenario.mischief) {
        for (let i = chance.whole(0, 4); i > 0; i--) {
          const { name, payload } = answerTo(chance, `s${chance.whole(1, 6)}`, true);
          const as = asUpdate(chance);
          server.agenda.after(chance.whole(0, 600) * 1000, () => send(root.workflowId, name, payload, as));
        }
        for (let i = chance.whole(0, 2); i > 0; i--) {
          server.agenda.after(chance.whole(0, 600) * 1000, () => send(root.workflowId, 'ping', { i }));
        }
        for (const { id, emits } of everyStep(scenario.plan.block.steps)) {
          const early = dice(scenario.seed, 'emit', id);
          if (emits && early.chance(0.5)) emit(root, id, early);
        }
      }
      if (!scenario.operators) return;
      for (let i = chance.whole(0, 2); i > 0; i--) {
        const at = chance.whole(0, 900) * 1000;
        server.agenda.after(at, () => send(root.workflowId, 'pause', { by: 'ops' }));
        server.agenda.after(at + chance.whole(0, 20) * MINUTE, () => send(root.workflowId, 'unpause', {}));
      }
      if (chance.chance(0.3))
        server.agenda.after(chance.whole(0, 300) * 1000, () => send(root.workflowId, 'message', { to: 'worker', content: 'hi' }));
      if (chance.chance(0.08)) server.agenda.after(chance.whole(0, 3600) * 1000, () => send(root.workflowId, 'abort', { by: 'ops' }));
      if (chance.chance(0.08)) {
        server.agenda.after(chance.whole(0, 3600) * 1000, () => {
          note('cancel');
          server.cancel(root.workflowId);
        });
      }
    },
  };
}

interface Answer {
  name: string;
  payload: unknown;
}

function answerTo(chance: Dice, step: string, mischief: boolean): Answer {
  const by = chance.pick([...PEOPLE, 'dave', 'mallory']);
  const where = chance.chance(0.8) ? { step } : {};
  const odd = mischief && chance.chance(0.2);
  if (odd) {
    return chance.pick<Answer>([
      { name: 'approve', payload: { step: 'nowhere', by } },
      { name: 'approve', payload: { stepp: 1 } },
      { name: 'aprove', payload: { by } },
      { name: 'reject', payload: [1, 2] },
      { name: 'respond', payload: { ...where, response: { wrong: true } } },
      { name: 'retry', payload: { step } },
      { name: 'skip', payload: { step, by } },
      { name: 'approve', payload: { ...where, by, shown: 'deadbeef00' } },
      { name: 'delegate', payload: { ...where, by, to: 'bob' } },
      { name: 'delegate', payload: { ...where, by: 'ann', to: 'eve' } },
      { name: 'extend_budget', payload: { ...where, tokens: -1 } },
      { name: CHILD_SIGNAL, payload: { step: `${step}#1~1`, kind: 'ended', state: 'completed', output: { value: {} } } },
      { name: PARENT_SIGNAL, payload: { kind: 'signal', name: 'approve', payload: { step, by } } },
      { name: PARENT_SIGNAL, payload: { kind: 'granted', amounts: { tokens: 1_000_000 } } },
    ]);
  }
  return chance.pick<Answer>([
    { name: 'approve', payload: { ...where, by } },
    { name: 'approve', payload: { ...where, by } },
    { name: 'approve', payload: { ...where, by: 'ann' } },
    { name: 'extend_budget', payload: { ...where, tokens: 100_000 } },
    { name: 'approve', payload: { ...where, by, comment: 'yes' } },
    { name: 'extend_budget', payload: { ...where, usd: 1, wall_clock: '10h', tool_calls_per_step: 4 } },
    { name: 'reject', payload: { ...where, by, comment: 'no' } },
    { name: 'respond', payload: { ...where, by, response: 'revise' } },
    { name: 'respond', payload: { ...where, by, response: { answer: 1 } } },
  ]);
}

function emission(chance: Dice, step: string): Json {
  const item = chance.pick<Json>([
    { id: `x${chance.whole(0, 3)}` },
    { id: `x${chance.whole(0, 3)}` },
    { id: `i${chance.whole(0, 3)}` },
    { no: 1 },
  ]);
  const by = chance.chance(0.5) ? { by: chance.pick(PEOPLE) } : {};
  return chance.chance(0.9) ? { step, item, ...by } : chance.pick<Json>([{ step }, { item }, { step: 'nowhere', item }]);
}

/** Whether a gate is that of a part of a pattern. */
function isPart(step: string): boolean {
  return /_(ann|bob|person|default)\b/.test(step);
}

/** A random answer of a person: a vote or a decision about an issue. Not every answer fits the gate. */
function wordTo(chance: Dice, step: string): Answer {
  const payload = { step, by: chance.pick([...PEOPLE, 'mallory']), ...(chance.chance(0.8) ? { comment: 'because' } : {}) };
  const response = chance.pick([
    'approve',
    'reject',
    'abstain',
    'a',
    'b',
    'solved',
    'solution',
    'redefine',
    'replan',
    'abort',
    'workaround',
  ]);
  const value = chance.chance(0.1) ? { value: chance.pick<Json>([{ conditions: ['only so'] }, { confidence: 7 }, 'yes']) } : {};
  return chance.chance(0.3)
    ? { name: 'approve', payload: { ...payload, ...value } }
    : { name: 'respond', payload: { ...payload, response, ...value } };
}

/** Some answers prove their author; others only name one. */
function sealing(chance: Dice): (payload: unknown, nowMs: number) => unknown {
  const kind = chance.pick(['none', 'none', 'good', 'good', 'bad', 'old', 'same'] as const);
  const number = chance.whole(0, 1_000_000);
  return (payload, nowMs) => {
    if (kind === 'none' || !isJsonObject(payload)) return payload;
    const at = new Date(kind === 'old' ? nowMs - 3 * 60 * MINUTE : nowMs).toISOString();
    const mac = kind === 'bad' ? `bad ${number}` : kind === 'same' ? 'good' : `good ${number}`;
    const forged = kind === 'bad' ? { comment: FORGED } : {};
    return { ...payload, ...forged, proof: { channel: 'console', at, mac } };
  };
}

function asUpdate(chance: Dice): 'update' | undefined {
  return chance.chance(0.4) ? 'update' : undefined;
}
