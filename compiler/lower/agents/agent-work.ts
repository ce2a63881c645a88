import { asksAgent } from '../../../kinds/questions';
import { builtInTool, coversTool } from '../../../plan/agents/tool-names';
import type { Template } from '../../../plan/expressions/expression';
import type { AgentWorkSpec } from '../../../plan/steps/step-base';
import type { Located } from '../../diagnostics/diagnostic';
import { didYouMean } from '../../diagnostics/suggest';
import type { LoadedAgent } from '../../names/agent-definition';
import { checkToolName, needsListing } from '../../names/tool-names';
import { entryOf } from '../../read/node';
import { requireKey } from '../../shape/keys';
import type { AgentWorkSource } from '../../shape/source-parts';
import { checkCost, checkLimited } from '../budget';
import { lowerOutput } from '../output';
import type { StepContext } from '../step-context';
import { lowerFolder } from '../worktree';
import { producersBefore } from './agent-producers';

/**
 * Lowers the work of an agent, a task or a review: who does it, with what prompt, and what it is given. The agent is '' if there is none of
 * that name, which has been reported.
 */
export function agentWork(work: AgentWorkSource, here: StepContext): { fields: AgentWorkSpec; inputs: readonly string[] } {
  const { base, context, place, template } = here;
  const agent = agentOf(work, here);
  const fields: AgentWorkSpec = { ...base, agent: agent ?? '' };
  if (work.action === 'self') fields.action = 'self';
  else
    requireKey(
      work.node,
      'agent',
      `a step of kind "${place.step.work?.kind}"`,
      context.report,
      'add `agent:`, or `action: self` for the owner',
    );
  const prompt = template(work.prompt);
  if (prompt) fields.prompt = context.blobs.add(prompt, `${base.id}.prompt.json`);
  const input = inputOf(work, here);
  if (input) fields.input = context.blobs.add(input, `${base.id}.input.json`);
  if (work.tools) fields.tools = work.tools.map((tool) => tool.value);
  const cwd = lowerFolder(work.cwd, here);
  if (cwd) fields.cwd = cwd;
  const output = lowerOutput(work, here);
  if (output) fields.output = output;
  if (work.repair !== undefined) fields.repair = work.repair;
  const onInvalid = here.actions(work.onInvalid, 'on_invalid');
  if (onInvalid) fields.onInvalid = onInvalid;
  return { fields, inputs: work.prompt ? [] : producersBefore(place, context) };
}

export function namedAgent(id: NonNullable<AgentWorkSource['agent']>, here: StepContext): LoadedAgent | undefined {
  const { place, context } = here;
  const message = `step "${place.step.id}" is given to agent "${id.value}", which is not defined`;
  const loaded = context.agents.named(id, 'step.unknown-agent', message);
  if (loaded) {
    context.namedAgents.add(loaded.id);
    checkCost(loaded, id.at, place, context);
    checkLimited(loaded, id.at, place, context);
    checkWorkFolder(loaded, id.at, here);
  }
  return loaded;
}

function agentOf(work: AgentWorkSource, here: StepContext): string | undefined {
  const source = here.place.step;
  const { pipeline, report } = here.context;
  const { agent } = work;
  const self = work.action === 'self' ? entryOf(work.node, 'action')?.value.at : undefined;
  const loaded = agent && namedAgent(agent, here);
  const whose = loaded ?? (self && !agent && pipeline.owner ? here.context.agents.find(pipeline.owner) : undefined);
  if (whose) checkTools(work, whose, here);
  if (whose && self && !loaded) checkWorkFolder(whose, self, here);
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
function checkTools(work: AgentWorkSource, { id, definition }: LoadedAgent, { place, context }: StepContext): void {
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

function inputOf(work: AgentWorkSource, { template }: StepContext): Record<string, Template> | undefined {
  if (!work.input || work.input.size === 0) return undefined;
  const found = [...work.input].flatMap(([name, { value: syntax }]) => {
    const value = template(syntax);
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * Warns of an agent without a work folder that needs one. Without `cwd` an agent works in an empty folder of the step's own. One that is
 * meant to change or test somebody's files finds none of them, and its own files stay where nobody looks. An agent that only reads or
 * answers is unaffected.
 */
function checkWorkFolder({ id, definition }: LoadedAgent, at: Located<string>['at'], { place, context }: StepContext): void {
  const { work, worktree } = place.step;
  if (!work || !asksAgent(work)) return;
  if (work.cwd || context.pipeline.cwd || worktree) return;
  const allowed = work.tools && new Set(work.tools.map(({ value }) => value));
  const changing = (definition?.tools ?? []).filter((tool) => builtInTool(tool)?.changesFiles && (allowed?.has(tool) ?? true));
  if (changing.length === 0) return;
  context.report(
    'step.no-cwd',
    at,
    `agent "${id}" has the tools ${changing.join(', ')}, but step "${place.step.id}" has no "cwd": it works in an empty folder of its own`,
    'add `cwd:` to the step or the file, such as `cwd: .`; paths count from the folder in which the worker runs',
  );
}
