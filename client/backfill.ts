import { randomUUID } from 'node:crypto';
import type { ScheduleDescription } from '@temporalio/client';
import { encodeToPayload } from '@temporalio/common/lib/internal-non-workflow';
import { msToTs } from '@temporalio/common/lib/time';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { quoted } from './list-runs';
import { scheduleMoments } from './schedule-moments';
import { APPLIED_MEMO, type AskedBackfill } from './schedule-options';
import { appliedTo, describeSchedule, type Us } from './schedule-owner';
import { refuseHook, requireOwn } from './schedules';

/**
 * Starts the runs that a schedule lacks, for moments of the past.
 *
 * The server keeps the starts, and has them one after another if the schedule lets no two runs go on at once. It starts a moment as often
 * as it is asked, so whether a moment has a run is decided here.
 *
 * Invariants: 1. a moment that has a run, on the server or in the store, gets no other; 2. nor does one that an earlier backfill has handed
 * over and whose start still waits; 3. of two backfills at once only one is written into the schedule, and only what is written is handed
 * over; 4. no moment is handed over that the server's clock has not reached.
 */
export interface BackfillTerms {
  fromMs: number;
  toMs: number;
  /** Only if the server counts as many moments as missed, dropped or left out as there are without a run. */
  missed?: boolean;
  /** More moments than these are refused. */
  most: number;
}

/** What a backfill found, and began; ISO 8601. */
export interface Backfill {
  schedule: string;
  timezone: string;
  /** Moments that get a run. */
  starts: string[];
  /** Moments that an earlier backfill has handed over, and whose runs have not begun. */
  waiting: string[];
  /** How many have had a run. */
  had: number;
  /** The server starts them one after another. */
  inTurn: boolean;
}

/** Numbers of the server's enum ScheduleOverlapPolicy. */
const BUFFER_ALL = 3;
const ALLOW_ALL = 6;
/** How often somebody else may be first. */
const TRIES = 5;
/** After this the server has taken up what it was handed, and each more start takes it so long. */
const TAKEN_UP_MS = 60_000;
const START_MS = 100;

/** By how much the server's clock may be behind ours. */
const CLOCKS_APART_MS = 60_000;

/** What `backfill` would do now. Fails with `schedule.not-found`, `schedule.not-ours`, `schedule.backfill`. */
export async function previewBackfill(client: ThermidorClient, us: Us, schedule: string, terms: BackfillTerms): Promise<Backfill> {
  return (await look(client, us, schedule, terms)).found;
}

/** Fails as `previewBackfill`, and then has started nothing. */
export async function backfill(client: ThermidorClient, us: Us, schedule: string, terms: BackfillTerms): Promise<Backfill> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const { found, description, moments, backfills } = await look(client, us, schedule, terms);
    const [from] = found.starts;
    const to = found.starts.at(-1);
    if (from === undefined || to === undefined) return found;
    const asked: AskedBackfill = { id: randomUUID(), at: new Date().toISOString(), from, to };
    if (!(await written(client, description, [...backfills, asked]))) continue;
    await handOver(client, description, { ...found, moments, id: asked.id });
    return found;
  }
  throw new ClientProblem('schedule.backfill', `the schedule "${schedule}" was changed by somebody else each time`, {
    hint: 'try it again',
  });
}

interface Look {
  found: Backfill;
  description: ScheduleDescription;
  moments: number[];
  /** Those whose runs may not have begun. */
  backfills: AskedBackfill[];
}

async function look(client: ThermidorClient, us: Us, schedule: string, { fromMs, toMs, missed, most }: BackfillTerms): Promise<Look> {
  const description = await requireOwn(client, us, schedule);
  refuseHook(description);
  const { info, policies, spec } = description;
  const now = Date.now();
  const since = missed ? Math.max(fromMs, info.createdAt.getTime()) : fromMs;
  // After a pause of its own the server states an old next moment for a while; what is older than its catch-up window it starts no more.
  const leftOut = now - (policies?.catchupWindow ?? Number.POSITIVE_INFINITY) - CLOCKS_APART_MS;
  const reached = Math.max(info.nextActionTimes[0]?.getTime() ?? now, leftOut);
  const moments = (await scheduleMoments(client, description, { fromMs: since, toMs: Math.min(toMs, now) }, most)).filter(
    (at) => at + Number(spec.jitter ?? 0) < reached,
  );
  if (moments.length > most) throw tooMany(schedule, most);
  const runs = await runsOf(client, description, moments);
  const waits = description.raw.info?.bufferSize ? Number(description.raw.info.bufferSize) > 0 : false;
  const backfills = (appliedTo(description)?.backfills ?? []).filter(
    (asked) => waits || isFresh(asked, moments.length, now) || isInProgress(asked, description, now),
  );
  const without = moments.filter((at) => !runs.has(runOf(description, at))).map(isoOf);
  const waiting = without.filter((at) => backfills.some(({ from, to }) => from <= at && at <= to));
  const starts = without.filter((at) => !waiting.includes(at));
  if (missed) checkCounted(description, starts.length);
  const found = {
    ...{ schedule, timezone: spec.timezone || 'UTC', starts, waiting, had: moments.length - without.length },
    inTurn: policies?.overlap !== 'ALLOW_ALL',
  };
  return { found, description, moments, backfills };
}

