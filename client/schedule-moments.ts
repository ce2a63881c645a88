import type { ScheduleDescription } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { type CronFields, cronMoments } from '../plan/text/cron-moments';
import type { ThermidorClient } from './connect';

/** The server lists so many at once. */
const PAGE = 1_000;

/**
 * The moments of a schedule from one moment to another, both included, in milliseconds since 1970, as the server has them; at most `most`
 * and one. With a jitter the server lists when runs would begin, and the moments that they are for have to be found from its calendars.
 */
export async function scheduleMoments(
  client: ThermidorClient,
  { scheduleId, spec, raw }: Pick<ScheduleDescription, 'scheduleId' | 'spec' | 'raw'>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  most: number,
): Promise<number[]> {
  const found: number[] = [];
  if (spec.jitter) {
    const moments = cronMoments((raw.schedule?.spec?.structuredCalendar ?? []).map(fieldsOf), spec.timezone ?? 'UTC');
    for (let at = moments.after(fromMs - 1000); at !== undefined && at <= toMs && found.length <= most; at = moments.after(at))
      found.push(at);
    return found;
  }
  for (let afterMs = fromMs - 1000; found.length <= most; ) {
    const page = await listed(client, scheduleId, afterMs, toMs);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    afterMs = last;
  }
  return found.slice(0, most + 1);
}

/** After the one, up to the other. */
async function listed(client: ThermidorClient, scheduleId: string, afterMs: number, toMs: number): Promise<number[]> {
  const { namespace } = client;
  const { startTime } = await client.call(() =>
    client.temporal.workflowService.listScheduleMatchingTimes({
      ...{ namespace, scheduleId, startTime: msToTs(afterMs), endTime: msToTs(toMs) },
    }),
  );
  return (startTime ?? []).map(({ seconds }) => Number(seconds ?? 0) * 1000);
}

type Calendar = NonNullable<NonNullable<NonNullable<ScheduleDescription['raw']['schedule']>['spec']>['structuredCalendar']>[number];
type Range = NonNullable<Calendar['minute']>[number];

function fieldsOf({ minute, hour, dayOfMonth, month, dayOfWeek }: Calendar): CronFields {
  const weekdays = new Set([...numbersIn(dayOfWeek)].map((one) => one % 7));
  return { minutes: numbersIn(minute), hours: numbersIn(hour), days: numbersIn(dayOfMonth), months: numbersIn(month), weekdays };
}

function numbersIn(ranges: readonly Range[] | null | undefined): Set<number> {
  const numbers = new Set<number>();
  for (const { start, end, step } of ranges ?? []) {
    const first = start ?? 0;
    for (let one = first; one <= Math.max(first, end ?? 0); one += step || 1) numbers.add(one);
  }
  return numbers;
}
