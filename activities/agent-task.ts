import { render } from '../plan/evaluate';
import type { Template } from '../plan/expression';
import { ThermidorFailure } from '../plan/failure';
import { isJsonObject, type Json } from '../plan/json';
import type { AgentDefinition } from '../plan/plan';
import type { AgentStep, ReviewStep } from '../plan/step';
import type { StepInput } from '../plan/step-work';
import { answersJson, type PromptParts, renderPrompt } from './prompt';
import type { ReplyForm } from './reply';
import type { LoadedRun } from './run-record';
import type { RunSecrets } from './run-secrets';
import { type InputScope, inputScope, templateValue } from './scope';
import { getJson } from './stored-json';
import type { Toolbox } from './toolbox';

/** An agent's task, ready to be given to an adapter. */
export interface AgentTask {
  agent: AgentDefinition;
  prompt: string;
  form: ReplyForm;
  timeoutMs?: number;
  secrets: RunSecrets;
}

/** Loads the step's definition, prompt, inputs and schema from the store, and renders them. Pays for nothing. */
export async function agentTask(toolbox: Toolbox, run: LoadedRun, step: AgentStep | ReviewStep, input: StepInput): Promise<AgentTask> {
  const { artifacts } = toolbox;
  const blob = <T>(sha256: string, what: string) => getJson<T>(artifacts, { sha256 }, what);
  const entry = run.plan.agents?.[step.agent];
  if (!entry) throw new ThermidorFailure('internal', `plan "${run.plan.name}" has no agent "${step.agent}" for step "${step.id}"`);
  const agent = await blob<AgentDefinition>(entry.definition, `agent "${step.agent}"`);
  const scope = await inputScope(toolbox, run, input);
  const template = step.prompt === undefined ? undefined : await blob<Template>(step.prompt, `the prompt of "${step.id}"`);
  const named = step.input === undefined ? {} : await blob<Record<string, Template>>(step.input, `the input of "${step.id}"`);
  const digest = step.output?.schema;
  const schema = digest === undefined ? undefined : { digest, value: await blob<Json>(digest, `the schema of "${step.id}"`) };

  const parts: PromptParts = {
    pipeline: run.plan.name,
    step,
    agent,
    inputs: promptInputs(scope, template !== undefined, named, input.with),
  };
  if (template) parts.task = render(template, scope);
  if (schema) parts.schema = schema.value;
  const text = async (ref: StepInput['previous']) => (ref ? (await artifacts.get(ref)).toString('utf8') : undefined);
  const previous = await text(input.previous);
  if (previous !== undefined) parts.previous = previous;
  if (input.findings) parts.findings = { ...input.findings, ...withText('reportText', await text(input.findings.report)) };
  if (input.note) parts.note = { ...input.note, ...withText('previousText', await text(input.note.previous)) };
  if (input.messages) parts.messages = input.messages;

  const form: ReplyForm = { json: answersJson(step), verdict: step.kind === 'review', ...(schema ? { schema } : {}) };
  const timeoutMs = step.timeoutMs ?? entry.timeoutMs;
  return { agent, prompt: renderPrompt(parts), form, secrets: scope.secrets, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** An operator's replacement stands for all inputs; a prompt of the step's own has its references in it already. */
function promptInputs(
  scope: InputScope,
  hasPrompt: boolean,
  named: Record<string, Template>,
  replaced: Json | undefined,
): PromptParts['inputs'] {
  if (replaced !== undefined) {
    const entries = isJsonObject(replaced) ? Object.entries(replaced) : [['input', replaced] as const];
    return entries.map(([name, content]) => ({ name, title: 'given by an operator', content }));
  }
  const given = Object.entries(named).map(([name, template]) => ({
    name,
    content: templateValue(template, scope, render(template, scope)),
  }));
  if (hasPrompt || given.length > 0) return given;
  return [...scope.inputs].map(([name, { value, ref }]) => ({ name, content: value, ...(ref?.name ? { title: ref.name } : {}) }));
}

function withText<K extends string>(key: K, text: string | undefined): { [P in K]?: string } {
  const made: { [P in K]?: string } = {};
  if (text !== undefined) made[key] = text;
  return made;
}
