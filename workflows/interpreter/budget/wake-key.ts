/** What wakes a holder, by its key, that waits until others give back what they hold of a budget. */
export function budgetWakeKey(key: string): string {
  return `budget:${key}`;
}
