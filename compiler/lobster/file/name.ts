import { posix } from 'node:path';

/** The name of a run's workflow type, where a Lobster file says something else or nothing at all. */
const SAFE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** From the file's `name`, or else from how the file is called; always fit to be a pipeline's name. */
export function workflowName(name: string | undefined, file: string): string {
  const wanted = name?.trim() || posix.basename(file).replace(/\.(?:lobster|ya?ml|json)$/i, '');
  if (isSafe(wanted)) return wanted;
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 50);
  if (isSafe(plain)) return plain;
  return plain === '' ? 'workflow' : `workflow-${plain}`;
}

function isSafe(name: string): boolean {
  return SAFE.test(name) && !INHERITED.has(name) && !name.startsWith('__');
}
