import type { Template } from '../../plan/expression';
import type { AgentStep, ReviewStep } from '../../plan/step';
import { coversTool } from '../../plan/tool-names';
import { didYouMean } from '../diagnostics/suggest';
import type { LoadedAgent } from '../names/agent-definition';
import { checkToolName, needsListing } from '../names/tool-names';
import type { AgentSource } from '../shape/source';
import { actionsOf } from './action';
import { checkCost, checkLimited } from './budget';
import { upstreamStep } from './context';
import type { Here, LoweredStep } from './here';
import { outputOf } from './output';
import { checkFolder } from './own-folder';
import { producersBefore } from './producers';

/** A step that an agent does, or judges by: who does it, with what prompt, and what it is given. */
export function agentStep(work: AgentSource, here: Here): LoweredStep | undefined {
  const { base, context, place, template } = here;
  const agent = agentOf(work, here);
  const fields: Omit<AgentStep, 'kind'> = { ...base, agent: agent ?? '' };
  if (work.self) fields.action = 'self';
  const prompt = template(work.prompt);
  if (prompt) fields.prompt = context.blobs.add(prompt, `${base.id}.prompt.json`);
  const input = inputOf(work, here);
  if (input) fields.input = context.blobs.add(input, `${base.id}.input.json`);
  if (work.tools) fields.tools = work.tools.map((tool) => tool.value);
  const cwd = template(work.cwd) ?? context.cwd;
  if (cwd) fields.cwd = cwd;
  const output = outputOf(work, here);
  if (output) fields.output = output;
  if (work.repair !== undefined) fields.repair = work.repair;
  if (work.onInvalid) fields.onInvalid = actionsOf(work.onInvalid, 'on_invalid', place, context);
  const given = work.prompt ? [] : producersBefore(place, context);
  if (work.kind === 'agent') return agent === undefined ? undefined : { step: { ...fields, kind: 'agent' }, inputs: given };
  return reviewStep(work, fields, given, here);
}

function reviewStep(work: AgentSource, fields: Omit<AgentStep, 'kind'>, given: readonly string[], here: Here): LoweredStep | undefined {
  const { context, place } = here;
  const of = subjectOf(work, here);
  const step: ReviewStep = { ...fields, kind: 'review', of: of ?? '' };
  const revise = work.onRevise;
  if (revise && upstreamStep(revise.step, place, 'on_revise', context, { sameBlock: true }))
    step.onRevise = { step: revise.step.value, max: revise.max };
  if (work.onBlock) step.onBlock = actionsOf(work.onBlock, 'on_block', place, context);
  const critic = work.critic && namedAgent(work.critic, here);
  if (critic) step.critic = critic.id;
  if (work.stallRounds !== undefined) step.stallRounds = work.stallRounds;
  return of === undefined || step.agent === '' ? undefined : { step, inputs: [...given, of] };
}

function namedAgent(id: NonNullable<AgentSource['agent']>, here: Here): LoadedAgent | undefined {
  const { place, context } = here;
  const message = `step "${place.step.id}" is given to agent "${id.value}", which is not defined`;
  const loaded = context.agents.named(id, 'step.unknown-agent', message);
  if (loaded) {
    context.namedAgents.add(loaded.id);
    checkCost(loaded, id.at, place, context);
    checkLimited(loaded, id.at, place, context);
    checkFolder(loaded, id.at, here);
  }
  return loaded;
}

function agentOf(work: AgentSource, here: Here): string | undefined {
  const source = here.place.step;
  const { pipeline, report } = here.context;
  const { agent, self } = work;
  const loaded = agent && namedAgent(agent, here);
  const whose = loaded ?? (self && !agent && pipeline.owner ? here.context.agents.find(pipeline.owner) : undefined);
  if (whose) checkTools(work, whose, here);
  if (whose && self && !loaded) checkFolder(whose, self, here);
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

/** A step may give its agent fewer tools than the agent has, never others. */
function checkTools(work: AgentSource, { id, definition }: LoadedAgent, { place, context }: Here): void {
  if (!definition) return;
  const known = definition.tools;
  const what = `step "${place.step.id}" gives agent "${id}" the tool`;
  for (const tool of work.tools ?? []) {
    const { value, at } = tool;
    if (known ? known.some((listed) => coversTool(listed, value)) : !needsListing(value)) {
      if (!known) checkToolName(tool, what, context.installation, context.report);
      continue;
    }
    const otherwise = known ? `it has ${known.length > 0 ? known.join(', ') : 'none'}` : 'list it under the agent’s own `tools`';
    const hint = didYouMean(value, known ?? [], otherwise);
    context.report('step.unknown-tool', at, `${what} "${value}", which it does not have`, hint);
  }
}

/** What a review judges: `of`, or its one dependency. */
function subjectOf(work: AgentSource, { place, context }: Here): string | undefined {
  if (work.of) return upstreamStep(work.of, place, 'of', context, { output: true }) ? work.of.value : undefined;
  const candidates = producersBefore(place, context);
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return only;
  const problem = only === undefined ? 'has nothing before it to judge' : `could judge ${candidates.map((id) => `"${id}"`).join(' or ')}`;
  context.report('step.no-subject', place.step.at, `review "${place.step.id}" ${problem}`, 'add `of:` with the step it judges');
  return undefined;
}

function inputOf(work: AgentSource, { template }: Here): Record<string, Template> | undefined {
  if (!work.input || work.input.size === 0) return undefined;
  const found = [...work.input].flatMap(([name, syntax]) => {
    const value = template(syntax);
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}
