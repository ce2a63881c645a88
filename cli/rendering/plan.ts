import { type Action, describeTarget } from '../../plan/action';
import type { Plan, Trigger } from '../../plan/plan';
import type { Step } from '../../plan/step';
import type { Colors } from '../terminal';
import { oneLine } from './printable';
import { duration } from './time';

/** A frozen plan for people: what runs, in which order, and what happens otherwise. */
export function renderPlan(plan: Plan, sha256: string, colors: Colors): string {
  const lines = [`${colors.bold(plan.name)}  ${colors.dim(`plan ${sha256.slice(0, 12)}, language version ${plan.irVersion}`)}`];
  if (plan.description !== undefined) lines.push(`  ${oneLine(plan.description)}`);
  const fact = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`  ${colors.dim(`${name}:`)} ${value}`);
  };
  fact('owner', plan.owner);
  fact('trigger', describeTrigger(plan.trigger));
  fact(
    'args',
    Object.entries(plan.args ?? {})
      .map(([name, spec]) => `${name}${spec.required ? '' : '?'}`)
      .join(', '),
  );
  fact('agents', Object.keys(plan.agents ?? {}).join(', '));
  fact('escalation', plan.escalation?.map(describeTarget).join(' → '));
  fact('order', plan.block.order === 'graph' ? 'graph: a step starts when all it depends on are settled' : 'sequence');
  for (const step of plan.block.steps) {
    lines.push(`  ${colors.cyan(step.id)}  ${describeStep(step)}`);
    for (const detail of detailsOf(step)) lines.push(`    ${colors.dim(detail)}`);
  }
  return `${lines.join('\n')}\n`;
}

export function describeTrigger(trigger: Trigger): string {
  if (trigger.kind === 'manual') return 'manual';
  const paused = trigger.paused ? ', paused' : '';
  return `cron ${trigger.expressions.map((text) => `"${text}"`).join(', ')} ${trigger.timezone}, overlap ${trigger.overlap}${paused}`;
}

function describeStep(step: Step): string {
  switch (step.kind) {
    case 'agent':
      return `agent ${step.agent}${step.action === 'self' ? ' (in its own context)' : ''}${step.output ? ` → ${step.output.name}` : ''}`;
    case 'review':
      return `review of ${step.of} by ${step.agent}${step.output ? ` → ${step.output.name}` : ''}`;
    case 'command':
      return 'shell' in step.command ? 'shell command' : 'command';
    case 'approval':
      return `a person decides${step.channel === undefined ? '' : ` in ${step.channel}`}${step.approvers ? `: ${step.approvers.join(', ')}` : ''}`;
    case 'notify':
      return `notify ${step.channel}`;
    default:
      return `wait ${duration(step.forMs)}`;
  }
}

function detailsOf(step: Step): string[] {
  const details: string[] = [];
  if (step.after !== undefined && step.after.length > 0) details.push(`after ${step.after.join(', ')}`);
  if (step.when !== undefined) details.push('on a condition');
  if (step.timeoutMs !== undefined) details.push(`time-out ${duration(step.timeoutMs)}`);
  if (step.retry !== undefined) details.push(`at most ${step.retry.max} tries`);
  if (step.kind === 'review') {
    if (step.onRevise) details.push(`on revise: retry ${step.onRevise.step}, at most ${step.onRevise.max}`);
    if (step.onBlock) details.push(`on block: ${step.onBlock.map(describeAction).join(', ')}`);
  }
  if (step.onError !== undefined) details.push(`on error: ${step.onError.map(describeAction).join(', ')}`);
  return details;
}

function describeAction(action: Action): string {
  switch (action.kind) {
    case 'retry':
      return `retry ${action.step}, at most ${action.max}`;
    case 'escalate':
      return `escalate to ${describeTarget(action.to)}`;
    case 'notify':
      return `notify ${action.channel}`;
    default:
      return action.kind;
  }
}
