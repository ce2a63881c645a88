import type { Plan } from '../../plan/plan';
import type { Carry, CarryAnswer, CarryProblem } from '../../plan/run/carry';
import type { Json } from '../../plan/text/json';
import { controlRef, runPlan, type World, type WorldOptions } from '../support/world';

/** Runs, the state that they carry over, and runs that begin with it. */

export const CHILD = 'release';

export async function settle(world: World): Promise<World> {
  for (let i = 0; i < 6; i++) await world.settle();
  return world;
}

export async function ran(plan: Plan, options: WorldOptions = {}): Promise<World> {
  const world = runPlan(plan, options);
  await world.elapse();
  return settle(world);
}

export function carry(world: Pick<World, 'query'>, from: string, again: string[] = []): CarryAnswer {
  const answer = world.query('carry', { from, again }) as CarryAnswer | CarryProblem;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

/** Starts a run with the state that another one carried over. */
export function rerun(plan: Plan, carried: Carry, options: WorldOptions = {}): World {
  // The store returns it as JSON.
  const stored = JSON.parse(JSON.stringify(carried)) as Json;
  return runPlan(plan, { ...options, input: { carried: controlRef('carry', 'carry') }, stored: { carry: stored, ...options.stored } });
}
