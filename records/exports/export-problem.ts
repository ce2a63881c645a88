export type ExportProblemCode =
  | 'export.folder-not-empty'
  | 'export.unwritable'
  | 'export.unmasked'
  | 'import.no-export'
  | 'import.version'
  | 'import.damaged'
  | 'import.run-exists';

/** Why a run was not exported or imported. Nothing was left behind. */
export class ExportProblem extends Error {
  override readonly name = 'ExportProblem';
  constructor(
    readonly code: ExportProblemCode,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A file of an export is not what the manifest, or Thermidor, says. @param path within the export */
export function damaged(path: string, what: string): ExportProblem {
  return new ExportProblem('import.damaged', `${path}: ${what}`, 'get the export again; nothing of it was stored');
}
