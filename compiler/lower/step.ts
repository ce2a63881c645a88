import type { Template } from '../../plan/expression';
import type { Step, StepBase } from '../../plan/step';
import { unreachable } from '../../plan/unreachable';
import type { ApprovalSource, CommandSource, StepSource } from '../shape/source';
import { actionsOf } from './action';
import { agentStep } from './agent-step';
import { type Context, expressionOf, noteChannel, producersBefore, templateOf, upstreamStep } from './context';
import { outputOf } from './output';
import { renderedBy } from './references';

/**
 * A step as written → a step of the plan. Every name is looked up on the way, so that all mistakes are found even where
 * the step cannot be made. Keys that say nothing are left out.
 */
export function lowerStep(source: StepSource, context: Context): Step | undefined {
  const { id, work } = source;
  const templates: Template[] = [];
  const base: StepBase = { id };
  if (source.description !== undefined) base.description = source.description;
  if (context.order.kind === 'graph' && context.order.before(id).length > 0) base.after = [...context.order.before(id)];
  const when = expressionOf(source.when, id, context);
  if (when) base.when = when;
  if (source.timeoutMs !== undefined) base.timeoutMs = source.timeoutMs;
  if (source.retry) base.retry = source.retry;
  if (source.onError) base.onError = actionsOf(source.onError, 'on_error', id, context);
  if (!work) return undefined;

  const made = lowerWork(source, base, templates, context);
  if (!made) return undefined;
  const { step, inputs } = made;
  const rendered = renderedBy(templates);
  const all = [...new Set([...inputs, ...rendered.inputs])].sort((a, b) => context.order.position(a) - context.order.position(b));
  if (all.length > 0) step.inputs = all;
  if (rendered.records.length > 0) step.records = rendered.records;
  return step;
}

export interface LoweredStep {
  step: Step;
  /** Steps whose outputs it takes beside those its templates name. */
  inputs: readonly string[];
}

function lowerWork(source: StepSource, base: StepBase, templates: Template[], context: Context): LoweredStep | undefined {
  const { work, id } = source;
  const template = (syntax: Parameters<typeof templateOf>[0]): Template | undefined => {
    const found = templateOf(syntax, id, context);
    if (found) templates.push(found);
    return found;
  };
  switch (work?.kind) {
    case undefined:
      return undefined;
    case 'agent':
    case 'review':
      return agentStep(source, work, base, templates, context);
    case 'command':
      return commandStep(source, work, base, template, context);
    case 'approval':
      return approvalStep(work, base, template, context);
    case 'notify': {
      const message = template(work.message);
      if (work.channel) noteChannel(work.channel, context);
      if (!work.channel || !message) return undefined;
      return { step: { ...base, kind: 'notify', channel: work.channel.value, message }, inputs: [] };
    }
    case 'wait':
      return work.forMs === undefined ? undefined : { step: { ...base, kind: 'wait', forMs: work.forMs }, inputs: [] };
    default:
      return unreachable(work);
  }
}

type MakeTemplate = (syntax: Parameters<typeof templateOf>[0]) => Template | undefined;

function commandStep(
  source: StepSource,
  work: CommandSource,
  base: StepBase,
  template: MakeTemplate,
  context: Context,
): LoweredStep | undefined {
  const cwd = template(work.cwd);
  const stdin = template(work.stdin);
  const env = [...(work.env ?? [])].flatMap(([name, syntax]) => {
    const value = template(syntax);
    return value ? [[name, value] as const] : [];
  });
  const output = outputOf(source, work, context);
  if (!work.command) return undefined;
  const command =
    'shell' in work.command
      ? { shell: template(work.command.shell) ?? [] }
      : { argv: work.command.argv.map((word) => template(word) ?? []) };
  const step: Step = { ...base, kind: 'command', command };
  if (cwd) step.cwd = cwd;
  if (env.length > 0) step.env = Object.fromEntries(env);
  if (stdin) step.stdin = stdin;
  if (output) step.output = output;
  return { step, inputs: [] };
}

function approvalStep(work: ApprovalSource, base: StepBase, template: MakeTemplate, context: Context): LoweredStep {
  const step: Step = { ...base, kind: 'approval' };
  if (work.channel) {
    noteChannel(work.channel, context);
    step.channel = work.channel.value;
  }
  const prompt = template(work.prompt);
  if (prompt) step.prompt = prompt;
  const shown = work.show?.filter((name) => upstreamStep(name, base.id, 'show', context)).map((name) => name.value);
  const show = [...new Set(shown ?? producersBefore(base.id, context))];
  if (show.length > 0) step.show = show;
  if (work.approvers) step.approvers = work.approvers;
  if (work.onTimeout) step.onTimeout = work.onTimeout;
  if (work.onReject) step.onReject = actionsOf(work.onReject, 'on_reject', base.id, context);
  return { step, inputs: show };
}
