import { hasBoard } from '../../kinds/questions';
import { describeBudget } from '../../plan/budgets/budget-words';
import { writeExpr } from '../../plan/expressions/write-expression';
import { type AppliedTrigger, type ArgSpec, type Plan, triggersOf } from '../../plan/plan';
import type { Block, Step } from '../../plan/steps/step';
import { shownWithin } from '../../plan/steps/walk';
import { jsonText } from '../../plan/text/json-text';
import type { Colors } from '../terminal';
import { describeStep, type ReadBlob } from './plan-step';
import { describeCategoryPolicy, describeWhom } from './policy';
import { oneLine } from './text/printable';

/**
 * A frozen plan for people: what runs, in which order, what happens otherwise, and which paths of each step's output control the run. Inner
 * steps are below their container, indented.
 */
export function renderPlan(plan: Plan, sha256: string, colors: Colors, blob: ReadBlob = () => undefined, expanded = false): string {
  const lines = [`${colors.bold(plan.name)}  ${colors.dim(`plan ${sha256.slice(0, 12)}, language version ${plan.irVersion}`)}`];
  if (plan.description !== undefined) lines.push(`  ${oneLine(plan.description)}`);
  const fact = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`  ${colors.dim(`${name}:`)} ${value}`);
  };
  fact('dialect', plan.dialect);
  fact('owner', plan.owner);
  fact('trigger', triggersOf(plan).map(describeTrigger).join('; ') || 'manual');
  fact(
    'args',
    Object.entries(plan.args ?? {})
      .map(describeArg)
      .join(', '),
  );
  fact(
    'context',
    Object.entries(plan.context ?? {})
      .map(([name, value]) => `${name}: ${oneLine(typeof value === 'string' ? value : jsonText(value))}`)
      .join(', '),
  );
  fact('agents', Object.keys(plan.agents ?? {}).join(', '));
  fact('escalation', plan.escalation?.map(describeWhom).join(' → '));
  fact('budget', plan.budget && describeBudget(plan.budget));
  for (const [category, policy] of Object.entries(plan.requiresApproval ?? {}))
    fact(`approval of ${category}`, describeCategoryPolicy(policy));
  fact('may decide in place of', describeDelegates(plan));
  fact('memory', plan.memory?.file);
  fact('order', orderOf(plan.block));
  const ceilings = retriesIn(plan);
  const drawing = { colors, blob, expanded };
  lines.push(...plan.block.steps.flatMap((step) => stepLines(step, '  ', ceilings, drawing)));
  if (plan.finally) {
    lines.push(`  ${colors.bold('finally')}  ${colors.dim('whatever happened')}`);
    lines.push(...plan.finally.steps.flatMap((step) => stepLines(step, '    ', ceilings, drawing)));
  }
  fact('output', plan.output && writeExpr(plan.output));
  return `${lines.join('\n')}\n`;
}

interface Drawing {
  colors: Colors;
  blob: ReadBlob;
  /** The parts of collaboration patterns are shown. */
  expanded: boolean;
}

function stepLines(step: Step, indent: string, around: readonly number[], drawing: Drawing, holder?: Step): string[] {
  const { colors, blob, expanded } = drawing;
  const ceilings = [...around, ...retriesIn(step)];
  const { line, details } = describeStep(step, { retryCeilings: ceilings, isOnBoard: holder !== undefined && hasBoard(holder) }, blob);
  const lines = [`${indent}${colors.cyan(step.id)}  ${line}`];
  if ('block' in step && step.block.order === 'graph') details.push(`order: ${orderOf(step.block)}`);
  for (const detail of details) lines.push(`${indent}  ${colors.dim(detail)}`);
  return [...lines, ...shownWithin<Step>(step, expanded).flatMap((inner) => stepLines(inner, `${indent}  `, ceilings, drawing, step))];
}

function retriesIn({ budget }: Pick<Step | Plan, 'budget'>): number[] {
  return budget?.retriesPerStep === undefined ? [] : [budget.retriesPerStep];
}

function describeDelegates({ delegates = {} }: Plan): string {
  return Object.entries(delegates)
    .map(([name, others]) => `${name}: ${others.join(', ')}`)
    .join('; ');
}

function orderOf(block: Block): string {
  return block.order === 'graph' ? 'graph: a step starts when all it depends on are settled' : 'sequence';
}

function describeArg([name, spec]: [string, ArgSpec]): string {
  return `${name}${spec.required ? '' : '?'}${spec.secret ? ' (secret)' : ''}`;
}

function describeTrigger(trigger: AppliedTrigger): string {
  const called = trigger.name === undefined ? '' : `${trigger.name}: `;
  if (trigger.kind === 'webhook')
    return `${called}web hook /hooks/${trigger.path}, signed as ${trigger.signature} does${trigger.paused ? ', paused' : ''}`;
  const { expressions, timezone, overlap, paused, args } = trigger;
  const given = args === undefined ? '' : `, args ${oneLine(jsonText(args))}`;
  return `${called}cron ${expressions.map((text) => `"${text}"`).join(', ')} ${timezone}, overlap ${overlap}${paused ? ', paused' : ''}${given}`;
}
