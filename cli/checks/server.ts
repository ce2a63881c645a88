import type { ThermidorClient } from '../../client/connect';
import { listQueues, queueLeftAlone } from '../../client/queues';
import type { WantedSchedule } from '../../client/schedule-options';
import { isUntested, serverVersion, TESTED_SERVER } from '../../client/server-version';
import { pollersOf } from '../../client/task-queue';
import { unservedQueue, unservedQueues } from '../../client/unserved-queues';
import { versionSkew } from '../../client/version-skew';
import { defined } from '../../plan/defined';
import { scheduleIdOf } from '../../plan/plan';
import { capabilityQueue } from '../../plan/run/contract';
import { shownFailure } from '../exit';
import { namedRuns } from '../rendering/fleet';
import { openSession, type Session } from '../session/session';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { hookAddress, hookPathsIn, SAME_PATH_HINT, samePaths } from '../triggers/hook-paths';
import { APPLY_HINT, describeTrigger, staleTriggers, wantedTriggers } from '../triggers/trigger-news';
import { type Check, errorMessageOf } from './check';
import { otherStoreChecks } from './other-stores';
import { checkAttributes } from './search-attributes';

/** What the pipelines here need of it. */
export interface Wanted {
  /** Where triggers are looked for. */
  cwd: string;
  /** That steps name. */
  queues: readonly string[];
}

/** Checks the server. An embedded one is really started, because that is what a run would do. */
export async function checkServer(
  configuration: Configuration,
  { cwd, queues }: Wanted,
  progress: (line: string) => void,
): Promise<Check[]> {
  const embedded = configuration.address.value === undefined;
  try {
    const session = await openSession({ configuration, need: 'server', begins: true, progress });
    try {
      const { client } = session;
      const how = session.embedded === undefined ? '' : session.embedded.started ? ', embedded, starts' : ', embedded, running';
      return [
        await versionCheck(client, `${client.address}${how}`),
        await namespaceCheck(client),
        await pollerCheck(client, embedded),
        ...(embedded ? [] : await capabilityChecks(client, queues)),
        ...(embedded ? [] : await otherStoreChecks(client, recordsOf(configuration))),
        ...(await versionChecks(client)),
        await checkAttributes(client),
        ...(await triggerChecks(session, cwd)),
        ...(await queueChecks(client)),
      ];
    } finally {
      await session.close();
    }
  } catch (error) {
    const failure = shownFailure(error);
    const tried = (failure?.details as { tried?: string[] } | undefined)?.tried ?? [];
    const says = [failure?.message ?? errorMessageOf(error), ...tried].join('\n    ');
    return [{ name: 'server', state: 'failed', says, ...defined({ hint: failure?.hint }) }];
  }
}

async function versionCheck(client: ThermidorClient, where: string): Promise<Check> {
  const version = await serverVersion(client);
  const says = version === '' ? where : `${where}, Temporal ${version}`;
  if (version === '' || !isUntested(version)) return { name: 'server', state: 'ok', says };
  const hint = `upgrade it to ${TESTED_SERVER} or newer, with which Thermidor is tested: an older one may lack what it needs`;
  return { name: 'server', state: 'warning', says, hint };
}

/** Checks of merge queues; none if every queue has a worker that follows its rules. */
async function queueChecks(client: ThermidorClient): Promise<Check[]> {
  const name = 'merge queues';
  try {
    const found = await Promise.all((await listQueues(client)).map((queue) => queueLeftAlone(client, queue)));
    return found.flatMap((left) => (left ? [{ name, state: 'failed', says: left.message, ...defined({ hint: left.more.hint }) }] : []));
  } catch (error) {
    return [{ name, state: 'warning', says: `cannot be listed: ${errorMessageOf(error)}` }];
  }
}

/** Checks of triggers; none if no pipeline has one. */
async function triggerChecks(session: Session, cwd: string): Promise<Check[]> {
  const name = 'triggers';
  const wanted = wantedTriggers(session.configuration, cwd);
  if (wanted.length === 0) return [];
  try {
    const same = samePaths(hookPathsIn(wanted)).map((says): Check => ({ name, state: 'failed', says, hint: SAME_PATH_HINT }));
    const stale = await staleTriggers(session, wanted);
    if (stale.length === 0 && same.length === 0)
      return [{ name, state: 'ok', says: wanted.map((one) => placeOfTrigger(session.configuration, one)).join(', ') }];
    return [...same, ...stale.map((one): Check => ({ name, state: 'warning', says: describeTrigger(one), hint: APPLY_HINT }))];
  } catch (error) {
    return [{ name, state: 'warning', says: `cannot be compared with schedules: ${errorMessageOf(error)}` }];
  }
}

function placeOfTrigger(configuration: Configuration, { pipeline, trigger }: WantedSchedule): string {
  const schedule = scheduleIdOf(pipeline, trigger);
  return trigger.kind === 'webhook' ? `${schedule} (POST ${hookAddress(configuration, trigger.path)})` : schedule;
}

async function namespaceCheck(client: ThermidorClient): Promise<Check> {
  try {
    await client.call(() => client.temporal.workflowService.describeNamespace({ namespace: client.namespace }));
    return { name: 'namespace', state: 'ok', says: client.namespace };
  } catch (error) {
    const hint = `temporal operator namespace create --namespace ${client.namespace} --address ${client.address}`;
    return { name: 'namespace', state: 'failed', says: `"${client.namespace}": ${errorMessageOf(error)}`, hint };
  }
}

async function pollerCheck(client: ThermidorClient, embedded: boolean): Promise<Check> {
  const name = 'task queue';
  try {
    const pollers = await pollersOf(client, 'workflow');
    const identities = [...new Set(pollers.map(({ identity }) => identity))];
    if (identities.length > 0) return { name, state: 'ok', says: `${client.taskQueue}: ${identities.join(', ')}` };
    if (embedded) return { name, state: 'ok', says: `${client.taskQueue}: no worker polls now; commands start their own` };
    return { name, state: 'failed', says: `${client.taskQueue}: no worker polls it, so runs do not advance`, hint: 'thermidor worker' };
  } catch (error) {
    return { name, state: 'failed', says: errorMessageOf(error) };
  }
}

/** Checks the queues that steps name, or on which open runs wait; none if each has a worker. Workers here take those of their own runs. */
async function capabilityChecks(client: ThermidorClient, queues: readonly string[]): Promise<Check[]> {
  const name = 'queues';
  try {
    const unserved = await unservedQueues(
      client,
      queues.map((queue) => capabilityQueue(client.taskQueue, queue)),
    );
    // The check of the worker says that of the client's own.
    return unserved
      .filter(({ queue }) => queue !== client.taskQueue)
      .map(({ queue, runs, ...idle }) => {
        const { text, who } = unservedQueue(client.taskQueue, queue, idle);
        const waiting = runs.length === 0 ? '' : `; waiting: ${namedRuns(runs)}`;
        return { name, state: 'warning', says: `${text}${waiting}`, hint: who };
      });
  } catch (error) {
    return [{ name, state: 'warning', says: `cannot be looked at: ${errorMessageOf(error)}` }];
  }
}

/** Checks the versions of workers; none if all of them get work. */
async function versionChecks(client: ThermidorClient): Promise<Check[]> {
  const name = 'versions';
  try {
    return (await versionSkew(client)).map(({ text, hint, blocks }) => ({ name, state: blocks ? 'failed' : 'warning', says: text, hint }));
  } catch (error) {
    return [{ name, state: 'warning', says: `cannot be looked at: ${errorMessageOf(error)}` }];
  }
}
