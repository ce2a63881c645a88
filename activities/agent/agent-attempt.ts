import { handOffSchema } from '../../plan/brief/hand-off-schema';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { shortAddress } from '../../plan/steps/address';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { turnsIn } from '../../plan/steps/walk';
import type { Json } from '../../plan/text/json';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import type { ActivityCall, Progress } from '../activity-call';
import { type Timer, withDeadline } from '../deadline';
import { withHeartbeat } from '../heartbeat';
import type { LoadedRun } from '../run/loaded-run';
import { pauseWhereFull } from '../streams/agent-items';
import { storeEmitted, wakeForItems } from '../streams/open-stream';
import type { Toolbox } from '../toolbox';
import { keepLastingGrants } from '../tools/brief-authorisation';
import { withMcpTools } from '../tools/mcp/with-mcp-tools';
import { pauseAtEndOfWork } from '../tools/member-board';
import { pauseForRunRequests } from '../tools/run-requests';
import type { WorkTree } from '../worktrees/in-worktree';
import { adapterFor } from './agent-adapter';
import { AgentPaused } from './agent-paused';
import { type AgentSession, type AttemptScope, withNote } from './agent-session';
import type { AgentTask } from './agent-task';
import type { AgentWork } from './agent-work';
import { newsOfMove } from './announce-move';
import { attemptOutput, usedSoFar, withUsedWork } from './attempt-output';
import { keepAccounts, keepInterrupted } from './budget/account';
import { childAnnouncement } from './children/child-announcements';
import { spawnNumbers } from './children/spawned-work';
import { type Conversation, type ConversationResult, converse } from './conversation';
import { contextOfFailed } from './failed-turn';
import { stampedEvent } from './journal-events';
import { reported } from './member-report';
import { programMember, requireNoLead, untilOver } from './member-turn';
import { type FolderUse, movedFolder } from './moved-folder';
import { movedTree } from './moved-tree';
import { openAttempt } from './open-attempt';
import { addToOwnerContext, addToRecentContext, readOwnerContext } from './owner-context';
import { joinSections } from './prompt/prompt';
import { runFactsFor } from './prompt/run-facts';
import { layOutInputs } from './prompt/whole-inputs';
import type { ReplyForm } from './reply';
import { watchSilence } from './request-reply';
import { openTranscript, type Transcript } from './transcript';
import { wakeRun } from './wake-run';
import { workProgress } from './work-progress';

/** Where a try works. */
interface WorkPlace {
  tree?: WorkTree;
  /** Where the agents of its step have worked so far, if it has a folder of its own. */
  folderUses: readonly FolderUse[];
}

/**
 * One try of an agent's work: asks, records, validates, repairs, stores, reports; or says why it pauses. `usage`, `journal` and `toolCalls`
 * of its output cover the whole try so far, including earlier pauses; so does `work.usage` of a failure.
 */
export async function runAttempt(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  work: AgentWork,
  input: StepInput,
  { tree, folderUses }: WorkPlace,
): Promise<StepOutput> {
  await keepLastingGrants({ toolbox, call, input });
  const loaded = await work.load();
  const task: AgentTask = { ...loaded, prompt: joinSections([runFactsFor(run, work.stepId, input.member?.begunAt), loaded.prompt]) };
  const adapter = adapterFor(toolbox, run, task.agent);
  const program = programMember(input, adapter);
  if (program) requireNoLead(program, adapter, task.agent.id);
  const broken = brokenTry(call, input);
  const transcript = await openTranscript(toolbox, call, task.secrets, broken);
  const scope = await openAttempt({ toolbox, call, run, input, ...defined({ broken, tree }) }, work, task, transcript);
  const moved = (await movedTree(scope, transcript)) ?? (await movedFolder(scope, task, adapter, folderUses));
  if (moved) scope.moved = moved;
  // A worker that was lost may have had no time to wake the run.
  const hasNews = () => transcript.unannounced(Number.POSITIVE_INFINITY).length > 0 || transcript.exchanges().length > 0;
  if ((call.attempt > 1 || broken !== undefined) && hasNews()) await wakeRun(scope);
  if (task.files?.length) await layOutInputs(toolbox, await scope.folder(), task.files, task.secrets);
  try {
    // Requests that an earlier call has recorded and nobody has taken up.
    pauseForRunRequests(scope);
    if (transcript.effects().some(({ emitted }) => emitted)) {
      if (call.attempt > 1 && scope.items) await wakeForItems(toolbox, call, scope.items.stream);
      await pauseWhereFull(scope);
    }
    const { workEnd, report, ...result } = await untilOver(scope, transcript, async () => {
      pauseAtEndOfWork(scope, transcript);
      const asked = await askInTime(scope, work, task, { adapter, transcript });
      return program ? await reported(scope, asked) : asked;
    });
    await keepAccounts(scope);
    const keep = program ? addToRecentContext : addToOwnerContext;
    const context = work.context && (await keep(toolbox.artifacts, work.context, transcript.turns(), work.stepId));
    const emitted = scope.items && (await storeEmitted(toolbox, scope.items.stream));
    return {
      adapter: adapter.name,
      ...(await attemptOutput(scope, work, result)),
      ...context,
      ...defined({ emitted, workEnd, report, short: workEnd === 'spent' ? input.spent : undefined }),
      ...usedSoFar(scope),
      ...exchangedSoFar(transcript),
    };
  } catch (error) {
    // A try that was cancelled reports its usage, too.
    const pause =
      error instanceof AgentPaused && error.pause.kind !== 'over'
        ? error.pause
        : call.isCancelled?.() && scope.meter.usage()
          ? CANCELLED
          : undefined;
    if (pause) {
      await keepAccounts(scope);
      return { adapter: adapter.name, ...usedSoFar(scope), ...exchangedSoFar(transcript), paused: pause };
    }
    await keepInterrupted(scope);
    throw withUsedWork(error, scope, await contextOfFailed(scope, work, transcript, error));
  } finally {
    await scope.log.close();
  }
}

