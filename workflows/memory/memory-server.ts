import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunInput } from '../../plan/run/run-input';
import type { RunResult } from '../../plan/run/run-result';
import type { ChildStart, Inbound, RunInfo, StartedChild } from '../run-context';
import { type ContinuedAsNew, execute } from './execution';
import type { MemoryOptions, MemoryRun } from './memory-run';
import type { VirtualClock } from './virtual-clock';

/** The runs of one test: the one that was started, and the children it starts, on one clock. */
export interface MemoryServer {
  start(child: ChildStart): ServedRun;
  readonly children: ReadonlyMap<string, ServedRun>;
}

export interface ServedRun extends Omit<MemoryRun, 'clock' | 'settle' | 'elapse' | 'children'> {
  readonly closed: boolean;
}

export function createMemoryServer(clock: VirtualClock, options: MemoryOptions): MemoryServer {
  const runs = new Map<string, ServedRun>();
  const children = new Map<string, ServedRun>();
  /** How often a workflow id has been started. */
  const starts = new Map<string, number>();

  function start(child: ChildStart): ServedRun & { firstRunId: string } {
    const { workflowId, workflowType, input } = child;
    if (runs.get(workflowId)?.closed === false) throw new ThermidorFailure('child.failed', `there is a workflow ${workflowId} already`);
    let details = (): string => '';
    const published: MemoryRun['published'] = {
      get details() {
        return details();
      },
    };
    const before = starts.get(workflowId) ?? 0;
    starts.set(workflowId, before + 1);
    const idOf = (execution: number): string => (before === 0 ? `run-${execution}` : `run-${execution}-${before + 1}`);
    let inbound: Inbound | undefined;
    let executions = 0;
    let closed = false;

    async function go(first: RunInput): Promise<RunResult> {
      let handedOn: ContinuedAsNew['memo'] = {};
      for (let next = first; ; ) {
        executions += 1;
        const info: RunInfo = {
          workflowId,
          runId: idOf(executions),
          firstRunId: idOf(1),
          workflowType,
          startedAtMs: handedOn.startedAt === undefined ? clock.now() : Date.parse(handedOn.startedAt),
          namespace: 'default',
          searchAttributes: [],
        };
        const end = await execute(
          {
            info,
            clock,
            perform: options.perform,
            ...defined({
              work: options.work,
              decide: options.decide,
              activitiesPerExecution: options.activitiesPerExecution,
              historyIsFull: options.historyIsFull,
              stepEnded: options.stepEnded,
            }),
            listen: (handlers) => {
              inbound = handlers;
            },
            publish: ({ details: rendered = details, memo, searchAttributes }) => {
              details = rendered;
              // As on a server: keys that the memo lacks are withdrawn. It never has the start.
              if (memo) published.memo = { ...defined({ startedAt: published.memo?.startedAt }), ...memo };
              if (searchAttributes) published.searchAttributes = { ...published.searchAttributes, ...searchAttributes };
            },
            startChild,
            signal,
            cancelChild: (id, reason) => runs.get(id)?.cancel(reason),
          },
          next,
        );
        if ('result' in end) return end.result;
        next = end.next;
        handedOn = end.memo;
        if (published.memo) Object.assign(published.memo, handedOn);
      }
    }

    const result = go(input).finally(() => {
      closed = true;
    });
    // The test reads the result when it wants to; until then a failure is not unhandled.
    result.catch(() => undefined);

    function handlers(): Inbound {
      if (!inbound) throw new TypeError('the run does not listen yet');
      return inbound;
    }

    const run = {
      firstRunId: idOf(1),
      result,
      published,
      get executions() {
        return executions;
      },
      get closed() {
        return closed;
      },
      signal: (name: string, payload?: unknown) => handlers().signal(name, payload),
      async update(name: string, payload?: unknown) {
        handlers().checkUpdate(name, payload);
        return handlers().update(name, payload);
      },
      query: (name: string, argument?: unknown) => handlers().query(name, argument),
      cancel: (reason?: string) => handlers().cancel(reason),
    };
    runs.set(workflowId, run);
    return run;
  }

  async function startChild(child: ChildStart): Promise<StartedChild> {
    const run = start(child);
    children.set(child.workflowId, run);
    const closed = run.result.then(
      () => undefined,
      () => undefined,
    );
    return { run: run.firstRunId, closed };
  }

  async function signal(workflowId: string, name: string, payload: object): Promise<void> {
    const run = runs.get(workflowId);
    if (!run || run.closed) throw new ThermidorFailure('child.lost', `${workflowId} is not running`);
    run.signal(name, structuredClone(payload));
  }

  return { start, children };
}
