import { setTimeout } from 'node:timers/promises';
import type { DecisionAnswer } from '../../plan/agents/decision';
import { answersLog } from '../../plan/board/exchange';
import type { BoardRequest } from '../../plan/board/request';
import { defined } from '../../plan/defined';
import { openCalls } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { unheard } from '../agent/announce-move';
import { unreadMessages } from '../agent/member-messages';
import type { Transcript } from '../agent/transcript';
import { wakeRun } from '../agent/wake-run';
import { answer, type MemberBoard, type ToolAnswer } from './tool';

interface OpenCall {
  /** The call's idempotency key. */
  key: string;
  /** The request in whose reply it was made. */
  ask: number;
  signal: AbortSignal;
}

/**
 * The board of the member as which the agent works. The run decides what a call asks while the call waits, or after a pause of the try:
 * then the same call made again finds the answer in the input. Both go by the call's key, so that no other call takes the answer, and the
 * run, asked again, says the same. A message has the key as its id: sent again after a crash, it is the same one.
 */
export function memberBoard(
  scope: AttemptScope,
  session: AgentSession,
  open: OpenCall,
): (MemberBoard & { noted(said: ToolAnswer): ToolAnswer }) | undefined {
  const { input, member: me, pauses, toolbox } = scope;
  const { agent, transcript } = session;
  const { key } = open;
  const { decisions = [] } = input;
  if (!me) return undefined;
  let read: string[] = [];
  return {
    me,
    async decide(request) {
      const given = decisions.find(({ id }) => id === key);
      // What it has written is gone, and would land as nothing.
      const note = given || request.kind !== 'complete_task' ? undefined : unheard(scope, transcript);
      if (note !== undefined) return { said: note, refused: true };
      const found = given ?? (await decidedSoon(scope, session, open, request));
      if (!found) throw pauses.request({ kind: 'decision', asks: [{ id: key, agent: agent.id, request }] });
      return found;
    },
    send(message) {
      const at = new Date((toolbox.nowMs ?? Date.now)()).toISOString();
      const { type, to } = message;
      return {
        ...answer({ status: 'sent', type, ...defined({ to }) }),
        effect: { exchanged: { sent: { ...message, id: key, from: me.name, at } } },
      };
    },
    async inbox() {
      const messages = await unreadMessages(scope, transcript);
      read = messages.map(({ id }) => id);
      return messages;
    },
    noted(said) {
      if (read.length === 0) return said;
      return { ...said, effect: { ...said.effect, exchanged: { ...said.effect?.exchanged, read } } };
    },
  };
}

/** The run's answer, if it comes within a second. For an agent with tool servers: a pause would stop them, and start them again. */
async function decidedSoon(
  scope: AttemptScope,
  { serverTools, transcript }: AgentSession,
  { key, ask, signal }: OpenCall,
  request: BoardRequest,
): Promise<DecisionAnswer | undefined> {
  const { toolbox, call, meter, member } = scope;
  if (!member || !serverTools || !isDecidedAtWork(scope, request)) return undefined;
  const log = toolbox.ledger.follow(call.key, answersLog(member.inbox));
  const { length } = await log.lines();
  await transcript.exchange(ask, { asked: { id: key, request, ...defined({ used: meter.usage() }) } });
  if (!(await wakeRun(scope))) return undefined;
  for (const waitMs of LOOKS_MS) {
    await setTimeout(waitMs, undefined, { signal });
    // The run wrote them (`postLines`).
    const answers: unknown = (await log.lines()).slice(length);
    const found = (answers as DecisionAnswer[]).find(({ id }) => id === key);
    if (found) return found;
  }
  return undefined;
}

/** Between looks for an answer, in milliseconds. */
const LOOKS_MS = [10, 10, 20, 20, 40, 100, 200, 300, 300];

/** A plan waits for somebody. What lands is the commit with which a try in a worktree pauses. */
function isDecidedAtWork({ tree }: AttemptScope, { kind }: BoardRequest): boolean {
  if (kind === 'submit_plan') return false;
  return tree === undefined || (kind !== 'complete_task' && kind !== 'fail_task');
}

/**
 * Ends the try if its budget is used up, or if a call has ended the member's work: in the call's own try, and in each that begins after a
 * crash. Calls of the same reply are made before that, unless it has claimed a task that has a work of its own.
 */
export function pauseAtEndOfWork({ input, member, pauses }: AttemptScope, transcript: Transcript): void {
  if (member && input.spent) throw pauses.request({ kind: 'over', end: 'spent' });
  const end = member && transcript.effects().findLast(({ ends }) => ends)?.ends;
  if (!end || (end === 'idle' && openCalls(transcript.asAnswered()).length > 0)) return;
  throw pauses.request({ kind: 'over', end });
}
