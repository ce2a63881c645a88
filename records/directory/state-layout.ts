import { join } from 'node:path';
import { fileName } from './file-name';

/**
 * The paths below a state folder: the one place that names its folders. The first four, `logs/runs`, `in-flight`, `hosts`, `drained`,
 * `grants` and `handed-over` are the store that all workers of a run share; the rest belongs to one machine.
 */
export function stateLayout(root: string) {
  const [callbacks, logs] = [join(root, 'callbacks'), join(root, 'logs')];
  return {
    artifacts: join(root, 'artifacts'),
    ledger: join(root, 'ledger'),
    environments: join(root, 'environments'),
    callbacks,
    gateLinks: join(callbacks, 'gates'),
    serviceKey: join(callbacks, 'key'),
    /** The id of the installation. */
    installation: join(root, 'installation'),
    refusedAnswers: join(callbacks, 'refused.jsonl'),
    stepLogs: join(logs, 'runs'),
    /** Outputs under their names, for people. */
    outputs: join(root, 'runs'),
    /** Folders that steps work in. */
    work: join(root, 'work'),
    /** The id of the host whose steps work there. */
    folderHost: join(root, 'host'),
    slots: join(root, 'in-flight'),
    /** Signs of life of hosts that have worktrees. */
    hosts: join(root, 'hosts'),
    /** Hosts that take no new work. */
    drained: join(root, 'drained'),
    /** What people have granted to projects for ever. */
    grants: join(root, 'grants'),
    /** Work that stopped workers had in progress. */
    handedOver: join(root, 'handed-over'),
    workerLog: join(logs, 'worker.log'),
    serverLog: join(logs, 'server.log'),
    server: join(root, 'server.json'),
    serverLock: join(root, 'server.lock'),
    leases: join(root, 'leases'),
    /** Leases of workers whose servers run elsewhere. */
    workerLeases: join(root, 'leases', 'elsewhere'),
    database: join(root, 'temporal.db'),
  };
}

/** Where half-written files of a store are until they get their names. */
export function scratchOf(store: string): string {
  return join(store, 'scratch');
}

/** Every folder in which a crash may leave half-written files. */
export function scratchFolders(root: string): string[] {
  const { artifacts, ledger, environments, callbacks, handedOver, drained, stepLogs } = stateLayout(root);
  return [artifacts, ledger, environments, callbacks, handedOver, drained, stepLogs].map(scratchOf);
}

/** The folder in which a step of a run works. Two steps never share one, and none is within another. */
export function stepFolder(root: string, workflowId: string, path: string): string {
  return join(runFolder(root, workflowId), fileName(path));
}

/** The folder that has those of the steps of a run. */
export function runFolder(root: string, workflowId: string): string {
  return join(stateLayout(root).work, fileName(workflowId));
}

/** The names that Thermidor creates at the top of a state folder: `temporal.db` also as `temporal.db-wal`, and so on. */
export const STATE_NAMES =
  /^(artifacts|ledger|environments|callbacks|runs|work|host|in-flight|hosts|drained|grants|handed-over|leases|logs|installation|\.gitignore|server\.json(\..+)?|server\.lock(\..+)?|temporal\.db(-.+)?)$/;
