import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import { AGENT_DEFINITION_ROWS } from '../language/mappings/agent';
import type { MappingNode } from '../read/node';
import type { SourceOf } from '../shape/source-of';

/** The text of one agent's definition, under `agents:` or in a file of its own. */
export interface AgentText {
  id: string;
  node: MappingNode;
  at: SourceSpan;
  /** The text of a Markdown file, which is the agent's instructions; the file's head may be in a coding agent's format. */
  body?: Located<string>;
}

/** The keys of an agent without readers of their own. */
type AgentRow = Exclude<(typeof AGENT_DEFINITION_ROWS)[number], { own: true }>;
export type AgentSource = SourceOf<readonly AgentRow[]>;
export const AGENT_ROWS = AGENT_DEFINITION_ROWS.filter((row): row is AgentRow => !('own' in row));
