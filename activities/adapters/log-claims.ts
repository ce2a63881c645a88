import { ThermidorFailure } from '../../plan/failure';
import { field, isJsonObject, type Json } from '../../plan/json';

/**
 * How a log has one writer at a time, whatever process writes: a writer claims the log by a line, and signs those that it adds. Pure.
 *
 * Invariants: 1. a line counts where its writer's claim is the last one before it; 2. so a line that counts does so for ever, and a writer
 * that was stopped and goes on later changes nothing; 3. lines without a signature count: logs of earlier versions have no claims.
 */
export function claimLine(writer: string): Json {
  return { claimed: writer };
}

export function signed(line: Json, writer: string): Json {
  return isJsonObject(line) ? { ...line, writer } : line;
}

/** The lines that count, as they were given to be written. */
export function standingLines(lines: readonly Json[]): Json[] {
  let owner: string | undefined;
  return lines.flatMap((line): Json[] => {
    const claimed = claimantIn(line);
    if (claimed !== undefined) {
      owner = claimed;
      return [];
    }
    if (!isJsonObject(line) || typeof line['writer'] !== 'string') return [line];
    const { writer, ...said } = line;
    return writer === owner ? [said] : [];
  });
}

/** Whether somebody else claims the log in these lines, behind the claim of this writer where that is among them. */
export function isSuperseded(lines: readonly Json[], writer: string): boolean {
  const own = lines.findIndex((line) => claimantIn(line) === writer);
  return lines.some((line, at) => at > own && (claimantIn(line) ?? writer) !== writer);
}

function claimantIn(line: Json): string | undefined {
  const claimed = field(line, 'claimed');
  return typeof claimed === 'string' ? claimed : undefined;
}

/** What a worker fails with that was taken for lost while it was not. Nobody waits for its answer any more. */
export function superseded(what: string): ThermidorFailure {
  return new ThermidorFailure('worker.lost', `another worker has taken over ${what} meanwhile`);
}
