import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { Entry, MappingNode } from '../../compiler/read/node';

/** Where the brief is: in a file of its own, or in the step. It is read when it is lowered, because its roles are files. */
export interface BriefStepSource {
  written?: { file: Located<string> } | { inline: MappingNode };
  /** The step's own roles, which replace those of the brief. */
  roles?: Entry;
}