/** The server has started one of them lately. Of starts at once it does not say that more of them wait. */
function isInProgress({ from, to }: AskedBackfill, { info }: ScheduleDescription, now: number): boolean {
  return info.recentActions.some(({ scheduledAt, takenAt }) => {
    const at = isoOf(scheduledAt.getTime());
    return from <= at && at <= to && now - takenAt.getTime() < TAKEN_UP_MS;
  });
}

function isFresh({ at }: AskedBackfill, count: number, now: number): boolean {
  return now - Date.parse(at) < TAKEN_UP_MS + count * START_MS;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The id that the server gives the run of a moment. */
function runOf({ action }: ScheduleDescription, ms: number): string {
  return `${action.workflowId}-${isoOf(ms).replace('.000Z', 'Z')}`;
}

/** Ids of runs: of the server, and of the store, which knows those that the server has forgotten. */
async function runsOf(
  client: ThermidorClient,
  { scheduleId, action }: ScheduleDescription,
  moments: readonly number[],
): Promise<Set<string>> {
  const [first, last] = [moments[0], moments.at(-1)];
  const runs = new Set<string>();
  if (first === undefined || last === undefined) return runs;
  const during = `TemporalScheduledStartTime BETWEEN ${quoted(isoOf(first))} AND ${quoted(isoOf(last))}`;
  const query = `TemporalScheduledById = ${quoted(scheduleId)} AND ${during}`;
  await client.call(async () => {
    for await (const { workflowId } of client.temporal.workflow.list({ query })) runs.add(workflowId);
  }, LIST_LIMIT_MS);
  for await (const page of client.ended?.list({ pipeline: action.workflowType }) ?? []) for (const { run } of page) runs.add(run);
  return runs;
}

const LIST_LIMIT_MS = 60_000;

/** Writes the backfills into the schedule, if nobody has changed it since it was looked at. The server says nothing if somebody has. */
async function written(client: ThermidorClient, description: ScheduleDescription, backfills: readonly AskedBackfill[]): Promise<boolean> {
  const { scheduleId, raw } = description;
  const { schedule, conflictToken } = raw;
  const startWorkflow = schedule?.action?.startWorkflow;
  const requestId = backfills.at(-1)?.id;
  if (!schedule || !startWorkflow || !conflictToken || requestId === undefined) return false;
  const { namespace, temporal } = client;
  // One that was made by hand has no memo of ours, and stays free.
  const memo = { sha256: '', paused: false, ...appliedTo(description), backfills };
  const fields = { ...startWorkflow.memo?.fields, [APPLIED_MEMO]: await encodeToPayload(temporal.options.loadedDataConverter, memo) };
  const marked = { ...schedule, action: { startWorkflow: { ...startWorkflow, memo: { fields } } } };
  const { workflowService } = temporal;
  await client.call(() => workflowService.updateSchedule({ namespace, scheduleId, schedule: marked, conflictToken, requestId }));
  const after = await describeSchedule(client, scheduleId);
  return after !== undefined && appliedTo(after)?.backfills?.at(-1)?.id === requestId;
}

async function handOver(
  client: ThermidorClient,
  { scheduleId, spec }: ScheduleDescription,
  { starts, moments, inTurn, id }: Backfill & { moments: readonly number[]; id: string },
): Promise<void> {
  const wanted = new Set(starts.map((at) => Date.parse(at)));
  const ranges: { first: number; last: number; next?: number | undefined }[] = [];
  for (const [index, at] of moments.entries()) {
    const before = moments[index - 1];
    const range = before !== undefined && wanted.has(before) ? ranges.at(-1) : undefined;
    if (!wanted.has(at)) continue;
    if (range) Object.assign(range, { last: at, next: moments[index + 1] });
    else ranges.push({ first: at, last: at, next: moments[index + 1] });
  }
  const jitterMs = Number(spec.jitter ?? 0);
  const backfillRequest = ranges.map(({ first, last, next }) => ({
    startTime: msToTs(first - 1000),
    endTime: msToTs(Math.min(last + jitterMs, (next ?? Number.POSITIVE_INFINITY) - 1000)),
    overlapPolicy: inTurn ? BUFFER_ALL : ALLOW_ALL,
  }));
  const { namespace } = client;
  const patch = { backfillRequest };
  // The server passes over a request whose id another one of the schedule has had, whatever it was.
  await client.call(() => client.temporal.workflowService.patchSchedule({ namespace, scheduleId, patch, requestId: `${id}-start` }));
}

function checkCounted({ info, raw, scheduleId }: ScheduleDescription, starts: number): void {
  const counted = info.numActionsMissedCatchupWindow + info.numActionsSkippedOverlap + Number(raw.info?.bufferDropped ?? 0);
  if (starts <= counted) return;
  throw new ClientProblem(
    'schedule.backfill',
    `${starts} moments of "${scheduleId}" have no run, and the server counts ${counted} as missed, dropped or left out: others passed while it was paused or had another cron`,
    { hint: 'say which are meant: --from and --to without --missed' },
  );
}

function tooMany(schedule: string, most: number): ClientProblem {
  return new ClientProblem('schedule.backfill', `"${schedule}" has more than ${most} moments in that time`, {
    hint: 'name a shorter time; or raise --limit',
  });
}
