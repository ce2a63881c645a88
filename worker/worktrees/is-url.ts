/** As git has it: what has a colon before the first slash is a place on another host. */
export function isUrl(repo: string): boolean {
  return /^[^/]*:/.test(repo);
}
