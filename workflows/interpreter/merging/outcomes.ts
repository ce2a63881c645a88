import type { TicketOutcome } from '../../../plan/queue/ticket';
import { ThermidorFailure } from '../../../plan/run/failure';
import { unreachable } from '../../../plan/unreachable';

/** Outcomes that the author of a candidate can fix. */
export type Fault = Extract<TicketOutcome, { kind: 'conflict' | 'restricted' | 'markers' | 'red' }>;

const SHOWN_PATHS = 20;

/** Undefined if it has landed. Fails if nothing that the author does would help. */
export function faultOf(outcome: TicketOutcome, path: string): Fault | undefined {
  switch (outcome.kind) {
    case 'merged':
      return undefined;
    case 'conflict':
    case 'restricted':
    case 'markers':
      return outcome;
    case 'red':
      if (outcome.isTargets) throw new ThermidorFailure('merge.target-red', `${describeTargetRed(outcome)}; fix it, and try again`);
      return outcome;
    case 'unrelated':
      throw new ThermidorFailure('merge.refused', `${path} has no history in common with the branch; begin its worktree from that branch`);
    case 'refused':
    case 'failed':
      throw new ThermidorFailure('merge.refused', `the merge queue cannot merge ${path}: ${outcome.message}`);
    case 'dropped': {
      const by = outcome.by === undefined ? '' : ` by ${outcome.by}`;
      throw new ThermidorFailure('merge.dropped', `the candidate of ${path} was taken out of the merge queue${by}`);
    }
    default:
      return unreachable(outcome);
  }
}

/** One line for a red target, which has nothing to do with the candidate. */
export function describeTargetRed({ onto, reason }: Extract<TicketOutcome, { kind: 'red' }>): string {
  return `the branch fails its tests at ${onto.slice(0, 12)}, without the candidate: ${reason}`;
}

/** One line, for people and journals. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'conflict':
      return `it conflicts with the branch in ${listed(fault)}`;
    case 'restricted':
      return `it touches restricted paths: ${listed(fault)}`;
    case 'markers':
      return `it has conflict markers in ${listed(fault)}`;
    case 'red':
      return `its tests fail in the merged tree: ${fault.reason}`;
    default:
      return unreachable(fault);
  }
}

/** Why a candidate has not landed, in one line. */
export function describeReturned(outcome: Exclude<TicketOutcome, { kind: 'merged' }>): string {
  switch (outcome.kind) {
    case 'conflict':
    case 'restricted':
    case 'markers':
    case 'red':
      return describeFault(outcome);
    case 'unrelated':
      return 'it has no history in common with the branch';
    case 'refused':
    case 'failed':
      return outcome.message;
    case 'dropped':
      return outcome.by === undefined ? 'it was taken out of the merge queue' : `${outcome.by} took it out of the merge queue`;
    default:
      return unreachable(outcome);
  }
}

/** The author's instructions. The worktree has been brought up to date by then, except for a restricted path. */
export function instructionsFor(fault: Fault, into: string): string {
  const what = `The merge queue of ${into} returned your work: ${describeFault(fault)}.`;
  switch (fault.kind) {
    case 'conflict':
      return `${what} Your worktree is on top of ${into} as of ${fault.onto}. Conflicts are in the files, between <<<<<<< and >>>>>>>: resolve each so that both changes keep their purpose, and leave no marker behind.`;
    case 'restricted':
      return `${what} Undo your changes to these paths, and reach the aim without them.`;
    case 'markers':
      return `${what} Resolve what is between <<<<<<< and >>>>>>> so that both changes keep their purpose, and leave no marker behind.`;
    case 'red':
      return `${what} Your worktree is on top of ${into} as of ${fault.onto}. Fix it there. The end of the output:\n\n${fault.tail}`;
    default:
      return unreachable(fault);
  }
}

function listed({ paths, morePaths = 0 }: { paths: readonly string[]; morePaths?: number }): string {
  const left = Math.max(0, paths.length - SHOWN_PATHS) + morePaths;
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => JSON.stringify(path));
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
