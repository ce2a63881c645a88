import { ThermidorFailure } from '../../plan/run/failure';
import { modesOpenToOthers } from '../../records/directory/state-folder';
import { hasPassword } from '../../records/postgres/postgres-place';
import { storeState } from '../../records/postgres/store-state';
import { Bucket } from '../../records/s3/bucket';
import { shownBucket } from '../../records/s3/bucket-place';
import { bucketOf } from '../../worker/open-store';
import { shownFailure } from '../exit';
import type { Configuration } from '../settings/configuration';
import { databaseOfSettings, recordsOf } from '../settings/records';
import { SETTINGS_FILE } from '../settings/settings-file';
import { requireSharedKey } from '../settings/store-settings';
import { type Check, errorMessageOf } from './check';

/**
 * Writes and reads an artifact: what would keep a run from storing its work is found before it pays for any.
 *
 * @param folder replaces the state folder for checks that write
 */
export async function checkStore(configuration: Configuration, folder: string): Promise<Check[]> {
  const inFolder = { ...configuration, stateDir: { ...configuration.stateDir, value: folder } };
  const bucket = await checkBucket(configuration);
  // Where the content goes is found by the check of the bucket.
  const inStore = bucket.some(({ state }) => state === 'failed') ? { ...inFolder, artifacts: NO_BUCKET } : inFolder;
  if (configuration.store.value === undefined) return [await checkFolder(inStore, configuration.stateDir.value), ...bucket];
  return [
    await checkDatabase(inStore),
    ...bucket,
    ...checkKey(configuration),
    ...checkAddress(configuration),
    ...checkFleet(configuration),
  ];
}

async function checkFolder(configuration: Configuration, stateDir: string): Promise<Check> {
  try {
    await tryToStore(configuration);
    const open = modesOpenToOthers(configuration.stateDir.value);
    if (open.length > 0) return { name: 'artifact store', state: 'warning', says: openTo(open), hint: `chmod -R go= ${stateDir}` };
    return { name: 'artifact store', state: 'ok', says: `${stateDir} can be written` };
  } catch (error) {
    return {
      name: 'artifact store',
      state: 'failed',
      says: errorMessageOf(error),
      hint: 'free some space, fix the permissions, or choose another folder with --state-dir',
    };
  }
}

async function checkDatabase(configuration: Configuration): Promise<Check> {
  const database = databaseOfSettings(configuration);
  try {
    if (database === undefined) throw new Error('no database is set');
    const { store, server, tables, roundTripMs } = await storeState(database);
    await tryToStore(configuration);
    const says = `${store}: PostgreSQL ${server}, tables of version ${tables}, ${roundTripMs.toFixed(1)} ms a statement`;
    return { name: 'store', state: 'ok', says };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { name: 'store', state: 'failed', says: error.message, hint: 'runs wait until the store can be used' };
  }
}

const NO_BUCKET: Configuration['artifacts'] = { value: undefined, source: 'the check of the store' };

async function checkBucket({ artifacts }: Configuration): Promise<Check[]> {
  if (artifacts.value === undefined) return [];
  try {
    return [{ name: 'artifacts', state: 'ok', says: await bucketState(artifacts.value) }];
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return [{ name: 'artifacts', state: 'failed', says: error.message, hint: 'runs wait until the bucket can be used' }];
  }
}

async function bucketState(address: string): Promise<string> {
  const place = bucketOf({ artifacts: address });
  if (place === undefined) throw new Error('no bucket is set');
  const bucket = new Bucket(place);
  try {
    await bucket.check();
  } finally {
    await bucket.close();
  }
  return `${shownBucket(place)} puts content once, and gives it back`;
}

function checkKey(configuration: Configuration): Check[] {
  try {
    requireSharedKey(configuration);
    return [];
  } catch (error) {
    const failure = shownFailure(error);
    if (failure === undefined) throw error;
    const { message, hint } = failure;
    return [{ name: 'store', state: 'failed', says: message, ...(hint === undefined ? {} : { hint }) }];
  }
}

/** A file of settings is made to be shared. */
function checkAddress({ store }: Configuration): Check[] {
  if (!store.source.endsWith(SETTINGS_FILE) || !hasPassword(store.value ?? '')) return [];
  const hint = 'write store: secret://env/NAME, or leave the password out and set PGPASSWORD';
  return [{ name: 'store', state: 'warning', says: `${SETTINGS_FILE} has the password of the store`, hint }];
}

/** An embedded server has the workers of one host. */
function checkFleet({ address }: Configuration): Check[] {
  if (address.value === undefined) return [];
  const says = 'team memory and files of `write:` stay on the host that writes them';
  return [{ name: 'store', state: 'warning', says, hint: 'keep them in a repository, or on a file system that all hosts share' }];
}

async function tryToStore(configuration: Configuration): Promise<void> {
  const store = recordsOf(configuration).artifacts;
  const ref = await store.put('thermidor doctor was here\n', { mediaType: 'text/plain', name: 'doctor.txt' });
  await store.get(ref);
}

function openTo(paths: readonly string[]): string {
  return `other users of this machine can enter or read ${paths.join(', ')}, where prompts and outputs are kept`;
}
