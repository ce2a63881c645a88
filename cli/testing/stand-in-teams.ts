import type { TeamAsker } from '../../activities/team-port';
import type { TaskStandIn } from '../../compiler/test-file/test-file';
import { replyFits } from '../../plan/agents/script';
import type { TaskOutcome } from '../../plan/board/asked-task';
import { defined, ifDefined } from '../../plan/defined';
import { type AskedBy, ticketId } from '../../plan/queue/ticket';
import { bug } from '../../plan/run/failure';
import { stepIdOf } from '../../plan/steps/address';
import { addressOfCall } from '../../plan/steps/call-address';
import type { Step } from '../../plan/steps/step';
import { turnsIn } from '../../plan/steps/walk';
import { unreachable } from '../../plan/unreachable';
import { readAsked, recordTaken, recordTaskOutcome } from '../../records/asked-tasks';
import type { Ledger } from '../../records/ledger';
import type { PendingWork } from './pending-work';

/** Tasks that teams have taken in a test, by the id of the team's run, in the order of their numbers. */
export type TakenTasks = Map<string, string[]>;

/** The run that asks, and where its team finds things. */
export interface AskingRun {
  ledger: Ledger;
  taken: TakenTasks;
  meter: PendingWork;
  steps: ReadonlyMap<string, Step>;
  standIns: Readonly<Record<string, readonly TaskStandIn[]>>;
  wake(asked: AskedBy): void;
}

/**
 * The teams of a test: each takes every task, and writes what the test says of it into the ledger of the run that asks, as a team does. A
 * task of which the test says nothing is done at once, without a result.
 */
export function standInTeams({ ledger, taken, meter, steps, standIns, wake }: AskingRun): TeamAsker {
  return {
    async ask(team, asked) {
      const found = await readAsked(ledger, asked);
      if (!found) throw bug(`a team is asked for a task that "${asked.name}" does not have`);
      const { outcome, afterMs = 0 } = standInFor(asked, found.task.subject, { steps, standIns });
      if (outcome.kind === 'no-team') return false;
      const known = taken.get(team) ?? [];
      if (known.includes(ticketId(asked))) return true;
      const id = known.push(ticketId(asked));
      taken.set(team, known);
      if (outcome.kind !== 'refused') await recordTaken(ledger, asked, id);
      const ended = outcomeOf(id, outcome);
      if (!ended) return true;
      if (afterMs === 0) await recordTaskOutcome(ledger, asked, ended);
      else
        meter.alarm(afterMs, () => {
          void meter.measure(() => recordTaskOutcome(ledger, asked, ended)).then(() => wake(asked));
        });
      return true;
    },
  };
}

const DONE: TaskStandIn = { outcome: { kind: 'completed' } };

function standInFor(asked: AskedBy, subject: string, { steps, standIns }: Pick<AskingRun, 'steps' | 'standIns'>): TaskStandIn {
  const address = addressOfCall({ id: asked.name });
  if (!address) throw bug(`the task "${asked.name}" belongs to no step`);
  const id = stepIdOf(address);
  const list = Object.hasOwn(standIns, id) ? standIns[id] : undefined;
  const at = { round: address.round, try: address.try, ask: 1, iterations: turnsIn(address, steps) };
  return list?.find((one) => subject.includes(one.subject ?? '') && replyFits(one, at)) ?? DONE;
}

/** Undefined: nothing comes of it. */
function outcomeOf(id: number, outcome: Exclude<TaskStandIn['outcome'], { kind: 'no-team' }>): TaskOutcome | undefined {
  switch (outcome.kind) {
    case 'completed': {
      const { owner, attempts = 1, result } = outcome;
      return { kind: 'completed', id, attempts, ...defined({ owner, result: ifDefined(result, (text) => ({ text })) }) };
    }
    case 'dropped':
      return { kind: 'dropped', id, reason: outcome.reason };
    case 'refused':
      return { kind: 'refused', message: outcome.reason };
    case 'left':
      return { kind: 'left', id };
    case 'hangs':
      return undefined;
    default:
      return unreachable(outcome);
  }
}
