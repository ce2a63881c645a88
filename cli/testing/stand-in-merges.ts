import type { MergeStandIn } from '../../compiler/test-file/test-file';
import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { bug } from '../../plan/run/failure';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { unreachable } from '../../plan/unreachable';

/** Names of submissions, by the step of their candidates, in order: the same one asked again is the same candidate. */
export type OfferedNames = Map<string, string[]>;

/** The test's result for a candidate: the first entry of its worktree's step that fits. It lands if none does. */
export function outcomeInTest(
  offered: OfferedNames,
  merges: Readonly<Record<string, readonly MergeStandIn[]>>,
  { run, name, from, title }: SubmitCandidateInput,
): TicketOutcome {
  const address = parseAddress(from.slot);
  const id = address && stepIdOf(address);
  if (id === undefined) throw bug(`a candidate of the worktree "${from.slot}", which belongs to no step`);
  const round = numberOf(offered, `${run} ${id} ${title}`, name);
  const list = Object.hasOwn(merges, id) ? merges[id] : undefined;
  const found = list?.find((entry) => title.includes(entry.title ?? '') && (entry.round ?? round) === round);
  return found ? outcomeOf(found, from.commit) : { kind: 'merged', result: from.commit };
}

function numberOf(offered: OfferedNames, of: string, name: string): number {
  const names = offered.get(of) ?? [];
  if (!names.includes(name)) names.push(name);
  offered.set(of, names);
  return names.indexOf(name) + 1;
}

function outcomeOf({ outcome }: MergeStandIn, commit: string): TicketOutcome {
  switch (outcome.kind) {
    case 'conflict':
      return { ...outcome, onto: commit };
    case 'restricted':
      return outcome;
    case 'red':
      return { ...outcome, onto: commit, result: commit, of: 'queue', reason: 'the command of the test ended with exit code 1' };
    default:
      return unreachable(outcome);
  }
}
