import type { ShownFailure } from '../exit';
import type { Colors } from '../terminal';

/** A failure in words: the message, the details that are a list, and the hint. A bug is shown with its stack. */
export function renderFailure(failure: ShownFailure | undefined, error: unknown, colors: Colors): string {
  if (failure === undefined) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${colors.red('error')} internal: this is a bug in Thermidor\n${text}\n`;
  }
  const lines = [`${colors.red('error')} ${failure.message}  ${colors.dim(failure.code)}`];
  for (const item of listOf(failure.details)) if (item !== failure.message) lines.push(`  - ${item}`);
  if (failure.hint !== undefined) lines.push(`  ${colors.cyan('hint:')} ${failure.hint}`);
  return `${lines.join('\n')}\n`;
}

/** The lines of `details.tried` or `details.problems`; anything that is not text is for `--json` alone. */
function listOf(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return [];
  for (const key of ['tried', 'problems']) {
    const list = (details as Record<string, unknown>)[key];
    if (Array.isArray(list)) return list.filter((item): item is string => typeof item === 'string');
  }
  return [];
}
