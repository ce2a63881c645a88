import { field, isJsonObject, type Json } from '../plan/text/json';
import { laterClaim, type WriterClaim } from './log-writer-claims';

/**
 * The meaning of a record log's lines, read one after the other. Pure.
 *
 * `{claim, names}`: a writer does the work with these names from now on, and the work below them (`name/…`), unless an attempt that was
 * scheduled later (`scheduledAtMs`) has claimed them before. `{name, begun, at}`: a writer begins at this moment of its clock; it counts
 * while nobody claimed the name after it. `{name, value, by}`: the result.
 *
 * Invariants: 1. of the values with one name the first that counts stays; 2. a value does not count once another writer has begun the same:
 * the last writer to begin does the work; 3. lines that name no writer count.
 */
export class RecordLines {
  private readonly values = new Map<string, Json>();
  private readonly claims = new Map<string, ClaimInLog>();
  private readonly begun = new Map<string, { by: string; atMs: number[] }>();
  private count = 0;

  take(line: Json): void {
    this.count += 1;
    const [claim, names, name] = [field(line, 'claim'), field(line, 'names'), field(line, 'name')];
    if (typeof claim === 'string' && Array.isArray(names)) {
      const scheduledAtMs = field(line, 'scheduledAtMs');
      const made = { writer: claim, at: this.count, ...(typeof scheduledAtMs === 'number' ? { scheduledAtMs } : {}) };
      for (const one of names) if (typeof one === 'string') this.claims.set(one, lastOf(this.claims.get(one), made));
      return;
    }
    if (typeof name !== 'string' || !isJsonObject(line)) return;
    const { begun, value, by } = line;
    if (typeof begun === 'string') {
      if (this.writerOf(name) === begun) this.noteBegin(name, begun, line['at']);
    } else if (value !== undefined && !this.values.has(name) && this.mayRecord(name, by)) this.values.set(name, value);
  }

  get(name: string): Json | undefined {
    return this.values.get(name);
  }

  /** The last writer that claimed it, or a name above it. */
  writerOf(name: string): string | undefined {
    let last = this.claims.get(name);
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const above = this.claims.get(name.slice(0, end));
      if (above) last = lastOf(last, above);
    }
    return last?.writer;
  }

  hasBegun(name: string): boolean {
    return this.begun.has(name);
  }

  /** When each writer whose beginning counts began it, the first one first. */
  begins(name: string): readonly number[] {
    return this.begun.get(name)?.atMs ?? [];
  }

  private noteBegin(name: string, by: string, atMs: Json | undefined): void {
    const known = this.begun.get(name) ?? { by, atMs: [] };
    known.by = by;
    if (typeof atMs === 'number' && Number.isFinite(atMs)) known.atMs.push(atMs);
    this.begun.set(name, known);
  }

  private mayRecord(name: string, by: Json | undefined): boolean {
    return by === undefined || (this.begun.get(name)?.by ?? by) === by;
  }
}

interface ClaimInLog extends WriterClaim {
  /** Its place in the log. */
  at: number;
}

function lastOf(one: ClaimInLog | undefined, other: ClaimInLog): ClaimInLog {
  if (!one) return other;
  const [before, next] = one.at < other.at ? [one, other] : [other, one];
  return laterClaim(before, next) === before ? before : next;
}
