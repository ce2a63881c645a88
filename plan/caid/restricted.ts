import { DEFAULT_RESTRICTED } from './team';

/**
 * The patterns of what a task may not touch: what step and manager say, whatever it is, and the default set without the patterns that the task's own
 * files fit. A library may be written in its entry file: whoever owns it alone may change it.
 */
export function restrictedFor(files: readonly string[], said: readonly string[]): string[] {
  const owned = files.map((file) => file.slice(file.lastIndexOf('/') + 1));
  const byDefault = DEFAULT_RESTRICTED.filter((pattern) => !owned.some((name) => fits(name, pattern)));
  return [...new Set([...byDefault, ...said])];
}

/** Default patterns are two stars and a name, in which a star stands for anything. */
function fits(name: string, pattern: string): boolean {
  const [before = '', after] = pattern.slice(pattern.lastIndexOf('/') + 1).split('*');
  if (after === undefined) return name === before;
  return before.length + after.length > 0 && name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}
