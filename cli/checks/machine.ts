import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Check } from './check';

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
