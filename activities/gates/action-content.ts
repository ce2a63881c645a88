import { asksAgent, runsChild } from '../../kinds/questions';
import { defined, ifDefined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { bug } from '../../plan/run/failure';
import type { AgentStep, CommandStep, NotifyStep, PipelineStep, ReviewStep, StagesStep, Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { agentTask } from '../agent/agent-task';
import { commandEnvironment, commandRequest } from '../commands/command-request';
import type { CommandRequest } from '../ports';
import { childArgs } from '../run/child-args';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { stepEnvironment } from '../run/step-environment';
import { type InputScope, inputScope } from '../run/template-scope';
import { renderStage } from '../stages/stage-call';
import type { Toolbox } from '../toolbox';
import { attachedReport } from './attached-report';
import { contentDigest } from './content-digest';

/**
 * Exactly what a step of a category is about to do (docs/protocol.md, 4.7): a person approves it, and the activity that does it compares it
 * with the approval.
 *
 * Invariants: 1. the same step with the same input has the same content, in the gate's activity and in its own; 2. anything that would
 * change the action changes the digest, including secrets and the contents of inputs; 3. no secret is shown. It does not include: the
 * environment of the worker or the caller, messages from people, the team's memory, and why an earlier try ended.
 */
export interface ActionContent {
  /** One line, or the few lines of a command. */
  summary: string;
  /** All of it, for display. */
  shown: Json;
  sha256: string;
}

/** The parts of a step's input that determine its action. */
export type ActionInput = Pick<StepInput, 'run' | 'inputs' | 'records' | 'loops' | 'end' | 'with' | 'findings' | 'previous'>;

export async function actionContent(toolbox: Toolbox, run: LoadedRun, step: Step, input: ActionInput): Promise<ActionContent> {
  if ('command' in step) return await ofCommand(toolbox, run, step, await inputScope(toolbox, run, input));
  if ('stages' in step) return await ofPipe(toolbox, run, step, await inputScope(toolbox, run, input));
  if ('message' in step) return ofMessage(run, step, await inputScope(toolbox, run, readableOf(input), 'people'));
  if (runsChild(step)) return await ofChild(toolbox, run, step, input);
  if (asksAgent(step)) return await ofAgent(toolbox, run, step, input);
  throw bug(`step "${step.id}", a ${step.kind}, has no action that a category could apply to`);
}

async function ofCommand(toolbox: Toolbox, run: LoadedRun, step: CommandStep, scope: InputScope): Promise<ActionContent> {
  const { command, cwd, env, stdin } = commandRequest(run, step, scope, await commandEnvironment(toolbox, run));
  const content = { kind: 'command', ...command, ...around({ cwd, env, stdin }) };
  const summary =
    'argv' in step.command ? step.command.argv.map((word) => asWord(render(word, scope))).join(' ') : line(step.command.shell, scope);
  return contentOf(summary, content, scope.secrets, { env: Object.keys(env).sort(), values: valuesOf(command, env) });
}

/** The values that the shell inserts into the line itself; the rest of the environment is shown by name. */
function valuesOf(command: CommandRequest['command'], env: CommandRequest['env']): Json {
  const text = 'shell' in command ? command.shell : '';
  return Object.fromEntries(Object.entries(env).filter(([name]) => text.includes(name)));
}

async function ofPipe(toolbox: Toolbox, run: LoadedRun, step: StagesStep, scope: InputScope): Promise<ActionContent> {
  const calls = step.stages.map((stage) => renderStage(stage, scope));
  const stages = calls.map(({ calledAs, words, flags }) => ({ stage: calledAs, words: [...words], flags: Object.fromEntries(flags) }));
  const caller = await commandEnvironment(toolbox, run);
  const env = stepEnvironment(step, scope);
  const cwd = step.cwd ? render(step.cwd, scope) : caller?.cwd;
  const stdin = step.stdin && render(step.stdin, scope);
  const summary = stages.map(({ stage, words, flags }) => [stage, ...words.map(asWord), ...Object.entries(flags).map(asFlag)].join(' '));
  const content = { kind: 'stages', stages, ...around({ cwd, env, stdin }) };
  return contentOf(summary.join(' | '), content, scope.secrets, { env: Object.keys(env).sort() });
}

function ofMessage({ key }: LoadedRun, step: NotifyStep, scope: InputScope): ActionContent {
  const text = render(step.message, scope);
  const report = attachedReport(step, scope, key.workflowId);
  const attached = report ? { report: { name: report.name, sha256: digestOf(report.text) } } : {};
  const summary = `to ${step.channel}: ${text}${report ? `, with ${report.name}` : ''}`;
  return contentOf(summary, { kind: 'notify', channel: step.channel, text, ...attached }, scope.secrets);
}

async function ofChild(toolbox: Toolbox, run: LoadedRun, step: PipelineStep, input: ActionInput): Promise<ActionContent> {
  const scope = await inputScope(toolbox, run, input, 'people');
  const args = await childArgs(toolbox, step, scope);
  const { pipeline, plan } = step;
  return contentOf(`run pipeline ${pipeline} with ${JSON.stringify(args)}`, { kind: 'pipeline', pipeline, plan, args }, scope.secrets);
}

async function ofAgent(toolbox: Toolbox, run: LoadedRun, step: AgentStep | ReviewStep, input: ActionInput): Promise<ActionContent> {
  const { findings, previous } = input;
  const asked: StepInput = {
    ...readableOf(input),
    ...defined({ with: input.with, findings, previous }),
  };
  const { prompt, secrets } = await agentTask(toolbox, run, step, asked, 'memory');
  const definition = run.plan.agents?.[step.agent]?.definition ?? '';
  const content = { kind: 'agent', agent: step.agent, definition, promptSha256: digestOf(prompt) };
  return contentOf(`have ${step.agent} do step ${step.id}`, content, secrets, { prompt });
}

/** Folder, environment and input of the command; for the input its digest, because it may be long. */
function around({ cwd, env, stdin }: { cwd: string | undefined; env: Readonly<Record<string, string>>; stdin: string | undefined }): {
  [key: string]: Json;
} {
  return {
    env: { ...env },
    ...defined({ cwd, stdinSha256: ifDefined(stdin, digestOf) }),
  };
}

/** A message's templates read what its step reads; an operator's replacement is not part of that. */
function readableOf({ run, inputs, records, loops, end }: ActionInput): Pick<StepInput, 'run' | 'inputs' | 'records' | 'loops' | 'end'> {
  return { run, ...defined({ inputs, records, loops, end }) };
}

/** `bound` determines the digest; `instead` replaces parts of it for display. */
function contentOf(summary: string, bound: object, secrets: RunSecrets, instead: Record<string, Json> = {}): ActionContent {
  const content = asJson(bound);
  const shown = secrets.maskJson(asJson({ ...bound, ...instead }));
  return { summary: secrets.mask(summary), shown, sha256: contentDigest(content).sha256 };
}

/** The digest of a possibly long text. */
function digestOf(text: string): string {
  return contentDigest(text).sha256;
}

/** A shell line for people: each value in its place, as one word. */
function line(template: Template, scope: InputScope): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : asWord(render([piece], scope)))).join('');
}

function asFlag([name, value]: [string, string | true]): string {
  return value === true ? `--${name}` : `--${name} ${asWord(value)}`;
}

function asWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : JSON.stringify(text);
}
