import { joinSections, type PromptParts, renderPrompt } from '../../activities/agent/prompt/prompt';
import { renderFacts } from '../../activities/agent/prompt/run-facts';
import { memorySection } from '../../activities/agent/prompt/team-memory';
import { upstreamArtifact, upstreamSection } from '../../activities/agent/prompt/upstream-artifacts';
import { hasTool } from '../../activities/agent/prompt/whole-inputs';
import { traitsOf } from '../../kinds/traits';
import { defined } from '../../plan/defined';
import { isTemplate, type Template } from '../../plan/expressions/expression';
import type { AgentDefinition, Plan } from '../../plan/plan';
import { controlPlan } from '../../plan/steps/control';
import type { AgentStep, ReviewStep, Step } from '../../plan/steps/step';
import { MOST_UPSTREAM } from '../../plan/steps/step-activity';
import { upstreamOf } from '../../plan/steps/upstream';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { type KnownValues, renderReadable, renderValue } from './known-values';

/** Reads a blob that a plan names by digest, as JSON; undefined if there is none. */
export type ReadBlob = (digest: string) => Json | undefined;

export interface DryPrompt {
  agent: AgentDefinition;
  text: string;
}

/** The request an agent would get in its first round and try, written by the same code as in a run. */
export function dryPrompt(
  step: AgentStep | ReviewStep,
  plan: Plan,
  steps: ReadonlyMap<string, Step>,
  blob: ReadBlob,
  world: KnownValues,
): DryPrompt {
  const agent = agentOf(step.agent, plan, blob);
  const prompt = step.prompt === undefined ? undefined : blob(step.prompt);
  const template = isTemplate(prompt) ? prompt : undefined;
  const named = step.input === undefined ? {} : templatesOf(blob(step.input));
  const schema = step.output?.schema === undefined ? undefined : blob(step.output.schema);
  const given = Object.entries(named).map(([name, value]) => ({ name, content: renderValue(value, world), isStandIn: true as const }));
  const parts: PromptParts = {
    pipeline: plan.name,
    step,
    agent,
    inputs: template !== undefined || given.length > 0 ? given : (step.inputs ?? []).map((id) => inputOf(id, steps.get(id))),
  };
  if (template !== undefined) parts.task = renderReadable(template, world);
  if (schema !== undefined) parts.schema = schema;
  parts.further = furtherOf(step, plan, agent, steps, world);
  const { file } = agent.memory ?? plan.memory ?? {};
  if (file !== undefined) parts.memory = memorySection(`⟨the content of ${file}⟩`);
  const { system, prompt: asked } = renderPrompt(parts);
  return { agent, text: joinSections([system, renderFacts({ plan, args: world.args, steps, stepId: step.id }), asked]) };
}

/** What the agent may read by reference in addition to its inputs, if it will exist. */
function furtherOf(
  step: AgentStep | ReviewStep,
  plan: Plan,
  agent: AgentDefinition,
  steps: ReadonlyMap<string, Step>,
  { skipped }: KnownValues,
): string {
  const puts = ({ id, kind }: { id: string; kind: Step['kind'] }) =>
    !traitsOf(kind).silent && !skipped.has(id) && !step.inputs?.includes(id);
  const further = [...upstreamOf(controlPlan(plan))(step.id)].filter(puts).slice(0, MOST_UPSTREAM);
  const named = further.map(({ id }) => upstreamArtifact(id, steps));
  return upstreamSection(named, hasTool(agent, step, 'read_artifact', true) ? 'tool' : undefined);
}

/** An agent of a plan, as its definition says. */
export function agentOf(id: string, { agents }: Plan, blob: ReadBlob): AgentDefinition {
  const entry = agents?.[id];
  return definitionOf(entry && blob(entry.definition), id);
}

function inputOf(name: string, step: Step | undefined): PromptParts['inputs'][number] {
  const title = step !== undefined && 'output' in step ? step.output?.name : undefined;
  return { name, content: `⟨${name}⟩`, isStandIn: true, ...defined({ title }) };
}

function definitionOf(value: Json | undefined, id: string): AgentDefinition {
  if (!isJsonObject(value)) return { id, role: '' };
  const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
  const tools = value['tools'];
  const file = field(value['memory'], 'file');
  const [title, adapter, model] = [text('title'), text('adapter'), text('model')];
  return {
    id,
    role: text('role') ?? '',
    ...defined({
      title,
      adapter,
      model,
      memory: typeof file === 'string' ? { file } : undefined,
      tools: Array.isArray(tools) ? tools.filter((tool) => typeof tool === 'string') : undefined,
    }),
  };
}

/** Templates by name, of an agent's `input` or a child's `with`. */
export function templatesOf(value: Json | undefined): Record<string, Template> {
  if (!isJsonObject(value)) return {};
  const named = Object.entries(value).flatMap(([name, one]): [string, Template][] => (isTemplate(one) ? [[name, one]] : []));
  return Object.fromEntries(named);
}
