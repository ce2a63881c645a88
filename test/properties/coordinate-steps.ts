import { LEVELS, TASK_TYPES } from '../../kinds/coordinate/rules/select';
import type { CoordinateStep, StepBase } from '../../plan/steps/step';
import { planFrom } from '../patterns/compiled';
import type { Dice } from '../support/simulation/dice';

/**
 * A coordinated task with random facts, from which the compiler makes its steps. Nothing lands, because these cases have no merge queue.
 */
export function makeCoordinate(base: StepBase, chance: Dice): CoordinateStep {
  const has = (share: number): boolean => chance.chance(share);
  const voters = has(0.3) ? 'voters: [worker, writer, person("ann")]' : '';
  const { block } = planFrom(`owner: lead
agents: {lead: {role: Leads.}, worker: {role: Works.}, writer: {role: Plans.}, critic: {role: Tests.}, helper: {role: Knows.}}
steps:
  - id: ${base.id}
    type: coordinate
    task: Store passwords safely.
    select: {task_type: ${chance.pick(TASK_TYPES)}, complexity: ${chance.pick(LEVELS)}, risk: ${chance.pick(LEVELS)}, team_size: 4, has_expert: ${has(0.5)}}
    roles: {coordinator: lead, planner: writer, executor: worker, tester: critic, expert: helper}
    test: npm test
    blocked_after: ${chance.whole(2, 60)}m
    on_blocked: ${chance.pick(['escalate', 'swarm'])}
    ${voters}
`);
  const [made] = block.steps;
  if (made?.kind !== 'coordinate') throw new Error(`${base.id} is no coordinate step`);
  return { ...made, ...base };
}
