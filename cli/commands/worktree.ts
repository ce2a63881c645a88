import { existsSync } from 'node:fs';
import { findRun } from '../../client/find-run';
import { defined } from '../../plan/defined';
import { durationMs } from '../../plan/text/duration';
import { janitorPorts, keepRefsMs, UNKNOWN_MS } from '../../worker/worktrees/host-janitor';
import { type JanitorPorts, judgeWorktrees, nobodysFolders, type SweepOrder, sweepWorktrees } from '../../worker/worktrees/janitor';
import { type ListedRecords, worktreeRecords } from '../../worker/worktrees/worktree-records';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { renderEmpty } from '../rendering/text/empty';
import { type ListedWorktree, listedWorktree, renderRemains, renderSwept, renderWorktrees } from '../rendering/worktrees';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { type Configuration, gitAccess, worktreeSettings } from '../settings/configuration';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** How long another process's sweep is waited for. */
const PATIENCE_MS = 60_000;

/** Lists the worktrees of this host, with the state of their runs on the server. Starts no server if there are none. */
export async function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const root = worktreeSettings(configuration).folder;
  const listed = await recordsIn(root);
  const nobodys = await nobodysFolders(root, listed);
  const worktrees = listed.records.length === 0 ? [] : await withJanitor(invocation, (ports) => judged(ports, listed));
  if (options.flag('json')) {
    terminal.out(`${JSON.stringify({ folder: root, worktrees, nobodys, unreadable: listed.unreadable }, null, 2)}\n`);
    return EXIT.done;
  }
  if (worktrees.length > 0) terminal.out(renderWorktrees(worktrees, terminal));
  else
    terminal.err(
      renderEmpty(`no worktrees in ${root}`, 'a step with `worktree: true` gets one in', 'run PIPELINE', givenFlags(configuration)),
    );
  terminal.err(renderRemains({ nobodys, unreadable: listed.unreadable }, terminal));
  return EXIT.done;
}

/** Does what a worker's janitor does, now and for what a person names. */
export async function prune(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const older = olderThan(options.text('olderThan'));
  const configuration = configurationOf(invocation);
  const { folder } = worktreeSettings(configuration);
  if (!existsSync(folder)) {
    const nothing = { dryRun: options.flag('dryRun'), swept: [], nobodys: [], unreadable: [] };
    if (options.flag('json')) terminal.out(`${JSON.stringify(nothing, null, 2)}\n`);
    else terminal.err(`there is no folder of worktrees ${folder}: nothing to remove\n`);
    return EXIT.done;
  }
  return await withJanitor(invocation, async (ports, session) => {
    const order = await orderOf(invocation, older, configuration, session);
    const report = await sweepWorktrees(ports, order, terminal.interrupted, PATIENCE_MS).catch(describeHeld);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ dryRun: order.dryRun === true, ...report }, null, 2)}\n`);
    else {
      if (report.swept.length > 0) terminal.out(renderSwept(report.swept, order.dryRun === true, terminal));
      else terminal.err('nothing to remove\n');
      terminal.err(renderRemains(report, terminal));
    }
    return report.swept.some(({ done }) => done === 'failed') ? EXIT.failed : EXIT.done;
  });
}

async function judged(ports: JanitorPorts, listed: ListedRecords): Promise<ListedWorktree[]> {
  const policy = { nowMs: Date.now(), endedMs: 0, unknownMs: UNKNOWN_MS };
  return (await judgeWorktrees(ports, policy, listed)).map(listedWorktree);
}

async function withJanitor<T>(invocation: Invocation, work: (ports: JanitorPorts, session: Session) => Promise<T>): Promise<T> {
  return await withSession(invocation, 'server', async (session) => {
    const { client, configuration } = session;
    const ports = await janitorPorts({
      worktrees: worktreeSettings(configuration),
      git: gitAccess(configuration),
      namespace: client.namespace,
      server: client.connection,
      records: recordsOf(configuration),
    });
    if (ports) return await work(ports, session);
    throw new CommandFailure(EXIT.failed, 'worktree.unavailable', 'the folder of worktrees was removed while the command ran');
  });
}

async function orderOf(
  { options }: Invocation,
  olderMs: number | undefined,
  configuration: Configuration,
  session: Session,
): Promise<SweepOrder> {
  const named = options.text('run');
  const settings = worktreeSettings(configuration);
  const order: SweepOrder = {
    nowMs: Date.now(),
    endedMs: olderMs ?? 0,
    unknownMs: Math.max(olderMs ?? 0, UNKNOWN_MS),
    keepRefsMs: keepRefsMs(settings),
    ...defined({ dryRun: options.flag('dryRun') || undefined, force: options.flag('force') || undefined }),
  };
  if (named === undefined) return order;
  const workflowId = await runNamed(named, (await recordsIn(settings.folder)).records, session);
  return { ...order, unknownMs: olderMs ?? 0, named: true, of: (record) => record.workflowId === workflowId };
}

/** Finds a run as other commands do, and also one of which only worktrees are left. */
async function runNamed(text: string, records: ListedRecords['records'], { client }: Session): Promise<string> {
  const fits = ({ workflowId, run }: ListedRecords['records'][number]) =>
    workflowId === text || run === text || workflowId.startsWith(text) || workflowId.endsWith(`-${text}`);
  const exact = records.find(({ workflowId, run }) => workflowId === text || run === text);
  if (exact) return exact.workflowId;
  const [only, ...others] = new Set(records.filter(fits).map(({ workflowId }) => workflowId));
  return only !== undefined && others.length === 0 ? only : (await findRun(client, text)).run;
}

function recordsIn(root: string): Promise<ListedRecords> {
  return worktreeRecords(root).list();
}

function olderThan(text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : durationMs(text);
  if (text !== undefined && ms === undefined) throw usage(`--older-than must be a duration such as 7d or 12h, got "${text}"`);
  return ms;
}

function describeHeld(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'LockHeld') throw error;
  throw new CommandFailure(EXIT.failed, 'worktree.unavailable', 'another process has been removing worktrees for a minute', {
    hint: 'try again when it is done',
  });
}
