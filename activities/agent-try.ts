import { resolve } from 'node:path';
import { ThermidorFailure } from '../plan/failure';
import { isJsonObject } from '../plan/json';
import type { StepInput, StepOutput } from '../plan/step-work';
import { adapterFor } from './agent-adapter';
import type { AgentAdapter } from './agent-port';
import type { AgentTask } from './agent-task';
import type { AgentWork } from './agent-work';
import { openMeter } from './budget-meter';
import { type ActivityCall, requireAddress } from './call';
import { newsOf } from './child-news';
import { type ConversationResult, converse } from './conversation';
import { type Timer, withDeadline } from './deadline';
import { withHeartbeat } from './heartbeat';
import { Held, openHolds } from './hold';
import { addToContext, readContext } from './own-context';
import { checkReply, describeBad, type Reply } from './reply';
import { replyTo, watch } from './reply-to';
import type { LoadedRun } from './run-record';
import type { Seat, TryScope } from './seat';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';
import { agentTools } from './tools/agent-tools';
import { withServerTools } from './tools/at-servers';
import { openTalks } from './tools/talk';
import { openTranscript, type Transcript, transcriptLog } from './transcript';
import { layOutInputs } from './whole-inputs';
import { workProgress } from './work-progress';

/** Of the journal that a try hands up. */
const MOST_EVENTS = 100;

/**
 * One try of an agent's work: asks, records, validates, repairs, stores, reports; or says why it pauses. `usage`, `journal` and
 * `toolCalls` of its output are of the whole try so far, also where it has paused before; so is `details.usage` of a failure.
 */
export async function agentTry(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  work: AgentWork,
  input: StepInput,
): Promise<StepOutput> {
  const task = await work.load();
  const adapter = adapterFor(toolbox, run, task.agent);
  const broken = brokenTry(call, input);
  const transcript = await openTranscript(toolbox, call, task.secrets, broken);
  const scope = await openScope({ toolbox, call, run, input, ...(broken === undefined ? {} : { broken }) }, work, task, transcript);
  if (task.files?.length) await layOutInputs(toolbox, await scope.folder(), task.files, task.secrets);
  try {
    const result = await ask(scope, work, adapter, task, transcript);
    const context = work.context && (await addToContext(toolbox.artifacts, work.context, transcript.turns(), work.stepId));
    return { ...(await report(scope, work, adapter, result)), ...context, ...soFar(scope) };
  } catch (error) {
    if (error instanceof Held) return { adapter: adapter.name, ...soFar(scope), paused: error.pause };
    // Whoever called it off is told what it cost.
    if (call.isCalledOff?.() && scope.meter.usage()) return { adapter: adapter.name, ...soFar(scope), paused: { kind: 'called-off' } };
    throw withWhatStands(error, scope);
  }
}

async function openScope(
  around: Pick<TryScope, 'toolbox' | 'call' | 'run' | 'input' | 'broken'>,
  work: AgentWork,
  task: AgentTask,
  transcript: Transcript,
): Promise<TryScope> {
  const { toolbox, call, input } = around;
  const address = requireAddress(call);
  const holds = openHolds();
  const transcripts = new Map([[call.id, transcript]]);
  const turns = () => [...transcripts.values()].flatMap((one) => one.turns());
  let folder: Promise<string> | undefined;
  const scope: TryScope = {
    ...around,
    address,
    stepId: work.stepId,
    folder() {
      folder ??= toolbox.workFolder?.(call.key.workflowId, address, task.cwd) ?? Promise.resolve(resolve(task.cwd ?? '.'));
      return folder;
    },
    secrets: task.secrets,
    meter: openMeter({ limits: input.budget ?? {}, prices: toolbox.prices, holds, turns }),
    holds,
    transcripts,
    toolsFor: (seat, ask, signal) => agentTools(scope, seat, ask, signal),
  };
  await openTalks(scope, transcript);
  return scope;
}

