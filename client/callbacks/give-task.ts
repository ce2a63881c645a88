import { BOARD_ORDER_KEYS, readBoardOrder } from '../../plan/board/board-order';
import { WEB_HOOK } from '../../plan/board/message';
import { teamRunId } from '../../plan/board/team-run';
import { defined } from '../../plan/defined';
import type { JsonObject } from '../../plan/text/json';
import { ClientProblem } from '../client-problem';
import type { CallbackContext } from './callback-context';
import { outcomeOf } from './decide';
import { readObject } from './read-request';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';
import { isSignedByReceiver } from './signatures';

const KEY = /^[\x21-\x7e]{1,200}$/;
/** `by`, `step` and the rest of a signal are not the sender's to say, and the key of the task is in its header. */
const TASK_KEYS: readonly string[] = BOARD_ORDER_KEYS.task.filter((key) => key !== 'key');
const RETRY_S = 10;
/** A team that does not run has to be started by somebody. */
const STOPPED_RETRY_S = 60;

/**
 * Puts a task on the board of a team that runs by itself: `{subject, description?, name?, blocked_by?, required_role?, priority?}`, with
 * the header `idempotency-key` (1 to 200 visible characters of ASCII). Returns `{team, run, task, again?}`, or `{team, run, kept}` from
 * a team whose board is not open yet.
 *
 * Invariants: 1. only teams that `callbacks.teams` lists, each with a secret of its own; 2. the signature covers all that counts: it is the
 * HMAC-SHA-256 over `timestamp.team.key.body`, so that nobody on the way can give the task to another team, or once more under another
 * key; 3. the same key is the same task, which the board itself decides. Throws `CallbackRefused`.
 */
export async function giveTask(
  context: CallbackContext,
  about: RequestFacts,
  team: string,
  body: Buffer,
  headers: Headers,
): Promise<JsonObject> {
  const { settings, ports, replays, limit } = context;
  const { teams = {} } = settings;
  const secret = Object.hasOwn(teams, team) ? teams[team] : undefined;
  if (secret === undefined)
    throw new CallbackRefused(404, `no tasks are taken for "${team.slice(0, 80)}": callbacks.teams has no such team`);
  const key = headers.get('idempotency-key') ?? '';
  if (!KEY.test(key)) throw new CallbackRefused(400, 'the header Idempotency-Key must have 1 to 200 visible characters of ASCII');
  const [signature, timestamp] = [headers.get('thermidor-signature') ?? '', headers.get('thermidor-timestamp') ?? ''];
  if (!isSignedByReceiver(secret, `${timestamp}.${team}.${key}`, body, signature))
    throw new CallbackRefused(401, 'the signature does not fit');
  replays.checkTime(timestamp);
  about.from = `team:${team}`;
  about.by = WEB_HOOK;
  limit.take(about.from);
  const task = readTaskOf(body);
  const id = `team:${signature}`;
  replays.take(id);
  const run = teamRunId(team);
  try {
    const sent: object = { ...task, by: WEB_HOOK, key };
    const { outcome, task: number } = await ports.decide(run, 'task', sent);
    return {
      team,
      run,
      ...defined({
        task: number,
        again: outcome === 'duplicate' || undefined,
        kept: outcome === 'early' || undefined,
      }),
    };
  } catch (error) {
    const refusal = refusalFor(error, team);
    if (!(refusal instanceof CallbackRefused) || refusal.status === 503) replays.forget(id);
    throw refusal;
  }
}

/** The task as it was sent, if the board can read it. */
function readTaskOf(body: Buffer): JsonObject {
  const said = readObject(body);
  const unknown = Object.keys(said).find((key) => !TASK_KEYS.includes(key));
  if (unknown !== undefined)
    throw new CallbackRefused(400, `unknown key "${unknown.slice(0, 80)}"; a task has ${TASK_KEYS.slice(0, -2).join(', ')}`);
  const order = readBoardOrder('task', said);
  if ('problem' in order) throw new CallbackRefused(400, order.problem);
  return said;
}

/** A client's failure as the refusal for a task's sender; other errors unchanged. */
function refusalFor(error: unknown, team: string): unknown {
  if (!(error instanceof ClientProblem)) return error;
  if (error.code === 'run.ended' || error.code === 'run.not-found') return stopped(team);
  // It may have been taken anyway; the same key puts it on the board once.
  if (error.code !== 'signal.refused')
    return new CallbackRefused(503, `the team "${team}" does not answer: send the task again with the same key`, RETRY_S);
  switch (outcomeOf(error)) {
    case 'early':
    case 'late':
      return stopped(team);
    case 'misdirected':
      return new CallbackRefused(404, `the run "${teamRunId(team)}" is no team`);
    case 'unavailable':
      return new CallbackRefused(503, `the team "${team}" cannot take a task now: send it again later`, RETRY_S);
    case 'unreadable':
    case 'unknown':
      return new CallbackRefused(400, error.message);
    default:
      return new CallbackRefused(422, error.message);
  }
}

function stopped(team: string): CallbackRefused {
  return new CallbackRefused(503, `the team "${team}" does not run now: send the task again later`, STOPPED_RETRY_S);
}
