import { defined } from '../../plan/defined';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import { ControlContent } from '../control-content';
import type { ClaimedLog, FollowedLog, Ledger, RecordLog, RunKey } from '../ledger';
import { ClaimedLines, claimLine, isSupersededClaim, signedLine } from '../log-writer-claims';
import { RecordLines } from '../record-lines';
import type { ListedRun, RunIndex } from '../run-index';
import { describeContent, requireDigest } from '../stored-content';

/** Outputs by digest. `base` holds what many tests share: the plan's blobs. */
export class MemoryArtifacts implements ArtifactStore {
  private readonly own = new Map<string, Buffer>();

  constructor(
    private readonly base: ReadonlyMap<string, Buffer> = new Map(),
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
  ) {}

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const { bytes, ref } = await describeContent(content, as, this.limitBytes);
    // The caller may use its bytes again.
    if (!this.base.has(ref.sha256)) this.own.set(ref.sha256, typeof content === 'string' ? bytes : Buffer.from(bytes));
    return ref;
  }

  batch(): ArtifactBatch {
    return { put: (content, as) => this.put(content, as), sync: async () => undefined };
  }

  async get({ sha256 }: OutputDigest): Promise<Buffer> {
    return this.read(sha256);
  }

  read(sha256: string): Buffer {
    const found = this.own.get(requireDigest(sha256)) ?? this.base.get(sha256);
    if (!found) throw new ThermidorFailure('artifact.missing', `artifact ${sha256} is not in the store`, { sha256 });
    return found;
  }

  async has({ sha256 }: OutputDigest): Promise<boolean> {
    return this.own.has(requireDigest(sha256)) || this.base.has(sha256);
  }

  async locate(): Promise<undefined> {
    return undefined;
  }
}

/** Control content. `plans`: those that many tests share, by digest. */
export class MemoryControl extends ControlContent {
  constructor(plans?: ReadonlyMap<string, Buffer>) {
    super((kind) => new MemoryArtifacts(kind === 'plan' ? plans : undefined));
  }
}

/** Records and logs of the runs of one test. */
export class MemoryLedger implements Ledger {
  private readonly records = new Map<string, Json>();
  private readonly logs = new Map<string, ClaimedLines>();
  private readonly recordLogs = new Map<string, Json[]>();
  private readonly added = new Map<string, number>();
  private writers = 0;

  async get(run: RunKey, name: string): Promise<Json | undefined> {
    return this.records.get(keyOf(run, name));
  }

  async putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json> {
    return putIfAbsent(this.records, keyOf(run, name), value);
  }

  async append(run: RunKey, log: string, ...lines: readonly Json[]): Promise<void> {
    this.noteAdded(run, log);
    for (const line of lines) this.log(run, log).take(line);
  }

  async note(run: RunKey, log: string, line: Json): Promise<void> {
    await this.append(run, log, line);
  }

  async claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog> {
    const lines = this.log(run, log);
    const writer = this.nextWriter();
    this.noteAdded(run, log);
    lines.take(claimLine({ writer, ...defined({ scheduledAtMs }) }));
    const requireOwn = async (): Promise<void> => {
      if (lines.owner?.writer !== writer) throw isSupersededClaim(log);
    };
    const before = [...lines.valid];
    await requireOwn();
    const add = async (...added: readonly Json[]): Promise<void> => {
      await requireOwn();
      this.noteAdded(run, log);
      for (const line of added) lines.take(signedLine(line, writer));
    };
    return { before, requireOwn, append: add, note: add, sync: async () => undefined };
  }

  async lines(run: RunKey, log: string): Promise<Json[]> {
    return [...(this.logs.get(keyOf(run, log))?.valid ?? [])];
  }

  follow(run: RunKey, log: string): FollowedLog {
    return { lines: async () => this.log(run, log).valid };
  }

