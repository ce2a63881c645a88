import { defined } from '../../../plan/defined';
import type { JsonObject } from '../../../plan/text/json';
import { type Delivery, keptIncrements, lostIncrements, progressOf, withDependents } from './delivery';
import { type DeliveryProgress, INCREMENT_STATUSES } from './words';

/** The output of an increments step (docs/patterns.md, CP-6). */

/**
 * `delivered`: all of it. `partial`: something was blocked or reverted. `stopped`: more than `blocked_share` was. `unfounded`: the
 * validation of the whole fails without any increment, too.
 */
const DELIVERY_OUTCOMES = ['delivered', 'partial', 'stopped', 'unfounded'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export type DeliveryOutput = Pick<DeliveryProgress, 'total_increments' | 'completed' | 'progress_percent' | 'gate_history'> & {
  outcome: DeliveryOutcome;
  /** The worktree's first commit, and its current one. */
  base: string;
  commit: string;
  kept: { id: string; tasks: string[]; commit: string }[];
  lost: { id: string; tasks: string[]; status: string; failed_gates?: string[]; blocked_by?: string }[];
  /** Tasks left out of kept increments, apart from those of lost ones. */
  left_out: string[];
  /** The first increment with which the validation of the whole fails. */
  broken_by?: string;
};

export function outputOf(delivery: Delivery, outcome: DeliveryOutcome): DeliveryOutput {
  const { current: _current, ...progress } = progressOf(delivery);
  const [kept, lost] = [keptIncrements(delivery), lostIncrements(delivery)];
  const left = withDependents(delivery.increments, delivery.blockedTasks);
  const idsOf = ({ tasks }: (typeof kept)[number]): string[] => tasks.map(({ id }) => id);
  return {
    outcome,
    ...progress,
    ...{ base: delivery.base, commit: delivery.at },
    kept: kept.map((one) => ({ id: one.id, tasks: idsOf(one).filter((id) => !left.has(id)), commit: one.commit ?? delivery.at })),
    lost: lost.map((one) => ({
      ...{ id: one.id, tasks: idsOf(one), status: one.status ?? 'BLOCKED' },
      ...defined({ failed_gates: one.failed, blocked_by: one.blockedBy }),
    })),
    left_out: kept.flatMap(idsOf).filter((id) => left.has(id)),
    ...defined({ broken_by: lost.find(({ status }) => status === 'REVERTED')?.id }),
  };
}

/** `2 of 3 increments are delivered, without INCREMENT-3; INCREMENT-3 fails no_regression`. */
export function describeDelivery({ outcome, completed, total_increments, lost, left_out, broken_by }: DeliveryOutput): string {
  const said = `${completed} of ${total_increments} increments are delivered`;
  if (outcome === 'unfounded') return `${said}, and the validation of the whole fails even without any of them`;
  const first = lost.find(({ failed_gates }) => failed_gates !== undefined);
  return [
    said,
    ...(lost.length === 0 ? [] : [`, without ${listed(lost.map(({ id }) => id))}`]),
    ...(left_out.length === 0
      ? []
      : [`${lost.length === 0 ? ', without' : ', and without'} the tasks of the others that could not be done (${listed(left_out)})`]),
    ...(first ? [`; ${first.id} fails ${listed(first.failed_gates ?? [])}`] : []),
    ...(broken_by === undefined ? [] : [`; the validation of the whole fails with ${broken_by}`]),
  ].join('');
}

const MOST_NAMED = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const COUNT = { type: 'integer' } as const;
const TEXTS = { type: 'array', items: { type: 'string' } } as const;

/** What expressions can know of the output. */
export const INCREMENTS_OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    outcome: { enum: [...DELIVERY_OUTCOMES] },
    ...{ total_increments: COUNT, completed: COUNT, progress_percent: COUNT },
    gate_history: { type: 'array', items: { type: 'object', properties: { status: { enum: [...INCREMENT_STATUSES] } } } },
    ...{ base: { type: 'string' }, commit: { type: 'string' } },
    ...{ kept: { type: 'array', items: { type: 'object' } }, lost: { type: 'array', items: { type: 'object' } } },
    left_out: TEXTS,
    broken_by: { type: 'string' },
  },
};
