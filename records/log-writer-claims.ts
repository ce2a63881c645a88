import { defined } from '../plan/defined';
import { ThermidorFailure } from '../plan/run/failure';
import { field, isJsonObject, type Json, type JsonObject } from '../plan/text/json';

/**
 * How a log has one writer at a time, whatever process writes: a writer claims the log by a line, and signs those that it adds. Pure.
 *
 * Invariants: 1. a line counts where its writer's claim is the last one before it that counts; 2. so a line that counts does so forever,
 * and a
 * writer that was stopped and continues later changes nothing; 3. a claim does not count behind one of an attempt that was scheduled
 * later: who
 * was stopped before it claimed takes nothing from the attempt running; 4. lines without a signature count: a log to which anybody appends has no
 * claims, and a claim may come without a time.
 */
export interface WriterClaim {
  writer: string;
  /** When the attempt was scheduled, by the server's clock. */
  scheduledAtMs?: number;
}

export function claimLine({ writer, scheduledAtMs }: WriterClaim): JsonObject {
  return { claimed: writer, ...defined({ scheduledAtMs }) };
}

export function signedLine(line: Json, writer: string): Json {
  return isJsonObject(line) ? { ...line, writer } : line;
}

/** The lines that count, as they were given to be written. */
export function validLines(lines: readonly Json[]): Json[] {
  const log = new ClaimedLines();
  for (const line of lines) log.take(line);
  return log.valid;
}

/** What the lines of a log come to, one after the other. */
export class ClaimedLines {
  owner: WriterClaim | undefined;
  /** As they were given to be written. */
  readonly valid: Json[] = [];

  take(line: Json): void {
    const claim = claimIn(line);
    if (claim) {
      this.owner = laterClaim(this.owner, claim);
      return;
    }
    if (!isJsonObject(line) || typeof line['writer'] !== 'string') {
      this.valid.push(line);
      return;
    }
    const { writer, ...said } = line;
    if (writer === this.owner?.writer) this.valid.push(said);
  }
}

/** Whose a log is behind some more lines. */
export function ownerAfter(owner: WriterClaim | undefined, lines: readonly Json[]): WriterClaim | undefined {
  return lines.reduce<WriterClaim | undefined>((before, line) => laterClaim(before, claimIn(line) ?? before), owner);
}

/** Of two claims, in the order in which they were written, the one that counts. */
export function laterClaim(before: WriterClaim | undefined, next: WriterClaim | undefined): WriterClaim | undefined {
  if (!before || !next) return next ?? before;
  const isEarlier = (next.scheduledAtMs ?? Number.POSITIVE_INFINITY) < (before.scheduledAtMs ?? Number.NEGATIVE_INFINITY);
  return isEarlier ? before : next;
}

function claimIn(line: Json): WriterClaim | undefined {
  const [claimed, scheduledAtMs] = [field(line, 'claimed'), field(line, 'scheduledAtMs')];
  if (typeof claimed !== 'string') return undefined;
  return { writer: claimed, ...(typeof scheduledAtMs === 'number' ? { scheduledAtMs } : {}) };
}

/** What a worker fails with that was taken for lost while it was not. Nobody waits for its answer any more. */
export function isSupersededClaim(what: string): ThermidorFailure {
  return new ThermidorFailure('worker.lost', `another worker has taken over ${what} meanwhile`);
}