function exchangedSoFar(transcript: Transcript): Pick<StepOutput, 'exchanged'> {
  const { length } = transcript.exchanges();
  return length > 0 ? { exchanged: length } : {};
}

const CANCELLED = { kind: 'cancelled' } as const;

type Asked = Pick<AgentSession, 'adapter' | 'transcript'>;

/** Runs the conversation as long as there is time and the agent gives signs of life; heartbeats report its progress. */
async function askInTime(scope: AttemptScope, work: AgentWork, task: AgentTask, asked: Asked): Promise<ConversationResult> {
  const { toolbox, call } = scope;
  const before = work.context && (await readOwnerContext(toolbox.artifacts, work.context));
  return await withHeartbeat(call, progressOf(scope, task, asked.transcript), async () =>
    withDeadline(call.signal, await soonest(scope, work, task), (within) => {
      const { signs, signal } = watchSilence(toolbox, work.agent, within);
      const own = ownSession(scope, work, task, { ...asked, signs, ...defined({ before }) });
      return withMcpTools(scope, own, signal, (session) => {
        const { agent, asker, repairs } = work;
        const parties = { agent, asker, outputName: work.outputName(true) };
        const news = async (ask: number) => newsOfMove(scope, session, ask, task.prompt) ?? (await childAnnouncement(scope, session, ask));
        const opens = memoryEffect(scope, task);
        return converse(
          scope,
          session,
          { task: withNote(task.prompt, scope.moved?.note), form: task.form, repairs, parties, news, ...defined({ opens }) },
          signal,
        );
      });
    }),
  );
}

/** Problems of its memory enter the journal once, with its first request. */
function memoryEffect(scope: AttemptScope, { memoryNotes }: AgentTask): Conversation['opens'] {
  if (!memoryNotes) return undefined;
  const step = shortAddress(scope.address);
  return async () => ({ journal: memoryNotes.map((note) => stampedEvent(scope, { kind: 'memory', step, ...note })) });
}

/** The session of the try's own agent. */
function ownSession(
  { call, address, run }: AttemptScope,
  work: AgentWork,
  task: AgentTask,
  asked: Asked & Pick<AgentSession, 'signs' | 'before'>,
): AgentSession {
  const { agent, system, form, implied } = task;
  const { scriptKey, depth, tools } = work;
  const iterations = [...turnsIn(address, run.steps), ...spawnNumbers(call.id)];
  return {
    ...asked,
    ...{ id: call.id, agent, system, scriptKey, iterations },
    ...defined({ depth, try: work.try, tools, implied, schema: schemaOf(form) }),
  };
}

/** What services that can hold a model to a schema hold it to. */
function schemaOf({ schema, handOff }: ReplyForm): Json | undefined {
  return handOff ? handOffSchema(handOff.kind) : schema?.value;
}

function progressOf({ toolbox, call, folder, tree }: AttemptScope, { cwd }: AgentTask, transcript: Transcript): () => Progress {
  const isNamed = tree !== undefined || cwd !== undefined;
  return workProgress(transcriptLog(call.id), transcript.turns, toolbox.workHead, isNamed ? folder : undefined);
}

interface Limit {
  ms: number | undefined;
  error: () => Error;
  timer?: Timer;
}

/** The earlier of its own timeout and the end of the budget's time, at which the try pauses. */
async function soonest(scope: AttemptScope, { agent, stepId }: AgentWork, { timeoutMs }: AgentTask): Promise<Limit> {
  const { toolbox, call, pauses, input } = scope;
  const timer = toolbox.timer ? { timer: toolbox.timer } : {};
  const untilMs = input.budget?.untilMs;
  const nowMs = call.serverNowMs ?? toolbox.nowMs ?? Date.now;
  const leftMs = untilMs === undefined ? undefined : Math.max(0, untilMs - (await nowMs()));
  if (leftMs !== undefined && (timeoutMs === undefined || timeoutMs > leftMs)) {
    return { ms: leftMs, error: () => pauses.request({ kind: 'budget', short: { kind: 'wallClock' } }), ...timer };
  }
  const late = `agent "${agent}" did not finish step "${stepId}" within ${timeoutMs} ms`;
  return { ms: timeoutMs, error: () => new ThermidorFailure('agent.timeout', late, { timeoutMs: timeoutMs ?? 0 }), ...timer };
}

/** The try before, if that broke off through no fault of the agent's: its conversation continues here. */
function brokenTry({ id }: ActivityCall, { note }: StepInput): string | undefined {
  if (note?.reason !== 'api_error') return undefined;
  return id.replace(/~(\d+)/, (_, number: string) => `~${Number(number) - 1}`);
}
