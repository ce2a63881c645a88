import type { ControlPlan } from '../../plan/steps/control';
import type { RunContext, RunInfo } from '../run-context';
import { createInterpreter } from './interpret';
import type { KindCode } from './interpreter';
import type { EndState } from './views/end-content';
import { answerQuery } from './views/queries';

/** Answers queries to a run that has ended, from what it left: as the run did, and without doing anything. */
export function recall(
  kinds: KindCode,
  info: Omit<RunInfo, 'startedAtMs' | 'namespace' | 'searchAttributes'>,
  plan: ControlPlan,
  { opened, state, ending }: EndState,
): (name: string, argument: unknown) => unknown {
  const startedAtMs = Date.parse(opened.startedAt);
  const never = new Promise<never>(() => undefined);
  const context: RunContext = {
    info: { ...info, startedAtMs, namespace: '', searchAttributes: [] },
    now: () => state.endedAtMs ?? startedAtMs,
    random: () => 0,
    activity: () => never,
    cancelActivities: async () => undefined,
    startChild: () => never,
    signal: () => never,
    cancelChild: () => undefined,
    timer: () => ({ promise: never, cancel: () => undefined }),
    listen: () => undefined,
    publish: () => undefined,
    historyFill: () => 0,
    continueAsNew: () => never,
    handlersFinished: async () => undefined,
  };
  const it = createInterpreter(context, kinds, { ...opened, plan }, state);
  if (ending) it.run.end(ending);
  return (name, argument) => answerQuery(it, name, argument);
}
