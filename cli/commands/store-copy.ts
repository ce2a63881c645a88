import { resolve } from 'node:path';
import { executionsOf } from '../../client/executions';
import { visibilityQuery } from '../../client/list-runs';
import { defined } from '../../plan/defined';
import type { EncryptionSpec } from '../../plan/run/services';
import { stateLayout } from '../../records/directory/state-layout';
import { folderTransfer } from '../../records/directory/transfer/folder-transfer';
import { DEFAULT_SCHEMA, isSchemaName } from '../../records/postgres/postgres-place';
import { databaseTransfer } from '../../records/postgres/transfer/database-transfer';
import { BUCKET_ADDRESS } from '../../records/s3/bucket-place';
import { transferWithBucket } from '../../records/s3/bucket-transfer';
import { CopyRefused, type CopyReport, copyStore } from '../../records/transfer/copy-store';
import { PART_KINDS } from '../../records/transfer/store-part';
import type { StoreTransfer } from '../../records/transfer/store-transfer';
import { keyRingOf } from '../../worker/key-ring';
import { bucketOf, databaseOf, openStore, type StoreOptions } from '../../worker/open-store';
import type { Invocation } from '../command';
import { readLeases } from '../embedded/leases';
import { CommandFailure, EXIT, usage } from '../exit';
import { ifNothingHasRun } from '../session/nothing-has-run';
import { withSession } from '../session/with-session';
import { workerLeaseFolders } from '../session/worker-lease';
import { keyRingOfSettings } from '../settings/key-ring';
import { configurationOf } from '../settings/settings';
import { isBucketAddress, isStoreAddress, SCHEMA_NAME } from '../settings/store';
import type { Terminal } from '../terminal';

/**
 * Moves an installation whose runs have ended to another store. Fails with `store.copy-refused` if one of the two is in use, or the other
 * has content of its own; with `store.unavailable`, `artifact.missing`, and as every command that asks the server.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [given, target] = [args[0] ?? '', args[1] ?? ''];
  // Both are installations of these settings: what is sealed stays so, and its keys are there.
  const configuration = configurationOf(invocation);
  keyRingOfSettings(configuration);
  const { value: encryption } = configuration.encryption;
  const place = { terminal, ...defined({ encryption }) };
  const from = storeOf(given, { ...place, schema: options.text('fromSchema'), artifacts: options.text('fromArtifacts') });
  const to = transferOf(storeOf(target, { ...place, schema: options.text('toSchema'), artifacts: options.text('toArtifacts') }));
  const source = transferOf(from);
  const dryRun = options.flag('dryRun');
  try {
    requireUnused(given, from);
    await requireEnded(invocation, from);
    const report = await copyStore({ from: source, to, dryRun, progress: progressTo(terminal) });
    const shown = { from: source.shown, to: to.shown, dryRun, ...report };
    terminal.out(options.flag('json') ? `${JSON.stringify(shown, null, 2)}\n` : `${textOf(report, shown, terminal)}\n`);
    return EXIT.done;
  } catch (error) {
    if (error instanceof CopyRefused) throw refusal(error.message, error.hint);
    throw error;
  } finally {
    await Promise.all([source.close(), to.close()]);
  }
}

interface Asked {
  terminal: Terminal;
  encryption?: EncryptionSpec;
  schema: string | undefined;
  artifacts: string | undefined;
}

function storeOf(given: string, { schema, artifacts, encryption, terminal: { cwd } }: Asked): StoreOptions {
  if (artifacts !== undefined && !isBucketAddress(artifacts)) throw usage(`artifacts must be ${BUCKET_ADDRESS}`);
  const content = defined({ artifacts, encryption });
  if (schema !== undefined && !isSchemaName(schema)) throw usage(`a schema must be ${SCHEMA_NAME}`);
  if (isStoreAddress(given)) return { stateDir: cwd, store: given, storeSchema: schema ?? DEFAULT_SCHEMA, ...content };
  if (given.includes('://')) throw usage('a store is a state folder, postgres://…, or a reference secret://env/NAME to such an address');
  if (schema !== undefined) throw usage(`${given} is a folder, which has no schema`);
  return { stateDir: resolve(cwd, given), ...content };
}

export function transferOf(options: StoreOptions): StoreTransfer {
  const database = databaseOf(options);
  const keys = keyRingOf(options.encryption);
  const ofFolder = options.encryption?.folder === false ? keys.readOnly() : keys;
  const store = database ? databaseTransfer(database, keys) : folderTransfer(options.stateDir, ofFolder);
  const bucket = bucketOf(options);
  return bucket ? transferWithBucket(store, bucket, keys) : store;
}

/** Processes of this machine say in a folder that they use it; those of other hosts, and of a database, by their signs of life. */
export function requireUnused(given: string, { store, stateDir }: Pick<StoreOptions, 'store' | 'stateDir'>): void {
  if (store !== undefined) return;
  const folders = [stateLayout(stateDir).leases, ...workerLeaseFolders(stateDir)];
  const pids = folders.flatMap((folder) => readLeases(folder).living.map(({ lease }) => lease.process.pid));
  if (pids.length > 0) throw refusal(`processes use ${given}: ${pids.join(', ')}`, 'stop them, by Ctrl-C or SIGTERM');
}

