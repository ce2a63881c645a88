import type { GateLink } from '../../plan/people/notice';
import type { ProofChannel, Sealed } from '../../plan/people/proof';
import { SIGNAL_OUTCOMES, type SignalOutcome, type SignalPayload } from '../../plan/run/signal';
import { joined } from '../../plan/text/joined';
import type { Json } from '../../plan/text/json';
import { numberAt } from '../../plan/text/spelled-json';
import { fields, listOf, text } from '../../records/outside-json';
import { ClientProblem } from '../client-problem';
import type { CallbackContext, CallbackPorts, GateNow } from './callback-context';
import { CallbackRefused } from './refusal';
import { seal } from './signatures';

/** Somebody's answer to a gate. */
export interface CallbackAnswer {
  gate: GateLink;
  choice: string;
  by: string;
  /** The channel that proved who it is. Absent: it is claimed. */
  channel?: ProofChannel;
  comment?: string;
  value?: Json;
  /** The response to an input gate. */
  response?: Json;
  /** Digest of what the sender was shown, or its first digits, if they send it. */
  shown?: string;
  /** The state of the gate, if that was looked up already. */
  now?: GateNow;
}

export interface Decided {
  step: string;
  /** Several must agree, and more of them are awaited. */
  more: boolean;
}

type Said = Pick<SignalPayload, 'comment' | 'value' | 'response'>;
type Order = { name: 'approve' | 'reject' | 'respond'; said: Said };

/** Outcomes that change nothing in a run; they are journalled if the sender is proven. */
const JOURNALLED: ReadonlySet<SignalOutcome> = new Set<SignalOutcome>(['early', 'late', 'duplicate', 'misdirected', 'refused']);
const LOOK_LIMIT_MS = 1_000;
const RETRY_S = 10;
/** The fewest digits of a digest: fewer would match by chance. */
const LEAST_DIGITS = 8;

/**
 * Gives an answer to its run, as an update: applied or refused at once. The digest of what was shown is sent with it, so that an answer to
 * anything else changes nothing. Throws `CallbackRefused`.
 */
export async function decideGate(context: CallbackContext, answer: CallbackAnswer): Promise<Decided> {
  const { ports } = context;
  const { gate, by, channel } = answer;
  const { name, said } = orderOf(answer);
  await requireShown(context, answer, name);
  const now = answer.now ?? (await ports.gateNow(gate, LOOK_LIMIT_MS));
  if (needsComment(now, name) && said.comment === undefined)
    throw new CallbackRefused(400, `${gate.step} needs a comment with this answer`);
  const { run } = gate;
  const payload = joined<Omit<Sealed, 'run' | 'name'>>({ step: gate.step, by, shown: gate.shownSha256 }, said);
  const at = new Date(ports.now()).toISOString();
  const sent: SignalPayload =
    channel === undefined ? payload : joined(payload, { proof: seal(ports.key, { run, name, ...payload }, channel, at) });
  try {
    const { step } = await ports.decide(run, name, sent);
    return { step: step ?? gate.step, more: isShared(now) && isShared(await ports.gateNow(gate, LOOK_LIMIT_MS)) };
  } catch (error) {
    const outcome = outcomeOf(error);
    if (channel !== undefined && outcome !== undefined && JOURNALLED.has(outcome)) await noted(ports, () => ports.note(run, name, sent));
    throw refusalOfUpdate(error, gate);
  }
}

/** Refuses an answer to something else. The run would refuse it too, and its journal gets it. */
async function requireShown({ ports }: CallbackContext, { gate, by, channel, shown }: CallbackAnswer, name: Order['name']): Promise<void> {
  if (shown === undefined || (shown.length >= LEAST_DIGITS && gate.shownSha256.startsWith(shown.toLowerCase()))) return;
  if (channel !== undefined) {
    const { run, step, shownSha256 } = gate;
    // Sealed for this gate, so that it decides no other gate that shows the same.
    const proof = seal(ports.key, { run, name, step, by, shown: shownSha256 }, channel, new Date(ports.now()).toISOString());
    await noted(ports, () => ports.note(run, name, { step, by, shown, proof }));
  }
  throw new CallbackRefused(409, `${gate.step} was shown with other content: the digest differs`);
}

