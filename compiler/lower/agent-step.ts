import type { Template } from '../../plan/expression';
import type { AgentStep, ReviewStep, StepBase } from '../../plan/step';
import type { AgentSource, StepSource } from '../shape/source';
import { actionsOf } from './action';
import { type Context, producersBefore, templateOf, upstreamStep } from './context';
import { outputOf } from './output';
import type { LoweredStep } from './step';

/** A step that an agent does, or judges by: who does it, with what prompt, and what it is given. */
export function agentStep(
  source: StepSource,
  work: AgentSource,
  base: StepBase,
  templates: Template[],
  context: Context,
): LoweredStep | undefined {
  const agent = agentOf(source, work, context);
  const fields: Omit<AgentStep, 'kind'> = { ...base, agent: agent ?? '' };
  if (work.self) fields.action = 'self';
  const prompt = templateOf(work.prompt, base.id, context);
  if (prompt) {
    templates.push(prompt);
    fields.prompt = context.blobs.add(prompt, `${base.id}.prompt.json`);
  }
  const input = inputOf(work, base.id, templates, context);
  if (input) fields.input = context.blobs.add(input, `${base.id}.input.json`);
  const output = outputOf(source, work, context);
  if (output) fields.output = output;
  if (work.repair !== undefined) fields.repair = work.repair;
  if (work.onInvalid) fields.onInvalid = actionsOf(work.onInvalid, 'on_invalid', base.id, context);
  const given = work.prompt ? [] : producersBefore(base.id, context);
  if (work.kind === 'agent') return agent === undefined ? undefined : { step: { ...fields, kind: 'agent' }, inputs: given };
  return reviewStep(source, work, fields, given, context);
}

function reviewStep(
  source: StepSource,
  work: AgentSource,
  fields: Omit<AgentStep, 'kind'>,
  given: readonly string[],
  context: Context,
): LoweredStep | undefined {
  const { id } = source;
  const of = subjectOf(source, work, context);
  const step: ReviewStep = { ...fields, kind: 'review', of: of ?? '' };
  const revise = work.onRevise;
  if (revise && upstreamStep(revise.step, id, 'on_revise', context)) step.onRevise = { step: revise.step.value, max: revise.max };
  if (work.onBlock) step.onBlock = actionsOf(work.onBlock, 'on_block', id, context);
  return of === undefined || step.agent === '' ? undefined : { step, inputs: [...given, of] };
}

function agentOf(source: StepSource, work: AgentSource, context: Context): string | undefined {
  const { pipeline, agents, report } = context;
  const { agent, self } = work;
  const loaded =
    agent && agents.named(agent, 'step.unknown-agent', `step "${source.id}" is given to agent "${agent.value}", which is not defined`);
  if (loaded) context.namedAgents.add(loaded.id);
  if (!self) return loaded?.id;
  const owner = pipeline.owner?.value;
  if (owner === undefined) {
    report(
      'step.not-the-owner',
      self,
      `step "${source.id}" is for the owner itself, but the pipeline has none`,
      'add `owner:` to the pipeline, or write `action: spawn`',
    );
    return undefined;
  }
  if (agent && agent.value !== owner) {
    report(
      'step.not-the-owner',
      agent.at,
      `step "${source.id}" is for the owner itself, which is "${owner}" and not "${agent.value}"`,
      `write \`agent: ${owner}\`, or \`action: spawn\``,
    );
    return undefined;
  }
  return owner;
}

/** What a review judges: `of`, or its one dependency. */
function subjectOf(source: StepSource, work: AgentSource, context: Context): string | undefined {
  if (work.of) return upstreamStep(work.of, source.id, 'of', context) ? work.of.value : undefined;
  const candidates = producersBefore(source.id, context);
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return only;
  const problem = only === undefined ? 'has nothing before it to judge' : `could judge ${candidates.map((id) => `"${id}"`).join(' or ')}`;
  context.report('step.no-subject', source.at, `review "${source.id}" ${problem}`, 'add `of:` with the step it judges');
  return undefined;
}

function inputOf(work: AgentSource, id: string, templates: Template[], context: Context): Record<string, Template> | undefined {
  if (!work.input || work.input.size === 0) return undefined;
  const found: Record<string, Template> = {};
  for (const [name, syntax] of work.input) {
    const template = templateOf(syntax, id, context);
    if (!template) continue;
    templates.push(template);
    Object.defineProperty(found, name, { value: template, enumerable: true, writable: true, configurable: true });
  }
  return found;
}
