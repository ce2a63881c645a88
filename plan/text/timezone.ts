/** Whether the name is one of a time zone, as `UTC` or `Europe/Paris`. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
