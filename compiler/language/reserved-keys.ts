/**
 * Keys that the language reserves for a later version: they get `language.unsupported`, so that nobody takes them for their own mistake.
 * None of them is in the JSON Schema or the reference.
 */
export const RESERVED_KEYS = {
  fileKeys: ['cost_limit'],
  /** Keys that imply a kind of step. `merge` is also a key of `parallel`, and so implies nothing. */
  kindKeys: ['consensus'],
  agentKeys: ['mcp', 'budget', 'worktree', 'temperature'],
} as const;
