import type { RunKey } from '../ledger';
import type { LogEntry, LogLine, LogWriter, StepLogs } from '../step-logs';

type Kept = { kind: 'line'; line: LogLine } | { kind: 'gap'; bytes: number };

/** A position is the number of entries before it. */
export class MemoryLogs implements StepLogs {
  private readonly runs = new Map<string, Map<string, Kept[]>>();

  open(run: RunKey, name: string): LogWriter {
    const add = (...entries: Kept[]): void => {
      const logs = this.logsOf(run);
      logs.set(name, [...(logs.get(name) ?? []), ...entries]);
    };
    return {
      add: (lines) => add(...lines.map((line) => ({ kind: 'line' as const, line }))),
      isBehind: false,
      leftOut: (bytes) => add({ kind: 'gap', bytes }),
      close: async () => undefined,
    };
  }

  async list(run: RunKey): Promise<string[]> {
    return [...this.logsOf(run).keys()];
  }

  async *read(run: RunKey, name: string, from = 0): AsyncGenerator<LogEntry> {
    const entries = this.logsOf(run).get(name) ?? [];
    for (const [at, entry] of entries.entries()) {
      if (at < from) continue;
      yield entry.kind === 'gap' ? { ...entry, next: at + 1 } : { kind: 'line', ...entry.line, next: at + 1 };
    }
  }

  async locate(): Promise<undefined> {
    return undefined;
  }

  private logsOf({ workflowId, run }: RunKey): Map<string, Kept[]> {
    const key = `${workflowId}\n${run}`;
    const logs = this.runs.get(key) ?? new Map<string, Kept[]>();
    this.runs.set(key, logs);
    return logs;
  }
}
