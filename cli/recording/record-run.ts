import { talkId } from '../../activities/tools/sessions/ask-agent';
import type { Script, ScriptedOutcome, ScriptedReply } from '../../plan/agents/script';
import type { JournalEntry } from '../../plan/run/journal';
import type { Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';
import { field, type Json } from '../../plan/text/json';
import { ACCOUNT, readAccountEntry } from '../../records/accounts/account-log';
import type { RunKey } from '../../records/ledger';
import type { Records } from '../../records/records';
import type { RunIndex } from '../../records/run-index';
import { childrenOf } from '../../records/runs/list-runs';
import { RUN_RECORD, readRecordedPlan, readRunRecord } from '../../records/runs/run-record';
import { type RecordedCall, readRecordedCall } from '../../records/transcripts/recorded-call';
import { REQUESTS } from '../../records/transcripts/transcript-log';
import { CommandFailure, EXIT } from '../exit';
import { callPlaceOf } from './call-place';
import { recordedPeople } from './people';
import { scriptedReplies } from './replies';

type RecordedRun = Pick<Records, 'artifacts' | 'control' | 'ledger' | 'runs'>;

export interface Recording {
  script: Script;
  pipeline: string;
  /** What a script cannot express of the run, in words. */
  left: string[];
}

/**
 * Makes a script of a run: of its agents' replies, those of its child pipelines too, and of its people's decisions. All of it is read from
 * the ledger, where secrets are masked; the run may still continue. Fails with `run.not-here`.
 *
 * @param where the store's location, for people
 */
export async function recordRun(
  records: RecordedRun,
  where: string,
  key: RunKey,
  name: string,
  journal: readonly JournalEntry[],
): Promise<Recording> {
  const { ledger } = records;
  const record = await ledger.get(key, RUN_RECORD);
  if (record === undefined) {
    throw new CommandFailure(EXIT.failed, 'run.not-here', `run "${key.workflowId}" is not in the ledger of ${where}`, {
      hint: 'record it with the store of its workers',
    });
  }
  const { people, left } = recordedPeople(journal);
  const script: Script = { name, replies: {}, people };
  const plan = await readRecordedPlan(records, readRunRecord(record).plan);
  const children = await childrenOf(records, key.workflowId);
  const whose = new Map<string, string>();
  const runs = [key, ...children.flatMap(({ workflowId, run }) => (workflowId === undefined ? [] : [{ workflowId, run }]))];
  for (const run of runs) {
    for (const [step, replies] of await repliesOf(records, run)) {
      const before = whose.get(step);
      whose.set(step, run.workflowId);
      if (before !== undefined) left.push(`"${step}" is asked in ${before} and in ${run.workflowId}: both get the first reply`);
      script.replies[step] = [...(script.replies[step] ?? []), ...replies];
    }
  }
  script.description = `Recorded from run ${key.workflowId} of ${plan.name}.`;
  return { script, pipeline: plan.name, left };
}

/** Replies by key, in the order of their calls. An entry that names fewer loops matches more, so those that name more come first. */
async function repliesOf(records: RecordedRun, key: RunKey): Promise<[string, ScriptedReply[]][]> {
  const { ledger } = records;
  const record = await ledger.get(key, RUN_RECORD);
  if (record === undefined) return [];
  const plan = await readRecordedPlan(records, readRunRecord(record).plan);
  const steps: ReadonlyMap<string, Step> = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const calls = await Promise.all((await callIds(records.runs, key)).map((id) => readRecordedCall(ledger, key, id)));
  const spawned = new Map(
    calls
      .flatMap(({ effects }) => effects.flatMap((effect) => (effect.spawned ? [effect.spawned] : [])))
      .map(({ id, agent }) => [id, agent]),
  );
  const failedTurns = failedTurnsOf(calls);
  const table = new Map<string, ScriptedReply[]>();
  for (const call of calls) {
    const at = callPlaceOf(call.id, steps, spawned);
    if (!at) continue;
    const replies = scriptedReplies(call, at, (ask) => failedTurns.get(call.id)?.[ask - 1]);
    if (replies.length > 0) table.set(at.key, [...(table.get(at.key) ?? []), ...replies]);
  }
  const order = [...steps.keys()];
  const rank = ([step]: [string, unknown]) => order.indexOf(/^[^.@>]+/.exec(step)?.[0] ?? '');
  return [...table].map(([step, replies]): [string, ScriptedReply[]] => [step, replies.sort(inOrder)]).sort((a, b) => rank(a) - rank(b));
}

function inOrder(a: ScriptedReply, b: ScriptedReply): number {
  const [left, right] = [a.iteration ?? [], b.iteration ?? []];
  if (left.length !== right.length) return right.length - left.length;
  const places = left.map((index, i) => index - (right[i] ?? 0));
  const numbers = [...places, (a.round ?? 0) - (b.round ?? 0), (a.try ?? 0) - (b.try ?? 0), (a.ask ?? 0) - (b.ask ?? 0)];
  return numbers.find((difference) => difference !== 0) ?? 0;
}

/** Why nothing came of a turn of a talk, by the talk's id and by the last request of the turn. */
function failedTurnsOf(calls: readonly RecordedCall[]): ReadonlyMap<string, (ScriptedOutcome | undefined)[]> {
  const talks = new Map<string, (ScriptedOutcome | undefined)[]>();
  for (const { id, asks, effects } of calls) {
    const sends = effects.filter(({ sentTo }) => sentTo !== undefined);
    for (const { role, call, refused } of asks.flat()) {
      const isTalk = role === 'tool' && (call?.tool === 'sessions_send' || call?.tool === 'consult') && !refused;
      const agent = isTalk ? (sends[0]?.sentTo ?? field(call.args, 'agent')) : undefined;
      if (typeof agent !== 'string') continue;
      const key = talkId(id, agent);
      const turns = talks.get(key) ?? [];
      // A turn whose answer was repaired had two requests.
      const { asked = turns.length + 1, failed } = sends.shift() ?? {};
      turns[asked - 1] = failed && { kind: 'fail', ...failed };
      talks.set(key, turns);
    }
  }
  return talks;
}

/**
 * The ids of every call of an agent in a run that the ledger knows: those that asked for anything, and those that failed. Read from the
 * logs' content and not from their names, which are shortened if they are long.
 */
export async function callIds(index: Pick<RunIndex, 'logs'>, key: RunKey): Promise<string[]> {
  const ids = new Set<string>();
  for await (const lines of index.logs(key, [REQUESTS, ACCOUNT])) {
    for (const line of lines) {
      const id = requestOf(line, key) ?? readAccountEntry(line)?.call;
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].sort();
}

/** The request of `workflowId/run/id/ask`. */
function requestOf(line: Json, { workflowId, run }: RunKey): string | undefined {
  const key = field(line, 'idempotencyKey');
  const start = `${workflowId}/${run}/`;
  return typeof key === 'string' && key.startsWith(start) ? key.slice(start.length, key.lastIndexOf('/')) : undefined;
}
