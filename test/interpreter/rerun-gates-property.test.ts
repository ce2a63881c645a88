import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { CarryAnswer, CarryProblem } from '../../plan/run/carry';
import type { Block, Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import type { Json } from '../../plan/text/json';
import { fails } from '../support/behaviours';
import { approval, command, forEach, group, input, parallel } from '../support/steps';
import { sweepCount } from '../support/sweep';
import { planOf, runPlan, type World } from '../support/world';
import { rerun, settle } from './carrying';

/**
 * Tests reruns of random small plans with random changes, from random steps. Behind a carried yes, no step runs that reads a changed value,
 * or that comes after a step which runs again and which the yes does not cover. No step runs before a gate that is asked again. No work is
 * done twice because of a question.
 */
const PLANS = sweepCount(100, 300);
const FIRST_SEED = 1;

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const modeIs = (value: string): Expr => ({
  kind: 'binary',
  operator: '==',
  left: { kind: 'arg', name: 'mode', path: [] },
  right: { kind: 'literal', value },
});

/** A random plan, and those of its steps that read an arg that may change. */
interface Drawn {
  plan: Plan;
  order: Block['order'];
  readers: Record<'amount' | 'mode', string[]>;
  failing: Set<string>;
}

function draw(random: Random): Drawn {
  const readers: Drawn['readers'] = { amount: [], mode: [] };
  const failing = new Set<string>();
  let count = 0;
  const leaf = (): Step => {
    const id = `s${count++}`;
    switch (random(7)) {
      case 0:
      case 1:
        return approval(id);
      case 2:
        readers.mode.push(id);
        return approval(id, { when: modeIs('old') });
      case 3:
        return random(3) === 0 ? input(id) : command(id);
      default: {
        if (random(2) === 0) readers.amount.push(id);
        if (random(6) === 0) failing.add(id);
        return command(id, failing.has(id) && random(2) === 0 ? { onError: [{ kind: 'continue' }] } : {});
      }
    }
  };
  const step = (depth: number): Step => {
    const kind = depth > 1 ? 9 : random(10);
    if (kind > 2) return leaf();
    const id = `s${count++}`;
    const some = (least: number) => Array.from({ length: least + random(2) }, () => step(depth + 1));
    if (kind === 0) return parallel(id, some(2));
    return kind === 1 ? group(id, some(2)) : forEach(id, some(1));
  };
  const steps = Array.from({ length: 3 + random(4) }, () => step(0));
  const order = random(2) === 0 ? 'sequence' : 'graph';
  if (order === 'graph') {
    steps.forEach((one, i) => {
      one.after = steps.slice(0, i).flatMap(({ id }) => (random(2) === 0 ? [id] : []));
    });
  }
  return { plan: planOf(steps, {}, order), order, readers, failing };
}

/** The order of a plan's steps, with those in containers: each step has a node for its beginning and one, `/id`, for its end. */
function flat({ plan }: Drawn): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  const add = (from: string, to: string): void => void edges.set(from, [...(edges.get(from) ?? []), to]);
  const visit = (steps: readonly Step[], kind: Block['order'] | 'branches', start: string, end: string): void => {
    steps.forEach((one, i) => {
      const before = kind === 'sequence' ? steps.slice(Math.max(0, i - 1), i) : steps.filter(({ id }) => one.after?.includes(id));
      if (before.length === 0) add(start, one.id);
      for (const { id } of before) add(`/${id}`, one.id);
      const isLast = kind === 'sequence' ? i === steps.length - 1 : !steps.some(({ after }) => after?.includes(one.id));
      if (isLast) add(`/${one.id}`, end);
      if (one.kind === 'parallel') visit(one.branches, 'branches', one.id, `/${one.id}`);
      else if (one.kind === 'group' || one.kind === 'for_each') visit(one.block.steps, one.block.order, one.id, `/${one.id}`);
      else add(one.id, `/${one.id}`);
    });
  };
  visit(plan.block.steps, plan.block.order, '^', '$');
  return edges;
}

function reached(edges: ReadonlyMap<string, string[]>, from: readonly string[], past: (node: string) => boolean = () => true): Set<string> {
  const found = new Set<string>();
  const queue = [...from];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const next of edges.get(node) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      if (past(next)) queue.push(next);
    }
  }
  return found;
}

