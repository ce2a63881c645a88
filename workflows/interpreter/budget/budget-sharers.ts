import { goesOverItems } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import type { ControlStep } from '../../../plan/steps/control';
import { stepsWithin } from '../../../plan/steps/walk';
import type { AgentCallState } from '../context/attempt-log';
import { agentsAtWork } from '../context/open-entries';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isContainerPlace, type Place } from '../scheduling/place';
import { loopStateOf } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { type Account, covers } from './accounts';

/**
 * How many share what is left of an account: the asker, and all that could ask at the same time, because they have begun or may begin and
 * hold nothing; including spawned children and their parents. A holder of a share already has its part.
 */
export function sharersOf(it: Interpreter, account: Account, asking: string, key: string): number {
  const { frames, run } = it;
  const { holdings } = run;
  const opened = new Set([...frames.keys()].map((frame) => frame.container?.path));
  const holding = new Set([...holdings.values()].map(({ path }) => path));
  let lanes = 1;
  for (const { scheduler } of frames.values()) {
    for (const place of scheduler.upcoming()) {
      if (place.path === asking || holding.has(place.path) || !covers(account, place.path)) continue;
      if (run.state.records[place.path]?.asked?.gate) continue;
      lanes += lanesIn(it, place, opened);
    }
  }
  for (const id of callsWithChildren(run, account)) if (id !== key && !holdings.has(id)) lanes += 1;
  return Math.min(lanes, run.plan.concurrent ?? lanes);
}

/** Children that have not ended, with their parents, by the addresses of their calls. */
function callsWithChildren(run: Run, account: Account): Set<string> {
  const found = new Set<string>();
  const visit = ({ spawned = [] }: AgentCallState): void => {
    for (const child of spawned) {
      if (child.result) continue;
      found.add(child.id).add(child.id.slice(0, child.id.lastIndexOf('/')));
      visit(child);
    }
  };
  for (const [path, record] of run.index.live(run.state.records)) {
    if (!covers(account, path)) continue;
    for (const { keeps } of agentsAtWork(record)) visit(keeps);
  }
  return found;
}

function lanesIn({ run }: Interpreter, { step, path }: Place, opened: ReadonlySet<string | undefined>): number {
  if (!isContainerPlace(step)) return usesBudget(step) && !hasWorked(step, run.state.records[path]) ? 1 : 0;
  if (!anyWithin(step)) return 0;
  if (!goesOverItems(step)) return opened.has(path) ? 0 : 1;
  const loop = loopStateOf(run.state.records[path]);
  if (!loop) return 1;
  // Iterations that may begin in addition to the running ones.
  return Math.max(0, Math.min((step.maxConcurrent ?? 1) - loop.live.length, loop.total - loop.next));
}

/** Whether all agents of a step have finished, although it has not settled yet. */
function hasWorked(step: ControlStep, record: StepRecord | undefined): boolean {
  const agents = (record?.attempt?.work ?? []).filter(({ kind }) => kind === 'agent');
  const all = 'critic' in step && step.critic !== undefined ? 2 : 1;
  return agents.length === all && agents.every(({ end }) => end && !end.failure);
}

function usesBudget({ kind }: ControlStep): boolean {
  return traitsOf(kind).reserves === true;
}

function anyWithin(step: ControlStep): boolean {
  return stepsWithin(step).some((inner) => usesBudget(inner) || anyWithin(inner));
}
