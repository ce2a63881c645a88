import { defined } from '../defined';
import type { JsonObject } from '../text/json';
import { type Delivery, keptIncrements, lostIncrements, progressOf, withDependents } from './delivery';
import { type DeliveryProgress, INCREMENT_STATUSES } from './increment-words';

/** What an increments step puts out (patterns.md, CP-6). */

/** `delivered`: all of it. `partial`: something was blocked or reverted. `stopped`: more than `blocked_share` was. `unfounded`: the validation of the whole fails without any increment, too. */
export const DELIVERY_OUTCOMES = ['delivered', 'partial', 'stopped', 'unfounded'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export type DeliveryOutput = Pick<DeliveryProgress, 'total_increments' | 'completed' | 'progress_percent' | 'gate_history'> & {
  outcome: DeliveryOutcome;
  /** What the worktree was at, and what it is at now. */
  base: string;
  commit: string;
  kept: { id: string; tasks: string[]; commit: string }[];
  lost: { id: string; tasks: string[]; status: string; failed_gates?: string[]; blocked_by?: string }[];
  /** Tasks that are not in what is kept, beside those of increments that are lost. */
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
