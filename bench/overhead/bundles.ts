import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { withoutPromiseTraces } from '../../worker/promise-traces';

/**
 * The workflow code of both sides as files. Both have an empty source map: the SDK records where each promise of a workflow was made and
 * looks the place up in the map, so a map on one side would cost time on that side only.
 */
export interface Bundles {
  ours: string;
  payloadConverter: string;
  reference: string;
}

export async function makeBundles(folder: string): Promise<Bundles> {
  const dist = distFolder();
  const bundles: Bundles = {
    ours: join(folder, 'ours.js'),
    payloadConverter: join(dist, 'workflows', 'temporal', 'payload-converter.js'),
    reference: join(folder, 'reference.js'),
  };
  const { code } = await bundleWorkflowCode({ workflowsPath: join(__dirname, 'reference-workflow.js'), logger: QUIET });
  writeFileSync(bundles.reference, withEmptySourceMap(code));
  writeFileSync(bundles.ours, withoutPromiseTraces(withEmptySourceMap(readFileSync(join(dist, 'workflow-bundle.js'), 'utf8'))));
  return bundles;
}

const MAP_COMMENT = '//# sourceMappingURL=data:';
const EMPTY_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })).toString('base64');

/** Whether the code came with a map, as the bundler makes it, or without. */
export function withEmptySourceMap(code: string): string {
  const at = code.lastIndexOf(`\n${MAP_COMMENT}`);
  const bare = at === -1 ? code.trimEnd() : code.slice(0, at);
  return `${bare}\n${MAP_COMMENT}application/json;base64,${EMPTY_MAP}\n`;
}

const quiet = (): void => undefined;
const loud = (message: string): void => {
  process.stderr.write(`${message}\n`);
};
const QUIET = { trace: quiet, debug: quiet, info: quiet, log: quiet, warn: loud, error: loud };

/** The bench runs from its build only, because the reference is bundled from there. */
function distFolder(): string {
  const dist = dirname(dirname(__dirname));
  if (basename(dist) !== 'dist') throw new Error('the bench runs from the build: use `npm run bench`');
  return dist;
}
