/** Whether the name is that of a time zone, such as `UTC` or `Europe/Paris`. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
