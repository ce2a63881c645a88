import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { endedRuns } from '../../cli/session/ended-runs';
import { accountLog } from '../../records/accounts/account-log';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { paidSums, rowsBy } from '../../records/accounts/sum';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import type { Records } from '../../records/records';
import { ENDED_LOG } from '../../records/runs/ended-run';
import { asJson } from '../../records/stored-json';
import { type Figure, figureOf, median } from '../figure';

/** What lists of ended runs and sums of their costs take, from a store that has many. */
export const LISTS_CASE = 'lists-10000';

const RUNS = 10_000;
const AIM_MS = 50;
const AT_ONCE = 64;
const [DAYS, PIPELINES, HOUR_MS] = [30, 20, 3_600_000];
const FIRST_MS = Date.parse('2026-01-01T00:00:00.000Z');

type Ask = (records: Records) => Promise<unknown>;

/** As commands ask. */
const QUESTIONS: Readonly<Record<string, Ask>> = {
  'list-first': (records) => firstPage(records, {}),
  'list-filtered': (records) => firstPage(records, { pipeline: 'p7', state: 'failed' }),
  'list-middle': (records) => firstPage(records, {}, { run: '', endedAt: momentOf(RUNS / 2) }),
  'find-by-end': (records) => endedRuns(records, () => undefined).find('000042'),
  'cost-by-day': async (records) => rowsBy(await readCosts(records, ['day']), 'day'),
  'cost-by-agent': async (records) => rowsBy(await readCosts(records, ['agent']), 'agent'),
  'cost-by-model': async (records) => rowsBy(await readCosts(records, ['model']), 'model'),
};

interface Place {
  /** A folder for state. */
  folder: string;
  postgres?: PostgresPlace;
}

export async function listFigures(place: Place, rounds: number, say: (line: string) => void): Promise<Figure[]> {
  const records = openRecords({ stateDir: mkdtempSync(join(place.folder, 'lists-')), ...place, key: async () => Buffer.alloc(32) });
  const side = place.postgres ? 'database' : 'folder';
  say(`${side}: ${RUNS} ended runs are made`);
  const all = Array.from({ length: RUNS }, (_, at) => at);
  for (let at = 0; at < RUNS; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map((n) => endRun(records, n)));
  const figures: Figure[] = [];
  for (const [metric, ask] of Object.entries(QUESTIONS)) {
    await ask(records);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const beganMs = performance.now();
      await ask(records);
      times.push(performance.now() - beganMs);
    }
    const measured = { bench: 'store', case: LISTS_CASE, metric: `${metric}-${side}`, unit: 'ms', aim: place.postgres ? 1 : null };
    figures.push(figureOf({ ...measured, ours: median(times), reference: AIM_MS }));
  }
  return figures;
}

async function firstPage(records: Records, ...asked: Parameters<ReturnType<typeof endedRuns>['list']>): Promise<unknown> {
  for await (const page of endedRuns(records, () => undefined).list(...asked)) return page;
  return [];
}

async function endRun(records: Records, n: number): Promise<void> {
  const [pipeline, endedAt] = [`p${n % PIPELINES}`, momentOf(n)];
  const key: RunKey = { workflowId: `${pipeline}-20260101-${String(n).padStart(6, '0')}`, run: `run-${n}` };
  const { ledger, runs, ended } = records;
  for (const agent of ['writer', 'critic']) {
    const usage = { inputTokens: 900 + n, outputTokens: 80, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 1200 + n };
    const call = `${agent}#1~1`;
    const paid = { kind: 'paid', at: endedAt, run: key.workflowId, pipeline, step: agent, call, agent, adapter: 'anthropic' };
    await ledger.append(key, accountLog(call), asJson({ ...paid, model: `model-${n % 3}`, usage }));
  }
  const extent = await runs.extent(key, ['/account']);
  const state = n % 4 === 0 ? ('failed' as const) : ('completed' as const);
  const end = { run: key.workflowId, execution: key.run, pipeline, state, startedAt: endedAt, endedAt };
  await ended.note({ ...end, firstRun: key.run }, { extent, first: endedAt, last: endedAt, paid: paidSums(await readPaid(runs, [key])) });
  const plan = { kind: 'plan', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json', name: `${pipeline}.plan.json` };
  await ledger.append(key, ENDED_LOG, asJson({ ...end, plan }));
}

function momentOf(n: number): string {
  return new Date(FIRST_MS + Math.floor((n * DAYS * 24 * HOUR_MS) / RUNS)).toISOString();
}
