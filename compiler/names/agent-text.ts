import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { MappingNode } from '../read/node';

/** What is written of one agent, under `agents:` or in a file of its own. */
export interface AgentText {
  id: string;
  node: MappingNode;
  at: SourceSpan;
  /** The text of a Markdown file, which is its instructions; what is at the head of one may be of a coding agent's. */
  body?: Located<string>;
}
