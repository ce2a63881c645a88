import type { BriefNote } from '../../../plan/brief/note';
import { defined } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import { unreachable } from '../../../plan/unreachable';
import { SINGLE_ROLE } from '../model';
import { answered, confirmed } from './answers';
import type { CoordinatorState, TeamRules } from './coordinator-state';
import { currentTask, dueIn, phaseOf } from './due';
import type { CoordinatorEvent, Due } from './events';
import { assignNext, execute, follow, halt, keepReply } from './moves';

/**
 * The coordinator of a brief as a pure machine: an event goes in, notes for the journal come out, and `dueIn` says what comes next. It
 * changes the given state, and nothing else. Invariants: 1. each event makes one transition; 2. a role that has replied is asked again
 * only because a judge or a person wants it, and judges have a limit; 3. whatever stops it is a `block` or an `escalate`, for a person.
 *
 * `init → plan → dispatch → execute → review_step → next_subtask → dispatch | complete`, `review_step → retry → execute`; from any state in
 * which an agent is asked to `block` or `escalate`.
 */
export function newCoordinator(team: TeamRules): CoordinatorState {
  return { at: 'init', team, calls: 0, requests: 0, asks: 0, subtasks: [] };
}

/** The state after what was replied and answered: in between it goes through what nobody is asked about. */
export function stateAfter(state: CoordinatorState, log: readonly CoordinatorEvent[]): CoordinatorState {
  const left = [...log];
  for (;;) {
    const due = dueIn(state);
    const event: CoordinatorEvent | undefined =
      due.kind === 'go' || (due.kind === 'confirm' && !due.isAsked) ? { kind: 'go' } : left.shift();
    if (due.kind === 'over' || !event) return state;
    handle(state, event);
  }
}

/** Fails with `internal` if the state does not wait for the event: the engine's calls and gates stop late, doubled and forged ones. */
export function handle(state: CoordinatorState, event: CoordinatorEvent): BriefNote[] {
  const due = dueIn(state);
  if (!waitsFor(due, event)) throw bug(`the coordinator is in ${state.at}, and does not wait for ${event.kind}`);
  const before = [state.at, state.current];
  const skipped = due.kind === 'call' ? replied(state, due.role, event) : went(state, event);
  const { at, current } = state;
  // The plan is confirmed, and then its first sub-task.
  if (before[0] === at && before[1] === current) return skipped;
  return [...skipped, { event: 'entered', state: at, phase: phaseOf(state), ...defined({ subtask: current, reason: state.halt?.reason }) }];
}

const REPLY_TO = { plan: 'planned', execution: 'executed', review: 'reviewed' } as const;

function waitsFor(due: Due, event: CoordinatorEvent): boolean {
  switch (due.kind) {
    case 'go':
      return event.kind === 'go';
    case 'call':
      return [REPLY_TO[due.expects], 'escalated', 'malformed', 'failed'].includes(event.kind);
    case 'confirm':
      return due.isAsked ? event.kind === 'answered' && due.choices.includes(event.choice) : event.kind === 'go';
    case 'operator':
      return event.kind === 'answered' && due.choices.includes(event.choice);
    case 'over':
      return false;
    default:
      return unreachable(due);
  }
}

/** One agent gets the brief as its only sub-task. */
function assignWhole(state: CoordinatorState): void {
  const whole = { id: SINGLE_ROLE, role: SINGLE_ROLE, title: 'the whole brief', dependsOn: [], attempts: 0, retries: 0 };
  Object.assign(state, { at: 'dispatch', isPlanConfirmed: true, current: whole.id, subtasks: [{ ...whole, stage: 'open' }] });
}

function replied(state: CoordinatorState, role: string, event: CoordinatorEvent): BriefNote[] {
  state.calls += 1;
  state.requests += ('requests' in event ? event.requests : undefined) ?? 1;
  delete state.comment;
  if ('toolCalls' in event && event.toolCalls !== undefined) currentTask(state).toolCalls = event.toolCalls;
  switch (event.kind) {
    case 'planned':
    case 'executed':
    case 'reviewed':
      keepReply(state, event);
      // A plan that nobody carries out does no harm.
      if (event.flag && state.team.isPlanOnly) {
        follow(state, role);
        return [{ event: 'noticed', role, reason: event.flag.reason }];
      }
      if (event.flag) halt(state, 'block', { why: event.flag.kind, by: role, reason: event.flag.reason, isHeld: true });
      else follow(state, role);
      return [];
    case 'escalated':
      halt(state, event.severity === 'error' ? 'escalate' : 'block', {
        ...{ why: 'escalation', by: role, reason: event.reason },
        ...defined({ said: event.said }),
      });
      return [];
    case 'malformed':
    case 'failed':
      halt(state, 'escalate', { why: event.kind, by: role, reason: event.reason });
      return [];
    default:
      throw bug(`${event.kind} is no reply`);
  }
}

function went(state: CoordinatorState, event: CoordinatorEvent): BriefNote[] {
  if (event.kind === 'answered') {
    answered(state, event);
    return [];
  }
  switch (state.at) {
    case 'init':
      if (state.team.isSingle) assignWhole(state);
      else state.at = 'plan';
      return [];
    case 'dispatch': {
      const subtask = state.isPlanConfirmed ? state.current : undefined;
      confirmed(state);
      return [{ event: 'confirmed', phase: 0, ...defined({ subtask }) }];
    }
    case 'retry':
      execute(state);
      return [];
    case 'next_subtask':
      return assignNext(state);
    default:
      throw bug(`nothing follows ${state.at} by itself`);
  }
}
