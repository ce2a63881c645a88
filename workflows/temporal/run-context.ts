import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  metricMeter,
  setCurrentDetails,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  type WorkflowInfo,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../../plan/defined';
import { SCHEDULED_AT, SCHEDULED_BY } from '../../plan/people/starter';
import type { RunInput } from '../../plan/run/run-input';
import { RUN_MEMO_KEYS, type RunMemo } from '../../plan/run/run-memo';
import { STEPS_ENDED } from '../../plan/run/step-state';
import { isWithinAny } from '../interpreter/scheduling/place';
import type { Publication, RunContext, RunInfo } from '../run-context';
import { call, callLocal, isUnproven, translated } from './activity-calls';
import { cancelChildRun, signalRun, startChildRun } from './children';
import { registerHandlers } from './message-handlers';
import { oneByOne } from './one-by-one';

/** Says nothing while history is replayed. */
const stepsEnded = metricMeter.createCounter(STEPS_ENDED.name, '', STEPS_ENDED.help);

/** A scope of one activity or timer. Its `run` returns the promise of what it starts; the SDK's makes four more. */
class OwnScope extends CancellationScope {
  protected override runInContext<T>(start: () => Promise<T>): Promise<T> {
    return start();
  }
}

/**
 * Binds the interpreter's port to Temporal.
 *
 * Below a scope that cannot be cancelled, so that cancelling a run cancels nothing by itself, there is one for the work of the run itself,
 * one for each activity of a place, and one for each timer. `run` executes the interpreter inside the scope of work.
 *
 * @param input says whether the execution continues one: that the server has continued it says little, because cron, a retry policy and a
 * reset do so with the input and the memo of the starter
 */
export function temporalRunContext(input: RunInput): { context: RunContext; run: <T>(interpreter: () => Promise<T>) => Promise<T> } {
  const root = CancellationScope.current();
  const shelter = new CancellationScope({ cancellable: false, parent: root });
  let work = new CancellationScope({ cancellable: true, parent: shelter });
  /** Activities that can be cancelled, each with its place and, if that has one, its own scope. */
  const underWay = new Map<Promise<unknown>, { place: string; scope: CancellationScope } | undefined>();
  const inTurn = oneByOne();

  function within<T>(scope: CancellationScope, start: () => Promise<T>): Promise<T> {
    return CancellationScope.current() === scope ? start() : scope.run(start);
  }

  const context: RunContext = {
    info: runInfo(input),
    now: () => Date.now(),
    random: () => Math.random(),
    activity(name, input, options) {
      const kept = options.kept === true;
      const place = options.within;
      const own = place === undefined || kept ? undefined : { place, scope: new OwnScope({ cancellable: true, parent: shelter }) };
      const scope = kept ? shelter : (own?.scope ?? work);
      const begin = () => within(scope, () => (options.local ? inTurn(() => callLocal(name, input, options)) : call(name, input, options)));
      const done = <T>(result: T): T => {
        underWay.delete(promise);
        return result;
      };
      const failed = (error: unknown): never => {
        underWay.delete(promise);
        throw translated(error);
      };
      const promise: ReturnType<typeof begin> = begin().then(done, (error: unknown) =>
        isUnproven(error) ? begin().then(done, failed) : failed(error),
      );
      if (!kept) underWay.set(promise, own);
      return promise;
    },
    async cancelActivities(place, itself) {
      const meant = (own: string) => place === undefined || isWithinAny(own, place, itself);
      const off = [...underWay].filter(([, own]) => (own ? meant(own.place) : place === undefined));
      // Inner ones of containers first: the order in which runs have always done it.
      const scopes = off.flatMap(([, own]) => own ?? []);
      for (const { scope } of [...scopes.filter((own) => own.place.includes('/')), ...scopes.filter((own) => !own.place.includes('/'))])
        scope.cancel();
      if (place === undefined) {
        work.cancel();
        // Work that a run begins after it has cancelled everything, in its `finally`, is not cancelled with it.
        work = new CancellationScope({ cancellable: true, parent: shelter });
      }
      await Promise.allSettled(off.map(([promise]) => promise));
    },
    startChild: (child) => startChildRun(shelter, child),
    signal: (workflowId, name, payload) => signalRun(shelter, workflowId, name, payload),
    cancelChild: (workflowId, reason) => cancelChildRun(shelter, workflowId, reason),
    timer(ms) {
      const scope = new OwnScope({ cancellable: true, parent: shelter });
      const promise = scope
        .run(() => sleep(ms))
        .catch((error: unknown) => {
          throw translated(error);
        });
      return { promise, cancel: () => scope.cancel() };
    },
    listen: (inbound) => registerHandlers(root, inbound),
    publish,
    stepEnded: (kind, end) => stepsEnded.add(1, { kind, end }),
    historyFill: historyFill(),
    continueAsNew: (input, memo) => makeContinueAsNewFunc({ memo: { ...workflowInfo().memo, ...memo } })(input),
    handlersFinished: () => within(shelter, () => condition(allHandlersFinished)),
  };
  const first = work;
  return { context, run: (interpreter) => first.run(interpreter) };
}

