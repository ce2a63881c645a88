import type { ToolCall } from '../../../plan/agents/tool';
import { isUsage, type Usage } from '../../../plan/budgets/usage';
import { field, type Json } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';
import { hostName } from '../../../records/locks/host-name';
import { openCalls, type Turn, turnsOfRequest } from '../../../records/transcripts/turn';
import type { AgentRequest } from '../../agent-port';
import type { ProgramPreset } from './preset';

/** Sessions that a program keeps, and its prompt if there is none. */

/** What is remembered with a turn, including the session's counts so far, if it continues counting from there. */
export function sessionNote(
  { name, unknownSession, countsSession }: Keeper,
  session: string | undefined,
  total?: Usage,
): Pick<Turn, 'message'> {
  if (session === undefined) return {};
  const counted = countsSession && total ? { counted: tokensOf(total) } : {};
  return { message: { program: name, session, ...(unknownSession ? {} : { host: hostName() }), ...counted } };
}

type Keeper = Pick<ProgramPreset, 'name' | 'resume' | 'fork' | 'unknownSession' | 'countsSession'>;

export interface KnownSession {
  id: string;
  /** Others continue from there too: new turns go into a copy. */
  copied: boolean;
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): Json {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd: null };
}

/** The session's counts at its last report. */
export function countedIn(session: string, transcript: readonly Turn[]): Usage | undefined {
  const counting = transcript.findLast(({ message }) => field(message, 'session') === session && field(message, 'counted') !== undefined);
  const counted: unknown = field(counting?.message, 'counted');
  return isUsage(counted) ? counted : undefined;
}

/** Ids come from the program's own output, and go on its command line. */
const ID = /^[\w][\w.:-]{0,199}$/;

export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/** The session that has everything the agent has said so far; undefined if another kind of adapter made the last turn. */
export function sessionOf(
  { name, resume, fork, unknownSession }: Keeper,
  { transcript, earlier = 0 }: Pick<AgentRequest, 'transcript' | 'earlier'>,
): KnownSession | undefined {
  const turns = transcript();
  const index = turns.findLastIndex(({ role, stop }) => role === 'assistant' && stop !== 'broken');
  const last = turns[index];
  const copied = index < earlier;
  if (!(copied ? fork : resume)) return undefined;
  if (field(last?.message, 'program') !== name) return undefined;
  if (!unknownSession && field(last?.message, 'host') !== hostName()) return undefined;
  const id = field(last?.message, 'session');
  return typeof id === 'string' && isSessionId(id) ? { id, copied } : undefined;
}

/** The result of a call that was in progress when its worker was lost. */
const LOST = '(interrupted: no result is known)';

const INTERRUPTED =
  'You were interrupted here. What you have done is kept: continue from there, do nothing twice, and end with the answer that was asked for.';

/** The prompt of a resumed session: the request, or, if it has that, the prompt to continue. */
export function nextPrompt({ prompt, transcript }: AgentRequest): string {
  return hasBegun(transcript()) ? `${INTERRUPTED}${underWay(transcript())}` : prompt;
}

/** Programs forget calls that were never answered, and would make them again. */
function underWay(transcript: readonly Turn[]): string {
  const since = transcript.slice(transcript.findLastIndex(({ role }) => role === 'assistant') + 1);
  const lost = since.flatMap(({ call, text }) => (call && text === LOST ? [`- ${call.tool}: ${cut(JSON.stringify(call.args))}`] : []));
  if (lost.length === 0) return '';
  return `\n\nThis was in progress, and how far it got is unknown. Check how much of it was done before you do it again:\n\n${lost.join('\n')}`;
}

/** The prompt of a new session: the request alone, or also the conversation before it. */
export function firstPrompt({ prompt, transcript }: AgentRequest): string {
  const turns = transcript().filter(({ stop }) => stop !== 'broken');
  const condensed = turns.findLastIndex(({ stop }) => stop === 'condensed');
  const before = turns.slice(Math.max(0, condensed));
  if (hasBegun(turns)) return `${RETOLD}\n\n${renderConversation(before)}\n\n${INTERRUPTED}`;
  const earlier = before.slice(0, -1);
  return earlier.length === 0 ? prompt : `${RETOLD}\n\n${renderConversation(earlier)}\n\n## Now\n\n${prompt}`;
}

/** Settles calls whose result is unknown: the program itself decides what it does next. */
export function lostResults(transcript: readonly Turn[]): Turn[] {
  return openCalls(transcript).map((call: ToolCall) => ({ role: 'tool', call, text: LOST }));
}

const RETOLD = 'This conversation has begun elsewhere. What was said and done so far, oldest first:';

function hasBegun(transcript: readonly Turn[]): boolean {
  return turnsOfRequest(transcript).some(({ role, stop }) => role === 'assistant' && stop !== 'broken');
}

/** The limit of one repeated tool result. */
const RESULT_CHARACTERS = 4000;

function renderConversation(turns: readonly Turn[]): string {
  return turns.map(retellTurn).join('\n\n');
}

function retellTurn({ role, text, calls = [], call }: Turn): string {
  if (role === 'user') return `## You were told\n\n${text}`;
  if (role === 'tool') return `## Result of ${call?.tool ?? 'a tool'}\n\n${cut(text)}`;
  const made = calls.map(({ tool, args }) => `You used ${tool}: ${cut(JSON.stringify(args))}`);
  return ['## You said', ...(text === '' ? [] : [text]), ...made].join('\n\n');
}

function cut(text: string): string {
  if (text.length <= RESULT_CHARACTERS) return text;
  return `${beginning(text, RESULT_CHARACTERS)}\n(${text.length - RESULT_CHARACTERS} characters more are left out)`;
}
