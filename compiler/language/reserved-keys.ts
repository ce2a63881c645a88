/**
 * What is in the language and beyond this version: answered with `language.unsupported`, so that nobody takes it for a
 * mistake of theirs. None of it is in the JSON Schema or the reference.
 */
export const RESERVED_KEYS = {
  fileKeys: ['cost_limit'],
  types: ['brief', 'board'],
  /** Keys that imply a kind of step. `merge` is a key of `parallel` as well, and so implies nothing. */
  kindKeys: ['consensus', 'brief', 'board'],
  agentKeys: ['mcp', 'budget', 'worktree', 'temperature'],
} as const;
