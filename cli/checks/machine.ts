import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { modesOpenToOthers } from '../../records/directory/state-folder';
import { recordsIn } from '../settings/records';
import { type Check, errorMessageOf } from './check';

const LEAST_NODE: readonly [number, number] = [20, 3];

/** Checks Node and the output of `npm run build`. */
export function checkMachine(): Check[] {
  return [nodeCheck(process.versions.node), sdkCheck(), bundleCheck()];
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return { name: 'node', state: 'ok', says: version };
  return { name: 'node', state: 'failed', says: `${version} is too old`, hint: `install Node ${LEAST_NODE.join('.')} or newer` };
}

function sdkCheck(): Check {
  const manifest = require.resolve('@temporalio/client/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { name: 'temporal sdk', state: 'ok', says: version };
}

function bundleCheck(): Check {
  const root = dirname(dirname(__dirname));
  const path = join(basename(root) === 'dist' ? root : join(root, 'dist'), 'workflow-bundle.js');
  if (existsSync(path)) return { name: 'workflow bundle', state: 'ok', says: path };
  return { name: 'workflow bundle', state: 'failed', says: `${path} does not exist`, hint: 'npm run build' };
}

/** Writes and reads an artifact: a full or read-only disk is found before a run pays for something it cannot keep. */
export async function checkStore(stateDir: string, folder: string): Promise<Check> {
  try {
    const store = recordsIn(folder).artifacts;
    const ref = await store.put('thermidor doctor was here\n', { mediaType: 'text/plain', name: 'doctor.txt' });
    await store.get(ref);
    const open = modesOpenToOthers(folder);
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

function openTo(paths: readonly string[]): string {
  return `other users of this machine can enter or read ${paths.join(', ')}, where prompts and outputs are kept`;
}
