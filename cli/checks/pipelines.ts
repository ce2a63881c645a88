import { PipelineIndex } from '../../worker/pipeline-index';
import type { Configuration } from '../settings/configuration';
import type { Check } from './check';

/** How many pipelines are found by name, and whether each name leads to one file. */
export function checkPipelines(configuration: Configuration): Check {
  const folders = configuration.pipelines.value;
  const index = new PipelineIndex(folders);
  const unread = index.unread();
  if (unread.length > 0) return { name: 'pipelines', state: 'failed', says: unread.join('; '), hint: 'let this user read them' };
  const known = [...index.files()];
  const double = known.flatMap(([name, files]) => (new Set(files).size > 1 ? [`"${name}" in ${files.join(' and ')}`] : []));
  if (double.length > 0) {
    return { name: 'pipelines', state: 'failed', says: `a name means several files: ${double.join('; ')}`, hint: 'rename all but one' };
  }
  if (known.length > 0)
    return {
      name: 'pipelines',
      state: 'ok',
      says: known
        .map(([name]) => name)
        .sort()
        .join(', '),
    };
  return { name: 'pipelines', state: 'warning', says: `none in ${folders.join(', ') || 'any folder'}`, hint: 'thermidor init makes one' };
}
