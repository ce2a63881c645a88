import { judges } from '../../kinds/questions';
import { authorisedNow } from '../../plan/brief/authority';
import { toolsOfProgram } from '../../plan/brief/role-tools';
import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { isVote, PROPOSAL_DOCUMENT } from '../../plan/people/vote';
import type { AgentDefinition } from '../../plan/plan';
import { upstreamOf } from '../../plan/steps/order';
import type { AgentStep, ReviewStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { getJson } from '../../records/stored-json';
import type { AgentAdapter } from '../agent-port';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { type InputScope, inputScope, readersScope, templateValue } from '../run/template-scope';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { adapterFor, loadAgent } from './agent-adapter';
import { blockAround } from './block-around';
import { changedFiles } from './changes';
import { deliveredPlanOf } from './delivered-plan';
import { programMember } from './member-turn';
import { constraintsSection } from './prompt/constraints';
import { answersJson, type PromptParts, renderPrompt } from './prompt/prompt';
import { type InputFile, inputFiles } from './prompt/prompt-inputs';
import { REPORT_SCHEMA, teamSection } from './prompt/report-form';
import { type TeamMemory, teamMemory } from './prompt/team-memory';
import { furtherInputs } from './prompt/upstream-artifacts';
import { wholeInputs } from './prompt/whole-inputs';
import type { ReplyForm } from './reply';

/** An agent's task, ready to be given to an adapter. */
export interface AgentTask {
  agent: AgentDefinition;
  /** The part that stays the same over all requests in its context. */
  system: string;
  prompt: string;
  form: ReplyForm;
  /** Inputs that the prompt shows a part of, to be laid out in the step's folder. */
  files?: InputFile[];
  /** The folder that the step names. */
  cwd?: string;
  timeoutMs?: number;
  /** Fields that a script need not say. */
  implied?: JsonObject;
  /** Notes on its memory for the journal. */
  memoryNotes?: NonNullable<TeamMemory['memoryNotes']>;
  secrets: RunSecrets;
}

/**
 * Loads the step's definition, prompt, inputs and schema from the store, and renders them. Pays for nothing. `without`: leaves out what
 * others may change meanwhile.
 */
export async function agentTask(
  toolbox: Toolbox,
  run: LoadedRun,
  step: AgentStep | ReviewStep,
  input: StepInput,
  without?: 'memory',
): Promise<AgentTask> {
  const { artifacts } = toolbox;
  const blob = <T>(sha256: string, what: string) => getJson<T>(artifacts, { sha256 }, what);
  const loaded = await loadAgent(toolbox, run, step.agent);
  const adapter = adapterFor(toolbox, run, loaded);
  const agent = withTurns(withinAuthority(loaded, adapter, input), step, input);
  const scope = await inputScope(toolbox, run, input);
  const template = step.prompt === undefined ? undefined : await blob<Template>(step.prompt, `the prompt of "${step.id}"`);
  const named = step.input === undefined ? {} : await blob<Record<string, Template>>(step.input, `the input of "${step.id}"`);
  const digest = step.output?.schema;
  const schema = digest === undefined ? undefined : { digest, value: await blob<Json>(digest, `the schema of "${step.id}"`) };

  const read = readersScope(scope);
  const parts: PromptParts = {
    pipeline: run.plan.name,
    step,
    agent,
    inputs: promptInputs(read, template !== undefined, named, input.with),
  };
  if (input.handOff) parts.isHandOff = true;
  const program = programMember(input, adapter);
  const whole = wholeInputs(toolbox, adapter, agent, step);
  if (whole) parts.whole = whole;
  const further = await furtherInputs(toolbox, run, input, whole);
  parts.further = further.section;
  const { section: memory, ...noted } = without ? { section: '' } : await teamMemory(toolbox, run, agent);
  parts.memory = memory;
  parts.constraints = await constraintsSection(artifacts, input.constraints);
  if (template) parts.task = render(template, read, 'apart');
  if (schema) parts.schema = schema.value;
  const text = async (ref: StepInput['previous']) => (ref ? (await artifacts.get(ref)).toString('utf8') : undefined);
  const previous = await text(input.previous);
  if (previous !== undefined) parts.previous = previous;
  const changed = await changesSince(toolbox, scope, step, input);
  if (changed !== undefined) parts.changed = changed;
  if (input.findings) {
    const { also = [], ...last } = input.findings;
    parts.findings = [];
    for (const found of [last, ...also]) parts.findings.push({ ...found, ...withText('reportText', await text(found.report)) });
  }
  if (input.note) parts.note = { ...input.note, ...withText('previousText', await text(input.note.previous)) };
  if (input.messages) parts.messages = input.messages;

  const { handOff } = input;
  const asked = defined({ schema, targets: reviseTargets(run, step), delivered: deliveredPlanOf(run, step.id), handOff });
  const free = input.member && !input.critic ? ({ isFree: true } as const) : {};
  const form: ReplyForm = program
    ? { json: true, verdict: false, schema: REPORT_SCHEMA }
    : { json: answersJson(step), verdict: judges(step), ...asked, ...free };
  if (program) Object.assign(parts, { schema: REPORT_SCHEMA.value, team: teamSection(program) });
  const timeoutMs = step.timeoutMs ?? run.plan.agents?.[step.agent]?.timeoutMs;
  return {
    ...{ agent, ...renderPrompt(parts), form, secrets: scope.secrets },
    ...defined({
      files: whole === 'file' ? [...inputFiles(parts.inputs), ...further.files] : undefined,
      cwd: step.cwd && render(step.cwd, scope),
      timeoutMs,
      implied: impliedFields(step, scope),
    }),
    ...noted,
  };
}

/** A program asks nobody before a call: it is started with what its role has and somebody has authorised, wherever its adapter is set. */
function withinAuthority(agent: AgentDefinition, { ownTools }: Pick<AgentAdapter, 'ownTools'>, { authority }: StepInput): AgentDefinition {
  if (!ownTools || !authority) return agent;
  return { ...agent, tools: toolsOfProgram(authority.role, authorisedNow(authority)) };
}

/** The agent's own limit counts before that of the step; the one of a member's work is the work's own. */
function withTurns(agent: AgentDefinition, { turns }: Pick<AgentStep | ReviewStep, 'turns'>, { member }: StepInput): AgentDefinition {
  if (member) return { ...agent, limits: { ...agent.limits, turns: member.maxTurns } };
  return turns === undefined ? agent : { ...agent, limits: { turns, ...agent.limits } };
}

/** For a review that judges again: the changes in the judged work. */
async function changesSince(
  { artifacts }: Toolbox,
  scope: InputScope,
  step: AgentStep | ReviewStep,
  { judgedBefore }: StepInput,
): Promise<string | undefined> {
  const now = judges(step) ? scope.inputs.get(step.of) : undefined;
  if (!judgedBefore || !now?.ref) return undefined;
  const before = await storedValue(artifacts, judgedBefore);
  return changedFiles(before, await storedValue(artifacts, now.ref)) ?? 'Nothing: it is the same as before.';
}

/** An operator's replacement replaces all inputs; a prompt of the step's own has its references in it already. */
function promptInputs(
  scope: InputScope,
  hasPrompt: boolean,
  named: Record<string, Template>,
  replaced: Json | undefined,
): PromptParts['inputs'] {
  if (replaced !== undefined) {
    const entries = isJsonObject(replaced) ? Object.entries(replaced) : [['input', replaced] as const];
    return entries.map(([name, content]) => ({ name, title: 'given by an operator', content, step: name }));
  }
  const given = Object.entries(named).map(([name, template]) => {
    const text = render(template, scope, 'indented');
    // A missing value may have words in its place.
    const content = templateValue(template, scope, text) ?? (text === '' ? null : text);
    return { name, content, ...wholeOutput(template) };
  });
  if (hasPrompt || given.length > 0) return given;
  return [...scope.inputs].map(([name, { value, ref }]) => ({
    name,
    content: value,
    step: name,
    ...(ref?.name ? { title: ref.name } : {}),
  }));
}

/** The step that a template is the whole output of, and nothing else. */
function wholeOutput([only, ...more]: Template): { step?: string } {
  const whole = more.length === 0 && typeof only === 'object' && only.kind === 'output' && only.path.length === 0;
  return whole ? { step: only.step } : {};
}

function withText<K extends string>(key: K, text: string | undefined): { [P in K]?: string } {
  const made: { [P in K]?: string } = {};
  if (text !== undefined) made[key] = text;
  return made;
}

/**
 * Fields that a script may omit in an answer, because it cannot know ids that the run makes: a vote without a proposal is for the current
 * one. Models have to name it.
 */
function impliedFields(step: AgentStep | ReviewStep, { inputs }: Pick<InputScope, 'inputs'>): JsonObject | undefined {
  if (!isVote(step)) return undefined;
  const proposalId = field(inputs.get(PROPOSAL_DOCUMENT)?.value, 'id');
  return typeof proposalId === 'string' ? { proposalId } : undefined;
}

/** Steps and agents whose work a review may send back: those upstream of it in its block. Undefined if it sends nothing back. */
function reviseTargets(run: Pick<LoadedRun, 'plan' | 'steps'>, review: AgentStep | ReviewStep): string[] | undefined {
  if (!judges(review) || !review.onRevise) return undefined;
  const block = blockAround(run, review.id);
  if (!block) return undefined;
  const upstream = upstreamOf(block, review.id);
  return [...new Set(upstream.flatMap((step) => ('agent' in step && typeof step.agent === 'string' ? [step.id, step.agent] : [step.id])))];
}
