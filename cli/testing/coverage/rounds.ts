import { CONDITION_IS_FALSE } from '../../../plan/expressions/explain-condition';
import type { JournalEntry } from '../../../plan/run/journal';
import type { RunView } from '../../../plan/run/status';
import { formatPath, parseAddress, stepIdOf } from '../../../plan/steps/address';
import type { VerdictRecord } from '../../../plan/steps/verdict';

/** What happened in one round of one execution of a step. */
export interface RoundFacts {
  step: string;
  started: boolean;
  /** Skipped because its condition is false. */
  refused: boolean;
  /** Code of the current failure, and whether the step settled with it. */
  failure?: string;
  failed: boolean;
  /** Its rounds were over, without reaching their goal. */
  exhausted: boolean;
  held: boolean;
  gates: number;
  decisions: string[];
  timedOut: boolean;
  /** Sent back by a step, by its id. */
  sentBackBy?: string;
  verdict?: VerdictRecord;
}

/** The message of a loop of rounds. */
const ROUNDS_ARE_OVER = 'its rounds are over';

/** Every round of every step of the run itself, in the order in which they began. */
export function roundsOf(journal: readonly JournalEntry[], view: RunView): RoundFacts[] {
  const rounds = new Map<string, RoundFacts>();
  const at = (name: string): RoundFacts | undefined => {
    const address = parseAddress(name);
    if (!address) return undefined;
    const key = `${formatPath(address.path)}#${address.round}`;
    const known = rounds.get(key) ?? freshRound(stepIdOf(address));
    rounds.set(key, known);
    return known;
  };
  for (const entry of journal) {
    const round = 'step' in entry && entry.step !== undefined ? at(entry.step) : undefined;
    if (round) noteEntry(entry, round);
  }
  for (const step of view.steps) {
    const path = step.address.split(/[#~]/)[0] ?? '';
    for (const one of [...(step.superseded ?? []), step]) {
      const round = rounds.get(`${path}#${one.round}`);
      if (!round) continue;
      if (one.verdict) round.verdict = one.verdict;
      if (one.error && round.failure === undefined) round.failure = one.error.code;
    }
  }
  return [...rounds.values()];
}

function freshRound(step: string): RoundFacts {
  return { step, started: false, refused: false, held: false, gates: 0, decisions: [], timedOut: false, failed: false, exhausted: false };
}

function noteEntry(entry: JournalEntry, round: RoundFacts): void {
  switch (entry.kind) {
    case 'step':
      if (entry.state === 'superseded') round.sentBackBy = /^sent back by (?:.*\/)?([^/]+?)(?:#\d+)?$/.exec(entry.reason ?? '')?.[1] ?? '';
      else if (entry.state === 'held') round.held = true;
      else if (entry.state === 'skipped') round.refused ||= entry.reason?.startsWith(CONDITION_IS_FALSE) === true;
      else if (entry.state === 'running') round.started = true;
      if (entry.reason === ROUNDS_ARE_OVER) round.exhausted = true;
      if (entry.error && (entry.state === 'failed' || entry.state === 'skipped')) {
        round.failure = entry.error.code;
        round.failed = true;
      }
      return;
    case 'gate':
      if (entry.event === 'opened') round.gates += 1;
      else if (entry.reason === 'timed-out') round.timedOut = true;
      return;
    case 'decision':
      round.decisions.push(entry.decision.choice);
      return;
    default:
      return;
  }
}