function runInfo({ resume }: RunInput): RunInfo {
  const info = workflowInfo();
  const isFirst = !resume;
  const attributes = info.typedSearchAttributes.getAll();
  const attribute = (name: string) => attributes.find(({ key }) => key.name === name)?.value;
  const [scheduledBy, scheduledAt] = [attribute(SCHEDULED_BY), attribute(SCHEDULED_AT)];
  return {
    workflowId: info.workflowId,
    runId: info.runId,
    firstRunId: info.firstExecutionRunId,
    workflowType: info.workflowType,
    startedAtMs: isFirst ? info.startTime.getTime() : inheritedStart(info),
    namespace: info.namespace,
    searchAttributes: attributes.map(({ key }) => key.name),
    ...defined({
      scheduledBy: typeof scheduledBy === 'string' ? scheduledBy : undefined,
      scheduledAt: scheduledAt instanceof Date ? scheduledAt.toISOString() : undefined,
      memo: info.memo && isFirst ? Object.keys(info.memo) : undefined,
    }),
  };
}

/** What the server takes for a full history by itself. */
const FULL_EVENTS = 4096;
const FULL_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 1024 * 1024;

/**
 * Full is what the server suggests. Where plan and state alone are so large that it suggests so soon after the start, or before any step
 * has begun, executions would do little but hand over: there what has come since counts.
 */
function historyFill(): () => number {
  let begun: HistorySize | undefined;
  let full: HistorySize | undefined;
  return () => {
    const now = workflowInfo();
    begun ??= now;
    if (!now.continueAsNewSuggested) return 0;
    const beganLarge = begun.continueAsNewSuggested || begun.historySize >= LARGE_BYTES;
    if (beganLarge) return Math.floor(growth(begun, now));
    full ??= now;
    return 1 + Math.floor(growth(full, now));
  };
}

type HistorySize = Pick<WorkflowInfo, 'continueAsNewSuggested' | 'historyLength' | 'historySize'>;

/** In full histories. */
function growth(from: HistorySize, to: HistorySize): number {
  return Math.max((to.historyLength - from.historyLength) / FULL_EVENTS, (to.historySize - from.historySize) / FULL_BYTES);
}

/**
 * What the execution before handed on. A run whose state it is to continue from was opened before, and its record has when that was;
 * nothing is decided by this.
 */
function inheritedStart({ memo, startTime }: WorkflowInfo): number {
  const inherited = memo?.['startedAt'];
  const at = typeof inherited === 'string' ? Date.parse(inherited) : Number.NaN;
  return Number.isNaN(at) ? startTime.getTime() : at;
}

/** Keys of the memo that the run does not have: an upsert leaves unnamed keys unchanged. */
function withdrawn(memo: RunMemo): Partial<Record<keyof RunMemo, null>> {
  const shown = workflowInfo().memo ?? {};
  return Object.fromEntries(RUN_MEMO_KEYS.filter((key) => key in shown && !(key in memo)).map((key) => [key, null]));
}

function publish({ details, memo, searchAttributes }: Publication): void {
  // Rendered when somebody asks: a text for each change would cost a fifth of a run's time.
  if (details) setCurrentDetails({ toJSON: details });
  if (memo) upsertMemo({ ...withdrawn(memo), ...memo });
  if (!searchAttributes) return;
  upsertSearchAttributes(
    Object.entries(searchAttributes).map(([name, value]) => ({ key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value })),
  );
}