  async recordLog(run: RunKey, log: string): Promise<RecordLog> {
    const lines = made(this.recordLogs, keyOf(run, log), (): Json[] => []);
    const writer = this.nextWriter();
    const read = new RecordLines();
    let known = 0;
    const records = (): RecordLines => {
      for (const line of lines.slice(known)) read.take(line);
      known = lines.length;
      return read;
    };
    return {
      get: (name) => records().get(name),
      async putIfAbsent(name, value) {
        lines.push({ name, value, by: writer });
        const kept = records().get(name);
        if (kept === undefined) throw isSupersededClaim(name);
        return kept;
      },
      claim: async (names, scheduledAtMs) => void lines.push({ claim: writer, names: [...names], ...defined({ scheduledAtMs }) }),
      async begin(name) {
        const before = records().hasBegun(name);
        lines.push({ name, begun: writer, at: Date.now() });
        if (records().writerOf(name) !== writer) throw isSupersededClaim(name);
        return before;
      },
      begins: (name) => records().begins(name),
      sync: async () => undefined,
      close: async () => undefined,
    };
  }

  /** The runs that have something here, and the names of their logs. */
  runs(): { key: RunKey; logs: string[] }[] {
    const found = new Map<string, { key: RunKey; logs: string[] }>();
    for (const name of [...this.records.keys(), ...this.recordLogs.keys(), ...this.logs.keys()]) {
      const [workflowId = '', run = '', log = ''] = name.split('\n');
      const known = made(found, keyOf({ workflowId, run }, ''), () => ({ key: { workflowId, run }, logs: [] }));
      if (this.logs.has(name)) known.logs.push(log);
    }
    return [...found.values()];
  }

  private noteAdded(run: RunKey, log: string): void {
    this.added.set(keyOf(run, log), Date.now());
  }

  /** When something was added to a log last, in milliseconds since the epoch. */
  lastAdded(workflowId: string, run: string, log: string): number {
    return this.added.get(keyOf({ workflowId, run }, log)) ?? 0;
  }

  private log(run: RunKey, log: string): ClaimedLines {
    return made(this.logs, keyOf(run, log), () => new ClaimedLines());
  }

  private nextWriter(): string {
    this.writers += 1;
    return `writer-${this.writers}`;
  }
}

/** What a ledger has, by runs. */
export class MemoryRuns implements RunIndex {
  constructor(private readonly ledger: MemoryLedger) {}

  async list(beginning = ''): Promise<ListedRun[]> {
    const keys = this.ledger.runs().map(({ key }) => key);
    return keys.filter(({ workflowId }) => workflowId.startsWith(beginning)).map((key) => ({ ...key, place: '' }));
  }

  async runsOf(workflowId: string): Promise<RunKey[]> {
    return this.ledger.runs().flatMap(({ key }) => (key.workflowId === workflowId ? [key] : []));
  }

  async *logs({ workflowId = '', run }: ListedRun | RunKey, endings: readonly string[], sinceMs = 0): AsyncGenerator<Json[]> {
    const found = this.ledger.runs().find(({ key }) => key.workflowId === workflowId && key.run === run);
    for (const log of found?.logs ?? []) {
      const isMeant = endings.some((ending) => log.endsWith(ending)) && this.ledger.lastAdded(workflowId, run, log) >= sinceMs;
      if (isMeant) yield await this.ledger.lines({ workflowId, run }, log);
    }
  }

  async extent(run: ListedRun | RunKey, endings: readonly string[]): Promise<number> {
    let lines = 0;
    for await (const log of this.logs(run, endings)) lines += log.length;
    return lines;
  }
}

/** What the map has under the key, made if it has nothing. */
function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

function putIfAbsent(records: Map<string, Json>, key: string, value: Json): Json {
  const before = records.get(key);
  if (before !== undefined) return before;
  records.set(key, value);
  return value;
}

function keyOf({ workflowId, run }: RunKey, name: string): string {
  return `${workflowId}\n${run}\n${name}`;
}
