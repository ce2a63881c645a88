import { OCCASIONS } from '../../plan/memory/post-mortem-spec';
import type { Plan } from '../../plan/plan';
import { postMortemStep } from '../patterns/post-mortem-play';
import { type Dice, dice } from '../support/simulation/dice';

/** Collaboration patterns in a pipeline that is made. They are rolled by themselves, so the pipeline stays what it was. */
export function withPatterns(plan: Plan, seed: number, agents: readonly string[]): Plan {
  const chance = dice('patterns', seed, plan.name);
  return chance.chance(0.25) ? withPostMortem(plan, chance, agents) : plan;
}

function withPostMortem(plan: Plan, chance: Dice, agents: readonly string[]): Plan {
  const occasion = chance.pick(OCCASIONS);
  const step = postMortemStep(agents, { occasion, ...(chance.chance(0.5) ? { takers: true } : {}) });
  return { ...plan, finally: { order: 'sequence', steps: [...(plan.finally?.steps ?? []), step] } };
}
