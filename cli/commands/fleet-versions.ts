import { join } from 'node:path';
import type { ThermidorClient } from '../../client/connect';
import { type FleetVersion, type FleetVersions, readVersions, versionNamed } from '../../client/fleet-versions';
import { moveRuns, type NeedsOf, pinUnreadable } from '../../client/move-runs';
import { routeTo, servedVersion, unservedBy } from '../../client/promote-version';
import { shortQueue } from '../../client/unserved-queues';
import { defined } from '../../plan/defined';
import { shortBuild } from '../../plan/run/deployment';
import { field } from '../../plan/text/json';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asStored } from '../../records/stored-json';
import { buildIdOf } from '../../worker/build-id';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { PACKAGE_ROOT } from '../package-root';
import { renderVersions } from '../rendering/fleet-versions';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';

/** Which versions workers have, and how many open runs each holds. */
export async function versions(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  return withSession(invocation, 'server', async ({ client }) => {
    const { conflictToken: _, ...fleet } = await readVersions(client);
    terminal.out(options.flag('json') ? `${JSON.stringify(fleet, null, 2)}\n` : renderVersions(fleet, client.taskQueue, terminal));
    return EXIT.done;
  });
}

/** Has a version take the work: all of it, or a share of the runs. Open runs that it cannot read are pinned first. */
export async function promote(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const percent = options.number('percent', 1);
  if (percent !== undefined && percent > 100) throw usage(`--percent must be a whole number from 1 to 100, got "${percent}"`);
  return withSession(invocation, 'server', async (session) => {
    const { client } = session;
    const fleet = await readVersions(client);
    const to = servedVersion(client, fleet, args[0] ?? ownBuild());
    const name = shortBuild(to.build);
    if (percent !== undefined && fleet.current === undefined) throw usage(`no version is current: promote ${name} without --percent`);
    if (percent !== undefined && to.build === fleet.current) throw usage(`${name} is current and takes every run already`);
    const pin = (): Promise<string[]> => pinUnreadable(client, fleet, to, needsIn(session));
    const before = await pin();
    await routeTo(client, fleet, to.build, percent);
    // A run may have begun in between.
    const pinned = [...new Set([...before, ...(await pin())])];
    const unserved = unservedBy(fleet, to).map((queue) => shortQueue(client.taskQueue, queue));
    if (options.flag('json')) {
      terminal.out(`${JSON.stringify({ build: to.build, ...defined({ percent }), pinned, unserved }, null, 2)}\n`);
      return EXIT.done;
    }
    terminal.out(`${terminal.colors.green('✓')} ${name} ${percent === undefined ? 'is current' : `takes ${percent} % of the runs`}\n`);
    for (const run of pinned) terminal.out(`  pinned, because ${name} cannot read it: ${run}\n`);
    for (const queue of unserved)
      terminal.err(`${terminal.colors.yellow('!')} no worker of ${name} takes steps of queue ${queue}: they wait until one does\n`);
    return EXIT.done;
  });
}

/** Moves the open runs of one version to another. */
export async function move(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'server', async (session) => {
    const { client } = session;
    const fleet = await readVersions(client);
    const from = versionNamed(fleet, args[0] ?? '');
    const to = moveTarget(client, fleet, args[1]);
    const [here, there] = [shortBuild(from.build), shortBuild(to.build)];
    if (here === there) throw usage(`the runs of ${here} are there already`, 'name another version as the second argument');
    const { moved, left } = await moveRuns(client, fleet, from, to, needsIn(session));
    if (options.flag('json')) terminal.out(`${JSON.stringify({ from: from.build, to: to.build, moved, left }, null, 2)}\n`);
    else {
      terminal.out(
        `${terminal.colors.green('✓')} ${moved.length} of ${moved.length + left.length} open runs of ${here} moved to ${there}\n`,
      );
      for (const run of left) terminal.err(`${terminal.colors.yellow('!')} ${there} cannot read ${run}: it stays\n`);
    }
    return left.length === 0 ? EXIT.done : EXIT.failed;
  });
}

function moveTarget(client: ThermidorClient, fleet: FleetVersions, named: string | undefined): FleetVersion {
  const target = named ?? fleet.current;
  if (target === undefined) throw usage('no version is current', 'name the one that the runs go to');
  return servedVersion(client, fleet, target);
}

function ownBuild(): string {
  return buildIdOf(join(PACKAGE_ROOT, 'dist', 'workflow-bundle.js'));
}

function needsIn({ configuration }: Pick<Session, 'configuration'>): NeedsOf {
  const records = recordsOf(configuration);
  return async ({ run, firstRunId }) => {
    const record = await records.ledger.get({ workflowId: run, run: firstRunId }, RUN_RECORD);
    if (record === undefined) return undefined;
    const { version, plan } = readRunRecord(record);
    const frozen = asStored<unknown>(await records.control.get(plan), plan.sha256, 'the plan');
    return { version, irVersion: field(frozen, 'irVersion') };
  };
}