/** A run that is open on the server goes on where its records are. */
async function requireEnded(invocation: Invocation, from: StoreOptions): Promise<void> {
  const set = configurationOf(invocation);
  // The embedded server of a folder is in that folder.
  const configuration = from.store === undefined ? { ...set, stateDir: { value: from.stateDir, source: 'FROM' } } : set;
  const { runs } = openStore(from);
  const open = await ifNothingHasRun(
    withSession(invocation, { need: 'server', configuration }, async ({ client }) => {
      const query = visibilityQuery(client.taskQueue, { state: 'running' });
      const found: string[] = [];
      for await (const { workflowId } of executionsOf(client, query)) {
        if ((await runs.runsOf(workflowId)).length > 0) found.push(workflowId);
        if (found.length >= NAMED) break;
      }
      return found;
    }),
    () => [],
  );
  if (open.length === 0) return;
  throw refusal(`runs are open: ${open.join(', ')}${open.length < NAMED ? '' : ' and maybe more'}`, 'let them end, or cancel them');
}

const NAMED = 3;

function refusal(message: string, hint: string): CommandFailure {
  return new CommandFailure(EXIT.failed, 'store.copy-refused', message, { hint });
}

const SHOWN_EACH_MS = 2_000;

function progressTo({ err, colors }: Terminal): (phase: string, done: number) => void {
  let shownMs = performance.now();
  return (phase, done) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < SHOWN_EACH_MS) return;
    shownMs = nowMs;
    err(`${colors.dim(`${phase} ${done}`)}\n`);
  };
}

function textOf({ parts }: CopyReport, { from, to, dryRun }: { from: string; to: string; dryRun: boolean }, { colors }: Terminal): string {
  const copied = PART_KINDS.filter((kind) => parts[kind].copied > 0).map((kind) => `${parts[kind].copied} ${PART_NAMES[kind]}`);
  if (copied.length === 0) return `nothing to do: ${to} has all of ${from}`;
  if (dryRun) return `would copy ${copied.join(', ')} from ${from} to ${to}`;
  return `${colors.green('✓')} copied ${copied.join(', ')} from ${from} to ${to}, and read all of it again`;
}

export const PART_NAMES: Record<(typeof PART_KINDS)[number], string> = {
  content: 'contents',
  record: 'records',
  log: 'logs',
  'step-log': 'logs of steps',
  environment: 'environments',
  link: 'links of gates',
  grants: 'projects with grants',
  refused: 'file of refused answers',
  end: 'ends of runs',
};
