import { ThermidorFailure } from '../plan/failure';
import { field, isJsonObject, type Json, type JsonObject } from '../plan/json';

/**
 * How a log has one writer at a time, whatever process writes: a writer claims the log by a line, and signs those that it adds. Pure.
 *
 * Invariants: 1. a line counts where its writer's claim is the last one before it that counts; 2. so a line that counts does so forever,
 * and a
 * writer that was stopped and continues later changes nothing; 3. a claim does not count behind one of an attempt that was scheduled
 * later: who
 * was stopped before it claimed takes nothing from the attempt running; 4. lines without a signature count: logs of earlier versions have
 * no claims, and their claims have no time.
 */
export interface Claim {
  writer: string;
  /** When the attempt was scheduled, by the server's clock. */
  scheduledAtMs?: number;
}

export function claimLine({ writer, scheduledAtMs }: Claim): JsonObject {
  return { claimed: writer, ...(scheduledAtMs === undefined ? {} : { scheduledAtMs }) };
}

export function signed(line: Json, writer: string): Json {
  return isJsonObject(line) ? { ...line, writer } : line;
}

/** The lines that count, as they were given to be written. */
export function standingLines(lines: readonly Json[]): Json[] {
  let owner: Claim | undefined;
  return lines.flatMap((line): Json[] => {
    const claim = claimIn(line);
    if (claim) {
      owner = laterOf(owner, claim);
      return [];
    }
    if (!isJsonObject(line) || typeof line['writer'] !== 'string') return [line];
    const { writer, ...said } = line;
    return writer === owner?.writer ? [said] : [];
  });
}

/** Whose a log is behind some more lines. */
export function ownerAfter(owner: Claim | undefined, lines: readonly Json[]): Claim | undefined {
  return lines.reduce<Claim | undefined>((before, line) => laterOf(before, claimIn(line) ?? before), owner);
}

/** Of two claims, in the order in which they were written, the one that counts. */
export function laterOf(before: Claim | undefined, next: Claim | undefined): Claim | undefined {
  if (!before || !next) return next ?? before;
  const isEarlier = (next.scheduledAtMs ?? Number.POSITIVE_INFINITY) < (before.scheduledAtMs ?? Number.NEGATIVE_INFINITY);
  return isEarlier ? before : next;
}

function claimIn(line: Json): Claim | undefined {
  const [claimed, scheduledAtMs] = [field(line, 'claimed'), field(line, 'scheduledAtMs')];
  if (typeof claimed !== 'string') return undefined;
  return { writer: claimed, ...(typeof scheduledAtMs === 'number' ? { scheduledAtMs } : {}) };
}

/** What a worker fails with that was taken for lost while it was not. Nobody waits for its answer any more. */
export function superseded(what: string): ThermidorFailure {
  return new ThermidorFailure('worker.lost', `another worker has taken over ${what} meanwhile`);
}
