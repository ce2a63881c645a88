import { authorisedNow } from '../../../plan/brief/authority';
import { unauthorised } from '../../../plan/brief/category';
import { findBannedPhrases, findBlocked, findDestruction, saysComplete } from '../../../plan/brief/detectors';
import type { EscalationSeverity, HandOff, ReviewVerdict } from '../../../plan/brief/hand-off';
import { type Asked, describeFaults, readHandOff } from '../../../plan/brief/read-hand-off';
import { defined, unlessEmpty } from '../../../plan/defined';
import { brief } from '../../../plan/patterns/brief';
import type { Json } from '../../../plan/text/json';
import { shortened } from '../../../plan/text/shortened';
import { type Flag, type PlannedTask, REPLY_DOCUMENT } from './words';

export interface HandOffGiven {
  /** Absent: one agent without a coordinator, whose reply is text. */
  asked?: Asked;
  /** The brief's `authorized_costs`, and what is granted for the run. */
  authorized: readonly string[];
  /** Nothing that needs a shell is authorised, whatever people have granted. */
  noShell?: true;
}

/** What control reads of a hand-off. */
export type HandOffValues = (
  | { kind: 'plan'; subtasks: PlannedTask[] }
  | { kind: 'execution' }
  | { kind: 'review'; verdict: ReviewVerdict }
  | { kind: 'escalation'; severity: EscalationSeverity; reason: string }
  | { kind: 'malformed'; reason: string }
) & { flag?: Flag; noticed?: string[] };

/**
 * Reads a reply, as the conversation has read it before, and passes it through the detectors. The result is the hand-off. Documents:
 * `reply`, and `granted`, the categories of lasting grants.
 */
export function readReply(
  { asked, authorized, noShell }: HandOffGiven,
  documents: Readonly<Record<string, Json>>,
): { result: Json; values: HandOffValues } {
  const reply = textOf(documents[REPLY_DOCUMENT]);
  const found = asked && readHandOff(reply, asked);
  if (found && 'faults' in found) return { result: reply, values: { kind: 'malformed', reason: brief(describeFaults(found.faults)) } };
  const handOff = found?.handOff;
  // Prose next to the block, and what the hand-off itself says.
  const said = [reply, ...(handOff ? textsIn(handOff) : [])].join('\n\n');
  const now = authorisedNow({ authorised: authorized, ...defined({ noShell }) }, textsOf(documents['granted']));
  const flag = handOff?.kind === 'escalation' ? undefined : flagIn(said, now);
  const noticed = unlessEmpty(noticedIn(said));
  // The rows of a hand-off are JSON.
  return { result: (handOff as Json | undefined) ?? reply, values: { ...valuesOf(handOff), ...defined({ flag, noticed }) } };
}

function textsOf(document: Json | undefined): string[] {
  return Array.isArray(document) ? document.filter((one) => typeof one === 'string') : [];
}

function textOf(document: Json | undefined): string {
  return typeof document === 'string' ? document : JSON.stringify(document ?? '');
}

function valuesOf(handOff: HandOff | undefined): HandOffValues {
  switch (handOff?.kind) {
    case undefined:
    case 'execution':
      return { kind: 'execution' };
    case 'plan':
      return { kind: 'plan', subtasks: handOff.subtasks.map(plannedTask) };
    case 'review':
      return { kind: 'review', verdict: handOff.verdict };
    case 'escalation':
      return { kind: 'escalation', severity: handOff.severity, reason: brief(handOff.reason) };
  }
}

function plannedTask({ id, title, order, depends_on, role }: PlannedTask): PlannedTask {
  return { id, title: shortened(title, MOST_TITLE), ...defined({ order, depends_on, role }) };
}

const MOST_TITLE = 100;

function textsIn(handOff: HandOff): string[] {
  switch (handOff.kind) {
    case 'plan':
      return handOff.rationale === undefined ? [] : [handOff.rationale];
    case 'execution':
      return [handOff.output, ...(handOff.notes === undefined ? [] : [handOff.notes])];
    case 'review':
      return [handOff.rationale];
    case 'escalation':
      return [handOff.reason];
  }
}

/** Announced destruction stops a role only if nothing authorises it. */
function flagIn(said: string, authorized: readonly string[]): Flag | undefined {
  const [destruction] = findDestruction(said).filter(({ category }) => unauthorised(authorized, [category]).length > 0);
  if (destruction) return { kind: 'destructive', reason: brief(`announces ${destruction.category}: ${destruction.sentence}`) };
  const blocked = findBlocked(said);
  return blocked === undefined ? undefined : { kind: 'blocked', reason: brief(blocked) };
}

function noticedIn(said: string): string[] {
  const banned = [...findBannedPhrases(said)].map(([phrase, times]) => `"${phrase}"${times > 1 ? ` ${times} times` : ''}`);
  return [...(saysComplete(said) ? ['says that the whole brief is done'] : []), ...banned.map((one) => `says ${one}`)].slice(
    0,
    MOST_NOTICED,
  );
}

const MOST_NOTICED = 10;
