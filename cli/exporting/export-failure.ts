import { ExportProblem } from '../../records/exports/export-problem';
import { CommandFailure, EXIT } from '../exit';

/** Rethrows why a run was not exported or imported as the failure of a command. */
export function asFailure(error: unknown): never {
  if (!(error instanceof ExportProblem)) throw error;
  const { code, message, hint } = error;
  throw new CommandFailure(code.startsWith('export.') ? EXIT.usage : EXIT.failed, code, message, hint === undefined ? {} : { hint });
}
