import { field } from '../../plan/text/json';
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
  const list = ['tried', 'problems'].map((key) => field(details, key)).find(Array.isArray) ?? [];
  return list.filter((item) => typeof item === 'string');
}
