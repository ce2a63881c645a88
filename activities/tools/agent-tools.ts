import { shortAddress } from '../../plan/address';
import { FAILURES, ThermidorFailure } from '../../plan/failure';
import type { JournalEvent } from '../../plan/journal';
import { isJsonObject } from '../../plan/json';
import { DEFAULT_DEPTH } from '../../plan/spawn';
import type { ToolCall, ToolResult, ToolSpec } from '../../plan/tool';
import type { AgentTools, Turn } from '../agent-port';
import { contentDigest } from '../content-digest';
import { checkSchema } from '../schema-check';
import type { Seat, TryScope } from '../seat';
import { idempotencyKey } from '../transcript';
import { authorise, categoryOf } from './authorise';
import { sessionsOf } from './sessions';
import { TOOLS } from './table';
import { answer, type Caller, refused, type Tool, type ToolAnswer } from './tool';

/** Nesting (protocol.md point 3). */
const MOST_DEPTH = 5;

/**
 * What whoever sits there may call in one request. Each call and its result are turns of the transcript.
 *
 * Invariants: 1. a call is recorded before anything is done for it, its result before the agent reads it; 2. a call whose result
 * stands is not made again; 3. one call at a time; 4. what is refused is told to the agent and to the journal, and is no failure.
 */
export function agentTools(scope: TryScope, seat: Seat, ask: number, signal: AbortSignal): AgentTools {
  const table: Readonly<Record<string, Tool>> = { ...TOOLS, ...scope.toolbox.tools };
  const caller = callerAt(scope, seat);
  let last: Promise<unknown> = Promise.resolve();

  async function make(given: ToolCall): Promise<ToolResult> {
    const call: ToolCall = { ...given, args: scope.secrets.maskJson(given.args) };
    const standing = seat.transcript.of(ask).find((turn) => isOf(turn, call, 'tool'));
    if (standing) return { text: standing.text };
    if (!seat.transcript.of(ask).some((turn) => isOf(turn, call, 'assistant'))) {
      await seat.transcript.add(ask, { role: 'assistant', text: '', call });
    }
    return await seat.signs.apart(async () => {
      signal.throwIfAborted();
      scope.holds.check();
      scope.meter.beforeCall();
      const { text, refused, effect } = await decide(call);
      const did = refused ? { ...effect, journal: [...(effect?.journal ?? []), refusal(scope, call, text)] } : effect;
      await seat.transcript.add(ask, { role: 'tool', text, call }, did);
      // As it is recorded, so that a resumed conversation reads the same.
      return { text: scope.secrets.mask(text), ...(refused ? { refused } : {}) };
    });
  }

  async function decide(call: ToolCall): Promise<ToolAnswer> {
    const tool = Object.hasOwn(table, call.tool) ? table[call.tool] : undefined;
    if (!tool) return refused(`there is no tool "${call.tool}"; there are: ${specs.map(({ name }) => name).join(', ') || 'none'}`);
    if (!mayUse(seat, call.tool)) return refused(`"${call.tool}" is not among the tools of this agent`);
    const barred = tool.barred?.(caller);
    if (barred !== undefined) return refused(barred);
    const { args } = call;
    const broken = checkSchema(contentDigest(tool.parameters).sha256, tool.parameters, args);
    if (broken || !isJsonObject(args)) return refused(`wrong arguments for "${call.tool}": ${wrong(broken)}`);
    const category = categoryOf(seat.agent, call.tool);
    const allowed = category === undefined ? undefined : await authorise(scope, seat, ask, call, category);
    if (allowed?.kind === 'no') return refused(allowed.reason);
    const key = `${idempotencyKey({ ...scope.call, id: seat.id }, ask)}/${call.id}`;
    const use = { caller, idempotencyKey: key, signal, sessions: sessionsOf(scope, seat, caller, signal) };
    const said = await tool.call(args, use).catch((error: unknown) => failed(error, signal));
    if (!allowed) return said;
    return { ...said, effect: { ...said.effect, journal: [...allowed.journal, ...(said.effect?.journal ?? [])] } };
  }

  const specs = Object.entries(table).flatMap(([name, tool]): ToolSpec[] => {
    if (!mayUse(seat, name) || tool.barred?.(caller) !== undefined) return [];
    const { description, parameters } = tool;
    return [{ name, description: typeof description === 'string' ? description : description(caller), parameters }];
  });
  return {
    specs,
    call(call) {
      const made = last.then(() => make(call));
      last = made.catch(() => undefined);
      return made;
    },
  };
}

function callerAt({ run }: TryScope, { agent, depth }: Seat): Caller {
  return {
    agent: agent.id,
    ...(depth === undefined ? {} : { depth }),
    maxDepth: Math.min(run.plan.depth ?? DEFAULT_DEPTH, MOST_DEPTH),
    agents: Object.keys(run.plan.agents ?? {}).sort(),
  };
}

function mayUse({ agent, tools }: Seat, tool: string): boolean {
  return (agent.tools?.includes(tool) ?? true) && (tools?.includes(tool) ?? true);
}

function isOf({ role, call }: Turn, made: ToolCall, as: Turn['role']): boolean {
  return role === as && call?.id === made.id;
}

function wrong(broken: ReturnType<typeof checkSchema>): string {
  const missing = broken?.missingFields.map((name) => `"${name}" is missing`) ?? [];
  return [...missing, ...(broken?.problems ?? ['they must be an object'])].join('; ');
}

/** What a tool fails with is its result, unless it is nobody's fault or the try itself has to end. */
function failed(error: unknown, signal: AbortSignal): ToolAnswer {
  signal.throwIfAborted();
  if (!(error instanceof ThermidorFailure) || FAILURES[error.code].retried === 'temporal') throw error;
  return answer({ error: { code: error.code, message: error.message } });
}

function refusal({ address }: TryScope, { tool }: ToolCall, reason: string): JournalEvent {
  return { kind: 'tool', step: shortAddress(address), tool, outcome: 'refused', reason };
}