async function ask(
  scope: TryScope,
  work: AgentWork,
  adapter: AgentAdapter,
  task: AgentTask,
  transcript: Transcript,
): Promise<ConversationResult> {
  const { toolbox, call, transcripts, input } = scope;
  const { timeoutMs, form, system } = task;
  const turns = () => [...transcripts.values()].reduce((sum, one) => sum + one.turns().length, 0);
  const limit = soonest(scope, { ms: timeoutMs, error: () => timedOut(work, timeoutMs ?? 0) }, input.budget?.untilMs);
  const check = (reply: Reply) => checkReply(reply, form);
  const before = work.context && (await readContext(toolbox.artifacts, work.context));
  const progress = workProgress(transcriptLog(call.id), turns, toolbox.workHead, task.cwd === undefined ? undefined : scope.folder);
  return await withHeartbeat(call, progress, () =>
    withDeadline(call.signal, limit, (within) => {
      const { signs, signal } = watch(toolbox, work.agent, within);
      const { scriptKey, iterations, depth, tools } = work;
      const seat: Seat = {
        ...{ id: call.id, agent: task.agent, system, adapter, transcript, scriptKey, iterations, signs },
        ...(before === undefined ? {} : { before }),
        ...(depth === undefined ? {} : { depth }),
        ...(tools === undefined ? {} : { tools }),
        ...(form.schema ? { schema: form.schema.value } : {}),
      };
      const isWhole = (reply: Reply) => check(reply).kind === 'good';
      const news = (ask: number) => newsOf(scope, transcript, ask);
      return withServerTools(scope, seat, signal, (seated) => {
        const reply = (ask: number, prompt: string) => replyTo(scope, seated, { ask, prompt, isWhole }, signal);
        return converse({ repairs: work.repairs, check, reply, news }, task.prompt);
      });
    }),
  );
}

interface Limit {
  ms: number | undefined;
  error: () => Error;
}

/** Its own time-out, or the end of the budget's time, where the try pauses. */
function soonest({ toolbox, holds }: TryScope, own: Limit, untilMs: number | undefined): Limit & { timer?: Timer } {
  const timer = toolbox.timer ? { timer: toolbox.timer } : {};
  const leftMs = untilMs === undefined ? undefined : Math.max(0, untilMs - (toolbox.nowMs ?? Date.now)());
  if (leftMs === undefined || (own.ms !== undefined && own.ms <= leftMs)) return { ...own, ...timer };
  return { ms: leftMs, error: () => holds.hold({ kind: 'budget', short: { kind: 'wallClock' } }), ...timer };
}

async function report(
  { toolbox, meter }: TryScope,
  work: AgentWork,
  adapter: AgentAdapter,
  { reply, raw, repairs }: ConversationResult,
): Promise<StepOutput> {
  const name = work.outputName(reply.kind === 'good' && reply.json);
  if (reply.kind === 'bad') {
    const previous = await toolbox.artifacts.put(raw, { mediaType: 'text/plain', name: `${name}.refused.txt` });
    const { missingFields, problems } = reply;
    const asked = repairs.length === 0 ? '' : `, also after ${repairs.length} repair request${repairs.length === 1 ? '' : 's'}`;
    const details = asJson({ step: work.stepId, missingFields, problems, previous, usage: meter.usage() });
    throw new ThermidorFailure(reply.code, `agent "${work.agent}" did not give ${name}${asked}: ${describeBad(reply)}`, details);
  }
  const own = await work.finish(reply, raw);
  const artifact = await toolbox.artifacts.put(reply.text, { mediaType: reply.json ? 'application/json' : 'text/plain', name });
  return { artifact, adapter: adapter.name, ...own, ...(repairs.length > 0 ? { repairs } : {}) };
}

/** What the whole try has come to. */
function soFar({ meter, transcripts }: TryScope): Pick<StepOutput, 'usage' | 'journal' | 'toolCalls'> {
  const usage = meter.usage();
  const toolCalls = meter.toolCalls();
  const journal = [...transcripts.values()].flatMap((one) => one.effects().flatMap((effect) => effect.journal ?? []));
  return {
    ...(usage ? { usage } : {}),
    ...(toolCalls > 0 ? { toolCalls } : {}),
    ...(journal.length > 0 ? { journal: journal.slice(0, MOST_EVENTS) } : {}),
  };
}

/** What was paid and noted before it failed is paid and noted all the same, so the failure says it. */
function withWhatStands(error: unknown, scope: TryScope): unknown {
  if (!(error instanceof ThermidorFailure)) return error;
  const { usage, journal } = soFar(scope);
  if (!usage && !journal) return error;
  const { code, message, details, retryAfterMs } = error;
  const known = isJsonObject(details) ? details : details === undefined || details === null ? {} : { details };
  const stands = { ...(usage ? { usage } : {}), ...(journal ? { journal } : {}) };
  return new ThermidorFailure(code, message, asJson({ ...stands, ...known }), retryAfterMs);
}

/** The try before, where that broke off through no fault of the agent's: what it was told and has said goes on here. */
function brokenTry({ id }: ActivityCall, { note }: StepInput): string | undefined {
  if (note?.reason !== 'api_error') return undefined;
  return id.replace(/~(\d+)/, (_, number: string) => `~${Number(number) - 1}`);
}

function timedOut({ agent, stepId }: AgentWork, timeoutMs: number): ThermidorFailure {
  return new ThermidorFailure('agent.timeout', `agent "${agent}" did not finish step "${stepId}" within ${timeoutMs} ms`, { timeoutMs });
}
