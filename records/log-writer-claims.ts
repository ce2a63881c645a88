import { defined } from '../plan/defined';
import { ThermidorFailure } from '../plan/run/failure';
import { field, isJsonObject, type Json, type JsonObject } from '../plan/text/json';

/**
 * How a log has one writer at a time, whatever process writes: a writer claims the log by a line, and signs the lines that it adds. Pure.
 *
 * Invariants: 1. a line counts if its writer's claim is the last one before it that counts; 2. so a line that counts does so forever, and a
 * writer that was stopped and continues later changes nothing; 3. a claim does not count after one of an attempt that was scheduled later:
 * a worker that was stopped before it claimed takes nothing from the running attempt; 4. lines without a signature count: a log to which
 * anybody appends has no claims, and a claim may come without a time.
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

/** Collects the lines of a log, one after the other. */
export class ClaimedLines {
  owner: WriterClaim | undefined;
  /** The valid lines as they were given. */
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

/** Who owns the log after these lines. */
export function ownerAfter(owner: WriterClaim | undefined, lines: readonly Json[]): WriterClaim | undefined {
  return lines.reduce<WriterClaim | undefined>((before, line) => laterClaim(before, claimIn(line) ?? before), owner);
}

/** Which of two claims counts, in the order in which they were written. */
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

/** The failure of a worker that was wrongly taken for lost. Nobody waits for its answer any more. */
export function isSupersededClaim(what: string): ThermidorFailure {
  return new ThermidorFailure('worker.lost', `another worker has taken over ${what} meanwhile`);
}
