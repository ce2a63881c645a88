import type { Block, Step } from '../../plan/steps/step';
import type { Played } from './play';
import type { Scenario } from './scenario';

/**
 * Describes a failed case to the person who repairs it: the pipeline, the events with their times, and the command that shows the case
 * again.
 */
export function describeCase(scenario: Scenario, violations: readonly string[], played: Played | undefined): string {
  const { seed, plan, children, lists, ...rest } = scenario;
  return [
    ...violations.map((violation) => `✗ ${violation}`),
    '',
    `seed ${seed} ${JSON.stringify(rest)}`,
    `again, as it was made: THERMIDOR_SEED=${seed} npx jest test/properties`,
    '',
    `pipeline, made as small as it could be: ${JSON.stringify({ concurrent: plan.concurrent, budget: plan.budget })}`,
    ...describeBlock(plan.block, 1, lists),
    ...(plan.finally ? ['  finally:', ...describeBlock(plan.finally, 2, lists)] : []),
    ...Object.values(children).flatMap((child) => [`child ${child.name}:`, ...describeBlock(child.block, 1, lists)]),
    '',
    'schedule:',
    ...(played?.schedule ?? ['it broke off']).map((line) => `  ${line}`),
  ].join('\n');
}

function describeBlock(block: Block, depth: number, lists: Scenario['lists']): string[] {
  return [`${'  '.repeat(depth)}(${block.order})`, ...block.steps.flatMap((step) => describeStep(step, depth, lists))];
}

function describeStep(step: Step, depth: number, lists: Scenario['lists']): string[] {
  const { kind, id, ...keys } = step;
  const inner = Object.entries(keys).filter(([key]) => !HIDDEN.includes(key));
  const told = inner.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ');
  const items = lists[id] ? ` over ${lists[id].length} items` : '';
  const line = `${'  '.repeat(depth)}- ${id}: ${kind}${items}${told === '' ? '' : ` {${told}}`}`;
  if ('branches' in step) return [line, ...step.branches.flatMap((branch) => describeStep(branch, depth + 2, lists))];
  return 'block' in step ? [line, ...describeBlock(step.block, depth + 2, lists)] : [line];
}
const HIDDEN: readonly string[] = ['block', 'branches', 'command', 'message', 'items', 'plan', 'reads'];