/** Answers every question until the run ends, and returns the gates that asked. `look` is called at each question. */
async function answered(world: World, look: (gate: string) => void = () => undefined): Promise<Set<string>> {
  const asked = new Set<string>();
  for (let i = 0; i < 60; i++) {
    await settle(world);
    const [gate] = world.status().gates;
    if (!gate) break;
    for (const { step } of world.status().gates) look(idOf(step));
    asked.add(idOf(gate.step));
    world.signal(gate.kind === 'input' ? 'respond' : 'approve', { step: gate.step, by: 'ann', response: 'yes' });
  }
  await world.result.catch(() => undefined);
  return asked;
}

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/[#~].*$/, '');
const workOf = (world: World): string[] => world.seen.map(({ step }) => step);

test.each(Array.from({ length: PLANS / 25 }, (_, i) => FIRST_SEED + i * 25))('random plans from seed %i', async (first) => {
  for (let seed = first; seed < first + 25; seed++) await checkPlan(seed);
});

async function checkPlan(seed: number): Promise<void> {
  const random = randomOf(seed * 7919);
  const drawn = draw(random);
  const { plan, readers } = drawn;
  const all = [...everyStep<Step>(plan.block.steps)];
  const lists = Object.fromEntries(all.flatMap(({ kind, id }) => (kind === 'for_each' ? [[id, [1, 2] as Json[]]] : [])));
  const failing = Object.fromEntries([...drawn.failing].map((id) => [id, fails]));
  const before = runPlan(plan, { lists, steps: failing, args: { mode: 'old' } });
  await answered(before);
  const changed = (['amount', 'mode'] as const).filter(() => random(2) === 0);
  const again = changed.flatMap((arg) => readers[arg]);
  const from = all[random(all.length)]?.id ?? '';
  const query = { from, again, changed: Object.fromEntries(changed.map((arg) => [`arg ${arg}`, readers[arg]])) };
  const answer = before.query('carry', query) as CarryAnswer | CarryProblem;
  if ('problem' in answer) return;

  const world = rerun(plan, answer.carry, { lists, args: { mode: changed.includes('mode') ? 'new' : 'old' } });
  const edges = flat(drawn);
  const tooEarly: string[] = [];
  const inLoops = new Set(all.flatMap((one) => (one.kind === 'for_each' ? [...everyStep<Step>([one])].map(({ id }) => id) : [])));
  const asked = await answered(world, (gate) => {
    if (inLoops.has(gate)) return;
    const behind = reached(edges, [`/${gate}`]);
    tooEarly.push(...workOf(world).filter((id) => behind.has(id)));
  });
  const ran = new Set(workOf(world));
  const isApproval = (id: string) => all.some((one) => one.id === id && one.kind === 'approval');
  // A loop that continues has further iterations, with steps of the same ids.
  const goesOn = (one: Step) =>
    one.kind === 'for_each' && before.status().steps.some(({ id, state }) => idOf(id) === one.id && state !== 'done');
  const unfinished = new Set(all.filter(goesOn).flatMap((loop) => [...everyStep<Step>([loop])].map(({ id }) => id)));
  const doneBefore = new Set(workOf(before).filter((id) => !drawn.failing.has(id) && !unfinished.has(id)));
  const told = `seed ${seed}: ${JSON.stringify({ steps: plan.block, ...query, gates: answer.gates })}`;

  for (const { gate } of answer.gates?.carried ?? []) {
    const id = idOf(gate);
    const behind = reached(edges, [`/${id}`]);
    const covered = reached(edges, [`/${id}`], (node) => !(isApproval(node) && asked.has(node)));
    const alone = [...covered].filter((node) => ran.has(node));
    expect([told, alone.filter((node) => again.includes(node))]).toEqual([told, []]);
    for (const node of alone) {
      const outside = [...ran].filter((other) => doneBefore.has(other) && !behind.has(other) && other !== id);
      const feeding = outside.filter((other) => reached(edges, [`/${other}`], (next) => next.startsWith('/')).has(node));
      expect([told, node, feeding]).toEqual([told, node, []]);
    }
  }

  const mayRun = reached(
    edges,
    [from, ...again, ...all.flatMap(({ id }) => (doneBefore.has(id) ? [] : [id]))].map((id) => `/${id}`),
  );
  const within = new Set(all.flatMap((one) => (isRerun(one, [from, ...again]) ? [...everyStep<Step>([one])].map(({ id }) => id) : [])));
  const twice = [...ran].filter((id) => doneBefore.has(id) && !mayRun.has(id) && !within.has(id));
  expect([told, twice]).toEqual([told, []]);
  expect([told, tooEarly]).toEqual([told, []]);
  expect([told, world.status().state]).toEqual([told, 'completed']);
}

/** Whether everything within a step runs again: the rerun starts there, or the step is a loop in which something must run again. */
function isRerun(step: Step, again: readonly string[]): boolean {
  if (again.includes(step.id)) return true;
  return step.kind === 'for_each' && [...everyStep<Step>([step])].some(({ id }) => again.includes(id));
}
