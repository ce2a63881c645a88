import type { ArtifactRef } from '../../../plan/run/artifact';
import { readArtifactRef } from '../../../plan/run/artifact';
import { field, type Json } from '../../../plan/text/json';
import { asJson } from '../../../records/stored-json';
import type { Turn } from '../../../records/transcripts/turn';
import type { AttemptScope } from '../../agent/agent-session';
import { section } from '../../agent/prompt/prompt';

/**
 * An agent's questions and answers in a run, with anybody and in any step: a log of the run's ledger, `sessions/<agent>`, available to
 * every worker and every execution of the run. Each conversation continues from what exists when it begins.
 *
 * Invariants: 1. an exchange counts once, however often a crash repeats its record: the first line of its conversation and turn; 2. the
 * beginning of a conversation stays the same over its turns and crashes; 3. the shown part is bounded, the newest first, and omissions are
 * noted.
 */
export interface Exchange {
  /** The talk's id, and its turn in it. */
  talk: string;
  turn: number;
  from: string;
  step: string;
  at: string;
  question: ArtifactRef;
  answer: ArtifactRef;
}

/** The limit of shown earlier exchanges, in bytes. */
const SHOWN_BYTES = 128 * 1024;

export async function noteExchange({ toolbox, call }: AttemptScope, agent: string, exchange: Exchange): Promise<void> {
  await toolbox.ledger.append(call.key, logOf(agent), asJson(exchange));
}

/**
 * @param own ids of the continuing conversation, which has its own transcript
 * @param until when the conversation began; absent: now
 */
export async function earlierTurns(
  { toolbox, call }: AttemptScope,
  agent: string,
  own: ReadonlySet<string>,
  until: string | undefined,
): Promise<Turn[]> {
  const seen = new Set<string>();
  const exchanges: Exchange[] = [];
  for (const line of await toolbox.ledger.lines(call.key, logOf(agent))) {
    const exchange = readExchange(line);
    if (!exchange || own.has(exchange.talk) || (until !== undefined && exchange.at >= until)) continue;
    const key = JSON.stringify([exchange.talk, exchange.turn]);
    if (!seen.has(key)) exchanges.push(exchange);
    seen.add(key);
  }
  const shown: Turn[][] = [];
  let room = SHOWN_BYTES;
  for (const exchange of exchanges.toReversed()) {
    room -= exchange.question.sizeBytes + exchange.answer.sizeBytes;
    if (room < 0) break;
    shown.unshift(await turnsOf(toolbox.artifacts, exchange));
  }
  const left = exchanges.length - shown.length;
  const turns = shown.flat();
  const [first] = turns;
  if (left === 0) return turns;
  const note = `(${left} earlier questions to you in this run are omitted.)`;
  return first ? [{ ...first, text: `${note}\n\n${first.text}` }, ...turns.slice(1)] : [];
}

async function turnsOf(artifacts: AttemptScope['toolbox']['artifacts'], { from, step, question, answer }: Exchange): Promise<Turn[]> {
  const [asked, said] = await Promise.all([question, answer].map(async (ref) => (await artifacts.get(ref)).toString('utf8')));
  return [
    { role: 'user', text: section(`A question from ${from}, at step ${step}`, asked ?? '') },
    { role: 'assistant', text: said ?? '' },
  ];
}

function logOf(agent: string): string {
  return `sessions/${agent}`;
}

function readExchange(line: Json): Exchange | undefined {
  const [talk, from, step, at] = ['talk', 'from', 'step', 'at'].map((name) => field(line, name));
  const turn = field(line, 'turn');
  const [question, answer] = ['question', 'answer'].map((name) => readArtifactRef(field(line, name)));
  if (typeof talk !== 'string' || typeof from !== 'string' || typeof step !== 'string' || typeof at !== 'string') return undefined;
  return typeof turn === 'number' && question && answer ? { talk, turn, from, step, at, question, answer } : undefined;
}
