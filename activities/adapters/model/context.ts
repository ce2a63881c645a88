import type { AgentDefinition } from '../../../plan/plan';
import { field, type Json } from '../../../plan/text/json';
import { cutAfter } from '../../../plan/text/shortened';
import { isPrompt, type Turn } from '../../../records/transcripts/turn';
import type { MemberIdentity } from '../../agent-port';

/**
 * The part of a transcript that a model is shown. Pure.
 *
 * Invariants: 1. a longer transcript gives a context that begins with the shorter one's, unless it was condensed in between; 2. each call
 * has its result directly after it; 3. turns that only record cost are not shown; 4. a condensed context begins with who the agent is, its
 * task in full, and the summary; 5. a member's context begins with who it is in its team, and nothing records that.
 */
export function contextWindowOf(transcript: readonly Turn[], agent: AgentDefinition, identity?: MemberIdentity): Turn[] {
  const at = transcript.findLastIndex(isSummary);
  const summary = at < 0 ? undefined : transcript[at];
  if (!summary) return [...(identity ? presented(identity) : []), ...withResults(transcript)];
  return [...beginAgain(transcript.slice(0, at), summary, agent, identity), ...withResults(transcript.slice(at + 1))];
}

/** Whether something has been said since the context was condensed, or it never was and has more than the task. */
export function canBeCondensed(transcript: readonly Turn[]): boolean {
  const shown = transcript.filter(isShown);
  const since = shown.slice(shown.findLastIndex(isSummary) + 1);
  return since.some(({ role }) => role !== 'user');
}

/** What a summary carries in addition to its text, so that the context it begins stays the same in later requests. */
export function summaryNote(ask: number, stepId: string): Json {
  return { ask, step: stepId };
}

/** Who the agent is. */
function identityBlock({ id, title, description, role }: AgentDefinition, stepId: string | undefined): string {
  const name = title === undefined ? id : `${title} (${id})`;
  const lines = [`name: ${name}`, `role: ${description ?? firstLines(role)}`, ...(stepId === undefined ? [] : [`step: ${stepId}`])];
  return `<identity>\n${lines.join('\n')}\n</identity>`;
}

const ROLE_LENGTH = 600;

/** The system prompt has the whole role. */
function firstLines(role: string): string {
  const first = role.trim().split(/\n\s*\n/)[0] ?? '';
  return cutAfter(first.replace(/\s+/g, ' '), ROLE_LENGTH);
}

function beginAgain(before: readonly Turn[], summary: Turn, agent: AgentDefinition, identity?: MemberIdentity): Turn[] {
  const prompts = before.filter(isPrompt);
  const ask = field(summary.message, 'ask');
  const step = field(summary.message, 'step');
  const task = prompts.at(typeof ask === 'number' ? -ask : 0) ?? prompts[0];
  const last = prompts.at(-1);
  const opening = [
    identity?.text ?? identityBlock(agent, typeof step === 'string' ? step : undefined),
    `Your task:\n\n${task?.text ?? ''}`,
    `The conversation so far was too long and is condensed. What has happened since you were given the task:\n\n<summary>\n${summary.text}\n</summary>`,
  ];
  return [
    { role: 'user', text: opening.join('\n\n') },
    {
      role: 'assistant',
      text: identity?.answer ?? `I am ${agent.title ?? agent.id}. I know my task and what has happened so far, and I go on from there.`,
    },
    { role: 'user', text: last === undefined || last === task ? 'Go on.' : last.text },
  ];
}

function presented({ text, answer }: MemberIdentity): Turn[] {
  return [
    { role: 'user', text },
    { role: 'assistant', text: answer },
  ];
}

function isSummary({ role, stop }: Turn): boolean {
  return role === 'assistant' && stop === 'condensed';
}

function isShown({ stop }: Turn): boolean {
  return stop !== 'broken';
}

/** A failed request may have left calls open; a later one in the same context gets a note. */
function withResults(turns: readonly Turn[]): Turn[] {
  const shown = turns.filter(isShown);
  return shown.flatMap((turn, at) => {
    if (turn.role === 'tool') return [];
    return [turn, ...resultsOf(turn, shown.slice(at + 1))];
  });
}

function resultsOf({ calls = [] }: Turn, after: readonly Turn[]): Turn[] {
  if (calls.length === 0) return [];
  // A program that made several at once may have reported the next before this one's result.
  const end = after.findIndex(({ role }) => role === 'user');
  const results = (end < 0 ? after : after.slice(0, end)).filter(({ role }) => role === 'tool');
  const isLast = after.length === results.length;
  return calls.flatMap((call): Turn[] => {
    const result = results.find((turn) => turn.call?.id === call.id);
    if (result) return [result];
    // Nobody will make this call any more.
    return isLast ? [] : [{ role: 'tool', text: 'This call was not made.', call, refused: true }];
  });
}
