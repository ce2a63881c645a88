import type { ToolCall, ToolResult, ToolSpec } from '../../plan/agents/tool';
import { coversTool } from '../../plan/agents/tool-names';
import { defined } from '../../plan/defined';
import { readChildMessage } from '../../plan/run/child';
import { FAILURES, type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { HandedEvent, JournalEvent } from '../../plan/run/journal';
import { shortAddress } from '../../plan/steps/address';
import { isJsonObject, type JsonObject } from '../../plan/text/json';
import { unlessTooDeep } from '../../plan/text/json-depth';
import type { Turn } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { idempotencyKey } from '../agent/idempotency-key';
import { stampedEvent } from '../agent/journal-events';
import type { AgentTools } from '../agent-port';
import { contentDigest } from '../gates/content-digest';
import { messagesTo } from '../run/run-messages';
import { checkSchema, type SchemaProblems } from '../schemas/schema-check';
import { afterCall } from './after-call';
import { authoriseCall, categoryOf, requireFirstCall } from './authorise';
import { authoriseByBrief } from './brief-authorisation';
import { memberBoard, pauseAtEndOfWork } from './member-board';
import { isInRoleScope, requireRoleScope } from './role-scope';
import { pauseForRunRequests, runRequestsOf } from './run-requests';
import { callableAgents } from './sessions/callable-agents';
import { sessionsOf } from './sessions/sessions';
import { answer, type CallingAgent, refused, type Tool, type ToolAnswer } from './tool';
import { TOOLS } from './tool-table';
import { firstCharacters, RESULT_CHARACTERS } from './truncate-result';

/** The limit of any tool's result; most show less, and say how to get the rest. */
const MOST_CHARACTERS = 4 * RESULT_CHARACTERS;

/**
 * The tools that an agent may call in one request. Each call and its result are turns of the transcript.
 *
 * Invariants: 1. a call is recorded before anything is done for it, its result before the agent reads it; 2. a call with a result is not
 * made again; 3. one call at a time; 4. a refusal goes to the agent and to the journal, and is no failure.
 */
export function agentTools(scope: AttemptScope, session: AgentSession, ask: number, signal: AbortSignal): AgentTools {
  const table: Readonly<Record<string, Tool>> = { ...TOOLS, ...scope.toolbox.tools, ...session.serverTools };
  const caller = callerAt(scope, session);
  const limit = session.agent.limits?.toolCalls;
  const usedUp = () => limit !== undefined && session.transcript.turns().filter(({ role }) => role === 'tool').length >= limit;
  let last: Promise<unknown> = Promise.resolve();

  async function make(given: ToolCall, recorded?: ToolResult): Promise<ToolResult> {
    const call: ToolCall = { ...given, args: scope.secrets.maskJson(unlessTooDeep(given.args)) };
    const turns = session.transcript.of(ask);
    const standing = turns.find((turn) => turn.role === 'tool' && turn.call?.id === call.id);
    if (standing) return resultOf(standing);
    if (!turns.some(({ calls = [] }) => calls.some(({ id }) => id === call.id))) {
      await session.transcript.add(ask, { role: 'assistant', text: '', calls: [call] });
    }
    return await session.signs.apart(async () => {
      signal.throwIfAborted();
      scope.pauses.check();
      scope.meter.beforeCall();
      // A worker that was stopped between the call's record and this has nothing to do here any more.
      await session.transcript.requireOwn();
      const { text, refused, effect } = await decide(call, recorded);
      const news = await startedRunResults(scope, session);
      const noted = refused
        ? { ...effect, journal: [...(effect?.journal ?? []), stampedEvent(scope, refusal(scope, call, text))] }
        : effect;
      const did = news.announced.length > 0 ? { ...noted, announced: news.announced } : noted;
      const counted = {
        pipeline: scope.run.plan.name,
        agent: session.agent.id,
        tool: Object.hasOwn(table, call.tool) ? call.tool : 'unknown',
      };
      scope.toolbox.metrics?.called({ ...counted, refused: refused === true });
      // The recorded text is the one that is read, so that a resumed conversation reads the same.
      const shown = `${firstCharacters(scope.secrets.mask(text), MOST_CHARACTERS, 'the rest of the result is not shown')}${news.text}`;
      const turn: Turn = { role: 'tool', text: shown, call, ...defined({ refused }) };
      await session.transcript.add(ask, turn, did);
      if (did?.runRequest) pauseForRunRequests(scope);
      pauseAtEndOfWork(scope, session.transcript);
      await afterCall(scope, session, ask, did);
      return resultOf(turn);
    });
  }

  async function decide(call: ToolCall, recorded?: ToolResult): Promise<ToolAnswer> {
    const tool = Object.hasOwn(table, call.tool) ? table[call.tool] : undefined;
    // It comes first, as an agent does not list what its role does not have.
    if (tool || recorded) requireRoleScope(scope, call);
    // A server's tools, and those of an agent's own program, are not there when a script is played.
    if (!tool && recorded) return underBrief(call, async () => recorded);
    if (!tool) return refused(`there is no tool "${call.tool}"; there are: ${specs.map(({ name }) => name).join(', ') || 'none'}`);
    if (!mayUse(scope, session, call.tool, tool)) return refused(`"${call.tool}" is not one of this agent's tools`);
    if (usedUp()) return refused(`you have used all your ${limit} tool calls: give your answer now`);
    const barred = tool.barred?.(caller);
    if (barred !== undefined) return refused(barred);
    const { args } = call;
    const broken = await checkSchema(scope.toolbox, contentDigest(tool.parameters).sha256, tool.parameters, args);
    if (broken || !isJsonObject(args)) return refused(`wrong arguments for "${call.tool}": ${wrong(broken)}`);
    return underBrief(call, () => callTool(tool, call, args, recorded));
  }

  /** Makes a call if the brief for which the agent works lets it. */
  async function underBrief(call: ToolCall, made: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const allowed = await authoriseByBrief(scope, call, { address: session.transcript.madeIn(ask, call.id), call: `${ask}/${call.id}` });
    return allowed.kind === 'no' ? refused(allowed.reason) : withJournal(await made(), allowed.journal);
  }

  async function callTool(tool: Tool, call: ToolCall, args: JsonObject, recorded?: ToolResult): Promise<ToolAnswer> {
    const category = categoryOf(session.agent, call.tool);
    const allowed = category === undefined ? undefined : await authoriseCall(scope, session, ask, call, category);
    if (allowed?.kind === 'no') return refused(allowed.reason);
    const key = `${idempotencyKey({ ...scope.call, id: session.transcript.madeIn(ask, call.id) }, ask)}/${call.id}`;
    const { toolbox, run, input } = scope;
    // A call that the run has answered was begun to ask, and has done nothing yet.
    if (category !== undefined && !recorded && !input.decisions?.some(({ id }) => id === key)) {
      await requireFirstCall(scope, call.tool, category, key);
      await session.transcript.requireOwn();
    }
    const cwd = tool.listedOnly ? await scope.folder() : '';
    const sessions = sessionsOf(scope, session, caller, signal);
    const runRequests = runRequestsOf(scope, session, caller);
    const { requireOwn } = session.transcript;
    const board = isOwn(scope, session) ? memberBoard(scope, session, { key, ask, signal }) : undefined;
    const use = {
      ...{
        caller,
        idempotencyKey: key,
        signal,
        sessions,
        runRequests,
        toolbox,
        run,
        input,
        cwd,
        requireOwn,
        agent: session.agent,
        mask: scope.secrets.mask,
      },
      ...defined({ env: scope.tree?.env, items: isOwn(scope, session) ? scope.items : undefined }),
      ...defined({ board }),
      printed: (title: string) => scope.log.program({ title: `${session.agent.id}: ${title}` }),
    };
    const answered: ToolAnswer = recorded ?? (await tool.call(args, use).catch((error: unknown) => failed(error, signal)));
    const said = board?.noted(answered) ?? answered;
    return withJournal(said, allowed?.journal ?? []);
  }

  const specs = Object.entries(table).flatMap(([name, tool]): ToolSpec[] => {
    if (!mayUse(scope, session, name, tool) || tool.barred?.(caller) !== undefined || !isInRoleScope(scope, name)) return [];
    const { description, parameters } = tool;
    return [{ name, description: typeof description === 'string' ? description : description(caller), parameters }];
  });
  return {
    specs,
    call(call, recorded) {
      const made = last.then(() => make(call, recorded));
      // The next call follows, whatever became of this one.
      last = made.catch(() => undefined);
      return made;
    },
  };
}

/** Escalations and failures go there, whatever is listed. */
const ALWAYS_THERE = ['#approvals', '#errors'];

function callerAt(scope: AttemptScope, session: AgentSession): CallingAgent {
  const { run, toolbox, items } = scope;
  const { agent, depth } = session;
  const emits = items && isOwn(scope, session) ? { ...items.stream.spec, schema: items.schema } : undefined;
  return {
    agent: agent.id,
    ...defined({ depth }),
    ...callableAgents(run, agent.id, scope.input.escalation !== undefined),
    channels: [...new Set([...ALWAYS_THERE, ...Object.keys(run.plan.channels ?? {}), ...Object.keys(toolbox.channels ?? {})])].sort(),
    ...defined({
      pipelines: agent.pipelines,
      consultants: agent.consultants,
      emits,
      member: isOwn(scope, session) ? scope.member : undefined,
      skills: agent.skills?.map(({ name }) => name),
    }),
  };
}

/** Whether the caller is the try's own agent, and not one that it talks to. */
function isOwn({ call }: AttemptScope, { id }: AgentSession): boolean {
  return id === call.id;
}

/**
 * The tools that the agent lists and the step allows; without a list, the tools that reach nothing outside the run. A role of a brief that
 * anybody else asks has none: nothing says there what is authorised.
 */
function mayUse({ input }: AttemptScope, { agent, tools }: AgentSession, name: string, { listedOnly, unlisted, always }: Tool): boolean {
  if (agent.isBriefRole && !input.authority) return false;
  if (unlisted) return true;
  if (always) return agent.tools?.length !== 0 && tools?.length !== 0;
  const listed = agent.tools?.some((entry) => coversTool(entry, name)) ?? !listedOnly;
  return listed && (tools?.some((entry) => coversTool(entry, name)) ?? true);
}

function withJournal(said: ToolAnswer, events: readonly HandedEvent[]): ToolAnswer {
  if (events.length === 0) return said;
  return { ...said, effect: { ...said.effect, journal: [...events, ...(said.effect?.journal ?? [])] } };
}

function resultOf({ text, refused: no }: Turn): ToolResult {
  return { text, ...defined({ refused: no }) };
}

function wrong(broken: SchemaProblems | undefined): string {
  const missing = broken?.missingFields.map((name) => `"${name}" is missing`) ?? [];
  return [...missing, ...(broken?.problems ?? ['they must be an object'])].join('; ');
}

/** What no agent could fix: a test has no stand-in for the call, all allowed items are emitted, an agent that it asks left its role. */
const NOTHING_TO_FIX: readonly FailureCode[] = ['script.no-reply', 'stream.too-many-items', 'brief.out-of-scope'];

/** A tool's failure is its result, unless it is nobody's fault or the try itself has to end. */
function failed(error: unknown, signal: AbortSignal): ToolAnswer {
  signal.throwIfAborted();
  if (!(error instanceof ThermidorFailure) || FAILURES[error.code].retried === 'temporal') throw error;
  if (NOTHING_TO_FIX.includes(error.code)) throw error;
  return answer({ error: { code: error.code, message: error.message } });
}

function refusal({ address }: AttemptScope, { tool }: ToolCall, reason: string): JournalEvent {
  return { kind: 'tool', step: shortAddress(address), tool, outcome: 'refused', reason };
}

/** Ends of runs that the agent has started: the agent reads each with the result of its next call. */
async function startedRunResults(
  { input, toolbox, call }: AttemptScope,
  { transcript }: AgentSession,
): Promise<{ text: string; announced: string[] }> {
  const before = new Set(transcript.effects().flatMap(({ announced = [] }) => announced));
  const news = await Promise.all(
    (input.started ?? [])
      .filter(({ workflowId }) => !before.has(workflowId))
      .map(async (one) => {
        const said = (await messagesTo(toolbox.ledger, one, call.key)).map(readChildMessage).find((says) => says?.kind === 'ended');
        return said?.kind === 'ended' ? [{ run: one.workflowId, state: said.state }] : [];
      }),
  );
  const ended = news.flat();
  return {
    text: ended.map(({ run, state }) => `\n\n[The run ${run} that you started has ended: ${state}.]`).join(''),
    announced: ended.map(({ run }) => run),
  };
}
