import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { MappingNode } from '../read/node';

/** The text of one agent's definition, under `agents:` or in a file of its own. */
export interface AgentText {
  id: string;
  node: MappingNode;
  at: SourceSpan;
  /** The text of a Markdown file, which is the agent's instructions; the file's head may be in a coding agent's format. */
  body?: Located<string>;
}
