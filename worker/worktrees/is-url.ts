/** Whether it is a URL by git's rules: a colon before the first slash means a place on another host. */
export function isUrl(repo: string): boolean {
  return /^[^/]*:/.test(repo);
}