/** The decision, in one line. */
export function decidedLine({ choice, by, comment }: Pick<CallbackAnswer, 'choice' | 'by' | 'comment'>, { step, more }: Decided): string {
  const said = comment === undefined ? '' : `: ${comment}`;
  return `✓ ${step}: ${choice} by ${by}${said}${more ? ' (more approvals are needed)' : ''}`;
}

function orderOf(answer: CallbackAnswer): Order {
  const { gate, choice, response } = answer;
  if (!gate.choices.includes(choice))
    throw new CallbackRefused(400, `${gate.step} takes ${gate.choices.join(', ')}, not "${choice.slice(0, 80)}"`);
  if (gate.kind === 'budget') throw new CallbackRefused(400, `a budget is answered at the command line: ${gate.answer}`);
  const said = joined<Said>({ comment: answer.comment, value: numberAt(answer, 'value') ?? answer.value });
  if (gate.kind === 'input') {
    if (response === undefined) throw new CallbackRefused(400, `${gate.step} needs an answer, but there is none`);
    return { name: 'respond', said: joined(said, { response: numberAt(answer, 'response') ?? response }) };
  }
  return choice === 'approve' || choice === 'reject'
    ? { name: choice, said }
    : { name: 'respond', said: joined(said, { response: choice }) };
}

/** Whether several must agree, and the gate is open to them. */
function isShared(now: GateNow): boolean {
  return now.kind === 'open' && (now.view.quorum ?? 1) > 1;
}

/** Whether a comment is needed, as far as is known; the run has the last word. */
export function needsComment(now: GateNow, choice: string): boolean {
  const rule = now.kind === 'open' ? now.view.comment : undefined;
  return rule === 'always' || (rule === 'on_reject' && choice === 'reject');
}

/** Journals the refusal; the answer is refused even if that fails. */
async function noted(ports: CallbackPorts, note: () => Promise<void>): Promise<void> {
  try {
    await note();
  } catch (error) {
    ports.warn(`a refused answer could not be journalled: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a run has made of a signal that it refused. */
export function outcomeOf(error: unknown): SignalOutcome | undefined {
  if (!(error instanceof ClientProblem) || error.code !== 'signal.refused') return undefined;
  const outcome = error.more.details?.['outcome'];
  return SIGNAL_OUTCOMES.find((known) => known === outcome);
}

/** A client's failure as the refusal for an answer's sender; other errors unchanged. */
export function refusalOfUpdate(error: unknown, gate: GateLink): unknown {
  if (!(error instanceof ClientProblem)) return error;
  switch (error.code) {
    case 'signal.refused':
      return refusedByRun(error, gate);
    case 'run.ended':
    case 'run.not-found':
      return new CallbackRefused(410, `run ${gate.run} is over: nothing can be decided any more`);
    default:
      // It may have been accepted anyway; repeated it counts once.
      return new CallbackRefused(503, `run ${gate.run} does not answer: look whether your answer was accepted, or send it again`, RETRY_S);
  }
}

function refusedByRun(error: ClientProblem, gate: GateLink): CallbackRefused {
  const outcome = outcomeOf(error);
  if (outcome === 'late') return new CallbackRefused(410, error.message);
  if (outcome === 'duplicate' || outcome === 'early') return new CallbackRefused(409, error.message);
  if (outcome === 'unavailable') return new CallbackRefused(503, `run ${gate.run} cannot take an answer now: send it again later`, RETRY_S);
  if (outcome === 'unreadable' || outcome === 'unknown') return new CallbackRefused(400, error.message);
  const same = OPEN_GATES.parse(error.more.details?.['gates']).find(({ step }) => step === gate.step);
  if (same === undefined) return new CallbackRefused(410, error.message);
  return new CallbackRefused(same.shownSha256 === undefined || same.shownSha256 === gate.shownSha256 ? 403 : 409, error.message);
}

/** The open gates as the run reports them. */
const OPEN_GATES = listOf(fields({ step: text, shownSha256: text }));
